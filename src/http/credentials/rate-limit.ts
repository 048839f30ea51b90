// How often a caller may ask: an exact sliding window, kept in memory (docs/spec/behaviour.md#limits).

import type { Instant } from '../../base/clock.ts';

const windowMs = 60_000;
// Enough for any honest desk, and a limit on what a stranger with many addresses can make the desk remember.
const maxKeys = 50_000;

export interface Allowance {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  resetAt: Instant;
}

interface RateLimiter {
  take(key: string, now: Instant): Allowance;
  look(key: string, now: Instant): Allowance;
}

/** @param limit requests in any stretch of 60 seconds; 0 turns the limit off */
export function createRateLimiter(limit: number): RateLimiter {
  // The moments of the last `limit` requests let through, oldest first.
  const keys = new Map<string, Instant[]>();
  const unlimited = (now: Instant) => ({
    isAllowed: true,
    limit: 0,
    remaining: Number.POSITIVE_INFINITY,
    resetAt: now,
  });

  function forget(moments: Instant[], now: Instant): void {
    // A clock that was set back must not lock callers out.
    while (moments.length > 0 && ((moments[0] ?? 0) <= now - windowMs || (moments[0] ?? 0) > now)) moments.shift();
  }

  const allowanceOf = (moments: Instant[], isAllowed: boolean, now: Instant) => ({
    isAllowed,
    limit,
    remaining: limit - moments.length,
    resetAt: (moments[0] ?? now) + windowMs,
  });

  return {
    take(key, now) {
      if (limit === 0) return unlimited(now);
      let moments = keys.get(key);
      if (moments) keys.delete(key);
      else {
        moments = [];
        if (keys.size >= maxKeys) {
          for (const [oldest] of keys) {
            keys.delete(oldest);
            break;
          }
        }
      }
      keys.set(key, moments);
      forget(moments, now);
      const isAllowed = moments.length < limit;
      if (isAllowed) moments.push(now);
      return allowanceOf(moments, isAllowed, now);
    },
    look(key, now) {
      if (limit === 0) return unlimited(now);
      const moments = keys.get(key) ?? [];
      forget(moments, now);
      return allowanceOf(moments, moments.length < limit, now);
    },
  };
}

export interface RateLimits {
  ingestCaller: RateLimiter;
  ingestSite: RateLimiter;
  other: RateLimiter;
  inbound: RateLimiter;
  authFailures: RateLimiter;
  signInFailures: RateLimiter;
  session: RateLimiter;
}

/** The headers that clients of Laravel's and GitHub's APIs read; of several limits, the one that is nearest. */
export function rateLimitHeaders(allowances: readonly Allowance[], now: Instant): Record<string, string> {
  const counted = allowances.filter(({ limit }) => limit > 0);
  const refused = counted.find(({ isAllowed }) => !isAllowed);
  const nearest =
    refused ?? counted.reduce<Allowance | undefined>((a, b) => (a && a.remaining <= b.remaining ? a : b), undefined);
  if (!nearest) return {};
  const headers: Record<string, string> = {
    'X-RateLimit-Limit': String(nearest.limit),
    'X-RateLimit-Remaining': String(nearest.remaining),
  };
  if (!nearest.isAllowed) {
    headers['Retry-After'] = String(Math.max(1, Math.ceil((nearest.resetAt - now) / 1000)));
    headers['X-RateLimit-Reset'] = String(Math.ceil(nearest.resetAt / 1000));
  }
  return headers;
}
