// Compiles server, command line and migrations into one file, for this or another kind of machine.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Encoding } from '../src/http/pages/browser-files.ts';
import { type BuiltFile, buildBrowserFiles } from '../src/server/browser/build.ts';
import { withKnownRoutes } from './known-routes.ts';

/** @param target Bun's name, such as `bun-linux-arm64`; without it, this machine's */
export async function compile(outfile: string, target?: Bun.Build.CompileTarget): Promise<void> {
  mkdirSync(dirname(outfile), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-browser-files-'));
  try {
    await compileWith(await withBrowserFiles(folder), outfile, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compileWith(browserFiles: Bun.BunPlugin, outfile: string, target?: Bun.Build.CompileTarget) {
  const built = await Bun.build({
    entrypoints: ['cli/main.ts'],
    compile: target === undefined ? { outfile } : { outfile, target },
    format: 'esm',
    bytecode: true,
    // What a command loads later keeps its functions out of the memory until then.
    splitting: true,
    minChunkSize: 64 * 1024,
    minify: true,
    sourcemap: 'linked',
    plugins: [withoutRe2, browserFiles, await withKnownRoutes()],
  });
  for (const message of built.logs) console.error(message);
  if (!built.success) throw new Error(`${outfile} could not be built`);
  for (const { kind, path } of built.outputs) if (kind === 'sourcemap') rmSync(path, { force: true });
}

/**
 * email-reply-parser uses the native module re2 if it finds one. An executable would look for it in node_modules/ of
 * the current directory, and run what it finds there.
 */
export const withoutRe2: Bun.BunPlugin = {
  name: 'without re2',
  setup(build) {
    build.onLoad({ filter: /email-reply-parser[\\/]dist[\\/]regex\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      const contents = source
        .replace('const require = createRequire(import.meta.url);', '')
        .replace('this.RE2 = require("re2");\n            return true;', 'return false;');
      if (contents.includes('require("re2")') || contents.includes('createRequire(')) {
        throw new Error(`${path} asks for re2 in another way than scripts/compile.ts knows`);
      }
      return { contents, loader: 'js' };
    });
  },
};

/** Bundles the browser code, and puts its files in the place of the module that bundles it on demand. */
async function withBrowserFiles(folder: string): Promise<Bun.BunPlugin> {
  const { files, ...rest } = await buildBrowserFiles(resolve('src/web'));
  const imports: string[] = [];
  const embed = ({ name }: BuiltFile, encoding: Encoding, bytes: Uint8Array) => {
    const path = join(folder, `${name}.${encoding}`);
    writeFileSync(path, bytes);
    imports.push(`import file${imports.length} from ${JSON.stringify(path)} with { type: 'file' };`);
    return `file${imports.length - 1}`;
  };
  const entries = files.map((file) => {
    const paths = Object.entries(file.variants).map(
      ([encoding, bytes]) => `${encoding}: ${embed(file, encoding as Encoding, bytes)}`,
    );
    return `${JSON.stringify(file.name)}: { type: ${JSON.stringify(file.type)}, paths: { ${paths.join(', ')} } }`;
  });
  const contents = `${imports.join('\n')}
import { storedFiles } from './stored-files.ts';
const browserFiles = storedFiles(${JSON.stringify(rest)}, { ${entries.join(', ')} });
export { browserFiles };
`;
  return {
    name: 'browser files',
    setup(build) {
      build.onLoad({ filter: /[\\/]server[\\/]browser[\\/]files\.ts$/ }, () => ({ contents, loader: 'ts' }));
    },
  };
}
