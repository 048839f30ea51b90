// Who is there. Nothing runs when an absence ends: each reader compares with the time.

import type { Instant } from '../instant.ts';

interface Availability {
  isAway: boolean;
  /** When the absence ends by itself; null: when someone says so. */
  awayUntil: Instant | null;
  awayNote: string | null;
}

export const isAwayAt = ({ isAway, awayUntil }: Availability, now: Instant): boolean =>
  isAway && (awayUntil === null || now < awayUntil);
