// Copies a whole database with VACUUM INTO in a child process, so that nothing in this process waits for it.

import type { CopyOptions, RunningCopy } from '../vacuum-copy.ts';

const script = `
import { Database } from 'bun:sqlite';
import { closeSync, fsyncSync, openSync } from 'node:fs';
const [from, to] = process.argv.slice(1);
const source = new Database(from, { readonly: true });
source.run('PRAGMA busy_timeout = 10000');
source.run('VACUUM INTO ?', [to]);
source.close();
const copy = new Database(to, { readwrite: true, create: false });
const [{ quick_check: result }] = copy.query('PRAGMA quick_check(1)').all();
copy.close();
if (result !== 'ok') throw new Error(result);
const file = openSync(to, 'r');
fsyncSync(file);
closeSync(file);
`;

/** A compiled executable runs a script instead of its own program only with this set. */
const environment = { BUN_BE_BUN: '1' };

export function startVacuumCopy(
  from: string,
  to: string,
  { folder, timeoutMs, program = process.execPath }: CopyOptions,
): RunningCopy {
  return Bun.spawn([program, '-e', script, from, to], {
    cwd: folder,
    env: environment,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: timeoutMs,
  });
}
