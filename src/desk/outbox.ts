// What must leave the desk: queued with its cause, taken by the dispatcher, and what became of each try.

import { toWire } from '../base/clock.ts';
import { newUlid } from '../base/ids.ts';
import { normaliseEmail } from '../domain/address.ts';
import { type AttemptResult, countFailures } from '../domain/delivery.ts';
import { conflict, notFound } from '../domain/errors.ts';
import {
  type DeliveryPayload,
  type EventData,
  type EventKind,
  type MailKind,
  type WebhookEvent,
  webhookEvents,
} from '../domain/event.ts';
import { dayMs, hourMs } from '../domain/instant.ts';
import type { Tx } from '../store/database.ts';
import { type Event, eventBySeq } from '../store/events.ts';
import { type InboundMail, inboundMailById, isSuppressed } from '../store/inbound.ts';
import {
  type Attachment,
  attachmentsOfTicket,
  type Message,
  messageByUlid,
  messagesOfTicket,
  updateMessage,
} from '../store/messages.ts';
import {
  attemptsOfDelivery,
  catchUpChannel,
  claim,
  type Delivery,
  type DeliveryAttempt,
  deliveriesDue,
  deliveryById,
  deliveryByUlid,
  eraseLetter,
  insertAttempt,
  insertDelivery,
  listDeliveries,
  mailThread,
  promoteNext,
  purgeDeliveries,
  releaseClaims,
  requeueFailed,
  updateDelivery,
  wasAcknowledged,
} from '../store/outbox.ts';
import { type Agent, type Author, agentById, agentsOfSite, authorById } from '../store/people.ts';
import { anyChannel, anyPriority, type Channel, channelRows, type Site, siteById } from '../store/sites.ts';
import { type Ticket, ticketById } from '../store/tickets.ts';
import { authorise, findSite, requireWholeDesk } from './access.ts';
import type { Context } from './record.ts';

/** How long a disabled channel's events are held. */
export const heldMs = 7 * dayMs;

const isWebhookEvent = (kind: EventKind): kind is WebhookEvent => (webhookEvents as readonly string[]).includes(kind);

/** Queues the webhooks and mails that an event causes. A test ticket notifies nobody. */
export function enqueue(
  tx: Tx,
  ctx: Context,
  kind: EventKind,
  subject: Ticket | number,
  data: EventData,
  seq: number,
): void {
  if (!isWebhookEvent(kind)) return;
  const ticket = typeof subject === 'number' ? ticketById(tx, subject) : subject;
  if (!ticket || ticket.isTest) return;
  for (const channel of channelRows.list(tx, ticket.siteId)) {
    // A channel that was made inactive and never ran has nothing to catch up with.
    const isHeld = !channel.isActive && channel.disabledAt !== null;
    if (!channel.events.includes(kind) || !(channel.isActive || isHeld)) continue;
    insertDelivery(tx, {
      ulid: newUlid(ctx.now),
      siteId: ticket.siteId,
      channelId: channel.id,
      ticketId: ticket.id,
      eventSeq: seq,
      event: kind,
      payload: { status: typeof data.new_status === 'string' ? data.new_status : ticket.status },
      recipient: null,
      mailMessageId: null,
      createdAt: ctx.now,
    });
  }
  enqueueMail(tx, ctx, kind, ticket, data, seq);
}

/** At most one acknowledgement goes to an address in this time (docs/spec/behaviour.md#outbound-mail). */
const acknowledgedMs = hourMs;

/** The name that a mail is addressed to. An unverified author's may be a stranger's words to whoever has the address. */
function calledBy(author: Author): string | null {
  return author.isVerified ? author.name : null;
}

interface Recipient {
  name: string | null;
  email: string;
}

