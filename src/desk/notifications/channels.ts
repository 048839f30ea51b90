// Alarms that webhook channels take (docs/spec/notifications.md#chat).

import { newUlid } from '../../base/ids.ts';
import { scopeOf } from '../../domain/actor.ts';
import { DeskError } from '../../domain/errors.ts';
import { type DeliveryPayload, deskWideAlarms, type WebhookEvent } from '../../domain/event.ts';
import { hourMs } from '../../domain/instant.ts';
import type { NotificationKind } from '../../domain/notifications/notification.ts';
import type { Tx } from '../../engine/database.ts';
import { insertDelivery, wasQueuedSince } from '../../store/outbox/outbox.ts';
import { channelRows, channelsOfEverySite } from '../../store/sites/catalogue.ts';
import type { Context } from '../context.ts';

export const alarmEvents = {
  mail_held: 'inbound.held',
  channel_disabled: 'channel.disabled',
  mailbox_alarm: 'mailbox.alarm',
  backup_failed: 'backup.failed',
  disk_low: 'disk.low',
} as const satisfies Partial<Record<NotificationKind, WebhookEvent>>;

interface Alarm {
  event: (typeof alarmEvents)[keyof typeof alarmEvents];
  /** Null: of the whole desk. */
  siteId: number | null;
  payload?: DeliveryPayload;
}

/** A flood of spam is one line in an hour. */
export const floodMs = hourMs;

export function tellChannels(
  tx: Tx,
  ctx: Context,
  { event, siteId, payload = {} }: Alarm,
  { leastBetweenMs = 0 }: { leastBetweenMs?: number } = {},
): void {
  if (ctx.isSilent) return;
  const all = siteId === null ? channelsOfEverySite(tx) : channelRows.list(tx, siteId);
  for (const channel of all) {
    if (!channel.isActive || !channel.events.includes(event)) continue;
    if (leastBetweenMs > 0 && wasQueuedSince(tx, channel.id, event, ctx.now - leastBetweenMs)) continue;
    insertDelivery(tx, {
      ...{ ulid: newUlid(ctx.now), siteId: channel.siteId, channelId: channel.id, ticketId: null, eventSeq: null },
      ...{ event, payload, recipient: null, mailMessageId: null, createdAt: ctx.now },
    });
  }
}

const isDeskWide = (event: string): boolean => deskWideAlarms.some((one) => one === event);

/** What is wrong with the whole desk is for those who see all of it. */
export function requireEventsWithin(ctx: Context, wanted: readonly string[], had: readonly string[]): void {
  if (scopeOf(ctx.actor) === 'all' || !wanted.some((event) => isDeskWide(event) && !had.includes(event))) return;
  throw new DeskError('forbidden', 'Only someone who sees all sites can subscribe a channel to the whole desk.', {
    reason: 'beyond_your_rights',
  });
}
