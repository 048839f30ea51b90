// Agents whom messages mention.

import { query, type Tx } from './database.ts';

export function insertMentions(tx: Tx, messageId: number, ticketId: number, agentIds: readonly number[]): void {
  const insert = query(tx, 'INSERT INTO mentions (message_id, agent_id, ticket_id) VALUES (?, ?, ?)');
  for (const agentId of agentIds) insert.run(messageId, agentId, ticketId);
}

export function mentionsOfTicket(tx: Tx, ticketId: number): { messageId: number; agentId: number }[] {
  return query<{ messageId: number; agentId: number }>(
    tx,
    'SELECT message_id AS messageId, agent_id AS agentId FROM mentions WHERE ticket_id = ? ORDER BY message_id, agent_id',
  ).all(ticketId);
}
