// Sessions of agents: started, renewed, confirmed and ended (docs/spec/people.md#sessions).

import type { Instant } from '../../base/clock.ts';
import { randomSecret, type Seal } from '../../base/crypto.ts';
import { type Actor, type AgentActor, isSameScope, scopeOfAgent, scopeOfToken } from '../../domain/actor.ts';
import { DeskError, notFound } from '../../domain/errors.ts';
import type { CredentialUse } from '../../domain/people/credential-use.ts';
import { abilitiesOf } from '../../domain/people/roles.ts';
import { needsSecondFactor, type SignInMethod, sessionLimits } from '../../domain/people/sign-in.ts';
import type { Tx } from '../../engine/database.ts';
import { type Agent, agentById } from '../../store/people/agents.ts';
import { deleteChallengesOfAgent } from '../../store/people/challenges.ts';
import {
  deleteSession,
  deleteSessionsOfAgent,
  insertSession,
  markSessionUsed,
  type Session,
  type SignedIn,
  sessionsBeyond,
  sessionsOfAgent,
  signedInByHash,
  signedInById,
  updateSession,
} from '../../store/people/sessions.ts';
import { deleteSignInLinksOfAgent } from '../../store/people/sign-in-links.ts';
import { markTeamTokenUsed, teamTokenRows } from '../../store/people/team-tokens.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';

const hashOf = (seal: Seal, secret: string) => seal.fingerprint('session', secret);

export function actorOf(session: SignedIn): AgentActor {
  return {
    kind: 'agent',
    agentId: session.agentId,
    name: session.name,
    role: session.role,
    abilities: abilitiesOf(session.role),
    scope: scopeOfAgent(session),
    sessionId: session.id,
  };
}

export function signedInBySecret(
  tx: Tx,
  seal: Seal,
  secret: string,
  now: Instant,
): { actor: AgentActor; session: SignedIn } | undefined {
  const session = signedInByHash(tx, hashOf(seal, secret), now);
  return session && { actor: actorOf(session), session };
}

/** For the address of a frame: no other site's page knows it. */
export function frameToken(seal: Seal, sessionId: number): string {
  return seal.sign('frame', String(sessionId));
}

/** Whether a session's agent must add a second factor before they can do anything else. */
export function mustAddSecondFactor({ role, policy, hasSecondFactor }: SignedIn): boolean {
  return !hasSecondFactor && needsSecondFactor(policy, abilitiesOf(role));
}

/** Until when the session can do what needs a recent password or factor. */
export function confirmedUntil({ confirmedAt }: SignedIn): Instant | null {
  return confirmedAt === null ? null : confirmedAt + sessionLimits.confirmedMs;
}

/** 403 unless a password or factor was entered lately. */
export function requireConfirmed(ctx: Context, session: SignedIn): void {
  const until = confirmedUntil(session) ?? 0;
  // A clock that was set back must not keep a session confirmed for longer.
  if (ctx.now < until && (session.confirmedAt ?? 0) <= ctx.now + sessionLimits.confirmedMs) return;
  throw new DeskError('forbidden', 'Enter your password or a code again to continue.', { reason: 'confirm_identity' });
}

/** Whether a token or session still allows what it allowed when its request or stream began. */
function isUnchanged(tx: Tx, actor: Actor, now: Instant): boolean {
  switch (actor.kind) {
    case 'token': {
      const token = teamTokenRows.get(tx, actor.tokenId);
      if (token === undefined || (token.expiresAt !== null && token.expiresAt <= now)) return false;
      const isSame = actor.abilities.every((ability) => token.abilities.includes(ability));
      return isSame && isSameScope(actor.scope, scopeOfToken(token.siteId));
    }
    case 'agent': {
      const session = signedInById(tx, actor.sessionId, now);
      return session !== undefined && session.role === actor.role && isSameScope(actor.scope, scopeOfAgent(session));
    }
    default:
      return false;
  }
}

/** Whether a stream can go on: a desk can begin to require a second factor while it is open. */
export function canGoOn(tx: Tx, actor: Actor, now: Instant): boolean {
  if (!isUnchanged(tx, actor, now)) return false;
  const session = actor.kind === 'agent' ? signedInById(tx, actor.sessionId, now) : undefined;
  return session === undefined || !mustAddSecondFactor(session);
}

