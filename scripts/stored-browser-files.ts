// The browser code for a build that keeps it in files: writes them, and makes the module that takes the place of src/server/browser/files.ts.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Encoding } from '../src/http/pages/browser-files.ts';
import { buildBrowserFiles } from '../src/server/browser/build.ts';

/** @param placeOf an expression for the place of a file of that name in `folder` */
export async function storeBrowserFiles(folder: string, placeOf: (name: string) => string): Promise<string> {
  const { files, ...rest } = await buildBrowserFiles(resolve('src/web'));
  const entries = files.map(({ name, type, variants }) => {
    const paths = Object.entries(variants).map(([encoding, content]) => {
      const stored = `${name}.${encoding satisfies string as Encoding}`;
      writeFileSync(join(folder, stored), content);
      return `${encoding}: ${placeOf(stored)}`;
    });
    return `${JSON.stringify(name)}: { type: ${JSON.stringify(type)}, paths: { ${paths.join(', ')} } }`;
  });
  return `import { storedFiles } from './stored-files.ts';
const browserFiles = storedFiles(${JSON.stringify(rest)}, { ${entries.join(', ')} });
export { browserFiles };
`;
}
