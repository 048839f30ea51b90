// A second writer that keeps a disk busy until it is ended: writes at random places of a file, and syncs it after each megabyte.
// bun bench/busy-disk.ts <folder>

import { closeSync, fdatasyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const fileBytes = 1 << 30;
const chunk = Buffer.alloc(64 * 1024, 7);
const chunksOfSync = 16;

const path = join(process.argv[2] ?? '.', '.busy-disk');
const file = openSync(path, 'w');
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    closeSync(file);
    rmSync(path, { force: true });
    process.exit(0);
  });
ftruncateSync(file, fileBytes);
for (;;) {
  for (let at = 0; at < chunksOfSync; at += 1)
    writeSync(file, chunk, 0, chunk.length, Math.floor(Math.random() * (fileBytes / chunk.length)) * chunk.length);
  fdatasyncSync(file);
  // Lets a signal end it.
  await new Promise((resolve) => setImmediate(resolve));
}
