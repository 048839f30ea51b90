// Copies a whole database with VACUUM INTO in a child process, so that nothing in this process waits for it.

import { spawn } from 'node:child_process';
import type { CopyOptions, RunningCopy } from '../vacuum-copy.ts';

const script = `
const { DatabaseSync } = require('node:sqlite');
const { closeSync, fsyncSync, openSync } = require('node:fs');
const [from, to] = process.argv.slice(1);
const source = new DatabaseSync(from, { readOnly: true, timeout: 10000 });
source.prepare('VACUUM INTO ?').run(to);
source.close();
const copy = new DatabaseSync(to);
const { quick_check: result } = copy.prepare('PRAGMA quick_check(1)').get();
copy.close();
if (result !== 'ok') throw new Error(result);
const file = openSync(to, 'r');
fsyncSync(file);
closeSync(file);
`;

export function startVacuumCopy(
  from: string,
  to: string,
  { folder, timeoutMs, program = process.execPath }: CopyOptions,
): RunningCopy {
  const child = spawn(program, ['--input-type=commonjs', '-e', script, from, to], {
    cwd: folder,
    env: {},
    stdio: 'ignore',
    timeout: timeoutMs,
  });
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  child.once('error', () => resolve(127));
  child.once('exit', (code) => resolve(code ?? 1));
  return { exited, kill: () => child.kill() };
}
