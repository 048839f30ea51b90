// Tickets whose snooze is over.

import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';
import { notSetAside } from './tickets-set-aside.ts';

export const snoozesOverText = `SELECT id FROM tickets INDEXED BY tickets_snoozed WHERE snoozed_until <= ?1
  AND site_id NOT IN (SELECT site_id FROM site_removals) AND ${notSetAside('snooze')} ORDER BY snoozed_until LIMIT ?2`;

export function snoozesOver(tx: Tx, now: Instant, limit: number): number[] {
  return query<{ id: number }>(tx, snoozesOverText)
    .all(now, limit)
    .map(({ id }) => id);
}
