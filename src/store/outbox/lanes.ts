// Which deliveries are next: each receiver gets those of a ticket in order.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { isMailLane, isPushLane, type Lane, mailLines, pushLines } from './lane.ts';
import { type Delivery, sameReceiver } from './outbox.ts';

interface LaneOutlook {
  lane: Lane;
  isDue: boolean;
  nextAt: Instant | null;
}

// A channel that is catching up sends what it owes before anything else.
const maySend = 'is_active = 1 AND channels.id NOT IN (SELECT channel_id FROM channel_catch_ups)';

// Walks from one channel with queued deliveries to the next. Only tests leave from a disabled channel.
const outlookText = `
  WITH RECURSIVE lane (id) AS (
    SELECT min(channel_id) FROM deliveries INDEXED BY deliveries_due WHERE status = 'queued' AND channel_id > 0
    UNION ALL
    SELECT (SELECT min(channel_id) FROM deliveries INDEXED BY deliveries_due WHERE status = 'queued' AND channel_id > lane.id)
    FROM lane WHERE lane.id IS NOT NULL),
  ${mailLines},
  ${pushLines}
  SELECT channels.id AS lane,
    EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_due
            WHERE channel_id = channels.id AND mailbox_id IS NULL AND status = 'queued' AND next_at <= ?1) AS isDue,
    (SELECT next_at FROM deliveries INDEXED BY deliveries_due
     WHERE channel_id = channels.id AND mailbox_id IS NULL AND status = 'queued' AND next_at > ?1
     ORDER BY next_at LIMIT 1) AS nextAt
  FROM lane CROSS JOIN channels ON channels.id = lane.id WHERE ${maySend}
  UNION ALL
  SELECT channels.id,
    EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_by_ticket
            WHERE channel_id = channels.id AND ticket_id IS NULL AND status = 'queued' AND next_at <= ?1), NULL
  FROM lane CROSS JOIN channels ON channels.id = lane.id WHERE NOT (${maySend})
  UNION ALL
  SELECT -box.id,
    EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_due
            WHERE channel_id IS NULL AND mailbox_id IS box.id AND status = 'queued' AND next_at <= ?1),
    (SELECT next_at FROM deliveries INDEXED BY deliveries_due
     WHERE channel_id IS NULL AND mailbox_id IS box.id AND status = 'queued' AND next_at > ?1
     ORDER BY next_at LIMIT 1)
  FROM box
  UNION ALL
  SELECT 'push ' || push.id,
    EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_of_pushes
            WHERE push_subscription_id = push.id AND status = 'queued' AND next_at <= ?1),
    (SELECT min(next_at) FROM deliveries INDEXED BY deliveries_of_pushes
     WHERE push_subscription_id = push.id AND status = 'queued' AND next_at > ?1)
  FROM push WHERE push.id IS NOT NULL`;

/** Every channel, mail server and browser with queued rows that can leave: whether any are due, and when more will be. */
export function lanesAhead(tx: Tx, now: Instant): LaneOutlook[] {
  return query<{ lane: Lane; isDue: number; nextAt: Instant | null }>(tx, outlookText)
    .all(now)
    .map(({ lane, isDue, nextAt }) => ({ lane, isDue: isDue === 1, nextAt }));
}

export const notBehind = `NOT EXISTS (
         SELECT 1 FROM deliveries AS earlier INDEXED BY deliveries_by_ticket
         WHERE earlier.channel_id IS due.channel_id AND earlier.ticket_id = due.ticket_id
           AND earlier.recipient IS due.recipient AND earlier.status = 'queued' AND earlier.id < due.id)`;

const pushesDue = statement(`SELECT id FROM deliveries INDEXED BY deliveries_of_pushes
   WHERE push_subscription_id = ? AND status = 'queued' AND next_at <= ? AND claimed_until <= ? ORDER BY next_at, id LIMIT ?`)
  .column<number, [subscriptionId: number, dueBy: Instant, freeBy: Instant, limit: number]>;

/** Oldest due first: nothing claimed, and nothing behind an earlier delivery of its ticket to the same receiver. */
export function deliveriesDue(tx: Tx, lane: Lane, now: Instant, limit: number): number[] {
  if (isPushLane(lane)) return pushesDue(tx, Number(lane.slice(lane.indexOf(' '))), now, now, limit);
  const channelId = isMailLane(lane) ? null : lane;
  const mailboxId = lane !== null && lane < 0 ? -lane : null;
  const isHeld =
    channelId !== null && query(tx, `SELECT 1 FROM channels WHERE id = ? AND ${maySend}`).get(channelId) === null;
  return query<{ id: number }>(
    tx,
    isHeld
      ? `SELECT id FROM deliveries INDEXED BY deliveries_by_ticket
         WHERE channel_id IS ? AND mailbox_id IS ? AND ticket_id IS NULL AND status = 'queued' AND next_at <= ? AND claimed_until <= ?
         ORDER BY id LIMIT ?`
      : `SELECT id FROM deliveries AS due INDEXED BY deliveries_due
         WHERE channel_id IS ? AND mailbox_id IS ? AND status = 'queued' AND next_at <= ? AND claimed_until <= ? AND ${notBehind}
         ORDER BY next_at, id LIMIT ?`,
  )
    .all(channelId, mailboxId, now, now, limit)
    .map(({ id }) => id);
}

export const claim = statement('UPDATE deliveries SET claimed_until = ?2, claimed_by = ?3 WHERE id = ?1').run<
  [id: number, until: Instant, by: string | null]
>;

export function promoteNext(tx: Tx, { channelId, ticketId, recipient }: Delivery): void {
  if (ticketId === null) return;
  query(
    tx,
    `UPDATE deliveries SET next_at = created_at
     WHERE next_at IS NULL AND id = (SELECT id FROM deliveries INDEXED BY deliveries_by_ticket WHERE ${sameReceiver} ORDER BY id LIMIT 1)`,
  ).run(channelId, ticketId, recipient);
}

export function releaseClaims(tx: Tx, hasEnded: (process: string) => boolean): number {
  const claimed = 'deliveries INDEXED BY deliveries_due';
  const isClaimed = "status = 'queued' AND claimed_until > 0";
  const ended = query<{ by: string | null }>(tx, `SELECT DISTINCT claimed_by AS by FROM ${claimed} WHERE ${isClaimed}`)
    .all()
    .filter(({ by }) => by === null || hasEnded(by));
  const release = query(
    tx,
    `UPDATE ${claimed} SET claimed_until = 0, claimed_by = NULL WHERE ${isClaimed} AND claimed_by IS ?`,
  );
  return ended.reduce((total, { by }) => total + release.run(by).changes, 0);
}
