// Moments in the reader's zone: the desk does not know it, and writes UTC.

import { dateAndTime } from '../shared/format.ts';

export function writeLocalTimes(within: ParentNode): void {
  for (const time of within.querySelectorAll('time')) time.textContent = dateAndTime(time.dateTime);
}
