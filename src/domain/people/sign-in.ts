// How long sessions and links live, and how long a failed sign-in makes the next one wait (docs/spec/people.md#sessions).

import type { Ability } from '../actor.ts';
import { dayMs, hourMs, minuteMs } from '../instant.ts';
import type { SecondFactorPolicy } from './preferences.ts';

const signInMethods = ['password', 'passkey', 'oidc', 'link', 'setup', 'invitation', 'reset'] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const sessionLimits = { unusedMs: 14 * dayMs, longestMs: 90 * dayMs, confirmedMs: 15 * minuteMs } as const;

const linkPurposes = ['setup', 'invitation', 'reset', 'sign_in'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** A setup link lives until it is used or the desk starts again. */
export const linkLifetimesMs = {
  setup: 36_500 * dayMs,
  invitation: 7 * dayMs,
  reset: hourMs,
  sign_in: 15 * minuteMs,
} as const satisfies Record<LinkPurpose, number>;

/** What an agent can be asked for besides a password, the usual one first. */
export const secondFactors = ['totp', 'passkey', 'recovery_code'] as const;
export type SecondFactor = (typeof secondFactors)[number];

export type ChallengePurpose = 'second_factor' | 'passkey_sign_in' | 'passkey_registration' | 'oidc';

export const challengeLifetimeMs = 5 * minuteMs;

export const knownBrowserMs = 365 * dayMs;

export function sessionEndsAt({ createdAt, lastUsedAt }: { createdAt: number; lastUsedAt: number }): number {
  return Math.min(lastUsedAt + sessionLimits.unusedMs, createdAt + sessionLimits.longestMs);
}

export function needsSecondFactor(policy: SecondFactorPolicy, abilities: readonly Ability[]): boolean {
  return policy === 'everyone' || (policy === 'managers' && abilities.includes('manage'));
}

const freeFailures = 4;
const longestDelayMs = minuteMs;

/** The delay after this many failures in a row: a second from the fifth on, doubling up to a minute. */
export function delayAfter(failures: number): number {
  if (failures <= freeFailures) return 0;
  return Math.min(1000 * 2 ** Math.min(failures - freeFailures - 1, 20), longestDelayMs);
}

const strangersFailures = 50;
const strangersDelayMs = 5000;

export function strangersDelayAfter(failures: number): number {
  return failures < strangersFailures ? 0 : strangersDelayMs;
}

const guessesAtFirst = 100_000;
export const mostSignInWork = 16 * guessesAtFirst;

/** What a browser must guess at most, half of it on average, to be spared the delay of all strangers: the more have failed, the more. */
export function strangersWorkAfter(failures: number): number {
  return Math.min(guessesAtFirst * Math.max(1, Math.floor(failures / strangersFailures)), mostSignInWork);
}
