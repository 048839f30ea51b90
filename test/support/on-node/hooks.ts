// Lets Node run the tests and the sources as they are: loaded before them by scripts/test-node.ts.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const browserFiles = process.env.HELPDESK_TEST_BROWSER_FILES ?? '';
let components: Record<string, string> | null = null;
const here = (name: string) => new URL(name, import.meta.url).href;
const moduleOf = (source: string) => ({ format: 'module', source, shortCircuit: true });

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'bun:test') return { url: here('./bun-test.ts'), shortCircuit: true };
    const type = context.importAttributes?.type;
    const resolved = next(specifier, context);
    if (type !== 'text' && type !== 'file') return resolved;
    return { ...resolved, url: `${resolved.url}?${type}`, format: 'module', importAttributes: {} };
  },
  load(url, context, next) {
    const [address = '', kind] = url.split('?');
    if (kind === 'text')
      return moduleOf(`export default ${JSON.stringify(readFileSync(fileURLToPath(address), 'utf8'))}`);
    if (kind === 'file') return moduleOf(`export default ${JSON.stringify(fileURLToPath(address))}`);
    if (url === here('../../../src/server/browser/files.ts')) return moduleOf(readFileSync(browserFiles, 'utf8'));
    if (address.endsWith('.tsx')) {
      components ??= JSON.parse(readFileSync(process.env.HELPDESK_TEST_COMPONENTS ?? '', 'utf8')) as Record<
        string,
        string
      >;
      return moduleOf(components[fileURLToPath(address)] ?? '');
    }
    return next(url, context);
  },
});
