// The inbound log, the addresses that bounce, and the ids that match a message to a ticket.

import { eq, type InferSelectModel, sql } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import { query, statement, type Tx } from './database.ts';
import { inboundMail } from './schema.ts';
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

export function insertInboundMail(
  tx: Tx,
  row: Pick<InboundMail, 'ulid' | 'siteId' | 'provider' | 'headers' | 'size' | 'receivedAt' | 'retryAt'>,
): number {
  return insertRow(tx, {
    ...row,
    status: 'received',
    outcome: null,
    reason: null,
    sender: null,
    recipient: null,
    subject: null,
    mailMessageId: null,
    contentHash: null,
    ticketId: null,
    isReopening: false,
    matchedRules: [],
    trace: [],
    forwardedTo: [],
    attempts: 0,
    processedAt: null,
    erasedAt: null,
  });
}

export function inboundMailById(tx: Tx, id: number): InboundMail | undefined {
  return byId(tx).get({ id });
}

/**
 * Mail that was stored but not filed, because of a crash or a failure. With `dueAt`, only what is to be tried by then.
 */
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

export function earlierDelivery(
  tx: Tx,
  row: { id: number; siteId: number },
  messageIds: readonly string[],
  recipient: string,
  contentHash: string,
): InboundMail | undefined {
  const found = query<{ id: number }>(
    tx,
    `SELECT id FROM inbound_mail WHERE site_id = ? AND mail_message_id IN (SELECT value FROM json_each(?)) AND recipient = ? AND content_hash = ? AND id <> ?
       AND status = 'done' AND outcome NOT IN ('failed', 'held', 'duplicate') ORDER BY id LIMIT 1`,
  ).get(row.siteId, JSON.stringify(messageIds), recipient, contentHash, row.id);
  return found === null ? undefined : inboundMailById(tx, found.id);
}

export function ticketOfMailId(tx: Tx, siteId: number, messageIds: readonly string[]): number | null {
  const ids = JSON.stringify(messageIds);
  const sent = query<{ ticket_id: number | null }>(
    tx,
    'SELECT ticket_id FROM deliveries WHERE mail_message_id IN (SELECT value FROM json_each(?)) AND site_id = ?',
  ).get(ids, siteId);
  if (sent?.ticket_id != null) return sent.ticket_id;
  const received = query<{ ticket_id: number }>(
    tx,
    'SELECT ticket_id FROM inbound_mail WHERE site_id = ? AND mail_message_id IN (SELECT value FROM json_each(?)) AND ticket_id IS NOT NULL ORDER BY id DESC LIMIT 1',
  ).get(siteId, ids);
  return received?.ticket_id ?? null;
}

interface SentMailRow {
  id: number;
  siteId: number;
  recipient: string;
  messageId: number | null;
}

export function sentMail(tx: Tx, messageId: string): SentMailRow | undefined {
  const row = query<{ id: number; site_id: number; recipient: string; message_id: number | null }>(
    tx,
    "SELECT id, site_id, recipient, payload ->> 'message_id' AS message_id FROM deliveries WHERE mail_message_id = ?",
  ).get(messageId);
  return row === null
    ? undefined
    : { id: row.id, siteId: row.site_id, recipient: row.recipient, messageId: row.message_id };
}

export function countFromSender(
  tx: Tx,
  siteId: number,
  sender: string,
  since: Instant,
  kind: 'opened' | 'reopened',
): number {
  const condition = kind === 'opened' ? "outcome = 'ticket_created'" : 'is_reopening = 1';
  return (
    query<{ total: number }>(
      tx,
      `SELECT count(*) AS total FROM inbound_mail INDEXED BY inbound_mail_by_sender WHERE site_id = ? AND sender = ? AND received_at > ? AND ${condition}`,
    ).get(siteId, sender, since)?.total ?? 0
  );
}

export function hasWrittenOn(tx: Tx, ticketId: number, address: string): boolean {
  return (
    query(
      tx,
      'SELECT 1 FROM messages JOIN authors ON authors.id = messages.author_id WHERE messages.ticket_id = ? AND authors.email = ? LIMIT 1',
    ).get(ticketId, address) !== null
  );
}

export function suppressAddress(tx: Tx, siteId: number, address: string, reason: string, at: Instant): void {
  query(tx, 'INSERT INTO mail_suppressions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
    siteId,
    address,
    reason,
    at,
  );
}

