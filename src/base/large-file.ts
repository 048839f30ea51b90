// Writes and removes large files a part at a time. A commit of the desk waits for what the disk has been told before it:
// hundreds of milliseconds for the whole of a large file, be it written or freed.

import { fdatasyncSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';

/** A part of this size reaches a usual disk in some milliseconds. */
const syncBytes = 8 << 20;
const removeBytes = 32 << 20;
const chunkBytes = 1 << 20;

export async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

/** Call what it returns with the number of bytes after each write: syncs the file when a part is full. */
export function syncInParts(file: FileHandle): (bytes: number) => Promise<void> {
  let unsynced = 0;
  return async (bytes) => {
    unsynced += bytes;
    if (unsynced < syncBytes) return;
    unsynced = 0;
    await file.datasync();
  };
}

/** The same for a process that nothing else waits for. */
export function syncInPartsNow(file: number): (bytes: number) => void {
  let unsynced = 0;
  return (bytes) => {
    unsynced += bytes;
    if (unsynced < syncBytes) return;
    unsynced = 0;
    fdatasyncSync(file);
  };
}

/** Replaces the file at `to`. The last part is not synced. */
export async function copyInParts(from: string, to: string): Promise<void> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'w', 0o600);
  const sync = syncInParts(target);
  const buffer = Buffer.alloc(chunkBytes);
  for (let at = 0; ; ) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    await writeAll(target, buffer.subarray(0, bytesRead), at);
    at += bytesRead;
    await sync(bytesRead);
  }
}

/** Only for a file that no one else reads: it is cut shorter and shorter before its name goes. */
export async function removeInParts(path: string): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(path, 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  try {
    const { size } = await file.stat();
    for (let left = size - removeBytes; left > 0; left -= removeBytes) await file.truncate(left);
  } finally {
    await file.close();
  }
  await rm(path, { force: true });
}
