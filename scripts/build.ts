// Compiles dist/helpdesk: server, command line and migrations in one file.

import { mkdirSync, statSync } from 'node:fs';

const outfile = process.argv[2] ?? 'dist/helpdesk';
mkdirSync('dist', { recursive: true });
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
console.log(`${outfile} (${Math.round(statSync(outfile).size / 1_000_000)} MB)`);
