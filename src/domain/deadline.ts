// A deadline in words, the same in chat messages and mail.

import { clockNames, type SlaClock } from './sla-clock.ts';

export interface Deadline {
  type: SlaClock;
  minutesRemaining: number;
  dueAt: number;
}

/** `The first response is due in 24 minutes (2026-09-11 09:30 UTC).` */
export function deadlineInWords(deadline: Deadline): string {
  const what = clockNames[deadline.type];
  const minutes = Math.abs(Math.trunc(deadline.minutesRemaining));
  const span = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const due = momentInWords(deadline.dueAt);
  if (minutes === 0) return `The ${what} is due now (${due}).`;
  return deadline.minutesRemaining > 0
    ? `The ${what} is due in ${span} (${due}).`
    : `The ${what} was due ${span} ago (${due}).`;
}

export function momentInWords(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
