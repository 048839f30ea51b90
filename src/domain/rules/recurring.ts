// When a recurring ticket is opened next: cron, in the time zone of its site.

import { Cron } from 'croner';
import type { Instant } from '../instant.ts';

const fiveFields = /^\s*\S+(?:\s+\S+){4}\s*$/;

/** Null: never again. Throws what is wrong with the schedule, for a reader. */
export function nextRun(schedule: string, timezone: string, after: Instant): Instant | null {
  // A sixth field would be seconds.
  if (!fiveFields.test(schedule)) throw new SyntaxError('must have five fields: minute, hour, day, month and weekday.');
  let cron: Cron;
  try {
    cron = new Cron(schedule, { timezone, paused: true });
  } catch {
    throw new SyntaxError('is not a schedule of cron, such as 0 9 * * 1.');
  }
  return cron.nextRun(new Date(after))?.getTime() ?? null;
}
