// The people who take part in a ticket beside its author.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { type Author, authorById } from '../customers/authors.ts';
import { isArrivalAddress } from '../mail/arrival-addresses.ts';
import { participants } from '../schema/tickets.ts';

export type ParticipantRow = InferSelectModel<typeof participants>;

export interface Participant extends ParticipantRow {
  person: Author;
}

const insertRow = insertInto(participants);
export const updateParticipant = updateById(participants);
const ofTicket = selectFrom(participants, 'WHERE ticket_id = ? ORDER BY id').all<[ticketId: number]>;

export function insertParticipant(tx: Tx, row: Omit<ParticipantRow, 'id'>): ParticipantRow {
  return { ...row, id: insertRow(tx, row) };
}

/** In the order in which they came, also those who were removed. */
export function participantsOf(tx: Tx, ticketId: number): Participant[] {
  return ofTicket(tx, ticketId).flatMap((row) => {
    const person = authorById(tx, row.authorId);
    if (!person || person.anonymisedAt !== null) return [];
    return [{ ...row, removedAt: row.removedAt ?? leadsHereSince(tx, row, person), person }];
  });
}

/** A mail named an address of the site itself, and the desk found out later. An agent who adds it knows. */
function leadsHereSince(tx: Tx, { addedBy, createdAt }: ParticipantRow, { siteId, email }: Author): Instant | null {
  return addedBy.type === 'mail' && isArrivalAddress(tx, siteId, email) ? createdAt : null;
}

export const hasParticipant = statement(`SELECT 1 FROM participants JOIN authors ON authors.id = author_id
  WHERE ticket_id = ? AND email = ? AND removed_at IS NULL LIMIT 1`).has<[ticketId: number, address: string]>;

/** Since when mail to these addresses has come back. */
export const pausedSince = statement(`SELECT address, created_at AS at FROM mail_suppressions
  WHERE site_id = ? AND address IN (SELECT value FROM json_each(?))`).all<
  { address: string; at: Instant },
  [siteId: number, addresses: readonly string[]]
>;

/** Into another ticket, up to `most` there. Who is on it already, or is its author, stays. Returns the ids of those who moved. */
export const moveParticipants = statement(`UPDATE OR IGNORE participants SET ticket_id = ?2 WHERE id IN (
  SELECT id FROM participants WHERE ticket_id = ?1 AND author_id <> ?3 ORDER BY removed_at IS NOT NULL, id
  LIMIT max(0, ?4 - (SELECT count(*) FROM participants WHERE ticket_id = ?2))) RETURNING id`).column<
  number,
  [fromTicketId: number, toTicketId: number, toAuthorId: number, most: number]
>;

/** Those who take part in one ticket also take part in another that was split from it; with `known` only these authors do. */
export const copyParticipants =
  statement(`INSERT INTO participants (ticket_id, author_id, added_by, created_at, removed_at)
  SELECT ?2, author_id, added_by, created_at, NULL FROM participants
  WHERE ticket_id = ?1 AND author_id <> ?3 AND removed_at IS NULL
    AND (?4 IS NULL OR author_id IN (SELECT value FROM json_each(?4))) ORDER BY id`).run<
    [fromTicketId: number, toTicketId: number, toAuthorId: number, known: readonly number[] | null]
  >;

export const ticketIdsOfParticipant = statement('SELECT ticket_id FROM participants WHERE author_id = ? LIMIT ?')
  .column<number, [authorId: number, limit: number]>;

export const deleteParticipant = statement('DELETE FROM participants WHERE ticket_id = ? AND author_id = ?').run<
  [ticketId: number, authorId: number]
>;
