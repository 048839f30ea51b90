// Attachment files in an S3-compatible store: staged locally and uploaded before the database records them.

import { rm } from 'node:fs/promises';
import { fileBody } from '#platform/files.ts';
import { ulidPattern } from '../domain/ulid.ts';
import { type Blobs, createStaging, orphanAgeMs, type Staged, stagedCopy } from './blobs.ts';
import { createS3Client, type ListPage, type S3Options } from './s3-client.ts';
import { createS3Requests, type S3Fault } from './s3-requests.ts';
import { streamOfLength } from './stream-of-length.ts';

interface S3BlobsOptions {
  s3: S3Options;
  staging: string;
  prefix: string;
  onFault: (fault: S3Fault) => void;
}

const pageSize = 1000;
const uploadAttempts = 3;

export function createS3Blobs({ s3, staging, prefix, onFault }: S3BlobsOptions): Blobs {
  const arriving = createStaging(staging);
  const client = createS3Client(s3);
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
        await ask('PUT', key, { body: await fileBody(staged.path) }, uploadAttempts);
        // Some stores report success for an upload that is incomplete or missing.
        const stored = await size(ulid);
        if (stored !== staged.size) {
          await ask('DELETE', key).catch(() => undefined);
          throw incomplete('PUT', key, `${stored ?? 0} of ${staged.size} bytes were stored`);
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
      const open = async () => {
        const answer = await ask('GET', key, { headers: { Range: `bytes=${start}-${end}` } });
        if (answer?.body) return answer.body;
        throw fail('GET', key, { status: answer?.status ?? 404, code: answer ? 'NoBody' : 'NoSuchKey', message: '' });
      };
      return streamOfLength(end - start + 1, open, {
        wrongLength: (missing) =>
          incomplete('GET', key, missing < 0 ? 'the answer is too long' : `${missing} bytes are missing`),
        interrupted: (error) => failed('GET', key, error),
      });
    },
    async remove(ulid) {
      await ask('DELETE', keyOf(ulid));
    },
    async sweep(now, known) {
      let removed = await arriving.sweep(now);
      for await (const ulid of blobs.forgotten(now, known)) {
        await ask('DELETE', keyOf(ulid));
        removed += 1;
      }
      return removed;
    },
    async *forgotten(now, known) {
      let startAfter: string | null = null;
      for (;;) {
        const page: ListPage = await client.list({ prefix, mostKeys: pageSize, startAfter }).catch((error) => {
          throw failed('LIST', prefix, error);
        });
        const old = page.keys.flatMap(({ key, lastModified }) => {
          const ulid = key.split('/').at(-1) ?? '';
          const isOld = lastModified !== undefined && Date.parse(lastModified) < now - orphanAgeMs;
          return isOld && ulidPattern.test(ulid) && key === keyOf(ulid) ? [ulid] : [];
        });
        const rows = old.length === 0 ? new Set<string>() : known(old);
        for (const ulid of old) if (!rows.has(ulid)) yield ulid;
        const last = page.keys.at(-1)?.key;
        if (!page.isMore || last === undefined || last === startAfter) return;
        startAfter = last;
      }
    },
  };
  return blobs;
}
