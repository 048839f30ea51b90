// What triggers, timed rules and recurring tickets did. Numbers and runs are kept for 30 days.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { dayMs } from '../../domain/instant.ts';
import type { AutomationKind } from '../../domain/rules/trigger.ts';
import type { Tx } from '../../engine/database.ts';
import { selectFrom, statement } from '../../engine/statements.ts';
import { automationRuns } from '../schema/automation.ts';

export type AutomationRun = InferSelectModel<typeof automationRuns>;

const keptDays = 30;
const dayOf = (at: Instant) => Math.floor(at / dayMs);
/** Today is one of the days. */
const firstDay = (now: Instant) => dayOf(now) - keptDays + 1;

interface AutomationCounts {
  ran: number;
  matched: number;
  changed: number;
  skipped: number;
}

const addCounts = statement(
  `INSERT INTO automation_days (kind, rule_id, day, ran, matched, changed, skipped) VALUES (?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT DO UPDATE SET ran = ran + excluded.ran, matched = matched + excluded.matched,
     changed = changed + excluded.changed, skipped = skipped + excluded.skipped`,
).run<
  [kind: AutomationKind, ruleId: number, day: number, ran: number, matched: number, changed: number, skipped: number]
>;

export function countAutomation(
  tx: Tx,
  now: Instant,
  kind: AutomationKind,
  ruleId: number,
  { ran = 0, matched = 0, changed = 0, skipped = 0 }: Partial<AutomationCounts>,
): void {
  addCounts(tx, kind, ruleId, dayOf(now), ran, matched, changed, skipped);
}

const countsSince = statement(
  `SELECT coalesce(sum(ran), 0) AS ran, coalesce(sum(matched), 0) AS matched, coalesce(sum(changed), 0) AS changed,
     coalesce(sum(skipped), 0) AS skipped
   FROM automation_days WHERE kind = ? AND rule_id = ? AND day >= ?`,
).get<AutomationCounts, [kind: AutomationKind, ruleId: number, day: number]>;

export const automationCounts = (tx: Tx, now: Instant, kind: AutomationKind, ruleId: number): AutomationCounts =>
  countsSince(tx, kind, ruleId, firstDay(now)) ?? { ran: 0, matched: 0, changed: 0, skipped: 0 };

export const insertRun = statement(
  `INSERT INTO automation_runs (first_seq, last_seq, cause_seq, kind, rule_id, ticket_id, at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
).run<
  [
    firstSeq: number,
    lastSeq: number,
    causeSeq: number | null,
    kind: AutomationKind,
    ruleId: number,
    ticketId: number,
    at: Instant,
  ]
>;

export const runsOfRule = selectFrom(
  automationRuns,
  'WHERE kind = ? AND rule_id = ? AND first_seq < ? AND at >= ? ORDER BY first_seq DESC LIMIT ?',
).all<[kind: AutomationKind, ruleId: number, before: number, since: Instant, limit: number]>;

export const runsSince = (now: Instant): Instant => firstDay(now) * dayMs;

const forgetDays = statement(
  `DELETE FROM automation_days WHERE (kind, rule_id, day) IN (
     SELECT kind, rule_id, day FROM automation_days INDEXED BY automation_days_by_day WHERE day < ? LIMIT ?)`,
).run<[day: number, limit: number]>;

// Their numbers rise with the time.
const forgetRuns = statement(
  `DELETE FROM automation_runs WHERE first_seq IN (
     SELECT first_seq FROM (SELECT first_seq, at FROM automation_runs ORDER BY first_seq LIMIT ?2) WHERE at < ?1)`,
).run<[before: Instant, limit: number]>;

/** Returns how many rows of a kind it removed at most. */
export const forgetAutomation = (tx: Tx, now: Instant, limit: number): number =>
  Math.max(forgetDays(tx, firstDay(now), limit), forgetRuns(tx, runsSince(now), limit));

const repliesOf = statement(
  'SELECT day, times FROM automation_replies WHERE ticket_id = ? AND kind = ? AND rule_id = ?',
).get<{ day: number; times: number }, [ticketId: number, kind: AutomationKind, ruleId: number]>;

/** How often the rule has answered the ticket: ever, and today. */
export function repliesOfRule(
  tx: Tx,
  now: Instant,
  kind: AutomationKind,
  ruleId: number,
  ticketId: number,
): { hasReplied: boolean; today: number } {
  const row = repliesOf(tx, ticketId, kind, ruleId);
  return { hasReplied: row !== undefined, today: row?.day === dayOf(now) ? row.times : 0 };
}

const putReply = statement(
  `INSERT INTO automation_replies (kind, rule_id, ticket_id, day, times) VALUES (?, ?, ?, ?, 1)
   ON CONFLICT DO UPDATE SET times = iif(day = excluded.day, times + 1, 1), day = excluded.day`,
).run<[kind: AutomationKind, ruleId: number, ticketId: number, day: number]>;

export const noteReply = (tx: Tx, now: Instant, kind: AutomationKind, ruleId: number, ticketId: number): void =>
  void putReply(tx, kind, ruleId, ticketId, dayOf(now));

/** Whether the mail that opened the ticket was automatic, so that no one answers it without reading. */
export const wasOpenedByMachine = statement(
  `SELECT 1 FROM (SELECT kind, data FROM events WHERE ticket_id = ? ORDER BY seq LIMIT 1)
   WHERE kind = 'ticket.created' AND data ->> 'source' = 'email' AND data -> 'acknowledge' = 'false'`,
).has<[ticketId: number]>;

export const skippedAutomation = statement(
  `SELECT kind, rule_id AS ruleId, sum(skipped) AS skipped FROM automation_days WHERE day >= ? AND skipped > 0
   GROUP BY kind, rule_id LIMIT ?`,
).all<{ kind: AutomationKind; ruleId: number; skipped: number }, [day: number, limit: number]>;
