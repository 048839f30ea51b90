// What the desk remembers about forms: used solutions, and how many tickets an address opened lately.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';

const sweptAtOnce = 100;

/** False if it was used before. Forgets a few that have expired. */
export function spendProof(tx: Tx, proof: { challenge: string; expiresAt: Instant }, now: Instant): boolean {
  query(
    tx,
    'DELETE FROM spent_proofs WHERE challenge IN (SELECT challenge FROM spent_proofs WHERE expires_at <= ? LIMIT ?)',
  ).run(now, sweptAtOnce);
  const text = 'INSERT OR IGNORE INTO spent_proofs (challenge, expires_at) VALUES (?, ?)';
  return query(tx, text).run(proof.challenge, proof.expiresAt).changes === 1;
}

/** Forgets a few that are older than `since`. */
export function noteFormTicket(tx: Tx, ticketId: number, mailbox: string, now: Instant, since: Instant): void {
  query(
    tx,
    'DELETE FROM form_tickets WHERE ticket_id IN (SELECT ticket_id FROM form_tickets WHERE created_at <= ? LIMIT ?)',
  ).run(since, sweptAtOnce);
  query(tx, 'INSERT INTO form_tickets (ticket_id, mailbox, created_at) VALUES (?, ?, ?)').run(ticketId, mailbox, now);
}

export function countFormTickets(tx: Tx, mailbox: string, since: Instant): number {
  const text = 'SELECT count(*) AS total FROM form_tickets WHERE mailbox = ? AND created_at > ?';
  return query<{ total: number }>(tx, text).get(mailbox, since)?.total ?? 0;
}

/** How many forms of a site wait for an agent, counted up to a limit; of one sender, if named. */
export function countHeldForms(tx: Tx, siteId: number, sender: string | null, most: number): number {
  const where =
    sender === null
      ? 'INDEXED BY inbound_mail_by_outcome WHERE'
      : 'INDEXED BY inbound_mail_by_sender WHERE sender = ? AND';
  const text = `SELECT count(*) AS total FROM (SELECT 1 FROM inbound_mail ${where} site_id = ? AND outcome = 'held' AND provider = 'form' LIMIT ?)`;
  const values = sender === null ? [siteId, most] : [sender, siteId, most];
  return query<{ total: number }>(tx, text).get(...values)?.total ?? 0;
}
