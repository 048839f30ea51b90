// Figures about the database, read only from the ends of its indexes.

import { statSync } from 'node:fs';
import type { Instant } from '../base/clock.ts';
import { query, type Tx } from '../engine/database.ts';
import { statement } from '../engine/statements.ts';
import { mailLines, noMailbox } from './outbox/lane.ts';

/** Longer queues are reported as this long, because counting on would cost too much. */
const maxCounted = 100_000;

// Walks from one channel with queued deliveries to the next, like the dispatcher.
const oldestOfChannels = `
  WITH RECURSIVE lane (id) AS (
    SELECT min(channel_id) FROM deliveries INDEXED BY deliveries_due WHERE status = 'queued' AND channel_id > 0
    UNION ALL
    SELECT (SELECT min(channel_id) FROM deliveries INDEXED BY deliveries_due WHERE status = 'queued' AND channel_id > lane.id)
    FROM lane WHERE lane.id IS NOT NULL)
  SELECT min((SELECT next_at FROM deliveries INDEXED BY deliveries_due
    WHERE channel_id = channels.id AND mailbox_id IS NULL AND status = 'queued' AND next_at > 0 ORDER BY next_at LIMIT 1)) AS value
  FROM lane CROSS JOIN channels ON channels.id = lane.id WHERE is_active = 1`;

export const measureTexts = {
  queuedMail: `SELECT count(*) AS value FROM (
    SELECT 1 FROM deliveries INDEXED BY deliveries_due
    WHERE channel_id IS NULL AND mailbox_id IS NOT ${noMailbox} AND status = 'queued' LIMIT ${maxCounted})`,
  queuedWebhooks: `SELECT count(*) AS value FROM (
    SELECT 1 FROM deliveries INDEXED BY deliveries_due WHERE channel_id > 0 AND status = 'queued' LIMIT ${maxCounted})`,
  oldestMail: `WITH RECURSIVE ${mailLines}
    SELECT min((SELECT next_at FROM deliveries INDEXED BY deliveries_due
      WHERE channel_id IS NULL AND mailbox_id IS box.id AND status = 'queued' AND next_at > 0 ORDER BY next_at LIMIT 1)) AS value
    FROM box`,
  oldestWebhook: oldestOfChannels,
  slaNext: `SELECT sla_next_at AS value FROM tickets INDEXED BY tickets_by_sla_next
    WHERE sla_next_at > 0 AND id NOT IN (SELECT ticket_id FROM ticket_faults) ORDER BY sla_next_at LIMIT 1`,
  faultyTickets: `SELECT count(*) AS value FROM (SELECT 1 FROM ticket_faults LIMIT ${maxCounted})`,
  unfiledMail: `SELECT count(*) AS value FROM (
    SELECT 1 FROM inbound_mail INDEXED BY inbound_mail_unfiled WHERE status = 'received' LIMIT ${maxCounted})`,
} as const;

const mostFailed = 1000;

/** Counted up to a thousand. */
export const failedDeliveries = statement(`SELECT count(*) FROM (
  SELECT 1 FROM deliveries INDEXED BY deliveries_failed WHERE status = 'failed' LIMIT ${mostFailed})`).number<[]>;

export interface Measures {
  queued: { mail: number; webhook: number };
  oldestDueMs: { mail: number; webhook: number };
  slaLagMs: number;
  faultyTickets: number;
  unfiledMail: number;
  pageBytes: number;
  pages: number;
  freePages: number;
  databaseBytes: number;
  walBytes: number;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export const databaseBytes = (tx: Tx) => bytesOf(tx.client.filename);

export function measures(tx: Tx, now: Instant): Measures {
  const value = (name: keyof typeof measureTexts) =>
    query<{ value: number | null }>(tx, measureTexts[name]).get()?.value ?? null;
  const age = (at: number | null) => (at === null ? 0 : Math.max(0, now - at));
  const pragma = (name: 'page_size' | 'page_count' | 'freelist_count') =>
    query<Record<string, number>>(tx, `PRAGMA ${name}`).get()?.[name] ?? 0;
  const { filename } = tx.client;
  return {
    queued: { mail: value('queuedMail') ?? 0, webhook: value('queuedWebhooks') ?? 0 },
    oldestDueMs: { mail: age(value('oldestMail')), webhook: age(value('oldestWebhook')) },
    slaLagMs: age(value('slaNext')),
    faultyTickets: value('faultyTickets') ?? 0,
    unfiledMail: value('unfiledMail') ?? 0,
    pageBytes: pragma('page_size'),
    pages: pragma('page_count'),
    freePages: pragma('freelist_count'),
    databaseBytes: databaseBytes(tx),
    walBytes: bytesOf(`${filename}-wal`),
  };
}