function queueMail(
  tx: Tx,
  ctx: Context,
  siteId: number,
  ticketId: number | null,
  seq: number | null,
  event: MailKind,
  to: Recipient,
  extra: DeliveryPayload = {},
): void {
  const address = normaliseEmail(to.email);
  // An address that mail bounced from is left alone, and an agent learns it at once.
  if (isSuppressed(tx, siteId, address)) {
    if (extra.message_id !== undefined) {
      updateMessage(tx, extra.message_id, {
        delivery: { status: 'bounced', at: toWire(ctx.now), error: 'Mail to this address bounced before.' },
      });
    }
    return;
  }
  const ulid = newUlid(ctx.now);
  insertDelivery(tx, {
    ulid,
    siteId,
    channelId: null,
    ticketId,
    eventSeq: seq,
    event,
    payload: { recipient_name: to.name, ...extra },
    recipient: address,
    mailMessageId: `<${ulid}@${ctx.mailDomain}>`,
    createdAt: ctx.now,
  });
}

function enqueueMail(tx: Tx, ctx: Context, kind: WebhookEvent, ticket: Ticket, data: EventData, seq: number): void {
  const site = siteById(tx, ticket.siteId);
  const author = authorById(tx, ticket.authorId);
  if (!site || !author) return;
  const assignee = ticket.assigneeId === null ? undefined : agentById(tx, ticket.assigneeId);
  const toAuthor = (event: MailKind, extra: DeliveryPayload = {}) => {
    if (author.anonymisedAt === null)
      queueMail(tx, ctx, site.id, ticket.id, seq, event, { name: calledBy(author), email: author.email }, extra);
  };
  const toAgents = (event: MailKind, agents: readonly Agent[]) => {
    for (const agent of agents) if (agent.isActive) queueMail(tx, ctx, site.id, ticket.id, seq, event, agent);
  };
  switch (kind) {
    case 'ticket.created':
      if (
        site.settings.acknowledge &&
        data.acknowledge !== false &&
        !wasAcknowledged(tx, author.email, ctx.now - acknowledgedMs)
      )
        toAuthor('mail.acknowledgement');
      return;
    case 'ticket.replied': {
      const message = typeof data.message_ulid === 'string' ? messageByUlid(tx, data.message_ulid) : undefined;
      if (!message) return;
      if (!message.isAgent) toAgents('mail.customer_replied', assignee ? [assignee] : []);
      else if (author.anonymisedAt === null) {
        updateMessage(tx, message.id, { delivery: { status: 'queued', at: toWire(ctx.now), error: null } });
        toAuthor('mail.agent_reply', { message_id: message.id });
      }
      return;
    }
    case 'ticket.status_changed':
      // A rule resolves whatever a stranger sends, in whosever name: that is told to nobody.
      if (data.new_status === 'resolved' && site.settings.notify_resolved && ctx.actor.kind !== 'rule')
        toAuthor('mail.ticket_resolved');
      return;
    case 'ticket.assigned': {
      const to = data.changes?.assigned_to?.to;
      const agent = typeof to === 'number' ? agentById(tx, to) : undefined;
      toAgents('mail.assigned', agent ? [agent] : []);
      return;
    }
    case 'ticket.sla_warning':
    case 'ticket.sla_breached':
      toAgents(
        kind === 'ticket.sla_warning' ? 'mail.sla_warning' : 'mail.sla_breached',
        assignee?.isActive ? [assignee] : ownersAndAdmins(tx, site.id),
      );
      return;
  }
}

function ownersAndAdmins(tx: Tx, siteId: number): Agent[] {
  return agentsOfSite(tx, siteId).filter(({ role }) => role !== 'member');
}

/**
 * Claims what a lane may send now, so that no other process sends it too.
 * @param lane a channel's id, or null for mail
 * @param by who claims it, and how long the claim lasts if that process does not come back
 */
export function takeDue(
  tx: Tx,
  ctx: Context,
  lane: number | null,
  limit: number,
  { by, ms }: { by: string; ms: number },
): number[] {
  const ids = deliveriesDue(tx, lane, ctx.now, limit);
  for (const id of ids) claim(tx, id, ctx.now + ms, by);
  return ids;
}

/** Lets go of claims that were not used. */
export function letGo(tx: Tx, ids: readonly number[]): null {
  for (const id of ids) claim(tx, id, 0, null);
  return null;
}

