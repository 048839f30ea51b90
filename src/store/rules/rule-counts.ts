// How often each rule ran and matched on a day, and the tickets that it matched. Both are kept for a limited number of days.

import type { Instant } from '../../base/clock.ts';
import { dayMs } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

const ruleCountDays = 30;

const dayOf = (at: Instant) => Math.floor(at / dayMs);
/** Today is one of the days. */
const firstDay = (now: Instant) => dayOf(now) - ruleCountDays + 1;

const countRuns = statement(
  `INSERT INTO rule_days (rule_id, day, runs, matches)
     SELECT inbound_rules.id, ?2, 1, ran.value ->> 1
     FROM json_each(?1) AS ran JOIN inbound_rules ON inbound_rules.id = ran.value ->> 0
     WHERE TRUE
   ON CONFLICT DO UPDATE SET runs = runs + 1, matches = matches + excluded.matches`,
).run<[ran: string, day: number]>;

const noteTicket = statement(
  `INSERT OR IGNORE INTO rule_tickets (rule_id, at, ticket_id)
     SELECT inbound_rules.id, ?2, ?3
     FROM json_each(?1) AS ran JOIN inbound_rules ON inbound_rules.id = ran.value ->> 0
     WHERE ran.value ->> 1 = 1`,
).run<[ran: string, at: Instant, ticketId: number]>;

/** @param ran each rule that was asked, and whether it matched */
export function countRules(
  tx: Tx,
  now: Instant,
  ran: readonly { ruleId: number; isMatch: boolean }[],
  ticketId: number | null,
): void {
  if (ran.length === 0) return;
  const pairs = JSON.stringify(ran.map(({ ruleId, isMatch }) => [ruleId, Number(isMatch)]));
  countRuns(tx, pairs, dayOf(now));
  if (ticketId !== null && ran.some(({ isMatch }) => isMatch)) noteTicket(tx, pairs, now, ticketId);
}

export interface RuleCounts {
  runs: number;
  matches: number;
}

const countsSince = statement(
  'SELECT coalesce(sum(runs), 0) AS runs, coalesce(sum(matches), 0) AS matches FROM rule_days WHERE rule_id = ? AND day >= ?',
).get<RuleCounts, [ruleId: number, day: number]>;

export const ruleCounts = (tx: Tx, ruleId: number, now: Instant): RuleCounts =>
  countsSince(tx, ruleId, firstDay(now)) ?? { runs: 0, matches: 0 };

/** The newest match of each. */
export const ticketsOfRule = statement(
  `SELECT ticket_id AS ticketId, max(at) AS matchedAt FROM (
     SELECT ticket_id, at FROM rule_tickets WHERE rule_id = ? AND at >= ? ORDER BY at DESC LIMIT 1000)
   GROUP BY ticket_id ORDER BY matchedAt DESC, ticket_id DESC LIMIT ?`,
).all<{ ticketId: number; matchedAt: Instant }, [ruleId: number, since: Instant, limit: number]>;

export const countedSince = (now: Instant): Instant => firstDay(now) * dayMs;

const forgetDays = statement(
  `DELETE FROM rule_days WHERE (rule_id, day) IN (
     SELECT rule_id, day FROM inbound_rules JOIN rule_days ON rule_id = inbound_rules.id AND day < ?1 LIMIT ?2)`,
).run<[day: number, limit: number]>;

const forgetTickets = statement(
  `DELETE FROM rule_tickets WHERE (rule_id, at, ticket_id) IN (
     SELECT rule_id, at, ticket_id FROM inbound_rules JOIN rule_tickets ON rule_id = inbound_rules.id AND at < ?1 LIMIT ?2)`,
).run<[before: Instant, limit: number]>;

/** Returns how many rows of a kind it removed at most. */
export const forgetRuleCounts = (tx: Tx, now: Instant, limit: number): number =>
  Math.max(forgetDays(tx, firstDay(now), limit), forgetTickets(tx, countedSince(now), limit));
