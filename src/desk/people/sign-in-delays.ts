// Wrong passwords and codes make the next attempt wait (docs/spec/people.md#guessing).

import { DeskError } from '../../domain/errors.ts';
import { delayAfter, strangersDelayAfter } from '../../domain/people/sign-in.ts';
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

function countsOf(tx: Tx, ctx: Context, email: string, guesser: Guesser, guessed: Guessed): [Count, ...Count[]] {
  const { network, sessionId, browser } = guesser;
  const typed = email.toLowerCase();
  const agentId = agentByEmail(tx, email)?.id;
  const count = (...words: readonly (string | number)[]): Count => ({
    fingerprint: ctx.seal.fingerprint('sign-in', words.join(' ')),
    delayAfter,
  });
  if (sessionId !== null) return [count('session', sessionId)];
  if (browser !== null && browser.agentId === agentId) return [count('browser', browser.name)];
  // Who comes so far knows the password, and a code is short: all strangers count together.
  if (guessed === 'code') return [count('code', typed)];
  return [count('network', network, typed), { ...count('strangers', typed), delayAfter: strangersDelayAfter }];
}

export function requireNoDelay(tx: Tx, ctx: Context, email: string, guesser: Guesser, guessed: Guessed): void {
  const waits = countsOf(tx, ctx, email, guesser, guessed).map((count) => {
    const last = signInFailures(tx, count.fingerprint);
    // A clock that was set back must not make anyone wait longer.
    if (last === undefined || last.failedAt > ctx.now) return 0;
    return last.failedAt + count.delayAfter(last.failures) - ctx.now;
  });
  const waitMs = Math.max(...waits);
  if (waitMs <= 0) return;
  throw new DeskError('rate_limited', 'Too many wrong attempts; wait a little.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

export function noteFailure(tx: Tx, ctx: Context, email: string, guesser: Guesser, guessed: Guessed): void {
  for (const { fingerprint } of countsOf(tx, ctx, email, guesser, guessed)) addSignInFailure(tx, fingerprint, ctx.now);
}

/** After a complete sign-in: a right password alone must not make room for guessing codes. */
export function forgetFailures(tx: Tx, ctx: Context, email: string, guesser: Guesser): void {
  for (const guessed of ['password', 'code'] as const)
    clearSignInFailures(tx, countsOf(tx, ctx, email, guesser, guessed)[0].fingerprint);
}
