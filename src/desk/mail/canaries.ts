// Sends canaries through a mailbox, knows them when they come back, and tells the owners of one that does not.

import type { Instant } from '../../base/clock.ts';
import { isSameSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { canaryEveryMs, canaryKeptMs, canaryLateMs } from '../../domain/mail/canary.ts';
import { waitsForPerson } from '../../domain/mail/mailbox.ts';
import type { Tx } from '../../engine/database.ts';
import {
  type Canary,
  canariesOf,
  canaryByUlid,
  forgetCanaries,
  insertCanary,
  lateCanaries,
  newestCanary,
  seeCanary,
  seenInOutbox,
  tellCanary,
} from '../../store/mail/canaries.ts';
import { allMailboxes } from '../../store/mail/mailboxes.ts';
import { deleteDelivery, deliveryById, insertDelivery } from '../../store/outbox/outbox.ts';
import type { Mailbox } from '../../store/sites/catalogue.ts';
import type { Context } from '../context.ts';
import { endAlarms, raiseAlarm } from './mailbox-alarms.ts';
import { mailboxes, readingOf } from './mailboxes.ts';

type Signing = Pick<Context, 'seal'>;

const signed = ({ seal }: Signing, mailboxId: number, ulid: string) =>
  `${ulid}.${seal.fingerprint('mailbox-canary', `${mailboxId} ${ulid}`)}`;

/** The canary's name, if this desk sent it to this mailbox. */
export function canaryIn(ctx: Signing, mailboxId: number, written: string | null): string | null {
  const ulid = /^([0-9A-Z]{26})\./.exec(written ?? '')?.[1];
  if (ulid === undefined || written === null) return null;
  return isSameSecret(signed(ctx, mailboxId, ulid), written) ? ulid : null;
}

const flies = (tx: Tx, row: Mailbox) =>
  row.hasCanary && !row.isPaused && row.secretSealed !== null && !waitsForPerson(readingOf(tx, row).state);

/** Those to which a canary is due. One that waits in the outbox is waited for. */
export function canariesDue(tx: Tx, now: Instant): Mailbox[] {
  return allMailboxes(tx).filter((row) => {
    if (!flies(tx, row)) return false;
    const last = newestCanary(tx, row.id);
    if (last === undefined) return true;
    const isWaiting = last.deliveryId !== null && deliveryById(tx, last.deliveryId)?.status === 'queued';
    return now - last.sentAt >= canaryEveryMs && !isWaiting;
  });
}

export function sendCanaries(tx: Tx, ctx: Context): null {
  for (const { id, siteId, address } of canariesDue(tx, ctx.now)) {
    const ulid = newUlid(ctx.now);
    const deliveryId = insertDelivery(tx, {
      ulid,
      siteId,
      channelId: null,
      mailboxId: id,
      ticketId: null,
      eventSeq: null,
      event: 'mail.canary',
      payload: { mailbox_id: id, canary: signed(ctx, id, ulid) },
      recipient: address,
      mailMessageId: `<${ulid}@${ctx.mailDomain}>`,
      createdAt: ctx.now,
    });
    insertCanary(tx, { mailboxId: id, ulid, deliveryId, sentAt: ctx.now, seenAt: null, isTold: false });
    forgetCanaries(tx, id, ctx.now - canaryKeptMs);
    // The outbox need not keep what came back.
    for (const done of seenInOutbox(tx, id))
      if (deliveryById(tx, done)?.status === 'delivered') deleteDelivery(tx, done);
  }
  return null;
}

export function noteCanaries(tx: Tx, ctx: Pick<Context, 'now'>, mailboxId: number, ulids: readonly string[]): null {
  for (const ulid of ulids) {
    const canary = canaryByUlid(tx, mailboxId, ulid);
    if (canary === undefined || canary.seenAt !== null) continue;
    seeCanary(tx, canary.id, ctx.now);
    // One that comes late does not prove that the way is open now.
    if (!canary.isTold) endAlarms(tx, { id: mailboxId }, ['canary']);
  }
  return null;
}

/** @param awakeSince from when on this machine could have seen one */
export function canariesLost(tx: Tx, now: Instant, awakeSince: Instant): { mailbox: Mailbox; late: Canary[] }[] {
  if (now - awakeSince < canaryLateMs) return [];
  return allMailboxes(tx).flatMap((mailbox) => {
    const late = flies(tx, mailbox) ? lateCanaries(tx, mailbox.id, now - canaryLateMs) : [];
    return late.length === 0 ? [] : [{ mailbox, late }];
  });
}

export function tellLostCanaries(tx: Tx, ctx: Context, awakeSince: Instant): null {
  for (const { mailbox, late } of canariesLost(tx, ctx.now, awakeSince)) {
    for (const { id } of late) tellCanary(tx, id);
    const last = late.at(-1);
    const delivery = last?.deliveryId == null ? undefined : deliveryById(tx, last.deliveryId);
    const sent = new Date(last?.sentAt ?? ctx.now).toISOString().slice(0, 16).replace('T', ' ');
    const way =
      delivery?.status === 'delivered'
        ? 'The mail server took it.'
        : `It has not left: ${delivery?.lastError ?? 'it waits in the outbox'}.`;
    const reason = `The mail that the desk sent to ${mailbox.address} at ${sent} UTC has not come back. ${way}`;
    raiseAlarm(tx, ctx, mailbox, { kind: 'canary', reason });
  }
  return null;
}

/** Of the last seven days, oldest first. */
export function listCanaries(tx: Tx, ctx: Context, siteName: string, id: number): Canary[] {
  return canariesOf(tx, mailboxes.read(tx, ctx, siteName, id).row.id);
}
