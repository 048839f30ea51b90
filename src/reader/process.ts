// Starts a reader process: this program again, with a hidden command.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../base/environment.ts';

export const readerWord = 'reader-process';

export type ReaderChild = ChildProcessByStdio<Writable, Readable, Readable>;

export function startReaderProcess(): ReaderChild {
  const [program, ...args] = commandLine();
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: childEnvironment(), windowsHide: true });
}

function commandLine(): [string, ...string[]] {
  const here = import.meta.url;
  const isExecutable = here.includes('$bunfs') || here.includes('~BUN');
  return isExecutable
    ? [ownFile(), readerWord]
    : [process.execPath, fileURLToPath(new URL('./main.ts', import.meta.url))];
}

/** The running file, even after an upgrade replaced it: both processes must be the same version. */
function ownFile(): string {
  const running = `/proc/${process.pid}/exe`;
  return existsSync(running) ? running : process.execPath;
}
