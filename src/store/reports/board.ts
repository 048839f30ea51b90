// Links to the live board, and what only the board counts.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../domain/instant.ts';
import { query, type Tx } from '../../engine/database.ts';
import { rowsOf, selectFrom, statement } from '../../engine/statements.ts';
import { isUnanswered } from '../lists/filter.ts';
import { boardLinks } from '../schema/reports.ts';

export type BoardLink = InferSelectModel<typeof boardLinks>;

export const boardLinkRows = rowsOf(boardLinks);
export const allBoardLinks = selectFrom(boardLinks, 'ORDER BY name, id').all<[]>;
export const boardLinkByHash = selectFrom(boardLinks, 'WHERE secret_hash = ?').get<[hash: string]>;

/** Tickets with a clock that ended late or fell due in that time. */
export const ticketsBreached = statement(
  `SELECT count(DISTINCT ticket_id) FROM report_facts INDEXED BY report_facts_by_time
   WHERE kind IN ('first_response_clock', 'resolution_clock') AND site_id IN (SELECT value FROM json_each(?))
     AND at >= ? AND at <= ? AND amount = 0`,
).number<[sites: readonly number[], from: Instant, to: Instant]>;

/** Active agents of these sites who have used the desk since then. */
export const agentsSince = statement(
  `SELECT count(DISTINCT agent_id) FROM sessions INDEXED BY sessions_by_use WHERE last_used_at > ?1 AND agent_id IN (
     SELECT id FROM agents WHERE is_active = 1 AND (role = 'owner'
       OR NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
       OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id IN (SELECT value FROM json_each(?2)))))`,
).number<[since: Instant, sites: readonly number[]]>;

const rowsAtOnce = 500;

const openOnes = `SELECT created_at, id, last_agent_message_at, is_test = 0 AND is_spam = 0 AND ${isUnanswered}
  FROM tickets INDEXED BY tickets_by_site_created
  WHERE site_id = ? AND status = 'open' AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ${rowsAtOnce}`;

/** When a customer wrote first of those whom no agent has answered since. */
const firstUnanswered = statement(
  `SELECT created_at FROM messages INDEXED BY messages_by_ticket
   WHERE ticket_id = ? AND created_at > ? AND is_agent = 0 AND is_internal = 0 AND is_automated = 0
   ORDER BY created_at LIMIT 1`,
).number<[ticketId: number, after: Instant]>;

/** Since when a customer of an open ticket has waited longest; null: no one waits. Each step reads a few hundred tickets. */
export function createOldestWait(sites: readonly number[]) {
  const left = [...sites];
  let [oldest, after]: [Instant | null, [number, number]] = [null, [-1, -1]];
  return {
    since: () => oldest,
    step(tx: Tx): boolean {
      const [site] = left;
      if (site === undefined) return true;
      const rows = query(tx, openOnes).values(site, ...after) as [number, number, number | null, number][];
      let isDone = rows.length < rowsAtOnce;
      for (const [createdAt, id, answeredAt, isWaiting] of rows) {
        after = [createdAt, id];
        // Tickets come by age: in a newer one no one can have waited longer.
        if (oldest !== null && createdAt >= oldest) {
          isDone = true;
          break;
        }
        const earliest = answeredAt ?? createdAt;
        if (isWaiting !== 1 || (oldest !== null && earliest >= oldest)) continue;
        const since = firstUnanswered(tx, id, answeredAt ?? -1);
        if (since > 0 && (oldest === null || since < oldest)) oldest = since;
      }
      if (isDone) {
        left.shift();
        after = [-1, -1];
      }
      return left.length === 0;
    },
  };
}
