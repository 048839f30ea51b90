// Compiles dist/helpdesk for this machine.

import { statSync } from 'node:fs';
import { compile } from './compile.ts';

const outfile = process.argv[2] ?? 'dist/helpdesk';
await compile(outfile);
console.log(`${outfile} (${Math.round(statSync(outfile).size / 1_000_000)} MB)`);
