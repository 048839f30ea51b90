// Failed sign-ins in a row, by a fingerprint of what was typed as the address.

import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';

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

export function addSignInFailure(tx: Tx, fingerprint: string, now: Instant): void {
  query(
    tx,
    `INSERT INTO sign_in_failures VALUES (?1, 1, ?2)
     ON CONFLICT DO UPDATE SET failures = failures + 1, failed_at = ?2`,
  ).run(fingerprint, now);
}

export function clearSignInFailures(tx: Tx, fingerprint: string): void {
  query(tx, 'DELETE FROM sign_in_failures WHERE fingerprint = ?').run(fingerprint);
}

export function purgeSignInFailures(tx: Tx, before: Instant, limit: number): number {
  return query(
    tx,
    'DELETE FROM sign_in_failures WHERE fingerprint IN (SELECT fingerprint FROM sign_in_failures WHERE failed_at <= ? LIMIT ?)',
  ).run(before, limit).changes;
}
