// Compiles dist/helpdesk: server, command line and migrations in one file.

import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const outfile = process.argv[2] ?? 'dist/helpdesk';
mkdirSync(dirname(outfile), { recursive: true });
const built = await Bun.build({
  entrypoints: ['cli/main.ts'],
  compile: { outfile },
  format: 'esm',
  bytecode: true,
  minify: true,
  sourcemap: 'linked',
});
for (const message of built.logs) console.error(message);
if (!built.success) process.exit(1);
// The executable has its source map inside; this is a copy.
for (const { kind, path } of built.outputs) if (kind === 'sourcemap') rmSync(path, { force: true });
console.log(`${outfile} (${Math.round(statSync(outfile).size / 1_000_000)} MB)`);
