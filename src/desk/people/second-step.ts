// The second half of a sign-in: a code or a passkey for a challenge (docs/spec/people.md#second-factors).

import type { AgentActor } from '../../domain/actor.ts';
import type { Tx } from '../../engine/database.ts';
import { type Agent, agentById } from '../../store/people/agents.ts';
import { deleteChallenge } from '../../store/people/challenges.ts';
import { passkeyByCredential } from '../../store/people/factors.ts';
import type { SignedIn } from '../../store/people/sessions.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { findChallenge, firstHalfOf } from './challenges.ts';
import { type FactorProof, spendFactor, wrongCode } from './second-factors.ts';
import { confirmSession, ownAgent, type Started, startSession } from './sessions.ts';
import type { Arrival } from './sign-in.ts';
import { forgetFailures, type Guesser, noteFailure, requireNoDelay } from './sign-in-delays.ts';

const ofSignIn = ['second_factor', 'passkey_sign_in'] as const;

function activeAgent(tx: Tx, id: number): Agent {
  const agent = agentById(tx, id);
  if (!agent?.isActive) throw wrongCode();
  return agent;
}

/** The agent who is asked for a second factor; null for a sign-in with only a passkey. */
export function agentAsked(tx: Tx, ctx: Context, challenge: string): Agent | null {
  const { agentId } = findChallenge(tx, ctx, challenge, ofSignIn);
  return agentId === null ? null : activeAgent(tx, agentId);
}

interface Answer {
  challenge: string;
  /** Null when the code or passkey was wrong. */
  proof: FactorProof | null;
}

/**
 * Null when the answer is wrong: thrown, it would take back that the failure was counted. Attempts come one after the other
 * here, so that no two share a free try.
 */
export function answerChallenge(tx: Tx, ctx: Context, answer: Answer, arrival: Arrival): Started | null {
  const { proof } = answer;
  const challenge = findChallenge(tx, ctx, answer.challenge, ofSignIn);
  const method = firstHalfOf(ctx, challenge);
  const agentId = challenge.agentId ?? ownerOf(tx, proof);
  if (agentId === null) {
    audit(tx, ctx, { action: 'session.refused', target: { type: 'agent', id: null }, after: { method } });
    return null;
  }
  const agent = activeAgent(tx, agentId);
  if (!isSpent(tx, ctx, agent, arrival.guesser, proof)) {
    audit(tx, ctx, {
      action: 'session.refused',
      target: { type: 'agent', id: agent.id, name: agent.name },
      after: { method, reason: 'second_factor' },
    });
    return null;
  }
  deleteChallenge(tx, challenge.id);
  return startSession(tx, ctx, agent, { method, hasSecondFactor: true, ...arrival });
}

/** With a factor instead of the password; null when it is wrong. @param challenge of a passkey */
export function confirmWithFactor(
  tx: Tx,
  ctx: Context,
  actor: AgentActor,
  guesser: Guesser,
  { challenge, proof }: { challenge: string | null; proof: FactorProof | null },
): SignedIn | null {
  const asked = challenge === null ? null : findChallenge(tx, ctx, challenge, ['passkey_sign_in']);
  if (!isSpent(tx, ctx, ownAgent(tx, actor), guesser, proof)) {
    audit(tx, ctx, {
      action: 'session.refused',
      target: { type: 'agent', id: actor.agentId, name: actor.name },
      after: { reason: 'second_factor' },
    });
    return null;
  }
  if (asked !== null) deleteChallenge(tx, asked.id);
  return confirmSession(tx, ctx, actor.sessionId);
}

function ownerOf(tx: Tx, proof: FactorProof | null): number | null {
  return proof?.kind === 'passkey' ? (passkeyByCredential(tx, proof.credentialId)?.agentId ?? null) : null;
}

/** No one can guess a passkey, so its owner need not wait for those who guess. */
function isSpent(tx: Tx, ctx: Context, agent: Agent, guesser: Guesser, proof: FactorProof | null): boolean {
  if (proof?.kind !== 'passkey') requireNoDelay(tx, ctx, agent.email, guesser, 'code');
  const isRight = proof !== null && spendFactor(tx, ctx, agent.id, proof);
  if (isRight) forgetFailures(tx, ctx, agent.email, guesser);
  else noteFailure(tx, ctx, agent.email, guesser, 'code');
  return isRight;
}
