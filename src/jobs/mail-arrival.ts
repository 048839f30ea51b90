// Stores a request with mail as it arrived, so that its sender can be answered.

import { newUlid } from '../base/ids.ts';
import type { Desk } from '../desk/desk.ts';
import { receiveMail } from '../desk/inbound/filing.ts';
import { DeskError } from '../domain/errors.ts';
import type { ProviderName } from '../domain/inbound.ts';
import type { Blobs } from '../files/blobs.ts';
import { requestBytesOf } from '../mail/inbound/providers.ts';
import { mayBeStored } from '../store/refusals.ts';
import type { Site } from '../store/sites.ts';
import type { FilingQueue, Place } from './filing-queue.ts';

interface ArrivingMail {
  provider: ProviderName;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
}

/** @returns the row's id and its place in the queue, or null if the queue is full */
export async function storeRequest(
  { desk, mailBlobs, queue }: { desk: Desk; mailBlobs: Blobs; queue: FilingQueue },
  site: Site,
  { provider, headers, body }: ArrivingMail,
): Promise<{ id: number; place: Place | null }> {
  const staged = await mailBlobs.stage(body, requestBytesOf(provider)).catch((error: unknown) => {
    throw error instanceof DeskError && error.code === 'too_large' ? tooLarge(provider) : error;
  });
  const ulid = newUlid(desk.now());
  await staged.keep(ulid).catch(async (error: unknown) => {
    await staged.discard();
    throw error;
  });
  const place = queue.reserve();
  try {
    const arrived = { ulid, provider, headers, size: staged.size, isLate: place === null };
    return {
      place,
      id: await desk.write((tx) => receiveMail(tx, desk.context({ kind: 'desk' }, 'mail'), site, arrived)),
    };
  } catch (error) {
    place?.giveBack();
    if (!mayBeStored(error)) await mailBlobs.remove(ulid);
    throw error;
  }
}

function tooLarge(provider: ProviderName): DeskError {
  const megabytes = Math.floor(requestBytesOf(provider) / 1024 / 1024);
  return new DeskError('too_large', `A request with mail can have at most ${megabytes} MB.`, {
    reason: 'message_too_large',
  });
}
