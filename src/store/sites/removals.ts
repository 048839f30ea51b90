// Removes a site with everything it has, a few rows at a time.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { blankEvents, newestEventSeq } from '../events.ts';

export interface Removal {
  siteId: number;
  tickets: number;
  left: number;
}

interface RemovedSlice {
  files: string[];
  mails: string[];
  isDone: boolean;
}

export function beginRemoval(tx: Tx, siteId: number, now: Instant): void {
  query(
    tx,
    `INSERT INTO site_removals (site_id, tickets, until_seq, started_at)
     SELECT ?1, coalesce(sum(total), 0), ?2, ?3 FROM ticket_counts WHERE site_id = ?1`,
  ).run(siteId, newestEventSeq(tx), now);
  query(tx, 'DELETE FROM sla_recomputes WHERE site_id = ?').run(siteId);
}

export const removals = statement(`SELECT site_id AS siteId, tickets,
       (SELECT coalesce(sum(total), 0) FROM ticket_counts WHERE ticket_counts.site_id = site_removals.site_id) AS left
     FROM site_removals ORDER BY started_at, site_id`).all<Removal>;

/** What else of a site may be very much; the rest goes with the row of the site. */
const alsoOfSite = [
  { table: 'customer_proofs', keys: 'id', where: 'site_id = ?' },
  { table: 'customer_lists', keys: 'id', where: 'site_id = ?' },
  { table: 'customer_codes', keys: 'id', where: 'site_id = ?' },
  {
    table: 'mailbox_messages',
    keys: 'id',
    where: 'mailbox_id IN (SELECT id FROM mailboxes WHERE site_id = ?)',
  },
  { table: 'mail_suppressions', keys: 'site_id, address', where: 'site_id = ?' },
  {
    table: 'import_rows',
    keys: 'import_id, kind, old',
    where: 'import_id IN (SELECT id FROM imports WHERE site_id = ?)',
  },
  { table: 'sla_policies', keys: 'id', where: 'site_id = ?' },
] as const;

const ticketWeight = 8;
const mostMessages = 200;

/** @param budget how many rows; one of a ticket costs as much as several others */
export function removeSlice(tx: Tx, siteId: number, budget: number): RemovedSlice {
  const slice: RemovedSlice = { files: [], mails: [], isDone: false };
  let left = budget;
  const run = (text: string, ...values: (string | number)[]) => {
    left -= query(tx, text).run(...values).changes;
  };
  const ids = (text: string) =>
    query<{ id: number }>(tx, text)
      .all(siteId, Math.max(0, left))
      .map(({ id }) => id);

  run('DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE site_id = ? LIMIT ?)', siteId, left);
  // A ticket can have hundreds, which would all go with it.
  for (const table of ['customer_visits', 'notifications'])
    if (left > 0)
      run(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE site_id = ? LIMIT ?)`, siteId, left);
  while (left > 0) {
    const tickets = query<{ id: number; messages: number }>(
      tx,
      'SELECT id, message_count AS messages FROM tickets INDEXED BY tickets_by_site_created WHERE site_id = ? LIMIT ?',
    ).all(siteId, Math.ceil(left / ticketWeight));
    const [first] = tickets;
    if (first === undefined) break;
    if (first.messages > mostMessages) {
      const text = 'DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE ticket_id = ? LIMIT ?)';
      const { changes } = query(tx, text).run(first.id, left);
      left -= changes;
      if (changes > 0) continue;
    }
    const few: number[] = [];
    let messages = 0;
    for (const ticket of tickets) {
      messages += ticket.messages;
      if (few.length > 0 && messages > mostMessages) break;
      few.push(ticket.id);
    }
    slice.files.push(...removeTickets(tx, few));
    left -= few.length * ticketWeight;
  }
  if (left > 0) {
    const authors = JSON.stringify(ids('SELECT id FROM authors WHERE site_id = ? LIMIT ?'));
    run('DELETE FROM author_search WHERE rowid IN (SELECT value FROM json_each(?))', authors);
    run('DELETE FROM authors WHERE id IN (SELECT value FROM json_each(?))', authors);
  }
  if (left > 0) {
    const mails = query<{ ulid: string }>(tx, 'SELECT ulid FROM inbound_mail WHERE site_id = ? LIMIT ?').all(
      siteId,
      left,
    );
    slice.mails.push(...mails.map(({ ulid }) => ulid));
    run('DELETE FROM inbound_mail WHERE ulid IN (SELECT value FROM json_each(?))', JSON.stringify(slice.mails));
  }
  for (const { table, keys, where } of alsoOfSite) {
    if (left <= 0) break;
    const some = `SELECT ${keys} FROM ${table} WHERE ${where} LIMIT ?`;
    run(`DELETE FROM ${table} WHERE (${keys}) IN (${some})`, siteId, left);
  }
  if (left > 0) left -= blankSome(tx, siteId, left);
  if (left > 0) {
    query(tx, 'DELETE FROM ticket_counts WHERE site_id = ?').run(siteId);
    query(tx, 'DELETE FROM sites WHERE id = ?').run(siteId);
    slice.isDone = true;
  }
  return slice;
}

function removeTickets(tx: Tx, ids: readonly number[]): string[] {
  const named = JSON.stringify(ids);
  const among = 'IN (SELECT value FROM json_each(?))';
  const files = query<{ ulid: string }>(tx, `SELECT ulid FROM attachments WHERE ticket_id ${among}`).all(named);
  query(tx, `DELETE FROM ticket_search WHERE rowid ${among}`).run(named);
  query(tx, `DELETE FROM tickets WHERE id ${among}`).run(named);
  return files.map(({ ulid }) => ulid);
}

function blankSome(tx: Tx, siteId: number, limit: number): number {
  const bounds = query<{ after: number; until: number }>(
    tx,
    'SELECT after_seq AS after, until_seq AS until FROM site_removals WHERE site_id = ?',
  ).get(siteId);
  if (bounds === null) return 0;
  const seqs = query<{ seq: number }>(
    tx,
    'SELECT seq FROM events WHERE site_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
  )
    .all(siteId, bounds.after, bounds.until, limit)
    .map(({ seq }) => seq);
  blankEvents(tx, seqs);
  query(tx, 'UPDATE site_removals SET after_seq = ? WHERE site_id = ?').run(seqs.at(-1) ?? bounds.until, siteId);
  return seqs.length;
}
