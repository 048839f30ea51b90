// What waits for an answer within five minutes: a new passkey, and the second half of a sign-in.

import { hashSecret, randomSecret } from '../../base/crypto.ts';
import type { AgentActor } from '../../domain/actor.ts';
import { DeskError } from '../../domain/errors.ts';
import {
  type ChallengePurpose,
  challengeLifetimeMs,
  type SecondFactor,
  type SignInMethod,
} from '../../domain/people/sign-in.ts';
import type { Tx } from '../../engine/database.ts';
import type { Agent } from '../../store/people/agents.ts';
import { type Challenge, challengeByHash, deleteChallenge, insertChallenge } from '../../store/people/challenges.ts';
import type { Context } from '../context.ts';
import { secondFactorsOf } from './second-factors.ts';

interface Waiting {
  agentId: number | null;
  sessionId: number | null;
  /** How the first half was done. */
  method: SignInMethod;
}

function begin(tx: Tx, ctx: Context, purpose: ChallengePurpose, { agentId, sessionId, method }: Waiting): string {
  const challenge = randomSecret('hdc');
  insertChallenge(tx, {
    purpose,
    agentId,
    sessionId,
    tokenHash: hashSecret(challenge),
    dataSealed: ctx.seal.seal(JSON.stringify({ method })),
    createdAt: ctx.now,
    expiresAt: ctx.now + challengeLifetimeMs,
  });
  return challenge;
}

export function beginPasskeyRegistration(tx: Tx, ctx: Context, { agentId, sessionId }: AgentActor): string {
  return begin(tx, ctx, 'passkey_registration', { agentId, sessionId, method: 'passkey' });
}

export function beginPasskeySignIn(tx: Tx, ctx: Context): string {
  return begin(tx, ctx, 'passkey_sign_in', { agentId: null, sessionId: null, method: 'passkey' });
}

/** After the first half of a sign-in: what the agent is asked for, or null when nothing more is needed. */
export function askForSecondFactor(
  tx: Tx,
  ctx: Context,
  agent: Agent,
  method: SignInMethod,
): { challenge: string; factors: SecondFactor[] } | null {
  const factors = secondFactorsOf(tx, agent.id);
  if (factors.length === 0) return null;
  return { challenge: begin(tx, ctx, 'second_factor', { agentId: agent.id, sessionId: null, method }), factors };
}

function challengeExpired(): DeskError {
  return new DeskError('unauthenticated', 'This took too long, or was answered already. Begin again.', {
    reason: 'challenge_expired',
  });
}

/** Throws when it was answered, or its time is over. */
export function findChallenge(tx: Tx, ctx: Context, token: string, purposes: readonly ChallengePurpose[]): Challenge {
  for (const purpose of purposes) {
    const found = challengeByHash(tx, purpose, hashSecret(token), ctx.now);
    if (found) return found;
  }
  throw challengeExpired();
}

/** How the sign-in began that this challenge belongs to. */
export function firstHalfOf(ctx: Context, { dataSealed }: Challenge): SignInMethod {
  return JSON.parse(ctx.seal.open(dataSealed)).method;
}

/** Uses up the challenge of a registration that this session began. */
export function takeRegistration(tx: Tx, ctx: Context, actor: AgentActor, token: string): void {
  const challenge = findChallenge(tx, ctx, token, ['passkey_registration']);
  if (challenge.sessionId !== actor.sessionId) throw challengeExpired();
  deleteChallenge(tx, challenge.id);
}
