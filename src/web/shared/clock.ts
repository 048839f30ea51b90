// The time in the browser, and chance.

export function now(): number {
  return Date.now();
}

/** When the day began in the time of the browser, or one some days ago. */
export function dayStart(at: number, daysAgo = 0): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
}

/** From 0 up to 1. */
export function chance(): number {
  return Math.random();
}

export interface Timer {
  now(): number;
  /** Runs `act` later, unless the returned function is called before. */
  later(ms: number, act: () => void): () => void;
}

export const timer: Timer = {
  now,
  later(ms, act) {
    const id = setTimeout(act, ms);
    return () => clearTimeout(id);
  },
};
