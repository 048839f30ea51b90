// Erasures that are under way: whom to take out, and of which tickets still.

import { query, type Tx } from './database.ts';

export function insertErasure(tx: Tx, authorId: number, personSealed: string, ticketIds: readonly number[]): void {
  query(tx, 'INSERT INTO erasures_under_way (author_id, person_sealed) VALUES (?, ?)').run(authorId, personSealed);
  query(tx, 'INSERT INTO erasure_tickets (author_id, ticket_id) SELECT ?, value FROM json_each(?)').run(
    authorId,
    JSON.stringify(ticketIds),
  );
}

export function erasureUnderWay(tx: Tx): { authorId: number; personSealed: string } | null {
  return query<{ authorId: number; personSealed: string }>(
    tx,
    'SELECT author_id AS authorId, person_sealed AS personSealed FROM erasures_under_way ORDER BY author_id LIMIT 1',
  ).get();
}

/** Takes some of the tickets that are left off the list. */
export function takeErasureTickets(tx: Tx, authorId: number, limit: number): number[] {
  return query<{ ticket_id: number }>(
    tx,
    `DELETE FROM erasure_tickets WHERE author_id = ?1 AND ticket_id IN
       (SELECT ticket_id FROM erasure_tickets WHERE author_id = ?1 LIMIT ?2) RETURNING ticket_id`,
  )
    .all(authorId, limit)
    .map(({ ticket_id }) => ticket_id);
}

export function endErasure(tx: Tx, authorId: number): void {
  query(tx, 'DELETE FROM erasures_under_way WHERE author_id = ?').run(authorId);
}
