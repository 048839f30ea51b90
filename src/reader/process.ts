// Starts a reader process: this program again, with a hidden command.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { childEnvironment } from '../base/environment.ts';
import { commandOfSelf } from '../base/process.ts';

export const readerWord = 'reader-process';

export type ReaderChild = ChildProcessByStdio<Writable, Readable, Readable>;

export function startReaderProcess(): ReaderChild {
  const [program = '', ...args] = commandOfSelf(readerWord, new URL('./main.ts', import.meta.url));
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: childEnvironment(), windowsHide: true });
}
