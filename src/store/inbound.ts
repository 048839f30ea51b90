// The inbound log.

import { eq, type InferSelectModel, sql } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import type { FormInput } from '../domain/input/portal.ts';
import { query, statement, type Tx } from './database.ts';
import { inboundMail } from './schema/deliveries.ts';
import { isOfSites, sitesToMerge } from './scope.ts';
import { insertInto, updateById } from './statements.ts';

export type InboundMail = InferSelectModel<typeof inboundMail>;

const insertRow = insertInto(inboundMail);

export const updateInboundMail = updateById(inboundMail);

const byId = statement((db) =>
  db
    .select()
    .from(inboundMail)
    .where(eq(inboundMail.id, sql.placeholder('id')))
    .prepare(),
);

const notFiled = {
  recipient: null,
  mailMessageId: null,
  contentHash: null,
  ticketId: null,
  isReopening: false,
  matchedRules: [],
  trace: [],
  forwardedTo: [],
  attempts: 0,
  erasedAt: null,
};

export function insertInboundMail(
  tx: Tx,
  row: Pick<InboundMail, 'ulid' | 'siteId' | 'provider' | 'headers' | 'size' | 'receivedAt' | 'retryAt'>,
): number {
  return insertRow(tx, {
    ...notFiled,
    ...row,
    status: 'received',
    outcome: null,
    reason: null,
    sender: null,
    subject: null,
    processedAt: null,
    form: null,
  });
}

/** What was written into a form. It is in the row, and no stored request is behind it. */
export function insertHeldForm(
  tx: Tx,
  row: Pick<InboundMail, 'ulid' | 'siteId' | 'receivedAt' | 'reason'> & { form: FormInput },
): number {
  return insertRow(tx, {
    ...notFiled,
    ...row,
    provider: 'form',
    headers: {},
    size: Buffer.byteLength(JSON.stringify(row.form)),
    status: 'done',
    outcome: 'held',
    sender: row.form.email,
    subject: row.form.subject,
    retryAt: null,
    processedAt: row.receivedAt,
  });
}

export function inboundMailById(tx: Tx, id: number): InboundMail | undefined {
  return byId(tx).get({ id });
}

/** After a crash or a failure. With `dueAt`, only what is to be tried by then. */
export function unfiledMail(tx: Tx, dueAt: Instant | null): number[] {
  return query<{ id: number }>(
    tx,
    "SELECT id FROM inbound_mail WHERE status = 'received' AND coalesce(retry_at, 0) <= coalesce(?, 9e15) ORDER BY id",
  )
    .all(dueAt)
    .map(({ id }) => id);
}

interface InboundFilter {
  sites: Scope;
  outcomes: readonly string[];
}

export function listInboundMail(
  tx: Tx,
  filter: InboundFilter,
  limit: number,
  offset: number,
): { rows: InboundMail[]; total: number } {
  const asked = filter.outcomes.filter((outcome) => outcome !== 'received');
  const waiting = asked.length < filter.outcomes.length ? " OR status = 'received'" : '';
  const where = filter.outcomes.length > 0 ? ` AND (outcome IN (${asked.map(() => '?').join(', ')})${waiting})` : '';
  const { text: ofSites, values: sites } = isOfSites(filter.sites) ?? { text: 'TRUE', values: [] };
  const values = [...sites, ...asked];
  const merged = sitesToMerge(filter.sites) ?? [];
  const page = (condition: string) => `SELECT id FROM inbound_mail WHERE ${condition}${where} ORDER BY id DESC LIMIT ?`;
  const ids =
    merged.length > 1
      ? // One page of each site, merged: an IN would sort everything that these sites have.
        query<{ id: number }>(
          tx,
          `${merged.map(() => `SELECT * FROM (${page('site_id = ?')})`).join(' UNION ALL ')} ORDER BY id DESC LIMIT ? OFFSET ?`,
        ).all(...merged.flatMap((site) => [site, ...asked, offset + limit]), limit, offset)
      : query<{ id: number }>(tx, `${page(ofSites)} OFFSET ?`).all(...values, limit, offset);
  const total =
    query<{ total: number }>(tx, `SELECT count(*) AS total FROM inbound_mail WHERE ${ofSites}${where}`).get(...values)
      ?.total ?? 0;
  return { rows: ids.flatMap(({ id }) => inboundMailById(tx, id) ?? []), total };
}

export function forgetInboundMail(tx: Tx, before: Instant, discardedBefore: Instant, limit: number): string[] {
  return query<{ ulid: string }>(
    tx,
    `DELETE FROM inbound_mail WHERE id IN (
       SELECT id FROM inbound_mail WHERE received_at < ? AND status = 'done' AND (received_at < ? OR outcome = 'discarded') ORDER BY received_at LIMIT ?)
     RETURNING ulid`,
  )
    .all(discardedBefore, before, limit)
    .map(({ ulid }) => ulid);
}

/** A stranger cannot fake these words: quotes in texts are escaped. */
export function mailWithSlowRules(tx: Tx, since: Instant): { id: number; siteId: number }[] {
  const slow = `SELECT id, site_id AS siteId FROM inbound_mail WHERE received_at >= ? AND instr(trace, '"isTooSlow":true') > 0`;
  return query<{ id: number; siteId: number }>(tx, `${slow} ORDER BY received_at DESC LIMIT 1000`).all(since);
}

export function knownInboundMail(tx: Tx, ulids: readonly string[]): Set<string> {
  const rows = query<{ ulid: string }>(
    tx,
    'SELECT ulid FROM inbound_mail WHERE erased_at IS NULL AND ulid IN (SELECT value FROM json_each(?))',
  ).all(JSON.stringify(ulids));
  return new Set(rows.map(({ ulid }) => ulid));
}

/** Mail that waits for someone's decision, counted up to a limit. */
export function countHeldMail(tx: Tx, sites: Scope, most: number): number {
  const { text, values } = isOfSites(sites, 'sites.id') ?? { text: 'TRUE', values: [] };
  return (
    query<{ total: number }>(
      tx,
      `SELECT count(*) AS total FROM (
         SELECT 1 FROM sites CROSS JOIN inbound_mail INDEXED BY inbound_mail_by_outcome
         ON site_id = sites.id AND outcome = 'held' WHERE ${text} LIMIT ?)`,
    ).get(...values, most)?.total ?? 0
  );
}
