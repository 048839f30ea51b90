// The browser files, bundled on request when the desk runs from its sources; scripts/compile.ts replaces this module.

import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isWatched, processStartedAt } from '../../base/process.ts';
import type { BrowserFileSource, BrowserFiles } from '../../http/pages/browser-files.ts';
import { type BuiltBrowserFiles, buildBrowserFiles, buildReloadScript } from './build.ts';

const root = new URL('../../web', import.meta.url).pathname;
let built: { newest: number; files: Promise<BrowserFiles> } | null = null;

export const browserFiles: BrowserFileSource = {
  async current() {
    const newest = await newestChange();
    if (built?.newest !== newest) built = { newest, files: build() };
    try {
      return await built.files;
    } catch (error) {
      built = null;
      throw error;
    }
  },
  changes: isWatched ? changes : null,
};

async function build(): Promise<BrowserFiles> {
  const files = await buildBrowserFiles(root);
  if (isWatched) {
    const script = await buildReloadScript(root);
    files.files.push(script);
    files.reloadScript = script.name;
  }
  return inMemory(files);
}

async function newestChange(): Promise<number> {
  const names = await readdir(root, { recursive: true });
  const times = await Promise.all(names.map(async (name) => (await stat(join(root, name))).mtimeMs));
  return Math.max(...times);
}

function inMemory({ files, ...rest }: BuiltBrowserFiles): BrowserFiles {
  return {
    ...rest,
    files: new Map(
      files.map(({ name, type, variants }) => {
        const load = (bytes: Uint8Array | undefined) => bytes && (() => Promise.resolve(bytes));
        const { br, gzip, identity } = variants;
        return [
          name,
          { type, variants: { br: load(br), gzip: load(gzip), identity: () => Promise.resolve(identity) } },
        ];
      }),
    ),
  };
}

function changes(): ReadableStream<Uint8Array> {
  const line = (text: string) => new TextEncoder().encode(text);
  let watcher: FSWatcher | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(line(`event: start\ndata: ${processStartedAt}\n\n`));
      watcher = watch(root, { recursive: true }, () => controller.enqueue(line('event: change\ndata: 1\n\n')));
    },
    cancel: () => watcher?.close(),
  });
}
