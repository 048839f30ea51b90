// Browsers that the desk pushes to, one for each session that wants it.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { pushSubscriptions } from '../schema/agents.ts';

export type PushSubscription = InferSelectModel<typeof pushSubscriptions>;

export const insertPushSubscription = insertInto(pushSubscriptions);

export const updatePushSubscription = updateById(pushSubscriptions);

export const pushSubscriptionById = selectFrom(pushSubscriptions, 'WHERE id = ?').get<[id: number]>;

/** Newest first. */
export const pushSubscriptionsOf = selectFrom(pushSubscriptions, 'WHERE agent_id = ? ORDER BY id DESC').all<
  [agentId: number]
>;

/** With what waits for it. */
export const deletePushSubscription = statement('DELETE FROM push_subscriptions WHERE id = ?').run<[id: number]>;

/** Of a session, or of a browser that had another session. */
export const replacePushSubscription = statement(
  'DELETE FROM push_subscriptions WHERE session_id = ? OR endpoint_hash = ?',
).run<[sessionId: number, endpointHash: string]>;

/** Of this ticket, not yet on its way to the browser. */
export function waitingPush(tx: Tx, ticketId: number, subscriptionId: number, now: Instant): number | undefined {
  return query<{ id: number }>(
    tx,
    `SELECT id FROM deliveries INDEXED BY deliveries_by_ticket
     WHERE ticket_id = ? AND status = 'queued' AND push_subscription_id = ? AND claimed_until <= ? LIMIT 1`,
  ).get(ticketId, subscriptionId, now)?.id;
}
