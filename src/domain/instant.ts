// Moments and lengths of time as the whole product counts them.

/** Milliseconds since 1970-01-01T00:00Z, an integer. */
export type Instant = number;

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