/** Makes due again what processes that have ended had claimed; answers how many. */
export function takeOver(tx: Tx, hasEnded: (process: string) => boolean): number {
  return releaseClaims(tx, hasEnded);
}

/** Everything that a delivery is made of, as it is now. */
export interface DeliveryMaterial {
  delivery: Delivery;
  site: Site;
  channel: Channel | null;
  /** Newest first: two while one is rotated. */
  signingSecrets: string[];
  event: Event | null;
  ticket: Ticket | null;
  author: Author | null;
  priorityName: string | null;
  /** The message that the event is about. */
  message: Message | null;
  messageAuthor: Author | null;
  assignee: Agent | null;
  attachments: Attachment[];
  /** The customer's message that an agent's reply answers. */
  answered: Message | null;
  /** The Message-IDs of the thread that its recipient has, oldest first. */
  references: string[];
  /** The mail that a forward carries. */
  forwarded: InboundMail | null;
  /** The channel that a mail about channels speaks of. */
  subjectChannel: Channel | null;
}

export function loadDelivery(tx: Tx, ctx: Context, id: number): DeliveryMaterial | null {
  const delivery = deliveryById(tx, id);
  return delivery?.status === 'queued' ? materialOf(tx, ctx, delivery) : null;
}

/** What a delivery would be made of now, whatever became of it; null where its site is gone. */
export function materialOf(tx: Tx, ctx: Context, delivery: Delivery): DeliveryMaterial | null {
  const site = siteById(tx, delivery.siteId);
  if (!site) return null;
  const channel = delivery.channelId === null ? null : (anyChannel(tx, delivery.channelId) ?? null);
  const ticket = delivery.ticketId === null ? null : (ticketById(tx, delivery.ticketId) ?? null);
  const event = delivery.eventSeq === null ? null : (eventBySeq(tx, delivery.eventSeq) ?? null);
  const messageUlid = event?.data.message_ulid;
  const message =
    typeof messageUlid === 'string'
      ? (messageByUlid(tx, messageUlid) ?? null)
      : // Whoever is assigned a ticket wants to read what it is about.
        delivery.event === 'mail.assigned' && ticket !== null
        ? (messagesOfTicket(tx, ticket.id).find((one) => !one.isInternal) ?? null)
        : null;
  const assignedTo = event?.data.changes?.assigned_to?.to;
  const isReply = delivery.event === 'mail.agent_reply' && ticket !== null && message !== null;
  const signingSecrets: string[] = [];
  if (channel) {
    signingSecrets.push(ctx.seal.open(channel.signingSecretSealed));
    if (channel.previousSigningSecretSealed !== null && (channel.previousSigningSecretExpiresAt ?? 0) > ctx.now) {
      signingSecrets.push(ctx.seal.open(channel.previousSigningSecretSealed));
    }
  }
  return {
    delivery,
    site,
    channel,
    signingSecrets,
    event,
    ticket,
    author: ticket === null ? null : (authorById(tx, ticket.authorId) ?? null),
    priorityName: ticket === null ? null : (anyPriority(tx, ticket.priorityId)?.name ?? null),
    message,
    messageAuthor: message?.authorId == null ? null : (authorById(tx, message.authorId) ?? null),
    assignee: typeof assignedTo === 'number' ? (agentById(tx, assignedTo) ?? null) : null,
    attachments: isReply
      ? attachmentsOfTicket(tx, message.ticketId).filter(({ messageId }) => messageId === message.id)
      : [],
    answered: isReply
      ? (messagesOfTicket(tx, message.ticketId).findLast(
          (one) => !one.isAgent && !one.isInternal && one.id < message.id,
        ) ?? null)
      : null,
    references:
      ticket === null || delivery.recipient === null ? [] : mailThread(tx, ticket.id, delivery.recipient, delivery),
    forwarded:
      delivery.payload.inbound_id === undefined ? null : (inboundMailById(tx, delivery.payload.inbound_id) ?? null),
    subjectChannel:
      delivery.payload.channel_id === undefined ? null : (anyChannel(tx, delivery.payload.channel_id) ?? null),
  };
}

