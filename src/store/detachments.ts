// Removes a row that very many others may refer to: it is gone at once, and they drop their references a few at a time.

import { query, type Tx } from '../engine/database.ts';
import { statement } from '../engine/statements.ts';

const kinds = {
  categories: {
    retire: "UPDATE categories SET slug = 'removed-' || id, is_active = 0 WHERE id = ?",
    letGo: [
      'UPDATE tickets SET category_id = NULL WHERE id IN (SELECT id FROM tickets INDEXED BY tickets_by_category WHERE category_id = ? LIMIT ?)',
    ],
    named: 'SELECT 1 FROM tickets INDEXED BY tickets_by_category WHERE category_id = ?1 LIMIT ?2',
  },
  agents: {
    retire: "UPDATE agents SET email = 'removed-' || id, is_active = 0 WHERE id = ?",
    letGo: [
      'UPDATE tickets SET assignee_id = NULL WHERE id IN (SELECT id FROM tickets INDEXED BY tickets_by_assignee WHERE assignee_id = ? LIMIT ?)',
      'UPDATE messages SET agent_id = NULL WHERE id IN (SELECT id FROM messages INDEXED BY messages_by_agent WHERE agent_id = ? LIMIT ?)',
      'DELETE FROM notifications WHERE id IN (SELECT id FROM notifications INDEXED BY notifications_by_agent WHERE agent_id = ? LIMIT ?)',
      'DELETE FROM ticket_followers WHERE (ticket_id, agent_id) IN (SELECT ticket_id, agent_id FROM ticket_followers INDEXED BY ticket_followers_by_agent WHERE agent_id = ? LIMIT ?)',
      'DELETE FROM read_marks WHERE (agent_id, ticket_id) IN (SELECT agent_id, ticket_id FROM read_marks WHERE agent_id = ? LIMIT ?)',
    ],
    named: `SELECT 1 FROM tickets INDEXED BY tickets_by_assignee WHERE assignee_id = ?1
      UNION ALL SELECT 1 FROM messages INDEXED BY messages_by_agent WHERE agent_id = ?1
      UNION ALL SELECT 1 FROM notifications INDEXED BY notifications_by_agent WHERE agent_id = ?1
      UNION ALL SELECT 1 FROM ticket_followers INDEXED BY ticket_followers_by_agent WHERE agent_id = ?1
      UNION ALL SELECT 1 FROM read_marks WHERE agent_id = ?1 LIMIT ?2`,
  },
  teams: {
    retire: "UPDATE teams SET name = 'removed-' || id WHERE id = ?",
    letGo: [
      'UPDATE tickets SET team_id = NULL WHERE id IN (SELECT id FROM tickets INDEXED BY tickets_by_team WHERE team_id = ? LIMIT ?)',
    ],
    named: 'SELECT 1 FROM tickets INDEXED BY tickets_by_team WHERE team_id = ?1 LIMIT ?2',
  },
  channels: {
    retire: 'UPDATE channels SET is_active = 0 WHERE id = ?',
    letGo: [
      'DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries INDEXED BY deliveries_by_channel WHERE channel_id = ? LIMIT ?)',
    ],
    named: 'SELECT 1 FROM deliveries INDEXED BY deliveries_by_channel WHERE channel_id = ?1 LIMIT ?2',
  },
  senders: {
    retire: 'UPDATE senders SET address = NULL WHERE id = ?',
    letGo: [
      'UPDATE tickets SET sender_id = NULL WHERE id IN (SELECT id FROM tickets INDEXED BY tickets_by_sender WHERE sender_id = ? LIMIT ?)',
      'UPDATE messages SET sender_id = NULL WHERE id IN (SELECT id FROM messages INDEXED BY messages_by_sender WHERE sender_id = ? LIMIT ?)',
    ],
    named: `SELECT 1 FROM tickets INDEXED BY tickets_by_sender WHERE sender_id = ?1
      UNION ALL SELECT 1 FROM messages INDEXED BY messages_by_sender WHERE sender_id = ?1 LIMIT ?2`,
  },
  mailboxes: {
    retire:
      'UPDATE mailboxes SET incoming = NULL, outgoing = NULL, secret_sealed = NULL, outgoing_secret_sealed = NULL WHERE id = ?',
    letGo: [
      'DELETE FROM mailbox_messages WHERE id IN (SELECT id FROM mailbox_messages INDEXED BY mailbox_messages_by_mark WHERE mailbox_id = ? LIMIT ?)',
      'UPDATE inbound_mail SET mailbox_id = NULL WHERE id IN (SELECT id FROM inbound_mail INDEXED BY inbound_mail_by_mailbox WHERE mailbox_id = ? LIMIT ?)',
    ],
    named: `SELECT 1 FROM mailbox_messages INDEXED BY mailbox_messages_by_mark WHERE mailbox_id = ?1
      UNION ALL SELECT 1 FROM inbound_mail INDEXED BY inbound_mail_by_mailbox WHERE mailbox_id = ?1 LIMIT ?2`,
  },
} as const satisfies Record<string, { retire: string; letGo: readonly string[]; named: string }>;
type KindName = keyof typeof kinds;

const rowsAtOnce = 100;

export const isAttached = (kind: string) => `id NOT IN (SELECT id FROM detachments WHERE kind = '${kind}')`;

const isKind = (name: string): name is KindName => Object.hasOwn(kinds, name);

/** Removes a row: completely if few rows refer to it; otherwise it is hidden and `detachSome` does the rest. */
export function detach(tx: Tx, kind: string, id: number): void {
  if (isKind(kind) && query(tx, kinds[kind].named).all(id, rowsAtOnce + 1).length > rowsAtOnce) {
    query(tx, kinds[kind].retire).run(id);
    query(tx, 'INSERT INTO detachments VALUES (?, ?)').run(kind, id);
  } else query(tx, `DELETE FROM ${kind} WHERE id = ?`).run(id);
}

export const hasDetachments = statement('SELECT 1 FROM detachments LIMIT 1').has<[]>;

/** Drops some of the references to a removed row; call it while there are any. */
export function detachSome(tx: Tx): null {
  const next = query<{ kind: string; id: number }>(tx, 'SELECT kind, id FROM detachments LIMIT 1').get();
  if (next === null) return null;
  const { kind, id } = next;
  if (isKind(kind)) {
    for (const text of kinds[kind].letGo) if (query(tx, text).run(id, rowsAtOnce).changes > 0) return null;
    query(tx, `DELETE FROM ${kind} WHERE id = ?`).run(id);
  }
  query(tx, 'DELETE FROM detachments WHERE kind = ? AND id = ?').run(kind, id);
  return null;
}
