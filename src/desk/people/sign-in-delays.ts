// Wrong passwords and codes make the next attempt wait (docs/spec/people.md#guessing).

import { DeskError } from '../../domain/errors.ts';
import { delayAfter, strangersDelayAfter, strangersWorkAfter } from '../../domain/people/sign-in.ts';
import type { Tx } from '../../engine/database.ts';
import { agentByEmail } from '../../store/people/agents.ts';
import { addSignInFailure, clearSignInFailures, signInFailures } from '../../store/people/sign-in-failures.ts';
import type { Context } from '../context.ts';
import type { KnownBrowser } from './known-browsers.ts';

export interface Guesser {
  network: string;
  sessionId: number | null;
  browser: KnownBrowser | null;
}

type Guessed = 'password' | 'code';

interface Count {
  fingerprint: string;
  delayAfter: (failures: number) => number;
}

const countOf = (ctx: Context, ...words: readonly (string | number)[]): Count => ({
  fingerprint: ctx.seal.fingerprint('sign-in', words.join(' ')),
  delayAfter,
});

const strangersCount = (ctx: Context, email: string): Count => ({
  ...countOf(ctx, 'strangers', email.toLowerCase()),
  delayAfter: strangersDelayAfter,
});

/** How much work spares a stranger the delay of all strangers at this address. */
export function strangersWork(tx: Tx, ctx: Context, email: string): number {
  return strangersWorkAfter(signInFailures(tx, strangersCount(ctx, email).fingerprint)?.failures ?? 0);
}

function countsOf(tx: Tx, ctx: Context, email: string, guesser: Guesser, guessed: Guessed): [Count, ...Count[]] {
  const { network, sessionId, browser } = guesser;
  const typed = email.toLowerCase();
  const agentId = agentByEmail(tx, email)?.id;
  const count = (...words: readonly (string | number)[]) => countOf(ctx, ...words);
  if (sessionId !== null) return [count('session', sessionId)];
  if (browser !== null && browser.agentId === agentId) return [count('browser', browser.name)];
  // Who comes so far knows the password, and a code is short: all strangers count together.
  if (guessed === 'code') return [count('code', typed)];
  return [count('network', network, typed), strangersCount(ctx, email)];
}

/**
 * @param hasWorked with a proof of work: then the failures of other strangers count for nothing, so that a crowd that
 *   guesses keeps no one out. One's own still do
 */
export function requireNoDelay(
  tx: Tx,
  ctx: Context,
  email: string,
  guesser: Guesser,
  guessed: Guessed,
  hasWorked = false,
): void {
  const [ownMs, strangersMs = 0] = countsOf(tx, ctx, email, guesser, guessed).map((count) => {
    const last = signInFailures(tx, count.fingerprint);
    // A clock that was set back must not make anyone wait longer.
    if (last === undefined || last.failedAt > ctx.now) return 0;
    return last.failedAt + count.delayAfter(last.failures) - ctx.now;
  }) as [number, number?];
  const waitMs = hasWorked ? ownMs : Math.max(ownMs, strangersMs);
  if (waitMs <= 0) return;
  throw new DeskError('rate_limited', 'Too many wrong attempts; wait a little.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
    ...(ownMs <= 0 ? { reason: 'proof_wanted' } : {}),
  });
}

export function noteFailure(tx: Tx, ctx: Context, email: string, guesser: Guesser, guessed: Guessed): void {
  for (const { fingerprint } of countsOf(tx, ctx, email, guesser, guessed)) addSignInFailure(tx, fingerprint, ctx.now);
}

/** After a complete sign-in: a right password by itself must not make room for guessing codes. */
export function forgetFailures(tx: Tx, ctx: Context, email: string, guesser: Guesser): void {
  for (const guessed of ['password', 'code'] as const)
    clearSignInFailures(tx, countsOf(tx, ctx, email, guesser, guessed)[0].fingerprint);
}
