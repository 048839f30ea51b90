// Attachment bytes on the local disk: staged while they arrive, synced, then named. The row comes after that.

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Instant } from '../base/clock.ts';
import { randomSecret } from '../base/crypto.ts';
import { syncFolder } from '../base/folder.ts';
import { DeskError } from '../domain/errors.ts';

/** Bytes that have arrived, under a temporary name. Either keep or discard them. */
export interface Staged {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** Gives the file its name; it is on the disk when this is done. */
  keep(ulid: string): Promise<void>;
  discard(): Promise<void>;
}

/** A file of this machine's disk, as long as it is not released. */
interface LocalFile {
  path: string;
  release(): Promise<void>;
}

export interface Blobs {
  /** The folder of staged files, for whoever writes one there to have it adopted. */
  readonly staging: string;
  /** A file that was written into `staging`, and synced, by somebody else. */
  adopt(path: string, size: number, sha256: string): Staged;
  /** A stored file as one that other programs can open; null where there is none. */
  local(ulid: string): Promise<LocalFile | null>;
  /** Writes a stream to a temporary file; `too_large` as soon as it exceeds `maxBytes`, with nothing left behind. */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Staged>;
  /** Size in bytes, or null when there is no such file. */
  size(ulid: string): Promise<number | null>;
  /** The bytes from `start` to `end`, both included. */
  read(ulid: string, start: number, end: number): ReadableStream<Uint8Array>;
  remove(ulid: string): Promise<void>;
  /**
   * Removes files older than an hour that `known` does not name, and staged ones that nobody finished.
   * @param known answers which of some ulids have a row
   */
  sweep(now: Instant, known: (ulids: string[]) => Set<string>): Promise<number>;
}

const orphanAgeMs = 60 * 60 * 1000;

// The last three are a folder that has gone, as where another disk was mounted over it.
const diskFaults = 'ENOSPC EDQUOT EROFS EACCES EPERM EIO EMFILE ENFILE ENOMEM ENOENT ENOTDIR ESTALE'.split(' ');

/** The disk's own refusals, as a client may understand them. */
export function asUnavailable(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && diskFaults.includes(code)) {
    return new DeskError('unavailable', 'The file cannot be stored just now; nothing was kept.', {
      reason: 'storage_unavailable',
      retryAfterSeconds: 30,
    });
  }
  return error;
}

/** Whether a file was last changed longer ago than anybody may still be working on it. */
async function isForgotten(path: string, now: Instant): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < now - orphanAgeMs;
}

interface Staging {
  readonly folder: string;
  adopt(path: string, size: number, sha256: string): Omit<Staged, 'keep'>;
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Omit<Staged, 'keep'>>;
  /** Removes what nobody finished within an hour. */
  sweep(now: Instant): Promise<number>;
}

/** @param folder where bytes lie while they arrive; it is made when absent */
export function createStaging(folder: string): Staging {
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  async function fill(file: FileHandle, source: AsyncIterable<Uint8Array>, maxBytes: number) {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new DeskError('too_large', `A file may have ${maxBytes} bytes at most.`, {
          reason: 'attachment_too_large',
        });
      }
      hash.update(chunk);
      for (let written = 0; written < chunk.length; ) {
        written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
      }
    }
    await file.sync();
    return { size, sha256: hash.digest('hex') };
  }

  return {
    folder,
    adopt: (path, size, sha256) => ({ path, size, sha256, discard: () => rm(path, { force: true }) }),
    async stage(source, maxBytes) {
      const path = join(folder, randomSecret('part'));
      const discard = () => rm(path, { force: true });
      try {
        const file = await open(path, 'wx', 0o600);
        try {
          return { path, ...(await fill(file, source, maxBytes)), discard };
        } finally {
          await file.close();
        }
      } catch (error) {
        await discard();
        throw asUnavailable(error);
      }
    },
    async sweep(now) {
      let removed = 0;
      for (const name of await readdir(folder)) {
        if (!(await isForgotten(join(folder, name), now))) continue;
        await unlink(join(folder, name));
        removed += 1;
      }
      return removed;
    },
  };
}

/** @param root the folder `attachments/`; it is made when absent */
export function createLocalBlobs(root: string): Blobs {
  const staging = createStaging(join(root, 'staging'));
  const pathOf = (ulid: string) => join(root, ulid.slice(-2), ulid);

  function keepable(staged: Omit<Staged, 'keep'>): Staged {
    return {
      ...staged,
      async keep(ulid) {
        const target = pathOf(ulid);
        try {
          mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
          await rename(staged.path, target);
          await syncFolder(dirname(target));
          await syncFolder(root);
        } catch (error) {
          throw asUnavailable(error);
        }
      },
    };
  }

  return {
    staging: staging.folder,
    stage: async (source, maxBytes) => keepable(await staging.stage(source, maxBytes)),
    adopt: (path, size, sha256) => keepable(staging.adopt(path, size, sha256)),
    async local(ulid) {
      const path = pathOf(ulid);
      return (await stat(path).catch(() => null)) === null ? null : { path, release: () => Promise.resolve() };
    },
    async size(ulid) {
      const found = await stat(pathOf(ulid)).catch(() => null);
      return found === null ? null : found.size;
    },
    read(ulid, start, end) {
      if (end < start) return new Blob([]).stream();
      // A stream of the runtime's own, whose length it keeps: any other is sent in chunks, and a download shows no progress.
      return Bun.file(pathOf(ulid))
        .slice(start, end + 1)
        .stream();
    },
    remove: (ulid) => rm(pathOf(ulid), { force: true }),
    async sweep(now, known) {
      let removed = await staging.sweep(now);
      for (const folder of await readdir(root, { withFileTypes: true })) {
        if (!folder.isDirectory() || folder.name === 'staging') continue;
        const names = await readdir(join(root, folder.name));
        const rows = known(names);
        for (const name of names) {
          const path = join(root, folder.name, name);
          if (rows.has(name) || !(await isForgotten(path, now))) continue;
          await unlink(path);
          removed += 1;
        }
      }
      return removed;
    },
  };
}

/** A copy in the staging folder of a file that lies elsewhere. */
export async function stagedCopy(
  blobs: Pick<Blobs, 'size' | 'read' | 'stage'>,
  ulid: string,
): Promise<LocalFile | null> {
  const size = await blobs.size(ulid);
  if (size === null) return null;
  const staged = await blobs.stage(chunksIn(blobs.read(ulid, 0, size - 1)), size);
  return { path: staged.path, release: staged.discard };
}

async function* chunksIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* stream as unknown as AsyncIterable<Uint8Array>;
}
