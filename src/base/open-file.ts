// A file that `using` closes at the end of its block.

import { closeSync, openSync } from 'node:fs';

export function openFile(path: string, flags: string, mode?: number): { fd: number } & Disposable {
  const fd = openSync(path, flags, mode);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
}
