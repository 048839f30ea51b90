// Timed rules: what they wait for, and up to which moment it has been long enough.

import type { Instant } from '../instant.ts';
import { minuteMs } from '../instant.ts';
import { type Calendar, workingTimeBetween } from '../sla/calendar.ts';

export const timedSinces = [
  'created',
  'last_customer_message',
  'last_agent_message',
  'status_changed',
  'assigned',
] as const;
export type TimedSince = (typeof timedSinces)[number];

export const timedTimes = ['calendar', 'working'] as const;
export type TimedTime = (typeof timedTimes)[number];

export const mostTimedMinutes = 366 * 24 * 60;

// Working time of a year, for those who work a few hours a week.
const longestMs = 8 * mostTimedMinutes * minuteMs;
const precisionMs = 1000;

/** The newest moment since which so much time has passed: it never goes back while the time goes on. */
export function longEnough(now: Instant, minutes: number, time: TimedTime, calendar: Calendar): Instant {
  const neededMs = minutes * minuteMs;
  if (time === 'calendar' || calendar.zone === null) return now - neededMs;
  const isEnough = (from: Instant) => workingTimeBetween(calendar, from, now) >= neededMs;
  // A calendar is compiled as far as it is asked for.
  let spanMs = 2 * neededMs;
  while (!isEnough(now - spanMs)) {
    if (spanMs > longestMs) return 0;
    spanMs *= 2;
  }
  let [early, late] = [now - spanMs, now];
  while (late - early > precisionMs) {
    const middle = Math.floor((early + late) / 2);
    if (isEnough(middle)) early = middle;
    else late = middle;
  }
  return early;
}
