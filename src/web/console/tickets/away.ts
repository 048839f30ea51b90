// Whether a colleague is there, for menus.

import { now } from '../../shared/clock.ts';
import { dateAndTime } from '../../shared/format.ts';
import { t } from '../on-demand-messages.ts';
import type { Colleague } from '../wire.ts';

type Seen = Pick<Colleague, 'is_available' | 'away_until' | 'away_note'>;

export const isAway = ({ is_available: isThere, away_until: until }: Seen): boolean =>
  !isThere && (until === null || now() < Date.parse(until));

/** Null for who is there. */
export function awayText(agent: Seen): string | null {
  if (!isAway(agent)) return null;
  const away = agent.away_until === null ? t.away : t.awayUntil(dateAndTime(agent.away_until));
  return agent.away_note === null ? away : `${away} (${agent.away_note})`;
}
