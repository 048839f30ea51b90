// Attachment files on the local disk: staged and synced first, then named, then recorded in the database.

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileRange } from '#platform/files.ts';
import type { Instant } from '../base/clock.ts';
import { randomSecret } from '../base/crypto.ts';
import { syncFolder } from '../base/sync-folder.ts';
import { DeskError } from '../domain/errors.ts';
import { hourMs } from '../domain/instant.ts';

export interface Staged {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  keep(ulid: string): Promise<void>;
  discard(): Promise<void>;
}

interface LocalFile {
  path: string;
  release(): Promise<void>;
}

export interface Blobs {
  readonly staging: string;
  adopt(path: string, size: number, sha256: string): Staged;
  local(ulid: string): Promise<LocalFile | null>;
  /** Throws `too_large` as soon as the stream exceeds `maxBytes`, and leaves nothing behind. */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Staged>;
  size(ulid: string): Promise<number | null>;
  read(ulid: string, start: number, end: number): ReadableStream<Uint8Array>;
  remove(ulid: string): Promise<void>;
  /** Removes files over an hour old that have no row: `known` returns the ulids that have one. */
  sweep(now: Instant, known: (ulids: string[]) => Set<string>): Promise<number>;
  /** What a sweep would remove, without what is still being uploaded. */
  forgotten(now: Instant, known: (ulids: string[]) => Set<string>): AsyncIterable<string>;
}

export const orphanAgeMs = hourMs;

const diskFaults = 'ENOSPC EDQUOT EROFS EACCES EPERM EIO EMFILE ENFILE ENOMEM ENOENT ENOTDIR ESTALE'.split(' ');

export function asUnavailable(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && diskFaults.includes(code)) {
    return new DeskError('unavailable', 'The file cannot be stored right now. Nothing was saved.', {
      reason: 'storage_unavailable',
      retryAfterSeconds: 30,
    });
  }
  return error;
}

async function isForgotten(path: string, now: Instant): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < now - orphanAgeMs;
}

interface Staging {
  readonly folder: string;
  adopt(path: string, size: number, sha256: string): Omit<Staged, 'keep'>;
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Omit<Staged, 'keep'>>;
  sweep(now: Instant): Promise<number>;
}

// What stays on a disk that refuses is swept later; the caller has the reason already, or needs the file no more.
const discardStaged = (path: string) => rm(path, { force: true }).catch(() => undefined);

export function createStaging(folder: string): Staging {
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  async function fill(file: FileHandle, source: AsyncIterable<Uint8Array>, maxBytes: number) {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new DeskError('too_large', `A file can have at most ${maxBytes} bytes.`, {
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
    adopt: (path, size, sha256) => ({ path, size, sha256, discard: () => discardStaged(path) }),
    async stage(source, maxBytes) {
      const path = join(folder, randomSecret('part'));
      const discard = () => discardStaged(path);
      try {
        await using file = await open(path, 'wx', 0o600);
        return { path, ...(await fill(file, source, maxBytes)), discard };
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

  async function* forgotten(now: Instant, known: (ulids: string[]) => Set<string>): AsyncGenerator<string> {
    for (const folder of await readdir(root, { withFileTypes: true })) {
      if (!folder.isDirectory() || folder.name === 'staging') continue;
      const names = await readdir(join(root, folder.name));
      const rows = known(names);
      for (const name of names) {
        const path = join(root, folder.name, name);
        if (!rows.has(name) && (await isForgotten(path, now))) yield path;
      }
    }
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
      return fileRange(pathOf(ulid), start, end);
    },
    remove: (ulid) => rm(pathOf(ulid), { force: true }),
    async sweep(now, known) {
      let removed = await staging.sweep(now);
      for await (const path of forgotten(now, known)) {
        await unlink(path);
        removed += 1;
      }
      return removed;
    },
    async *forgotten(now, known) {
      for await (const path of forgotten(now, known)) yield basename(path);
    },
  };
}

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
