// The audit log: rows are added, read along an index in windows, and swept by age.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import type { AuditAction, AuditActorType } from '../domain/audit.ts';
import { query, type Tx } from '../engine/database.ts';
import { insertInto, selectFrom } from '../engine/statements.ts';
import { allOf, isAmong, type Sql } from './lists/filter.ts';
import { inWindows, type Key, type PageSteps, type Source } from './lists/page.ts';
import { joined, piecesIn, totalOf } from './lists/source.ts';
import { auditLog } from './schema/desk.ts';
import { isOfSites } from './scope.ts';

export type AuditRow = InferSelectModel<typeof auditLog>;

export const insertAuditRow = insertInto(auditLog);

export const auditRows = selectFrom(auditLog, 'WHERE id IN (SELECT value FROM json_each(?)) ORDER BY at DESC, id DESC')
  .all<[ids: readonly number[]]>;

export interface AuditFilter {
  sites: Scope;
  /** Includes rows that belong to no single site. */
  isOfDesk: boolean;
  actor: { type: AuditActorType; id: number | null } | null;
  actions: readonly AuditAction[];
  from: Instant | null;
  to: Instant | null;
}

function walkOf({ sites, isOfDesk, actor, actions }: AuditFilter): { index: string; part: Sql[]; rest: Sql[] } {
  const parts = {
    actor:
      actor &&
      (actor.id === null
        ? { text: 'actor_type = ? AND actor_id IS NULL', values: [actor.type] }
        : { text: 'actor_type = ? AND actor_id = ?', values: [actor.type, actor.id] }),
    action: actions.length === 0 ? null : isAmong('action', actions),
    site: isOfSites(sites) ?? (isOfDesk ? null : { text: 'site_id IS NOT NULL', values: [] }),
  };
  const index = actor
    ? 'actor'
    : actions.length === 1
      ? 'action'
      : sites !== 'all' && sites.length === 1
        ? 'site'
        : 'time';
  const given = (names: (keyof typeof parts)[]) => names.flatMap((name) => parts[name] ?? []);
  const others = (['actor', 'action', 'site'] as const).filter((name) => name !== index);
  return { index, part: index === 'time' ? [] : given([index]), rest: given([...others]) };
}

function sourceOf(filter: AuditFilter): Source {
  const { index, part, rest } = walkOf(filter);
  const from = `audit_log INDEXED BY audit_log_by_${index}`;
  const order = 'ORDER BY at DESC, id DESC';
  const piecesOf = piecesIn('audit_log', ['at', 'id'], true, [filter.from, filter.to]);
  const among = (after: Key | null, end: Key | null, select: (where: string) => string, ...last: number[]) =>
    joined(
      piecesOf(after, end).map((piece) => {
        const { text, values } = allOf([...part, piece, ...rest]);
        return { text: select(text), values: [...values, ...last] };
      }),
    );
  const rowsOf = (tx: Tx, { text, values }: Sql) =>
    query<{ at: number; id: number }>(tx, text)
      .all(...values)
      .map(({ at, id }) => ({ id, key: [at, id] }));
  return {
    endOf(tx, after, size) {
      let left = size;
      for (const piece of piecesOf(after, null)) {
        const { text, values } = allOf([...part, piece]);
        const last = `SELECT at, id FROM ${from} WHERE ${text} ${order} LIMIT 1 OFFSET ?`;
        const [end] = rowsOf(tx, { text: last, values: [...values, left - 1] });
        if (end) return end.key;
        left -= totalOf(tx, { text: `SELECT count(*) AS total FROM ${from} WHERE ${text}`, values });
      }
      return null;
    },
    count(tx, after, end) {
      const { text, values } = among(after, end, (where) => `SELECT count(*) AS part FROM ${from} WHERE ${where}`);
      return text === '' ? 0 : totalOf(tx, { text: `SELECT sum(part) AS total FROM (${text})`, values });
    },
    rows(tx, after, end, limit, offset) {
      const page = (where: string) => `SELECT * FROM (SELECT at, id FROM ${from} WHERE ${where} ${order} LIMIT ?)`;
      const { text, values } = among(after, end, page, offset + limit);
      if (text === '') return [];
      return rowsOf(tx, { text: `${text} ${order} LIMIT ? OFFSET ?`, values: [...values, limit, offset] });
    },
  };
}

/** One page, newest first, in steps of a few milliseconds. @param after the key of the last row seen */
export function createAuditPage(filter: AuditFilter, limit: number, after: Key | null): PageSteps {
  return inWindows(sourceOf(filter), { limit, from: after === null ? { offset: 0 } : { after } });
}

export function sweepAuditLog(tx: Tx, before: Instant, limit: number): number {
  query(tx, 'UPDATE audit_sweeps SET before = ?1 WHERE before < ?1').run(before);
  return query(
    tx,
    'DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log INDEXED BY audit_log_by_time WHERE at < ? ORDER BY at LIMIT ?)',
  ).run(before, limit).changes;
}
