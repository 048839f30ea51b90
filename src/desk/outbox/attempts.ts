// Claims deliveries for the dispatcher, and records the result of each attempt.

import { toWire } from '../../base/clock.ts';
import { type AttemptResult, countFailures } from '../../domain/outbox/delivery.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import { eraseLetter } from '../../store/mail/author-mails.ts';
import { isMailLane, isPushLane, type Lane } from '../../store/outbox/lane.ts';
import { claim, deliveriesDue, promoteNext, releaseClaims } from '../../store/outbox/lanes.ts';
import { type Delivery, deliveryById, insertAttempt, updateDelivery } from '../../store/outbox/outbox.ts';
import { anyChannel, channelRows } from '../../store/sites/catalogue.ts';
import { messageById, updateMessage } from '../../store/tickets/messages.ts';
import { ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { tellChannels } from '../notifications/channels.ts';
import { managersByMail, managersOf, tell } from '../notifications/notify.ts';
import { withdrawPush } from '../notifications/push.ts';
import { recordPush } from './push.ts';
import { linkClaimed, queueMail } from './queue-mail.ts';
import { type Answer, leaveOut, noteAttempt, noteRecipients } from './reply-mails.ts';
import { withdrawUntrue } from './undoable.ts';

export function takeDue(
  tx: Tx,
  ctx: Context,
  lane: Lane,
  limit: number,
  { by, ms }: { by: string; ms: number },
): number[] {
  const ids = deliveriesDue(tx, lane, ctx.now, limit).filter((id) => mayLeave(tx, ctx, lane, id));
  for (const id of ids) claim(tx, id, ctx.now + ms, by);
  return ids;
}

/** Withdraws what is no longer true, leaves out who does not get it any more, and gives a mail the link that it was queued without. */
function mayLeave(tx: Tx, ctx: Context, lane: Lane, id: number): boolean {
  if (isPushLane(lane)) return !withdrawPush(tx, ctx, id);
  const delivery = isMailLane(lane) ? deliveryById(tx, id) : undefined;
  if (delivery === undefined) return true;
  if (withdrawUntrue(tx, delivery)) return false;
  const lastError = leaveOut(tx, ctx, delivery);
  if (lastError !== null) {
    updateDelivery(tx, id, { status: 'failed', nextAt: null, finishedAt: ctx.now, lastError });
    promoteNext(tx, delivery);
    return false;
  }
  linkClaimed(tx, ctx, delivery);
  return true;
}

export function letGo(tx: Tx, ids: readonly number[]): null {
  for (const id of ids) claim(tx, id, 0, null);
  return null;
}

/** For the server that takes it by now. */
export function moveToLine(tx: Tx, id: number, mailboxId: number | null): null {
  updateDelivery(tx, id, { mailboxId, claimedUntil: 0, claimedBy: null });
  return null;
}

export function takeOver(tx: Tx, hasEnded: (process: string) => boolean): number {
  return releaseClaims(tx, hasEnded);
}

export interface Attempted {
  deliveryId: number;
  result: AttemptResult;
  durationMs: number;
  responseStatus: number | null;
  responseExcerpt: string;
  error: string | null;
  /** Of each address, when a mail server took some and refused others. */
  answers?: readonly Answer[];
}

export function recordAttempt(tx: Tx, ctx: Context, tried: Attempted): void {
  const delivery = deliveryById(tx, tried.deliveryId);
  if (!delivery) return;
  const { result } = tried;
  const lastError =
    result.outcome === 'delivered' ? null : (tried.error ?? `answered ${tried.responseStatus ?? 'nothing'}`);
  if (delivery.pushSubscriptionId !== null) {
    recordPush(tx, ctx, delivery, delivery.pushSubscriptionId, result, lastError);
    return;
  }
  if (delivery.status !== 'queued') {
    recordAfterTheEnd(tx, ctx, delivery, tried);
    return;
  }
  const isOfErased = wasErasedMeanwhile(tx, delivery);
  insertAttempt(tx, {
    deliveryId: delivery.id,
    at: ctx.now,
    durationMs: Math.round(tried.durationMs),
    responseStatus: tried.responseStatus,
    responseExcerpt: isOfErased ? '' : tried.responseExcerpt,
    error: tried.error,
  });
  if (isOfErased) eraseLetterOf(tx, ctx, delivery);
  const isFinal = result.outcome !== 'retry';
  updateDelivery(tx, delivery.id, {
    status: result.outcome === 'retry' ? 'queued' : result.outcome,
    attempts: delivery.attempts + 1,
    tries: delivery.tries + 1,
    firstTriedAt: delivery.firstTriedAt ?? ctx.now,
    nextAt: result.outcome === 'retry' ? result.at : null,
    claimedUntil: 0,
    claimedBy: null,
    finishedAt: isFinal ? ctx.now : null,
    lastError,
  });
  if (isFinal) promoteNext(tx, delivery);
  if (delivery.channelId !== null) noteOnChannel(tx, ctx, delivery, result, lastError);
  else noteAttempt(tx, ctx, delivery, result, lastError, tried.answers ?? []);
}

/** @param address whose mail came back, of those to whom the message went */
export function noteBounced(
  tx: Tx,
  ctx: Context,
  deliveryId: number,
  messageId: number,
  address: string,
  diagnostic: string,
): void {
  const came = { status: 'bounced', at: toWire(ctx.now), error: diagnostic } as const;
  const told = messageById(tx, messageId)?.recipients?.map((one) =>
    one.email === address ? { ...one, ...came } : one,
  );
  if (told === undefined) updateMessage(tx, messageId, { delivery: came });
  else noteRecipients(tx, messageId, told);
  insertAttempt(tx, {
    deliveryId,
    at: ctx.now,
    durationMs: 0,
    responseStatus: null,
    responseExcerpt: '',
    error: diagnostic,
  });
}

/** Whether the delivery may have been built before its author was erased. */
function wasErasedMeanwhile(tx: Tx, delivery: Delivery): boolean {
  const ticket = delivery.ticketId === null ? undefined : ticketById(tx, delivery.ticketId);
  const anonymisedAt = ticket === undefined ? null : (authorById(tx, ticket.authorId)?.anonymisedAt ?? null);
  return anonymisedAt !== null && anonymisedAt >= delivery.createdAt;
}

/** A file written while the erasure removed the others. */
function eraseLetterOf(tx: Tx, ctx: Context, { mailMessageId }: Delivery): void {
  if (mailMessageId === null) return;
  eraseLetter(tx, mailMessageId);
  ctx.noteErasure?.([]);
}

/** An attempt at an abandoned delivery: no retry, and its answer is not stored, since it may name the author. */
function recordAfterTheEnd(tx: Tx, ctx: Context, delivery: Delivery, tried: Attempted): void {
  const { durationMs, responseStatus, result } = tried;
  eraseLetterOf(tx, ctx, delivery);
  insertAttempt(tx, {
    deliveryId: delivery.id,
    at: ctx.now,
    durationMs: Math.round(durationMs),
    responseStatus,
    responseExcerpt: '',
    error: null,
  });
  updateDelivery(tx, delivery.id, {
    attempts: delivery.attempts + 1,
    claimedUntil: 0,
    claimedBy: null,
    ...(result.outcome === 'delivered' ? { status: 'delivered', lastError: null } : {}),
  });
}

function noteOnChannel(
  tx: Tx,
  ctx: Context,
  delivery: Delivery,
  result: AttemptResult,
  lastError: string | null,
): void {
  const channel = delivery.channelId === null ? undefined : anyChannel(tx, delivery.channelId);
  if (!channel || delivery.event === 'channel.test') return;
  const { consecutiveFailures, isDisabling } = countFailures(channel.consecutiveFailures, result);
  if (result.outcome === 'delivered') {
    channelRows.update(tx, channel.id, { consecutiveFailures, lastDeliveryAt: ctx.now, lastSuccessAt: ctx.now });
    return;
  }
  if (!isDisabling || !channel.isActive) {
    channelRows.update(tx, channel.id, { consecutiveFailures });
    return;
  }
  const reason =
    result.outcome === 'failed' && result.isGone
      ? 'The receiver answered 410 Gone.'
      : `${consecutiveFailures} deliveries in a row failed. Last error: ${lastError ?? 'unknown'}.`;
  channelRows.update(tx, channel.id, {
    consecutiveFailures,
    isActive: false,
    disabledAt: ctx.now,
    disabledReason: reason,
    version: channel.version + 1,
  });
  const about = { kind: 'channel_disabled', siteId: channel.siteId, payload: { channel_id: channel.id } } as const;
  tell(tx, ctx, about, managersOf(tx, channel.siteId));
  tellChannels(tx, ctx, {
    ...{ event: 'channel.disabled', siteId: channel.siteId, payload: { channel_id: channel.id, reason } },
  });
  for (const manager of managersByMail(tx, channel.siteId, 'channel_disabled'))
    queueMail(tx, ctx, channel.siteId, null, null, 'mail.channel_disabled', manager, {
      channel_id: channel.id,
      reason,
    });
}
