// Queues deliveries of a channel again, and makes due what waits for nothing, a few rows at a time.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { notBehind } from './lanes.ts';

const rowsAtOnce = 500;

interface Requeued {
  total: number;
  afterId: number | null;
}

interface Failed {
  createdFrom: Instant;
  createdUntil: Instant;
  finishedAfter: Instant;
}

/** Continues with a channel's deliveries after one of them. Their retries start again. */
export function requeueSome(tx: Tx, channelId: number, afterId: number, failed: Failed): Requeued {
  const rows = query<{ id: number; isFailed: number }>(
    tx,
    `SELECT id, status = 'failed' AND created_at BETWEEN ? AND ? AND finished_at > ? AS isFailed
     FROM deliveries INDEXED BY deliveries_by_channel WHERE channel_id = ? AND id > ? ORDER BY id LIMIT ?`,
  ).all(failed.createdFrom, failed.createdUntil, failed.finishedAfter, channelId, afterId, rowsAtOnce);
  const ids = rows.filter(({ isFailed }) => isFailed === 1).map(({ id }) => id);
  requeue(tx, ids);
  promote(
    tx,
    rows.map(({ id }) => id),
  );
  return { total: ids.length, afterId: rows.length === rowsAtOnce ? (rows.at(-1)?.id ?? null) : null };
}

/** Their retries start again, in the order of their tickets. */
export function requeue(tx: Tx, ids: readonly number[]): void {
  query(
    tx,
    `UPDATE deliveries SET status = 'queued', tries = 0, first_tried_at = NULL, next_at = NULL, claimed_until = 0, finished_at = NULL
     WHERE id IN (SELECT value FROM json_each(?))`,
  ).run(JSON.stringify(ids));
  promote(tx, ids);
}

export const failedSome = statement(`SELECT id FROM deliveries INDEXED BY deliveries_failed
  WHERE status = 'failed' AND id > ? AND finished_at >= ? ORDER BY id LIMIT ${rowsAtOnce}`).column<
  number,
  [afterId: number, since: Instant]
>;

/** What was tried and waits for its next try. */
export const waitingSome = statement(`SELECT id FROM deliveries INDEXED BY deliveries_due
  WHERE status = 'queued' AND id > ? AND next_at > ? AND tries > 0 ORDER BY id LIMIT ${rowsAtOnce}`).column<
  number,
  [afterId: number, now: Instant]
>;

export function sendNow(tx: Tx, ids: readonly number[], now: Instant): number {
  return query(
    tx,
    `UPDATE deliveries SET next_at = ?1 WHERE id IN (SELECT value FROM json_each(?2))
       AND status = 'queued' AND next_at > ?1 AND tries > 0`,
  ).run(now, JSON.stringify(ids)).changes;
}

const promote = statement(`UPDATE deliveries AS due SET next_at = created_at
     WHERE id IN (SELECT value FROM json_each(?)) AND status = 'queued' AND next_at IS NULL AND ${notBehind}`).run<
  [ids: readonly number[]]
>;

/** From one delivery on. Returns the last one checked; null at the end. */
export function promoteSome(tx: Tx, afterId: number): number | null {
  const ids = query<{ id: number }>(
    tx,
    `SELECT id FROM deliveries INDEXED BY deliveries_waiting
     WHERE status = 'queued' AND next_at IS NULL AND id > ? ORDER BY id LIMIT ?`,
  )
    .all(afterId, rowsAtOnce)
    .map(({ id }) => id);
  promote(tx, ids);
  return ids.length === rowsAtOnce ? (ids.at(-1) ?? null) : null;
}

/** Failures since its last success, and what it held, with all retries. If it is much, `catchUpSome` does the rest. */
export function beginCatchUp(tx: Tx, channelId: number, lastSuccessAt: Instant, heldSince: Instant): void {
  query(
    tx,
    'INSERT OR REPLACE INTO channel_catch_ups (channel_id, last_success_at, held_since, after_id) VALUES (?, ?, ?, 0)',
  ).run(channelId, lastSuccessAt, heldSince);
  catchUp(tx, channelId);
}

export const hasCatchUps = statement('SELECT 1 FROM channel_catch_ups LIMIT 1').has<[]>;

export function catchUpSome(tx: Tx): null {
  const next = query<{ id: number }>(tx, 'SELECT channel_id AS id FROM channel_catch_ups LIMIT 1').get();
  if (next !== null) catchUp(tx, next.id);
  return null;
}

function catchUp(tx: Tx, channelId: number): void {
  const begun = query<{ lastSuccessAt: Instant; heldSince: Instant; afterId: number }>(
    tx,
    `SELECT last_success_at AS lastSuccessAt, held_since AS heldSince, after_id AS afterId
     FROM channel_catch_ups WHERE channel_id = ?`,
  ).get(channelId);
  if (begun === null) return;
  const { afterId } = requeueSome(tx, channelId, begun.afterId, {
    createdFrom: begun.heldSince,
    createdUntil: Number.MAX_SAFE_INTEGER,
    finishedAfter: begun.lastSuccessAt,
  });
  query(
    tx,
    `UPDATE deliveries SET tries = 0, first_tried_at = NULL, next_at = created_at
     WHERE channel_id = ? AND id > ? AND id <= ? AND status = 'queued' AND tries > 0`,
  ).run(channelId, begun.afterId, afterId ?? Number.MAX_SAFE_INTEGER);
  if (afterId === null) query(tx, 'DELETE FROM channel_catch_ups WHERE channel_id = ?').run(channelId);
  else query(tx, 'UPDATE channel_catch_ups SET after_id = ? WHERE channel_id = ?').run(afterId, channelId);
}
