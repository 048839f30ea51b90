// Failed sign-ins in a row, by a fingerprint of what was typed as the address.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

interface SignInFailures {
  failures: number;
  failedAt: Instant;
}

export function signInFailures(tx: Tx, fingerprint: string): SignInFailures | undefined {
  return (
    query<SignInFailures>(tx, 'SELECT failures, failed_at AS failedAt FROM sign_in_failures WHERE fingerprint = ?').get(
      fingerprint,
    ) ?? undefined
  );
}

export const addSignInFailure = statement(`INSERT INTO sign_in_failures VALUES (?1, 1, ?2)
     ON CONFLICT DO UPDATE SET failures = failures + 1, failed_at = ?2`).run<[fingerprint: string, now: Instant]>;

export const clearSignInFailures = statement('DELETE FROM sign_in_failures WHERE fingerprint = ?').run<
  [fingerprint: string]
>;

export const purgeSignInFailures = statement(
  'DELETE FROM sign_in_failures WHERE fingerprint IN (SELECT fingerprint FROM sign_in_failures WHERE failed_at <= ? LIMIT ?)',
).run<[before: Instant, limit: number]>;
