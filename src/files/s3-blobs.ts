// Files in an S3-compatible store: staged on this machine, uploaded whole, and there before their row is.

import { rm } from 'node:fs/promises';
import { S3Client } from 'bun';
import { DeskError } from '../domain/errors.ts';
import { type Blobs, createStaging, type Staged, stagedCopy } from './blobs.ts';

export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

interface S3BlobsOptions {
  s3: S3Options;
  /** A folder of this machine for files that are still arriving. */
  staging: string;
  /** Under which the keys begin, as `attachments/`; after it they read like the paths of the local folder. */
  prefix: string;
}

const orphanAgeMs = 60 * 60 * 1000;
const pageSize = 1000;
// Larger than any file: each is one request, so that it is there whole or not at all.
const partSize = 64 * 1024 * 1024;
const retries = 2;
const ulidPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/;

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['NoSuchKey', 'NotFound'].includes(String(error.code));
}

function asUnavailable(error: unknown): unknown {
  if (error instanceof DeskError) return error;
  return new DeskError('unavailable', 'The store for files does not answer as it should; nothing was kept.', {
    reason: 'storage_unavailable',
    retryAfterSeconds: 30,
  });
}

export function createS3Blobs({ s3, staging, prefix }: S3BlobsOptions): Blobs {
  const arriving = createStaging(staging);
  const client = new S3Client(s3);
  const keyOf = (ulid: string) => `${prefix}${ulid.slice(-2)}/${ulid}`;

  async function asked<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  async function size(ulid: string): Promise<number | null> {
    try {
      return (await client.stat(keyOf(ulid))).size;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw asUnavailable(error);
    }
  }

  function keepable(staged: Omit<Staged, 'keep'>): Staged {
    return {
      ...staged,
      async keep(ulid) {
        await asked(() => client.write(keyOf(ulid), Bun.file(staged.path), { partSize, retry: retries }));
        // What a store has taken in part, or not at all while it said yes, must not get a row.
        if ((await size(ulid)) !== staged.size) {
          await client.delete(keyOf(ulid)).catch(() => undefined);
          throw asUnavailable(null);
        }
        await rm(staged.path, { force: true });
      },
    };
  }

  const blobs: Blobs = {
    staging: arriving.folder,
    stage: async (source, maxBytes) => keepable(await arriving.stage(source, maxBytes)),
    adopt: (path, bytes, sha256) => keepable(arriving.adopt(path, bytes, sha256)),
    local: (ulid) => stagedCopy(blobs, ulid),
    size,
    read(ulid, start, end) {
      if (end < start) return new Blob([]).stream();
      const reader = client
        .file(keyOf(ulid))
        .slice(start, end + 1)
        .stream()
        .getReader();
      let left = end - start + 1;
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await asked(() => reader.read());
          if (!done) {
            left -= value.length;
            // A store that knows no ranges sends the whole file.
            if (left < 0) throw asUnavailable(null);
            controller.enqueue(value);
            return;
          }
          if (left !== 0) throw asUnavailable(null);
          controller.close();
        },
        cancel: async (reason) => {
          await reader.cancel(reason);
        },
      });
    },
    remove: (ulid) => asked(() => client.delete(keyOf(ulid))),
    async sweep(now, known) {
      let removed = await arriving.sweep(now);
      let startAfter: string | undefined;
      for (;;) {
        const after = startAfter;
        const page = await asked(() =>
          client.list({ prefix, maxKeys: pageSize, ...(after === undefined ? {} : { startAfter: after }) }),
        );
        const listed = page.contents ?? [];
        const old = listed.flatMap(({ key, lastModified }) => {
          const ulid = key.split('/').at(-1) ?? '';
          const isOld = lastModified !== undefined && Date.parse(lastModified) < now - orphanAgeMs;
          return isOld && ulidPattern.test(ulid) && key === keyOf(ulid) ? [ulid] : [];
        });
        const rows = old.length === 0 ? new Set<string>() : known(old);
        for (const ulid of old) {
          if (rows.has(ulid)) continue;
          await asked(() => client.delete(keyOf(ulid)));
          removed += 1;
        }
        const last = listed.at(-1)?.key;
        if (!page.isTruncated || last === undefined || last === startAfter) return removed;
        startAfter = last;
      }
    },
  };
  return blobs;
}
