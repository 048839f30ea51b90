// The inbound log.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { Scope } from '../../domain/actor.ts';
import type { FormInput } from '../../domain/input/portal.ts';
import type { HeldFor } from '../../domain/mail/inbound.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { inboundMail } from '../schema/deliveries.ts';
import { isOfSites, sitesToMerge } from '../scope.ts';

export type InboundMail = InferSelectModel<typeof inboundMail>;

const insertRow = insertInto(inboundMail);

export const updateInboundMail = updateById(inboundMail);

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
  mailboxId: null,
  silentDate: null,
  senderChecks: null,
  heldFor: null,
  isReleased: false,
  spamCheck: null,
};

export function insertInboundMail(
  tx: Tx,
  row: Pick<InboundMail, 'ulid' | 'siteId' | 'provider' | 'headers' | 'size' | 'sha256' | 'receivedAt' | 'retryAt'> &
    Partial<Pick<InboundMail, 'mailboxId' | 'silentDate'>>,
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
    sha256: null,
    status: 'done',
    outcome: 'held',
    heldFor: 'form',
    sender: row.form.email,
    subject: row.form.subject,
    retryAt: null,
    processedAt: row.receivedAt,
  });
}

export const setMailHash = statement('UPDATE inbound_mail SET sha256 = ?2 WHERE ulid = ?1 AND erased_at IS NULL').run<
  [ulid: string, sha256: string]
>;

export const inboundMailById = selectFrom(inboundMail, 'WHERE id = ?').get<[id: number]>;

/** Whose stored request is not gone or erased. */
export const keptMail = selectFrom(inboundMail, 'WHERE id = ? AND erased_at IS NULL').get<[id: number]>;

export const isMailKept = statement('SELECT 1 FROM inbound_mail WHERE id = ? AND erased_at IS NULL').has<[id: number]>;

/** After a crash or a failure. With `dueAt`, only what is to be tried by then. */
export const unfiledMail = statement(
  "SELECT id FROM inbound_mail WHERE status = 'received' AND coalesce(retry_at, 0) <= coalesce(?, 9e15) ORDER BY id",
).column<number, [dueAt: Instant | null]>;

export interface InboundFilter {
  sites: Scope;
  outcomes: readonly string[];
  /** Only mail that waits for one of these. */
  heldFor?: readonly HeldFor[];
}

export function listInboundMail(
  tx: Tx,
  filter: InboundFilter,
  limit: number,
  offset: number,
): { rows: InboundMail[]; total: number } {
  const asked = filter.outcomes.filter((outcome) => outcome !== 'received');
  const waiting = asked.length < filter.outcomes.length ? " OR status = 'received'" : '';
  const places = (list: readonly unknown[]) => list.map(() => '?').join(', ');
  const { heldFor = [] } = filter;
  const held = heldFor.length > 0 ? ` AND outcome = 'held' AND held_for IN (${places(heldFor)})` : '';
  const where = `${filter.outcomes.length > 0 ? ` AND (outcome IN (${places(asked)})${waiting})` : ''}${held}`;
  const named = [...asked, ...heldFor];
  const { text: ofSites, values: sites } = isOfSites(filter.sites) ?? { text: 'TRUE', values: [] };
  const values = [...sites, ...named];
  const merged = sitesToMerge(filter.sites) ?? [];
  const page = (condition: string) => `SELECT id FROM inbound_mail WHERE ${condition}${where} ORDER BY id DESC LIMIT ?`;
  const ids =
    merged.length > 1
      ? // One page of each site, merged: an IN would sort everything that these sites have.
        query<{ id: number }>(
          tx,
          `${merged.map(() => `SELECT * FROM (${page('site_id = ?')})`).join(' UNION ALL ')} ORDER BY id DESC LIMIT ? OFFSET ?`,
        ).all(...merged.flatMap((site) => [site, ...named, offset + limit]), limit, offset)
      : query<{ id: number }>(tx, `${page(ofSites)} OFFSET ?`).all(...values, limit, offset);
  const total =
    query<{ total: number }>(tx, `SELECT count(*) AS total FROM inbound_mail WHERE ${ofSites}${where}`).get(...values)
      ?.total ?? 0;
  return { rows: ids.flatMap(({ id }) => inboundMailById(tx, id) ?? []), total };
}

export const forgetInboundMail = statement(`DELETE FROM inbound_mail WHERE id IN (
       SELECT id FROM inbound_mail WHERE received_at < ?2 AND status = 'done' AND (received_at < ?1 OR outcome = 'discarded') ORDER BY received_at LIMIT ?3)
     RETURNING ulid`).column<string, [before: Instant, discardedBefore: Instant, limit: number]>;

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

/** Of these, what is in no ticket yet and might still come into one. */
export function unfiledAmong(tx: Tx, ulids: readonly string[]): Set<string> {
  const rows = query<{ ulid: string }>(
    tx,
    `SELECT ulid FROM inbound_mail WHERE (status = 'received' OR outcome IN ('held', 'failed'))
       AND ulid IN (SELECT value FROM json_each(?))`,
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

/** Of one site, by reason. */
export const heldCounts = statement(
  "SELECT held_for AS heldFor, count(*) AS count, max(id) AS newestId FROM inbound_mail INDEXED BY inbound_mail_held WHERE site_id = ? AND outcome = 'held' GROUP BY held_for",
).all<{ heldFor: HeldFor; count: number; newestId: number }, [siteId: number]>;

const heldWhere =
  "inbound_mail INDEXED BY inbound_mail_held WHERE site_id = ?1 AND outcome = 'held' AND held_for IN (SELECT value FROM json_each(?2)) AND id <= ?3";

export const countHeldFor = statement(`SELECT count(*) FROM ${heldWhere}`).number<
  [siteId: number, reasons: readonly HeldFor[], upTo: number]
>;

/** The oldest first, so that a reply is filed after the message that it answers. */
export const heldMailFor = statement(`SELECT id FROM ${heldWhere} ORDER BY id LIMIT ?4`).column<
  number,
  [siteId: number, reasons: readonly HeldFor[], upTo: number, limit: number]
>;
