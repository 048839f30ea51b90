// Stores a request with mail as it arrived, so that its sender can be answered.

import { newUlid } from '../base/ids.ts';
import type { Desk } from '../desk/desk.ts';
import { receiveMail } from '../desk/mail/filing.ts';
import { DeskError } from '../domain/errors.ts';
import type { ProviderName } from '../domain/mail/inbound.ts';
import type { Tx } from '../engine/database.ts';
import { mayBeStored } from '../engine/refusals.ts';
import type { Blobs } from '../files/blobs.ts';
import { requestBytesOf } from '../mail/inbound/providers.ts';
import type { Site } from '../store/sites/sites.ts';
import type { FilingQueue, Place } from './filing-queue.ts';

export interface ArrivingMail {
  provider: ProviderName;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
  mailbox?: MailboxArrival | undefined;
}

/** Of mail that the desk read in a mailbox. */
export interface MailboxArrival {
  id: number;
  /** When it came to the server, if it is filed silently. */
  silentDate: number | null;
  /** Notes in the same commit that it is stored. Null: the desk has this content already, and nothing is stored. */
  keep(tx: Tx, sha256: string, store: () => number): number | null;
}

/** @returns the row's id, null if it is known, and its place in the queue, null if the queue is full */
export async function storeRequest(
  { desk, mailBlobs, queue }: { desk: Desk; mailBlobs: Blobs; queue: FilingQueue },
  site: Site,
  { provider, headers, body, mailbox }: ArrivingMail,
): Promise<{ id: number | null; place: Place | null }> {
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
    const arrived = { ulid, provider, headers, size: staged.size, sha256: staged.sha256, isLate: place === null };
    const readIn = { mailboxId: mailbox?.id ?? null, silentDate: mailbox?.silentDate ?? null };
    const id = await desk.write((tx) => {
      const store = () => receiveMail(tx, desk.context({ kind: 'desk' }, 'mail'), site, { ...arrived, ...readIn });
      return mailbox ? mailbox.keep(tx, staged.sha256, store) : store();
    });
    if (id !== null) return { id, place };
    place?.giveBack();
    await mailBlobs.remove(ulid);
    return { id, place: null };
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
