// How fast the desk grows, from one figure a day, and when its disk would be full.

import { dayMs, type Instant } from './instant.ts';

export interface StorageDay {
  /** Since 1970. */
  day: number;
  databaseBytes: number;
  fileBytes: number;
  freeBytes: number;
}

export interface Growth {
  days: number;
  databaseBytesADay: number;
  fileBytesADay: number;
  /** Null where the free room does not shrink. What else fills the disk counts too. */
  fullAt: Instant | null;
}

export const dayOf = (at: Instant) => Math.floor(at / dayMs);

/** @param days oldest first. Null until there are two. */
export function growthOf(days: readonly StorageDay[]): Growth | null {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || first.day === last.day) return null;
  const count = last.day - first.day;
  const aDay = (of: (day: StorageDay) => number) => Math.round((of(last) - of(first)) / count);
  const filling = -aDay(({ freeBytes }) => freeBytes);
  return {
    days: count,
    databaseBytesADay: aDay(({ databaseBytes }) => databaseBytes),
    fileBytesADay: aDay(({ fileBytes }) => fileBytes),
    fullAt: filling > 0 ? Math.round((last.day + last.freeBytes / filling) * dayMs) : null,
  };
}
