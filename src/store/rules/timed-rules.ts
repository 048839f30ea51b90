// When tickets came into their states, how far timed rules have come with them, and what recurring tickets are due.

import type { Instant } from '../../base/clock.ts';
import type { TimedSince } from '../../domain/rules/timed-rule.ts';
import type { Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

/** The newest moment counts. */
const putMomentRow = statement(
  `INSERT INTO ticket_moments (ticket_id, since, site_id, at) VALUES (?, ?, ?, ?)
   ON CONFLICT DO UPDATE SET at = excluded.at WHERE excluded.at > at`,
).run<[ticketId: number, since: TimedSince, siteId: number, at: Instant]>;

export const putMoment = (tx: Tx, siteId: number, ticketId: number, since: TimedSince, at: Instant): void =>
  void putMomentRow(tx, ticketId, since, siteId, at);

export const removeMoment = statement('DELETE FROM ticket_moments WHERE ticket_id = ? AND since = ?').run<
  [ticketId: number, since: TimedSince]
>;

export interface Moment {
  at: Instant;
  ticketId: number;
}

/** Behind a place, up to a time, in order. */
export const momentsBetween = statement(
  `SELECT at, ticket_id AS ticketId FROM ticket_moments INDEXED BY ticket_moments_by_time
   WHERE site_id = ?1 AND since = ?2 AND at >= ?3 AND (at > ?3 OR ticket_id > ?4) AND at <= ?5
   ORDER BY at, ticket_id LIMIT ?6`,
).all<Moment, [siteId: number, since: TimedSince, passedAt: Instant, passedId: number, until: Instant, limit: number]>;

/** Those that every rule has passed. Returns how many it removed. */
export const forgetMoments = statement(
  `DELETE FROM ticket_moments WHERE (ticket_id, since) IN (
     SELECT ticket_id, since FROM ticket_moments INDEXED BY ticket_moments_by_time
     WHERE site_id = ? AND since = ? AND at < ? LIMIT ?)`,
).run<[siteId: number, since: TimedSince, before: Instant, limit: number]>;

interface Progress {
  passedAt: Instant;
  passedId: number;
}

export const progressOf = statement(
  'SELECT passed_at AS passedAt, passed_id AS passedId FROM timed_rule_progress WHERE rule_id = ?',
).get<Progress, [ruleId: number]>;

export const putProgress = statement('INSERT OR REPLACE INTO timed_rule_progress VALUES (?, ?, ?)').run<
  [ruleId: number, passedAt: Instant, passedId: number]
>;

interface TimedRuleToScan {
  id: number;
  siteId: number;
}

export const activeTimedRules = statement(
  'SELECT id, site_id AS siteId FROM timed_rules WHERE is_active = 1 ORDER BY site_id, position, id',
).all<TimedRuleToScan>;

export const gatherMoments = statement('INSERT OR REPLACE INTO moment_gatherings VALUES (?, ?, 0)').run<
  [siteId: number, since: TimedSince]
>;

export const isGathering = statement('SELECT 1 FROM moment_gatherings WHERE site_id = ? AND since = ?').has<
  [siteId: number, since: TimedSince]
>;

export const nextGathering = statement(
  'SELECT site_id AS siteId, since, after_id AS afterId FROM moment_gatherings LIMIT 1',
).get<{ siteId: number; since: TimedSince; afterId: number }>;

export const moveGathering = statement('UPDATE moment_gatherings SET after_id = ?3 WHERE site_id = ?1 AND since = ?2')
  .run<[siteId: number, since: TimedSince, afterId: number]>;

export const endGathering = statement('DELETE FROM moment_gatherings WHERE site_id = ? AND since = ?').run<
  [siteId: number, since: TimedSince]
>;

interface TicketTimes {
  id: number;
  siteId: number;
  createdAt: Instant;
  lastCustomerMessageAt: Instant | null;
  lastAgentMessageAt: Instant | null;
  assigneeId: number | null;
}

/** Of all sites: to find those of one could read very many rows. */
export const timesOfTickets = statement(
  `SELECT id, site_id AS siteId, created_at AS createdAt, last_customer_message_at AS lastCustomerMessageAt,
     last_agent_message_at AS lastAgentMessageAt, assignee_id AS assigneeId
   FROM tickets WHERE id > ? ORDER BY id LIMIT ?`,
).all<TicketTimes, [afterId: number, limit: number]>;

export const lastEventAt = statement(
  'SELECT created_at AS at FROM events WHERE ticket_id = ? AND kind = ? ORDER BY seq DESC LIMIT 1',
).get<{ at: Instant }, [ticketId: number, kind: string]>;

export const dueRecurring = statement(
  `SELECT id, site_id AS siteId FROM recurring_tickets INDEXED BY recurring_tickets_due
   WHERE is_active = 1 AND next_at IS NOT NULL AND next_at <= ? ORDER BY next_at LIMIT ?`,
).all<{ id: number; siteId: number }, [now: Instant, limit: number]>;