export interface Attempted {
  deliveryId: number;
  result: AttemptResult;
  durationMs: number;
  responseStatus: number | null;
  responseExcerpt: string;
  error: string | null;
}

/** Keeps a try in the log, and does to the delivery and its channel what the result says. */
export function recordAttempt(tx: Tx, ctx: Context, tried: Attempted): void {
  const delivery = deliveryById(tx, tried.deliveryId);
  if (!delivery) return;
  const { result } = tried;
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
  const lastError =
    result.outcome === 'delivered' ? null : (tried.error ?? `answered ${tried.responseStatus ?? 'nothing'}`);
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
  else if (delivery.payload.message_id !== undefined) {
    const status = { delivered: 'sent', retry: 'queued', failed: 'failed' } as const;
    const how = { status: status[result.outcome], at: toWire(ctx.now), error: lastError };
    updateMessage(tx, delivery.payload.message_id, { delivery: how });
  }
}

/** Whether what was sent may have been made before its author was erased. */
function wasErasedMeanwhile(tx: Tx, delivery: Delivery): boolean {
  const ticket = delivery.ticketId === null ? undefined : ticketById(tx, delivery.ticketId);
  const anonymisedAt = ticket === undefined ? null : (authorById(tx, ticket.authorId)?.anonymisedAt ?? null);
  return anonymisedAt !== null && anonymisedAt >= delivery.createdAt;
}

/** The file that was written of it while the erasure removed the others. */
function eraseLetterOf(tx: Tx, ctx: Context, { mailMessageId }: Delivery): void {
  if (mailMessageId === null) return;
  eraseLetter(tx, mailMessageId);
  ctx.noteErasure?.([]);
}

/**
 * A try that was under way when its delivery was given up, because its author was erased or it was held for too long: it
 * is not tried again, and nothing of the answer is kept, which may name whom it was for.
 */
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
  // A test says how things are, and is no delivery that failed.
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
      : `${consecutiveFailures} deliveries in a row failed; the last one: ${lastError ?? 'no reason given'}.`;
  channelRows.update(tx, channel.id, {
    consecutiveFailures,
    isActive: false,
    disabledAt: ctx.now,
    disabledReason: reason,
    version: channel.version + 1,
  });
  for (const owner of agentsOfSite(tx, channel.siteId).filter(({ role }) => role === 'owner')) {
    queueMail(tx, ctx, channel.siteId, null, null, 'mail.channel_disabled', owner, { channel_id: channel.id, reason });
  }
}

/** A channel that is enabled again gets, in order, what it failed to take since it last took anything, and what it held. */
export function catchUp(tx: Tx, ctx: Context, channel: Channel): void {
  catchUpChannel(tx, channel.id, channel.lastSuccessAt ?? 0, ctx.now - heldMs);
}

function findChannel(tx: Tx, ctx: Context, siteName: string, id: number): { site: Site; channel: Channel } {
  const site = findSite(tx, ctx, siteName);
  const channel = channelRows.get(tx, site.id, id);
  if (!channel) throw notFound('webhook channel');
  return { site, channel };
}

export interface LoggedDelivery {
  delivery: Delivery;
  attempts: DeliveryAttempt[];
}

/** The delivery log of a channel, newest first (docs/spec/api.md#webhook-channels). */
export function listChannelDeliveries(
  tx: Tx,
  ctx: Context,
  siteName: string,
  id: number,
  status: string | null,
  limit: number,
  offset: number,
): { rows: LoggedDelivery[]; total: number } {
  authorise(ctx, 'read');
  const { site, channel } = findChannel(tx, ctx, siteName, id);
  const { rows, total } = listDeliveries(tx, { siteId: site.id, channelId: channel.id, status }, limit, offset);
  return { rows: rows.map((delivery) => ({ delivery, attempts: attemptsOfDelivery(tx, delivery.id) })), total };
}

