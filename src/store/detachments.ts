// Removes a row that very many others may refer to: it is gone at once, and they drop their references a few at a time.

import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { query, type Tx } from './database.ts';

interface Kind {
  retire: string;
  letGo: readonly string[];
  named: string;
}

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
      'DELETE FROM read_marks WHERE (agent_id, ticket_id) IN (SELECT agent_id, ticket_id FROM read_marks WHERE agent_id = ? LIMIT ?)',
    ],
    named: `SELECT 1 FROM tickets INDEXED BY tickets_by_assignee WHERE assignee_id = ?1
      UNION ALL SELECT 1 FROM messages INDEXED BY messages_by_agent WHERE agent_id = ?1
      UNION ALL SELECT 1 FROM read_marks WHERE agent_id = ?1 LIMIT ?2`,
  },
  channels: {
    retire: 'UPDATE channels SET is_active = 0 WHERE id = ?',
    letGo: [
      'DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries INDEXED BY deliveries_by_channel WHERE channel_id = ? LIMIT ?)',
    ],
    named: 'SELECT 1 FROM deliveries INDEXED BY deliveries_by_channel WHERE channel_id = ?1 LIMIT ?2',
  },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

const rowsAtOnce = 100;

export function isAttached(kind: string, id: SQLiteColumn): SQL {
  return sql`${id} NOT IN (SELECT id FROM detachments WHERE kind = ${sql.raw(`'${kind}'`)})`;
}

const isKind = (name: string): name is KindName => Object.hasOwn(kinds, name);

/** Removes a row: completely if few rows refer to it; otherwise it is hidden and `detachSome` does the rest. */
export function detach(tx: Tx, kind: string, id: number): void {
  if (isKind(kind) && query(tx, kinds[kind].named).all(id, rowsAtOnce + 1).length > rowsAtOnce) {
    query(tx, kinds[kind].retire).run(id);
    query(tx, 'INSERT INTO detachments VALUES (?, ?)').run(kind, id);
  } else query(tx, `DELETE FROM ${kind} WHERE id = ?`).run(id);
}

export function hasDetachments(tx: Tx): boolean {
  return query(tx, 'SELECT 1 FROM detachments LIMIT 1').get() !== null;
}

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
