// The people who take part in a ticket beside its author.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../engine/database.ts';
import { rowsOf, selectFrom, statement } from '../../engine/statements.ts';
import { type Author, authorById } from '../customers/authors.ts';
import { isArrivalAddress } from '../mail/arrival-addresses.ts';
import { agentsAmong } from '../people/agents.ts';
import { participants } from '../schema/tickets.ts';

export type ParticipantRow = InferSelectModel<typeof participants>;

/** Why someone takes no part: they were removed, they see the site as an agent by now, or their address leads to the desk. */
export type Absence = 'removed' | 'agent' | 'own address';

export interface Participant extends ParticipantRow {
  person: Author;
  /** Null while they take part. */
  absence: Absence | null;
}

export const { insert: insertParticipant, update: updateParticipant } = rowsOf(participants);
const ofTicket = selectFrom(participants, 'WHERE ticket_id = ? ORDER BY id').all<[ticketId: number]>;

/** In the order in which they came, also those who take no part any more: `removedAt` says since when. */
export function participantsOf(tx: Tx, ticketId: number): Participant[] {
  const known = ofTicket(tx, ticketId).flatMap((row): Participant[] => {
    const person = authorById(tx, row.authorId);
    if (!person || person.anonymisedAt !== null) return [];
    if (row.removedAt !== null) return [{ ...row, person, absence: 'removed' }];
    const leadsHere = row.addedBy.type === 'mail' && isArrivalAddress(tx, person.siteId, person.email);
    return [{ ...row, person, ...(leadsHere ? outSince(row.createdAt, 'own address') : { absence: null }) }];
  });
  const active = known.filter(({ absence }) => absence === null).map(({ person }) => person);
  const [first] = active;
  if (first === undefined) return known;
  const addresses = active.map(({ email }) => email);
  const agents = new Map(agentsAmong(tx, first.siteId, addresses).map(({ email, since }) => [email, since]));
  return known.map((one) => {
    const since = one.absence === null ? agents.get(one.person.email) : undefined;
    return since === undefined ? one : { ...one, ...outSince(Math.max(since, one.createdAt), 'agent') };
  });
}

const outSince = (removedAt: Instant, absence: Absence) => ({ removedAt, absence });

export function hasParticipant(tx: Tx, ticketId: number, address: string): boolean {
  return participantsOf(tx, ticketId).some(({ person, removedAt }) => removedAt === null && person.email === address);
}

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
