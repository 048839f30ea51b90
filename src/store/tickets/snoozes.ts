// Tickets whose snooze is over.

import type { Instant } from '../../base/clock.ts';
import { statement } from '../../engine/statements.ts';
import { notSetAside } from './ticket-faults.ts';

export const snoozesOverText = `SELECT id FROM tickets INDEXED BY tickets_snoozed WHERE snoozed_until <= ?1
  AND site_id NOT IN (SELECT site_id FROM site_removals) AND ${notSetAside('snooze')} ORDER BY snoozed_until LIMIT ?2`;

export const snoozesOver = statement(snoozesOverText).column<number, [now: Instant, limit: number]>;
