// The browser files inside the executable. scripts/compile.ts writes the module that names them.

import { readFile } from 'node:fs/promises';
import type { BrowserFile, BrowserFileSource, BrowserFiles, Encoding } from '../../http/pages/browser-files.ts';

export function storedFiles(
  rest: Omit<BrowserFiles, 'files'>,
  stored: Readonly<Record<string, { type: string; paths: Partial<Record<Encoding, string>> & { identity: string } }>>,
): BrowserFileSource {
  const files = new Map<string, BrowserFile>(
    Object.entries(stored).map(([name, { type, paths }]) => {
      const load = (path: string | undefined) => (path === undefined ? undefined : () => readFile(path));
      const { br, gzip, identity } = paths;
      return [name, { type, variants: { br: load(br), gzip: load(gzip), identity: () => readFile(identity) } }];
    }),
  );
  const all: BrowserFiles = { ...rest, files };
  return { current: () => Promise.resolve(all), changes: null };
}
