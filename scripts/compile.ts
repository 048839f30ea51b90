// Compiles server, command line and migrations into one file, for this machine or for another kind of it.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** @param target as Bun names it, `bun-linux-arm64`; without one, this machine's */
export async function compile(outfile: string, target?: Bun.Build.CompileTarget): Promise<void> {
  mkdirSync(dirname(outfile), { recursive: true });
  const built = await Bun.build({
    entrypoints: ['cli/main.ts'],
    compile: target === undefined ? { outfile } : { outfile, target },
    format: 'esm',
    bytecode: true,
    minify: true,
    sourcemap: 'linked',
    plugins: [withoutRe2],
  });
  for (const message of built.logs) console.error(message);
  if (!built.success) throw new Error(`${outfile} could not be built`);
  // The executable has its source map inside; this is a copy.
  for (const { kind, path } of built.outputs) if (kind === 'sourcemap') rmSync(path, { force: true });
}

/**
 * email-reply-parser takes the native module re2 where there is one. An executable would look for it in node_modules/ of
 * whatever directory it is started in, and run what it finds there.
 */
const withoutRe2: Bun.BunPlugin = {
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
