// A copy of a database on LiteFS, to examine: LiteFS makes it from its own files, so nothing is opened in the mount.

import { type FileHandle, open } from 'node:fs/promises';
import { diskFault, freeBytesOf } from '../base/disk.ts';
import { writeAll } from '../base/large-file.ts';
import { DeskError } from '../domain/errors.ts';
import type { ReplicatedDatabase } from './other-machines.ts';
import { type Copy, copyIn } from './reading-copy.ts';

const reserveBytes = 256 * 1024 * 1024;
const mib = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
const refusal = (sentence: string) => new DeskError('unavailable', sentence);

interface CopyOptions {
  path: string;
  source: ReplicatedDatabase;
  free?: number;
}

export async function copyReplicated({ path, source, free = freeBytesOf(path) }: CopyOptions): Promise<Copy> {
  const needed = source.state().bytes + reserveBytes;
  if (free < needed)
    throw refusal(`A copy of it needs ${mib(needed)} in ${path}, and ${mib(Math.max(0, free))} are free.`);
  const copy = await copyIn(path);
  const signal = AbortSignal.timeout(source.mostMs);
  // A stopped process would hold the replication for as long as it is stopped.
  const stayAwake = () => undefined;
  process.on('SIGTSTP', stayAwake);
  try {
    const file = await open(copy.path, 'wx+', 0o600);
    try {
      await receive(await source.pages(signal), file);
    } finally {
      await file.close();
    }
    return copy;
  } catch (error) {
    await copy.clear();
    if (signal.aborted) throw refusal(tooLong(source));
    if (error instanceof DeskError) throw error;
    const fault = diskFault(error, path);
    throw refusal(fault === null ? `LiteFS broke off while it was copied: ${String(error)}` : `${path} ${fault}.`);
  } finally {
    process.off('SIGTSTP', stayAwake);
  }
}

function tooLong({ isReplica, mostMs }: ReplicatedDatabase): string {
  const limit = `Copying it took longer than ${Math.round(mostMs / 1000)} seconds`;
  return isReplica ? `${limit}, and nothing is replicated meanwhile. Run this on the primary.` : `${limit}.`;
}

const sentEarlyBytes = 32 << 20;

/** Fast, because others wait for it: the disk is told early, but not waited for. */
async function receive(pages: AsyncIterable<Uint8Array>, file: FileHandle): Promise<void> {
  let at = 0;
  let told = 0;
  let telling: Promise<void> = Promise.resolve();
  for await (const chunk of pages) {
    await writeAll(file, chunk, at);
    at += chunk.length;
    if (at - told < sentEarlyBytes) continue;
    told = at;
    telling = telling.then(() => file.datasync());
    telling.catch(() => undefined);
  }
  await telling;
  const declared = await declaredBytes(file);
  if (at === 0 || (declared !== null && declared !== at)) throw refusal('LiteFS did not send all of it.');
}

/** LiteFS reports a fault in the middle as text after the pages, so only the header of the database tells how long it is. */
async function declaredBytes(file: FileHandle): Promise<number | null> {
  const header = Buffer.alloc(32);
  await file.read(header, 0, header.length, 0);
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null;
  const pageSize = header.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
}
