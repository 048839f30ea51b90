// Whether a bucket can keep the files of a desk: tried with a small one, before it is set.

import type { Instant } from '../base/clock.ts';
import { newUlid } from '../base/ids.ts';
import { DeskError } from '../domain/errors.ts';
import { dayMs } from '../domain/instant.ts';
import { createS3Blobs } from './s3-blobs.ts';
import type { S3Options } from './s3-client.ts';
import type { S3Fault } from './s3-requests.ts';

const patienceMs = 20_000;
const text = 'A test of the store of files.';

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/**
 * Writes a file, lists it, reads it and removes it.
 * @returns what failed, such as "PUT: 403 AccessDenied"; null if nothing did
 */
export async function tryBucket(options: S3Options, staging: string, now: Instant): Promise<string | null> {
  const s3 = { ...options, signal: AbortSignal.timeout(patienceMs) };
  const faults: S3Fault[] = [];
  const onFault = (fault: S3Fault) => void faults.push(fault);
  const ulid = newUlid(now);
  const blobs = createS3Blobs({ s3, staging, prefix: 'helpdesk-test/', onFault });

  async function steps(): Promise<string | null> {
    await (await blobs.stage(bytes(), text.length)).keep(ulid);
    // It is listed whatever the store's clock says.
    let isListed = false;
    for await (const found of blobs.forgotten(now + dayMs, () => new Set())) isListed ||= found === ulid;
    if (!isListed) return 'LIST: the file is not in it';
    if ((await new Response(blobs.read(ulid, 0, text.length - 1)).text()) !== text) return 'GET: other bytes';
    await blobs.remove(ulid);
    return (await blobs.size(ulid)) === null ? null : 'DELETE: the file is still there';
  }

  try {
    return await steps();
  } catch (error) {
    const [first] = faults;
    if (!(error instanceof DeskError) || first === undefined) throw error;
    // It may be there, and may refuse this as well.
    await blobs.remove(ulid).catch(() => undefined);
    const { method, status, code, message } = first;
    return [`${method}:`, status ?? '', code, message].filter((part) => part !== '').join(' ');
  }
}