/** What is in the outbox, for the whole desk or one site, newest first. */
export function listOutbox(
  tx: Tx,
  ctx: Context,
  filter: { site: string | null; isMail: boolean; status: string | null },
  limit: number,
  offset: number,
): { rows: LoggedDelivery[]; total: number } {
  authorise(ctx, 'read');
  if (filter.site === null) requireWholeDesk(ctx);
  const siteId = filter.site === null ? null : findSite(tx, ctx, filter.site).id;
  const lane = filter.isMail ? { channelId: null } : {};
  const { rows, total } = listDeliveries(tx, { siteId, status: filter.status, ...lane }, limit, offset);
  return { rows: rows.map((delivery) => ({ delivery, attempts: attemptsOfDelivery(tx, delivery.id) })), total };
}

/** Forgets what was done before a moment, a step at a time; answers how much. */
export function purgeOutbox(
  tx: Tx,
  ctx: Context,
  before: number,
  limit: number,
): { deliveries: number; tries: number } {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  return purgeDeliveries(tx, before, limit);
}

/** @param name its id, or the ulid that its receiver was told */
function findDelivery(tx: Tx, channel: Channel, name: string): Delivery {
  const delivery = /^\d{1,15}$/.test(name) ? deliveryById(tx, Number(name)) : deliveryByUlid(tx, name.toUpperCase());
  if (!delivery || delivery.channelId !== channel.id) throw notFound('delivery');
  return delivery;
}

/** One delivery of a channel, with every try. */
export function readChannelDelivery(
  tx: Tx,
  ctx: Context,
  siteName: string,
  channelId: number,
  deliveryName: string,
): LoggedDelivery {
  authorise(ctx, 'read');
  const delivery = findDelivery(tx, findChannel(tx, ctx, siteName, channelId).channel, deliveryName);
  return { delivery, attempts: attemptsOfDelivery(tx, delivery.id) };
}

/** Sends one delivery again, whatever became of it; its retries begin anew. */
export function redeliver(
  tx: Tx,
  ctx: Context,
  siteName: string,
  channelId: number,
  deliveryName: string,
): LoggedDelivery {
  authorise(ctx, 'manage');
  const delivery = findDelivery(tx, findChannel(tx, ctx, siteName, channelId).channel, deliveryName);
  if (delivery.status === 'queued') throw conflict('This delivery is on its way already.', 'delivery_queued');
  updateDelivery(tx, delivery.id, {
    status: 'queued',
    tries: 0,
    firstTriedAt: null,
    nextAt: ctx.now,
    claimedUntil: 0,
    finishedAt: null,
  });
  return { delivery: deliveryById(tx, delivery.id) ?? delivery, attempts: attemptsOfDelivery(tx, delivery.id) };
}

/** Sends again what failed between two moments; answers how many. */
export function redeliverFailed(
  tx: Tx,
  ctx: Context,
  siteName: string,
  channelId: number,
  since: number,
  until: number,
): number {
  authorise(ctx, 'manage');
  return requeueFailed(tx, findChannel(tx, ctx, siteName, channelId).channel.id, since, until);
}

/** Queues a test message; it is sent also to a channel that is disabled. */
export function testChannel(tx: Tx, ctx: Context, siteName: string, id: number): LoggedDelivery {
  authorise(ctx, 'manage');
  const { site, channel } = findChannel(tx, ctx, siteName, id);
  const deliveryId = insertDelivery(tx, {
    ulid: newUlid(ctx.now),
    siteId: site.id,
    channelId: channel.id,
    ticketId: null,
    eventSeq: null,
    event: 'channel.test',
    payload: {},
    recipient: null,
    mailMessageId: null,
    createdAt: ctx.now,
  });
  const delivery = deliveryById(tx, deliveryId);
  if (!delivery) throw notFound('delivery');
  return { delivery, attempts: [] };
}

/** Queues the original of a mail for somebody that a rule names. */
export function queueForward(
  tx: Tx,
  ctx: Context,
  siteId: number,
  address: string,
  inboundId: number,
  subject: string,
): void {
  queueMail(
    tx,
    ctx,
    siteId,
    null,
    null,
    'mail.forward',
    { name: null, email: address },
    { inbound_id: inboundId, subject },
  );
}
