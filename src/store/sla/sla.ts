// SLA policies, pauses, and the queries of the scan.

import type { Instant } from '../../base/clock.ts';
import type { Actor } from '../../domain/actor.ts';
import type { SiteSlaPolicy } from '../../domain/sites/site.ts';
import type { SlaIntervalKind } from '../../domain/sla/ledger.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { slaPolicies } from '../schema/sites.ts';
import { slaIntervals } from '../schema/tickets.ts';
import { removals } from '../sites/removals.ts';
import { notSetAside } from '../tickets/ticket-faults.ts';

const policyById = selectFrom(slaPolicies, 'WHERE id = ?');
const insertInterval = insertInto(slaIntervals);

export function keepSlaPolicy(tx: Tx, siteId: number, policy: SiteSlaPolicy): number {
  const text = JSON.stringify(policy);
  query(tx, 'INSERT INTO sla_policies (site_id, policy) VALUES (?, ?) ON CONFLICT DO NOTHING').run(siteId, text);
  const row = query<{ id: number }>(tx, 'SELECT id FROM sla_policies WHERE site_id = ? AND policy = ?').get(
    siteId,
    text,
  );
  if (!row) throw new Error('an SLA policy vanished inside its own transaction');
  return row.id;
}

export function slaPolicyById(tx: Tx, id: number): SiteSlaPolicy | undefined {
  return policyById.get(tx, id)?.policy;
}

export function beginInterval(tx: Tx, ticketId: number, kind: SlaIntervalKind, at: Instant, seq: number): void {
  insertInterval(tx, { ticketId, kind, startedAt: at, endedAt: null, startedBySeq: seq, endedBySeq: null });
}

export const endInterval = statement(
  'UPDATE sla_intervals SET ended_at = ?2, ended_by_seq = ?3 WHERE ticket_id = ?1 AND ended_at IS NULL',
).run<[ticketId: number, at: Instant, seq: number]>;

export const intervalsOfTicket = selectFrom(slaIntervals, 'WHERE ticket_id = ? ORDER BY id').all<[ticketId: number]>;

export const slaTexts = {
  due: `SELECT id FROM tickets INDEXED BY tickets_by_sla_next WHERE sla_next_at <= ?1 AND ${notSetAside('sla scan')} ORDER BY sla_next_at LIMIT ?2`,
  resolved: `SELECT id FROM tickets INDEXED BY tickets_resolved WHERE site_id = ?2 AND status = 'resolved' AND is_test = 0 AND resolved_at <= ?3
    AND ${notSetAside('auto-close')} ORDER BY resolved_at LIMIT ?4`,
  running:
    "SELECT id, site_id = ? AND is_test = 0 AND status IN ('open', 'pending') AS isRunning FROM tickets NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?",
} as const;

// While a site is being removed, each of its tickets must be looked up and skipped.
const dueElsewhere = slaTexts.due.replace('WHERE', 'WHERE site_id NOT IN (SELECT site_id FROM site_removals) AND');

export function ticketsDue(tx: Tx, now: Instant, limit: number): number[] {
  return query<{ id: number }>(tx, removals(tx).length === 0 ? slaTexts.due : dueElsewhere)
    .all(now, limit)
    .map(({ id }) => id);
}

export const sitesThatClose = statement(
  "SELECT id, settings ->> 'auto_close_days' AS days FROM sites WHERE settings ->> 'auto_close_days' IS NOT NULL AND id NOT IN (SELECT site_id FROM site_removals)",
).all<{ id: number; days: number }>;

export function ticketsResolvedBefore(tx: Tx, siteId: number, before: Instant, now: Instant, limit: number): number[] {
  return query<{ id: number }>(tx, slaTexts.resolved)
    .all(now, siteId, before, limit)
    .map(({ id }) => id);
}

// Tickets per step of a recomputation, of whatever site: a few milliseconds.
const maxLooked = 2000;

/** By id, because the site's indexes start with the status, which can change between pages. Null at the end. */
export function runningTickets(
  tx: Tx,
  siteId: number,
  afterId: number,
  limit: number,
): { ids: number[]; lastId: number | null } {
  const looked = query<{ id: number; isRunning: number }>(tx, slaTexts.running).all(siteId, afterId, maxLooked);
  const ids: number[] = [];
  for (const { id, isRunning } of looked) {
    if (isRunning) ids.push(id);
    if (ids.length === limit) return { ids, lastId: id };
  }
  return { ids, lastId: looked.length === maxLooked ? (looked.at(-1)?.id ?? null) : null };
}

export interface Recompute {
  id: number;
  siteId: number;
  actor: Actor;
  afterId: number;
}

export function insertRecompute(tx: Tx, { siteId, actor, at }: { siteId: number; actor: Actor; at: Instant }): number {
  return Number(
    query(tx, 'INSERT INTO sla_recomputes (site_id, actor, stepped_at) VALUES (?, ?, ?)').run(
      siteId,
      JSON.stringify(actor),
      at,
    ).lastInsertRowid,
  );
}

export function recomputeById(tx: Tx, id: number): Recompute | undefined {
  const row = query<{ siteId: number; actor: string; afterId: number }>(
    tx,
    'SELECT site_id AS siteId, actor, after_id AS afterId FROM sla_recomputes WHERE id = ?',
  ).get(id);
  return row === null
    ? undefined
    : { id, siteId: row.siteId, afterId: row.afterId, actor: JSON.parse(row.actor) as Actor };
}

export const advanceRecompute = statement('UPDATE sla_recomputes SET after_id = ?2, stepped_at = ?3 WHERE id = ?1').run<
  [id: number, afterId: number, at: Instant]
>;

export const finishRecompute = statement('DELETE FROM sla_recomputes WHERE id = ?').run<[id: number]>;

export const abandonedRecomputes = statement('SELECT id FROM sla_recomputes WHERE stepped_at < ? ORDER BY id').column<
  number,
  [since: Instant]
>;