/** Refuses a write whose token or session has ended or changed since its request began. */
export function requireUnchanged(tx: Tx, { actor, now }: Context): void {
  if (actor.kind !== 'token' && actor.kind !== 'agent') return;
  if (!isUnchanged(tx, actor, now))
    throw new DeskError('forbidden', 'This credential has ended or changed during the request. Try again.', {
      reason: 'credential_changed',
    });
}

export interface Browser {
  browser: string | null;
  system: string | null;
}

interface Start extends Browser {
  method: SignInMethod;
  hasSecondFactor: boolean;
  /** The browser's session until now. */
  formerSession: number | null;
}

export interface Started {
  session: SignedIn;
  /** For the cookie; it is shown only here. */
  secret: string;
}

// A script that signs in again and again must not fill the database.
const mostSessions = 100;

/** Every session of an agent, links that would start one, and sign-ins under way. */
export function endEverySession(tx: Tx, agentId: number): void {
  deleteSessionsOfAgent(tx, agentId, null);
  deleteSignInLinksOfAgent(tx, agentId);
  deleteChallengesOfAgent(tx, agentId);
}

export function startSession(tx: Tx, ctx: Context, agent: Agent, start: Start): Started {
  if (!agent.isActive) throw notFound('agent');
  if (start.formerSession !== null) deleteSession(tx, start.formerSession);
  for (const id of sessionsBeyond(tx, agent.id, mostSessions - 1)) deleteSession(tx, id);
  const secret = randomSecret('hdp');
  const { method, hasSecondFactor, browser, system } = start;
  const id = insertSession(tx, {
    agentId: agent.id,
    tokenHash: hashOf(ctx.seal, secret),
    method,
    hasSecondFactor,
    address: ctx.address ?? '',
    browser,
    system,
    confirmedAt: ctx.now,
    lastUsedAt: ctx.now,
    createdAt: ctx.now,
  });
  markSessionUsed(tx, id, ctx.now);
  const session = signedInById(tx, id, ctx.now);
  if (!session) throw new Error('a new session is not there');
  audit(tx, ctx, {
    action: 'session.started',
    target: { type: 'agent', id: agent.id, name: agent.name },
    actor: actorOf(session),
    after: { method, secondFactor: hasSecondFactor, browser, system },
  });
  return { session, secret };
}

/** A new token for a session whose rights have grown. The old one opens nothing any more. */
export function renewSession(tx: Tx, ctx: Context, id: number, change: Partial<Session> = {}): Started {
  const secret = randomSecret('hdp');
  updateSession(tx, id, { ...change, tokenHash: hashOf(ctx.seal, secret), confirmedAt: ctx.now });
  const session = signedInById(tx, id, ctx.now);
  if (!session) throw new DeskError('unauthenticated', 'This session has ended. Sign in again.');
  return { session, secret };
}

export function confirmSession(tx: Tx, ctx: Context, id: number): SignedIn {
  updateSession(tx, id, { confirmedAt: ctx.now });
  const session = signedInById(tx, id, ctx.now);
  if (!session) throw new DeskError('unauthenticated', 'This session has ended. Sign in again.');
  return session;
}

/** Of the actor's own sessions; 404 for any other. */
export function endSession(tx: Tx, ctx: Context, { agentId, name }: AgentActor, id: number): void {
  const session = sessionsOfAgent(tx, agentId).find((one) => one.id === id);
  if (!session) throw notFound('session');
  deleteSession(tx, id);
  audit(tx, ctx, {
    action: 'session.ended',
    target: { type: 'agent', id: agentId, name },
    before: { browser: session.browser, system: session.system },
  });
}

export function endOtherSessions(tx: Tx, ctx: Context, actor: AgentActor): void {
  for (const { id } of sessionsOfAgent(tx, actor.agentId)) if (id !== actor.sessionId) endSession(tx, ctx, actor, id);
}

export function ownAgent(tx: Tx, { agentId }: AgentActor): Agent {
  const agent = agentById(tx, agentId);
  if (!agent) throw notFound('agent');
  return agent;
}

const mark = { token: markTeamTokenUsed, session: markSessionUsed } as const;

/** When tokens and sessions were last used, written in batches. */
export function noteCredentialUses(tx: Tx, uses: readonly CredentialUse[]): void {
  for (const { kind, id, at } of uses) mark[kind](tx, id, at);
}
