// A deadline in words, the same in chat messages and mail.

import { clockNames, type SlaClock } from './clock.ts';

const manyDays = 7;

export interface Deadline {
  type: SlaClock;
  minutesRemaining: number;
  dueAt: number;
}

/** `The first response is due in 24 minutes (2026-09-11 09:30 UTC).` */
export function deadlineInWords(deadline: Deadline): string {
  const what = clockNames[deadline.type];
  const isLate = deadline.minutesRemaining <= -1;
  return `The ${what} ${isLate ? 'was' : 'is'} due ${whenInWords(deadline.minutesRemaining)} (${momentInWords(deadline.dueAt)}).`;
}

const steps = [
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** `in 24 minutes`, `now`, `3 days and 4 hours ago`: no more than two units, and none that no one reads. */
export function whenInWords(minutes: number): string {
  let left = Math.abs(Math.trunc(minutes));
  if (left === 0) return 'now';
  const first = steps.findIndex(([, length]) => left >= length);
  const isLong = left >= manyDays * 1440;
  const parts = steps.slice(first, isLong ? first + 1 : first + 2).flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  });
  const span = parts.join(' and ');
  return minutes > 0 ? `in ${span}` : `${span} ago`;
}

export function momentInWords(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
