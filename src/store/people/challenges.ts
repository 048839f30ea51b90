// Sign-ins that wait for their second half.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { ChallengePurpose } from '../../domain/people/sign-in.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { challenges } from '../schema/agents.ts';

export type Challenge = InferSelectModel<typeof challenges>;

export const insertChallenge = insertInto(challenges);

export const challengeByHash = selectFrom(challenges, 'WHERE purpose = ? AND token_hash = ? AND expires_at > ?').get<
  [purpose: ChallengePurpose, hash: string, now: Instant]
>;

export const deleteChallenge = statement('DELETE FROM challenges WHERE id = ?').run<[id: number]>;

export const deleteChallengesOfAgent = statement('DELETE FROM challenges WHERE agent_id = ?').run<[agentId: number]>;

export const purgeChallenges = statement(
  'DELETE FROM challenges WHERE id IN (SELECT id FROM challenges WHERE expires_at <= ? LIMIT ?)',
).run<[now: Instant, limit: number]>;
