// Failed sign-ins in a row make the next one wait (docs/spec/people.md#sessions).

import { DeskError } from '../../domain/errors.ts';
import { delayAfter } from '../../domain/sign-in.ts';
import type { Tx } from '../../store/database.ts';
import { addSignInFailure, clearSignInFailures, signInFailures } from '../../store/sign-in-failures.ts';
import type { Context } from '../context.ts';

const fingerprintOf = (ctx: Context, email: string) => ctx.seal.fingerprint('sign-in', email.toLowerCase());

/** 429 while the address has to wait, whether or not it is an agent's. */
export function requireNoDelay(tx: Tx, ctx: Context, email: string): void {
  const last = signInFailures(tx, fingerprintOf(ctx, email));
  if (last === undefined) return;
  const waitMs = last.failedAt + delayAfter(last.failures) - ctx.now;
  // A clock that was set back must not make anyone wait longer.
  if (waitMs <= 0 || last.failedAt > ctx.now) return;
  throw new DeskError('rate_limited', 'Too many wrong attempts; wait a little.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

export function noteFailure(tx: Tx, ctx: Context, email: string): void {
  addSignInFailure(tx, fingerprintOf(ctx, email), ctx.now);
}

/** After a complete sign-in: a right password alone must not make room for guessing codes. */
export function forgetFailures(tx: Tx, ctx: Context, email: string): void {
  clearSignInFailures(tx, fingerprintOf(ctx, email));
}
