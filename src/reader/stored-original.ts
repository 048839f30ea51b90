// The original of a stored mail, as a message that mail programs can open.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomSecret } from '../base/crypto.ts';
import { DeskError } from '../domain/errors.ts';
import { type InboundOrigin, providerOf } from '../domain/mail/inbound.ts';
import type { Blobs } from '../files/blobs.ts';
import { mailBudget } from './jobs.ts';
import type { Reader } from './reader.ts';

/** @param isForAgents without the secrets of customers' links */
export async function storedOriginal(
  reader: Reader,
  mailBlobs: Blobs,
  mail: { ulid: string; provider: InboundOrigin; headers: Record<string, string> },
  isForAgents: boolean,
): Promise<Buffer> {
  const stored = await mailBlobs.local(mail.ulid);
  if (stored === null) throw new DeskError('not_found', 'The original of this mail no longer exists.');
  const target = join(mailBlobs.staging, randomSecret('part'));
  try {
    const input = { provider: providerOf(mail), headers: mail.headers, path: stored.path, target, isForAgents };
    await reader.run('original message', input, { budget: mailBudget, isLarge: true });
    return await readFile(target);
  } finally {
    await rm(target, { force: true });
    await stored.release();
  }
}
