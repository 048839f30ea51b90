// Erasures in progress: who is being erased, and how far it has come.

import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

export interface ErasureUnderWay {
  authorId: number;
  personSealed: string;
  afterTicketId: number;
  afterMessageId: number;
  untilMailId: number;
  isShared: boolean;
}

/** Begins it again if it is under way: an import may have brought more. */
export function insertErasure(tx: Tx, authorId: number, personSealed: string, isShared: boolean): void {
  query(
    tx,
    `INSERT OR REPLACE INTO erasures_under_way (author_id, person_sealed, until_mail_id, is_shared)
     SELECT ?, ?, coalesce(max(id), 0), ? FROM inbound_mail`,
  ).run(authorId, personSealed, isShared ? 1 : 0);
}

export function erasureUnderWay(tx: Tx, authorId: number | null = null): ErasureUnderWay | null {
  const row = query<Omit<ErasureUnderWay, 'isShared'> & { isShared: number }>(
    tx,
    `SELECT author_id AS authorId, person_sealed AS personSealed, after_ticket_id AS afterTicketId,
       after_message_id AS afterMessageId, until_mail_id AS untilMailId, is_shared AS isShared
     FROM erasures_under_way WHERE author_id = coalesce(?, author_id) ORDER BY author_id LIMIT 1`,
  ).get(authorId);
  return row === null ? null : { ...row, isShared: row.isShared === 1 };
}

export function advanceErasure(
  tx: Tx,
  { authorId, afterTicketId, afterMessageId }: Pick<ErasureUnderWay, 'authorId' | 'afterTicketId' | 'afterMessageId'>,
): void {
  query(tx, 'UPDATE erasures_under_way SET after_ticket_id = ?, after_message_id = ? WHERE author_id = ?').run(
    afterTicketId,
    afterMessageId,
    authorId,
  );
}

export const endErasure = statement('DELETE FROM erasures_under_way WHERE author_id = ?').run<[authorId: number]>;
