// Starts a reader process: this same program once more. The only file that knows how the runtime does that.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../base/config.ts';

/** What the executable is called with to be a reader; no command for people. */
export const readerWord = 'reader-process';

export type ReaderChild = ChildProcessByStdio<Writable, Readable, Readable>;

export function startReaderProcess(): ReaderChild {
  const [program, ...args] = commandLine();
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: childEnvironment(), windowsHide: true });
}

function commandLine(): [string, ...string[]] {
  const here = import.meta.url;
  // Bun gives the files within an executable a path that no disk has.
  const isExecutable = here.includes('$bunfs') || here.includes('~BUN');
  return isExecutable
    ? [ownFile(), readerWord]
    : [process.execPath, fileURLToPath(new URL('./main.ts', import.meta.url))];
}

/** The file that runs, also after an upgrade has put another one in its place: both sides must be of one version. */
function ownFile(): string {
  const running = `/proc/${process.pid}/exe`;
  return existsSync(running) ? running : process.execPath;
}
