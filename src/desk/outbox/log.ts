// The delivery log, and sending again.

import { newUlid } from '../../base/ids.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { dayMs } from '../../domain/instant.ts';
import type { DeliveryStatus } from '../../domain/outbox/delivery.ts';
import type { Tx } from '../../engine/database.ts';
import {
  attemptsOfDelivery,
  type Delivery,
  type DeliveryAttempt,
  deliveryById,
  deliveryByUlid,
  insertDelivery,
  listDeliveries,
  purgeDeliveries,
  updateDelivery,
} from '../../store/outbox/outbox.ts';
import { beginCatchUp, requeueSome } from '../../store/outbox/requeue.ts';
import { type Channel, channelRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import { authorise, findSite, requireWholeDesk } from '../access.ts';
import type { Context } from '../context.ts';

export const heldMs = 7 * dayMs;

/** Re-enables a channel: its failed and held deliveries since the last success go out in order. */
export function catchUp(tx: Tx, ctx: Context, channel: Channel): void {
  beginCatchUp(tx, channel.id, channel.lastSuccessAt ?? 0, ctx.now - heldMs);
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

export function listChannelDeliveries(
  tx: Tx,
  ctx: Context,
  siteName: string,
  id: number,
  status: DeliveryStatus | null,
  limit: number,
  offset: number,
): { rows: LoggedDelivery[]; total: number } {
  authorise(ctx, 'read');
  const { site, channel } = findChannel(tx, ctx, siteName, id);
  const { rows, total } = listDeliveries(tx, { siteId: site.id, channelId: channel.id, status }, limit, offset);
  return { rows: rows.map((delivery) => ({ delivery, attempts: attemptsOfDelivery(tx, delivery.id) })), total };
}

export function listOutbox(
  tx: Tx,
  ctx: Context,
  filter: { site: string | null; isMail: boolean; status: DeliveryStatus | null },
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

function findDelivery(tx: Tx, channel: Channel, name: string): Delivery {
  const delivery = /^\d{1,15}$/.test(name) ? deliveryById(tx, Number(name)) : deliveryByUlid(tx, name.toUpperCase());
  if (!delivery || delivery.channelId !== channel.id) throw notFound('delivery');
  return delivery;
}

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

/** Allowed in any final status. Retries start from the beginning. */
export function redeliver(
  tx: Tx,
  ctx: Context,
  siteName: string,
  channelId: number,
  deliveryName: string,
): LoggedDelivery {
  authorise(ctx, 'manage');
  const delivery = findDelivery(tx, findChannel(tx, ctx, siteName, channelId).channel, deliveryName);
  if (delivery.status === 'queued') throw conflict('This delivery is already queued.', 'delivery_queued');
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

/** Repeat it with the `afterId` that it returns, until that is null. */
export function redeliverFailed(
  tx: Tx,
  ctx: Context,
  siteName: string,
  channelId: number,
  { since, until }: { since: number; until: number },
  afterId = 0,
): { total: number; afterId: number | null } {
  authorise(ctx, 'manage');
  const { channel } = findChannel(tx, ctx, siteName, channelId);
  return requeueSome(tx, channel.id, afterId, { createdFrom: since, createdUntil: until, finishedAfter: -1 });
}

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
