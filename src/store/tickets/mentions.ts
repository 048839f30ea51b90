// Agents whom messages mention.

import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

export function insertMentions(tx: Tx, messageId: number, ticketId: number, agentIds: readonly number[]): void {
  const insert = query(tx, 'INSERT INTO mentions (message_id, agent_id, ticket_id) VALUES (?, ?, ?)');
  for (const agentId of agentIds) insert.run(messageId, agentId, ticketId);
}

export function replaceMentions(tx: Tx, messageId: number, ticketId: number, agentIds: readonly number[]): void {
  query(tx, 'DELETE FROM mentions WHERE message_id = ?').run(messageId);
  insertMentions(tx, messageId, ticketId, agentIds);
}

export interface Mention {
  messageId: number;
  agentId: number;
}

const columns = 'message_id AS messageId, agent_id AS agentId';

export const mentionsOfTicket = statement(
  `SELECT ${columns} FROM mentions WHERE ticket_id = ? ORDER BY message_id, agent_id`,
).all<Mention, [ticketId: number]>;

export const mentionsIn = statement(`SELECT ${columns} FROM mentions
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, agent_id`).all<
  Mention,
  [messageIds: readonly number[]]
>;
