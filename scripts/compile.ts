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
  });
  for (const message of built.logs) console.error(message);
  if (!built.success) throw new Error(`${outfile} could not be built`);
  // The executable has its source map inside; this is a copy.
  for (const { kind, path } of built.outputs) if (kind === 'sourcemap') rmSync(path, { force: true });
}
