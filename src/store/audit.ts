// The audit log: rows are added, read along an index in windows, and swept by age.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import type { AuditAction, AuditActorType, AuditTargetType } from '../domain/audit.ts';
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
  target: { type: AuditTargetType; id: number } | null;
  actions: readonly AuditAction[];
  /** Any of these has changed. */
  fields: readonly string[];
  from: Instant | null;
  to: Instant | null;
}

/** Each has a part of the index of its own, and a page merges these. */
const mostActionsWalked = 6;

const hasAnyOf = (fields: readonly string[]): Sql => ({
  text: `EXISTS (SELECT 1 FROM json_each(?) AS asked
    WHERE json_type(coalesce(after, before), '$.' || asked.value) IS NOT NULL)`,
  values: [JSON.stringify(fields)],
});

/** The index to walk, the parts of it that can have rows, and what else a row must be. */
function walkOf({ sites, isOfDesk, actor, target, actions, fields }: AuditFilter): {
  index: string;
  parts: Sql[][];
  rest: Sql[];
} {
  const given: Record<string, Sql | null> = {
    target: target && { text: 'target_type = ? AND target_id = ?', values: [target.type, target.id] },
    actor:
      actor &&
      (actor.id === null
        ? { text: 'actor_type = ? AND actor_id IS NULL', values: [actor.type] }
        : { text: 'actor_type = ? AND actor_id = ?', values: [actor.type, actor.id] }),
    action: actions.length === 0 ? null : isAmong('action', actions),
    field: fields.length === 0 ? null : hasAnyOf(fields),
    site: isOfSites(sites) ?? (isOfDesk ? null : { text: 'site_id IS NOT NULL', values: [] }),
  };
  const index = target
    ? 'target'
    : actor
      ? 'actor'
      : actions.length > 0 && actions.length <= mostActionsWalked
        ? 'action'
        : sites !== 'all' && sites.length === 1
          ? 'site'
          : 'time';
  const rest = Object.entries(given).flatMap(([name, condition]) => (name === index ? [] : (condition ?? [])));
  const own = given[index] ?? null;
  const parts =
    index === 'action' ? actions.map((action) => [isAmong('action', [action])]) : [own === null ? [] : [own]];
  return { index, parts, rest };
}

function sourceOf(filter: AuditFilter): Source {
  const { index, parts, rest } = walkOf(filter);
  const from = `audit_log INDEXED BY audit_log_by_${index}`;
  const order = 'ORDER BY at DESC, id DESC';
  const piecesOf = piecesIn('audit_log', ['at', 'id'], true, [filter.from, filter.to]);
  const among = (
    after: Key | null,
    end: Key | null,
    others: readonly Sql[],
    select: (where: string) => string,
    ...last: number[]
  ) =>
    joined(
      parts.flatMap((part) =>
        piecesOf(after, end).map((piece) => {
          const { text, values } = allOf([...part, piece, ...others]);
          return { text: select(text), values: [...values, ...last] };
        }),
      ),
    );
  function rows(tx: Tx, after: Key | null, end: Key | null, others: readonly Sql[], limit: number, offset: number) {
    const page = (where: string) => `SELECT * FROM (SELECT at, id FROM ${from} WHERE ${where} ${order} LIMIT ?)`;
    const { text, values } = among(after, end, others, page, offset + limit);
    if (text === '') return [];
    return query<{ at: number; id: number }>(tx, `${text} ${order} LIMIT ? OFFSET ?`)
      .all(...values, limit, offset)
      .map(({ at, id }) => ({ id, key: [at, id] }));
  }
  return {
    endOf: (tx, after, size) => rows(tx, after, null, [], 1, size - 1)[0]?.key ?? null,
    count(tx, after, end) {
      const select = (where: string) => `SELECT count(*) AS part FROM ${from} WHERE ${where}`;
      const { text, values } = among(after, end, rest, select);
      return text === '' ? 0 : totalOf(tx, { text: `SELECT sum(part) AS total FROM (${text})`, values });
    },
    rows: (tx, after, end, limit, offset) => rows(tx, after, end, rest, limit, offset),
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
