// Sign-ins that wait for their second half.

import { and, eq, gt, type InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { ChallengePurpose } from '../domain/sign-in.ts';
import { query, type Tx } from './database.ts';
import { challenges } from './schema/agents.ts';
import { insertInto } from './statements.ts';

export type Challenge = InferSelectModel<typeof challenges>;

export const insertChallenge = insertInto(challenges);

export function challengeByHash(tx: Tx, purpose: ChallengePurpose, hash: string, now: Instant): Challenge | undefined {
  return tx.db
    .select()
    .from(challenges)
    .where(and(eq(challenges.tokenHash, hash), eq(challenges.purpose, purpose), gt(challenges.expiresAt, now)))
    .get();
}

export function deleteChallenge(tx: Tx, id: number): void {
  tx.db.delete(challenges).where(eq(challenges.id, id)).run();
}

export function deleteChallengesOfAgent(tx: Tx, agentId: number): void {
  tx.db.delete(challenges).where(eq(challenges.agentId, agentId)).run();
}

export function purgeChallenges(tx: Tx, now: Instant, limit: number): number {
  return query(tx, 'DELETE FROM challenges WHERE id IN (SELECT id FROM challenges WHERE expires_at <= ? LIMIT ?)').run(
    now,
    limit,
  ).changes;
}
