// Moments and lengths of time as the whole product counts them.

/** Milliseconds since 1970-01-01T00:00Z, an integer. */
export type Instant = number;

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A calendar date that exists, as `2026-02-28`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** RFC 3339, or a date alone, which is its first moment in UTC; null for anything else, and for a day that no month has. */
export function parseTime(text: string): Instant | null {
  // Date.parse alone takes "1" for a year and 30 February for 2 March.
  const isTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i.test(text);
  const at = isTime && isDate(text.slice(0, 10)) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
