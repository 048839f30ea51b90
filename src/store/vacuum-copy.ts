// A whole copy of a database by VACUUM INTO, made in a process of its own, so that nobody waits for it.

const script = `
import { Database } from 'bun:sqlite';
import { closeSync, fsyncSync, openSync } from 'node:fs';
const [from, to] = process.argv.slice(1);
const source = new Database(from, { readonly: true });
source.run('PRAGMA busy_timeout = 10000');
source.run('VACUUM INTO ?', [to]);
source.close();
const copy = new Database(to, { readwrite: true, create: false });
const [{ quick_check: verdict }] = copy.query('PRAGMA quick_check(1)').all();
copy.close();
if (verdict !== 'ok') throw new Error(verdict);
const file = openSync(to, 'r');
fsyncSync(file);
closeSync(file);
`;

/** The command line that copies a database; its exit code is 0 when the copy is whole and on the disk. */
export function vacuumCommand(from: string, to: string): string[] {
  return [process.execPath, '-e', script, from, to];
}

/** What makes this executable, which has Bun inside, run a script and not the desk. */
export const scriptEnvironment = { BUN_BE_BUN: '1' };
