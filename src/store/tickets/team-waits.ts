// Tickets that wait for someone of their team; triggers keep them (migrations/0099_team_waits.sql).

import type { Instant } from '../../base/clock.ts';
import { statement } from '../../engine/statements.ts';

/** Those that have waited longest, and began no later than this. */
export const waitsOver = statement(
  `SELECT ticket_id AS ticketId, since FROM team_waits INDEXED BY team_waits_by_team
   WHERE team_id = ? AND since <= ? ORDER BY since LIMIT ?`,
).all<{ ticketId: number; since: Instant }, [teamId: number, since: Instant, limit: number]>;

export const endWait = statement('DELETE FROM team_waits WHERE ticket_id = ?').run<[ticketId: number]>;
