// Files in an S3-compatible store: staged on this machine, uploaded whole, and there before their row is.

import { rm } from 'node:fs/promises';
import { S3Client } from 'bun';
import { ulidPattern } from '../domain/ulid.ts';
import { type Blobs, createStaging, type Staged, stagedCopy } from './blobs.ts';
import { createS3Requests, type S3Fault } from './s3-requests.ts';

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
  /** Told why the store refused, for the log: whoever asked is told only that it did. */
  onFault: (fault: S3Fault) => void;
}

const orphanAgeMs = 60 * 60 * 1000;
const pageSize = 1000;
const uploadTries = 3;

export function createS3Blobs({ s3, staging, prefix, onFault }: S3BlobsOptions): Blobs {
  const arriving = createStaging(staging);
  const client = new S3Client(s3);
  const { ask, fail, failed } = createS3Requests(client, s3.bucket, onFault);
  const keyOf = (ulid: string) => `${prefix}${ulid.slice(-2)}/${ulid}`;
  const incomplete = (method: string, key: string, message: string) =>
    fail(method, key, { status: null, code: 'IncompleteBody', message });

  async function size(ulid: string): Promise<number | null> {
    const key = keyOf(ulid);
    const answer = await ask('HEAD', key);
    if (answer === null) return null;
    const length = answer.headers.get('content-length') ?? '';
    if (!/^\d{1,15}$/.test(length)) throw fail('HEAD', key, { status: answer.status, code: 'NoLength', message: '' });
    return Number(length);
  }

  function keepable(staged: Omit<Staged, 'keep'>): Staged {
    return {
      ...staged,
      async keep(ulid) {
        const key = keyOf(ulid);
        // One request, so that it is there whole or not at all.
        await ask('PUT', key, { body: Bun.file(staged.path) }, uploadTries);
        // What a store has taken in part, or not at all while it said yes, must not get a row.
        const stored = await size(ulid);
        if (stored !== staged.size) {
          await ask('DELETE', key).catch(() => undefined);
          throw incomplete('PUT', key, `${stored ?? 'none'} of ${staged.size} bytes were kept`);
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
      const key = keyOf(ulid);
      let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
      let left = end - start + 1;
      async function begin(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
        const answer = await ask('GET', key, { headers: { Range: `bytes=${start}-${end}` } });
        if (answer?.body) return answer.body.getReader();
        throw fail('GET', key, { status: answer?.status ?? 404, code: answer ? 'NoBody' : 'NoSuchKey', message: '' });
      }
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          reader ??= await begin();
          const { done, value } = await reader.read().catch((error) => {
            throw failed('GET', key, error);
          });
          if (!done) {
            left -= value.length;
            // A store that knows no ranges sends the whole file.
            if (left < 0) throw incomplete('GET', key, 'more came than was asked for');
            controller.enqueue(value);
            return;
          }
          if (left !== 0) throw incomplete('GET', key, `${left} bytes did not come`);
          controller.close();
        },
        cancel: async (reason) => {
          await reader?.cancel(reason);
        },
      });
    },
    async remove(ulid) {
      await ask('DELETE', keyOf(ulid));
    },
    async sweep(now, known) {
      let removed = await arriving.sweep(now);
      let startAfter: string | undefined;
      for (;;) {
        const after = startAfter;
        const page = await client
          .list({ prefix, maxKeys: pageSize, ...(after === undefined ? {} : { startAfter: after }) })
          .catch((error) => {
            throw failed('LIST', prefix, error);
          });
        const listed = page.contents ?? [];
        const old = listed.flatMap(({ key, lastModified }) => {
          const ulid = key.split('/').at(-1) ?? '';
          const isOld = lastModified !== undefined && Date.parse(lastModified) < now - orphanAgeMs;
          return isOld && ulidPattern.test(ulid) && key === keyOf(ulid) ? [ulid] : [];
        });
        const rows = old.length === 0 ? new Set<string>() : known(old);
        for (const ulid of old) {
          if (rows.has(ulid)) continue;
          await ask('DELETE', keyOf(ulid));
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