export function isSuppressed(tx: Tx, siteId: number, address: string): boolean {
  return query(tx, 'SELECT 1 FROM mail_suppressions WHERE site_id = ? AND address = ?').get(siteId, address) !== null;
}

export function liftSuppression(tx: Tx, siteId: number, address: string): void {
  query(tx, 'DELETE FROM mail_suppressions WHERE site_id = ? AND address = ?').run(siteId, address);
}

export function hasMailFrom(tx: Tx, siteId: number, sender: string): boolean {
  return (
    query(
      tx,
      'SELECT 1 FROM inbound_mail INDEXED BY inbound_mail_by_sender WHERE site_id = ? AND sender = ? LIMIT 1',
    ).get(siteId, sender) !== null
  );
}

/** What an erasure leaves of a row: that mail came, its outcome, and the means to recognise a repeat. */
export const erasedMail = {
  headers: {} as Record<string, string>,
  reason: 'Erased, together with the person it was from or about.',
  sender: null,
  subject: null,
  trace: [] as unknown[],
};

interface MailToErase {
  id: number;
  ulid: string;
  recipient: string | null;
  forwarded_to: string;
  mail_message_id: string | null;
}

const mailToErase = 'SELECT id, ulid, recipient, forwarded_to, mail_message_id FROM inbound_mail';

export function mailFromSender(tx: Tx, siteId: number, email: string, until: number, limit: number): MailToErase[] {
  return query<MailToErase>(
    tx,
    `${mailToErase} INDEXED BY inbound_mail_by_sender
     WHERE site_id = ? AND sender = ? AND id <= ? AND erased_at IS NULL LIMIT ?`,
  ).all(siteId, email, until, limit);
}

/** Of the mail on a person's own ticket, up to the row `until`: what opened it, what bounced on it, and what is from their address. */
export function mailOfOwnTicket(tx: Tx, ticketId: number, email: string, until: number): MailToErase[] {
  return query<MailToErase>(
    tx,
    `${mailToErase} INDEXED BY inbound_mail_by_ticket WHERE ticket_id = ? AND id <= ? AND erased_at IS NULL
       AND (outcome IN ('ticket_created', 'bounce_recorded') OR sender = ?)`,
  ).all(ticketId, until, email);
}

/**
 * Removes a person from rows of the inbound log.
 * @param erasedId what a Message-ID, which may name its sender's machine, is known by from then on
 * @returns whose stored requests may go
 */
export function eraseMails(
  tx: Tx,
  email: string,
  rows: readonly MailToErase[],
  erasedId: (messageId: string) => string,
  now: Instant,
): string[] {
  for (const { id, recipient, forwarded_to, mail_message_id } of rows) {
    updateInboundMail(tx, id, {
      ...erasedMail,
      ...(recipient === email ? { recipient: null } : {}),
      mailMessageId: mail_message_id === null ? null : erasedId(mail_message_id),
      erasedAt: now,
    });
    if (forwarded_to !== '[]') stopForwards(tx, JSON.parse(forwarded_to) as string[], id, now);
  }
  return rows.map(({ ulid }) => ulid);
}

export function mailOnTicket(tx: Tx, ticketId: number): InboundMail[] {
  return query<{ id: number }>(
    tx,
    'SELECT id FROM inbound_mail INDEXED BY inbound_mail_by_ticket WHERE ticket_id = ? AND erased_at IS NULL',
  )
    .all(ticketId)
    .flatMap(({ id }) => inboundMailById(tx, id) ?? []);
}

function stopForwards(tx: Tx, recipients: readonly string[], inboundId: number, now: Instant): void {
  const forwards = `event = 'mail.forward' AND payload ->> 'inbound_id' = ? AND recipient IN (SELECT value FROM json_each(?))`;
  const named = [inboundId, JSON.stringify(recipients)] as const;
  query(
    tx,
    `INSERT OR IGNORE INTO erased_letters SELECT mail_message_id FROM deliveries INDEXED BY deliveries_forwards WHERE ${forwards}`,
  ).run(...named);
  query(
    tx,
    `UPDATE deliveries INDEXED BY deliveries_forwards SET payload = json_remove(payload, '$.subject'), next_at = NULL,
       last_error = CASE status WHEN 'queued' THEN 'The author was erased.' ELSE last_error END,
       status = CASE status WHEN 'queued' THEN 'failed' ELSE status END, finished_at = coalesce(finished_at, ?)
     WHERE ${forwards}`,
  ).run(now, ...named);
}

/** Deletes old rows; returns the mail whose stored requests can be removed. */
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
