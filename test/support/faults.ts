// A disk that fails on command, for the executable: test/support/faults.c is compiled when it is first needed.

import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `sync helpdesk.db-wal 5`: a kind of call, a part of the path (or its end after a $), and an errno, `5x1` for once, or `300ms`. */
type Fault =
  `${'open' | 'read' | 'write' | 'sync' | 'link'} ${string} ${number | `${number}x${number}` | `${number}ms`}`;

export const EPERM = 1;
export const EIO = 5;
export const ENOSPC = 28;
export const EROFS = 30;
export const EDQUOT = 122;

let library: string | null = null;

function compiled(): string {
  if (library !== null) return library;
  const compiler = ['cc', 'gcc', 'clang'].map((name) => Bun.which(name)).find((found) => found !== null);
  if (!compiler) throw new Error('The fault tests need a C compiler (cc, gcc or clang); install one.');
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-faults-'));
  const target = join(folder, 'faults.so');
  const source = new URL('./faults.c', import.meta.url).pathname;
  const made = Bun.spawnSync([compiler, '-shared', '-fPIC', '-O1', '-o', target, source, '-ldl']);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  library = target;
  return target;
}

interface Disk {
  /** The environment to start the executable with. */
  environment: Record<string, string>;
  /** From now on these faults, and no others. */
  fail(...faults: Fault[]): void;
}

export function createDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-faults-'));
  const control = join(folder, 'faults.txt');
  let turn = 0;
  const fail = (...faults: Fault[]) => {
    turn += 1;
    writeFileSync(`${control}.new`, `# ${turn}\n${faults.join('\n')}\n`);
    renameSync(`${control}.new`, control);
  };
  fail();
  return { environment: { LD_PRELOAD: compiled(), FAULTS_FILE: control }, fail };
}

/** Flips every bit of one byte, in place. */
export function flipByte(path: string, at: number): void {
  const file = openSync(path, 'r+');
  try {
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, at);
    byte[0] = (byte[0] ?? 0) ^ 0xff;
    writeSync(file, byte, 0, 1, at);
  } finally {
    closeSync(file);
  }
}

/** Gives a file a new inode, as an editor does, or a restored copy. */
export function ownInode(path: string): void {
  copyFileSync(path, `${path}.own`);
  renameSync(`${path}.own`, path);
}
