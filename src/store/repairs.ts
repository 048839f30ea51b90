// Repairs derived values from their source.

import { query, type Tx } from '../engine/database.ts';
import { statement } from '../engine/statements.ts';
import type { Indexed } from './integrity.ts';

const actualCounts =
  'SELECT site_id, status, is_test, is_spam, count(*) AS total FROM tickets WHERE site_id = ?1 GROUP BY status, is_test, is_spam';

export const countedSites = statement('SELECT id FROM sites UNION SELECT site_id FROM ticket_counts').column<number>;

/** Whether a site's stored totals are wrong; one statement reads both sides, so they are of one moment. */
export function hasWrongCounts(tx: Tx, siteId: number): boolean {
  const kept = 'SELECT site_id, status, is_test, is_spam, total FROM ticket_counts WHERE site_id = ?1 AND total <> 0';
  return (
    query(
      tx,
      `SELECT 1 FROM (SELECT * FROM (${kept} EXCEPT ${actualCounts}) UNION ALL SELECT * FROM (${actualCounts} EXCEPT ${kept})) LIMIT 1`,
    ).get(siteId) !== null
  );
}

export function recountSite(tx: Tx, siteId: number): null {
  query(tx, 'DELETE FROM ticket_counts WHERE site_id = ?').run(siteId);
  query(tx, `INSERT INTO ticket_counts ${actualCounts}`).run(siteId);
  return null;
}

export function recountMessages(tx: Tx, ticketId: number): null {
  query(
    tx,
    'UPDATE tickets SET message_count = (SELECT count(*) FROM messages WHERE ticket_id = tickets.id) WHERE id = ?',
  ).run(ticketId);
  return null;
}

export function copyPriorityLevel(tx: Tx, ticketId: number): null {
  query(
    tx,
    'UPDATE tickets SET priority_level = (SELECT level FROM priorities WHERE priorities.id = priority_id) WHERE id = ?',
  ).run(ticketId);
  return null;
}

export function copyTags(tx: Tx, ticketId: number): null {
  query(tx, 'DELETE FROM ticket_tags WHERE ticket_id = ?').run(ticketId);
  query(
    tx,
    'INSERT OR IGNORE INTO ticket_tags (tag, ticket_id) SELECT value, tickets.id FROM tickets, json_each(tickets.tags) WHERE tickets.id = ?',
  ).run(ticketId);
  return null;
}

export function emptyIndex(tx: Tx, kind: Indexed): null {
  query(tx, `INSERT INTO ${kind}_search (${kind}_search) VALUES ('delete-all')`).run();
  return null;
}

export function removeDocument(tx: Tx, kind: Indexed, id: number): null {
  query(tx, `DELETE FROM ${kind}_search WHERE rowid = ?`).run(id);
  return null;
}
