// Signing in with a password or a link, and choosing a password (docs/spec/people.md#ways-to-sign-in).

import type { AgentActor } from '../../domain/actor.ts';
import { conflict, DeskError } from '../../domain/errors.ts';
import type { SecondFactor, SignInMethod } from '../../domain/people/sign-in.ts';
import type { Tx } from '../../engine/database.ts';
import { type Agent, agentByEmail, agentById, insertAgent, updateAgent } from '../../store/people/agents.ts';
import { deleteChallengesOfAgent } from '../../store/people/challenges.ts';
import { deleteSignInLinks } from '../../store/people/sign-in-links.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { askForSecondFactor } from './challenges.ts';
import {
  type Browser,
  confirmSession,
  endEverySession,
  endOtherSessions,
  ownAgent,
  renewSession,
  type Started,
  startSession,
} from './sessions.ts';
import { forgetFailures, type Guesser, noteFailure, requireNoDelay } from './sign-in-delays.ts';
import { hasOwner, useAgentLink, useLink } from './sign-in-links.ts';

export interface Arrival extends Browser {
  formerSession: number | null;
  guesser: Guesser;
}

export function wrongCredentials(): DeskError {
  return new DeskError('unauthenticated', 'The e-mail address or the password is wrong.', {
    reason: 'wrong_credentials',
  });
}

/** A session, or what is asked for before there is one. */
export type Entered =
  | { kind: 'started'; started: Started }
  | { kind: 'asked'; challenge: string; factors: readonly SecondFactor[] };

/** A session for an agent who has proved one thing, unless they have a second factor to prove too. */
export function enter(tx: Tx, ctx: Context, agent: Agent, method: SignInMethod, arrival: Arrival): Entered {
  const asked = askForSecondFactor(tx, ctx, agent, method);
  if (asked !== null) return { kind: 'asked', ...asked };
  forgetFailures(tx, ctx, agent.email, arrival.guesser);
  return { kind: 'started', started: startSession(tx, ctx, agent, { method, hasSecondFactor: false, ...arrival }) };
}

/** An active agent's hash; null for any other address. Refuses a guesser who has to wait. */
export function passwordHashFor(
  tx: Tx,
  ctx: Context,
  email: string,
  guesser: Guesser,
  hasWorked: boolean,
): string | null {
  requireNoDelay(tx, ctx, email, guesser, 'password', hasWorked);
  const agent = agentByEmail(tx, email);
  return agent?.isActive ? agent.passwordHash : null;
}

export function refusePassword(tx: Tx, ctx: Context, email: string, guesser: Guesser): void {
  noteFailure(tx, ctx, email, guesser, 'password');
  const agent = agentByEmail(tx, email);
  const target = { type: 'agent', id: agent?.id ?? null, name: agent?.name ?? null } as const;
  audit(tx, ctx, { action: 'session.refused', target, after: { method: 'password' } });
}

/** For a link or challenge that was refused: the step that refused it was taken back, with all that it wrote. */
export function noteRefusal(tx: Tx, ctx: Context, after: { method?: SignInMethod; reason: string }): void {
  const { actor } = ctx;
  const [id, name] = actor.kind === 'agent' ? [actor.agentId, actor.name] : [null, null];
  audit(tx, ctx, { action: 'session.refused', target: { type: 'agent', id, name }, after });
}

interface Proved {
  email: string;
  /** The hash that the password was checked against. */
  hash: string;
  /** The hash to keep from now on. */
  newHash: string | null;
}

/** For an agent whose password was right; null when it changed meanwhile. */
export function signInWithPassword(tx: Tx, ctx: Context, proved: Proved, arrival: Arrival): Entered | null {
  const agent = agentByEmail(tx, proved.email);
  if (!agent?.isActive || agent.passwordHash !== proved.hash) {
    refusePassword(tx, ctx, proved.email, arrival.guesser);
    return null;
  }
  if (proved.newHash !== null) updateAgent(tx, agent.id, { passwordHash: proved.newHash });
  return enter(tx, ctx, agent, 'password', arrival);
}

/** Asks for no second factor: it is for agents who have lost everything else. */
export function signInWithLink(tx: Tx, ctx: Context, secret: string, arrival: Arrival): Started {
  const agent = useAgentLink(tx, ctx, 'sign_in', secret);
  return startSession(tx, ctx, agent, { method: 'link', hasSecondFactor: false, ...arrival });
}

interface NewOwner {
  token: string;
  email: string;
  name: string;
  passwordHash: string;
}

/** The setup link makes an owner, also of an agent who was added without a way to sign in. */
export function setUp(tx: Tx, ctx: Context, { token, email, name, passwordHash }: NewOwner, arrival: Arrival): Started {
  useLink(tx, ctx, 'setup', token);
  if (hasOwner(tx)) throw conflict('This desk has an owner already. Sign in, or ask for an invitation.', 'has_owner');
  const known = agentByEmail(tx, email);
  const id = known?.id ?? insertAgent(tx, { email, name, role: 'owner', isActive: true, createdAt: ctx.now });
  updateAgent(tx, id, { name, role: 'owner', isActive: true, passwordHash });
  const agent = agentById(tx, id) as Agent;
  audit(tx, ctx, {
    action: known ? 'agent.updated' : 'agent.created',
    target: { type: 'agent', id, name },
    before: known ?? null,
    after: agent,
  });
  return startSession(tx, ctx, agent, { method: 'setup', hasSecondFactor: false, ...arrival });
}

export function acceptInvitation(
  tx: Tx,
  ctx: Context,
  input: { token: string; name: string; passwordHash: string },
  arrival: Arrival,
): Entered {
  const agent = useAgentLink(tx, ctx, 'invitation', input.token);
  audit(tx, ctx, { action: 'agent.joined', target: { type: 'agent', id: agent.id, name: input.name } });
  return withNewPassword(tx, ctx, agent, { name: input.name, passwordHash: input.passwordHash }, 'invitation', arrival);
}

/** Ends every session of the agent. */
export function resetPassword(
  tx: Tx,
  ctx: Context,
  input: { token: string; passwordHash: string },
  arrival: Arrival,
): Entered {
  const agent = useAgentLink(tx, ctx, 'reset', input.token);
  audit(tx, ctx, { action: 'password.reset', target: { type: 'agent', id: agent.id, name: agent.name } });
  return withNewPassword(tx, ctx, agent, { passwordHash: input.passwordHash }, 'reset', arrival);
}

function withNewPassword(
  tx: Tx,
  ctx: Context,
  agent: Agent,
  change: Pick<Agent, 'passwordHash'> & { name?: string },
  method: SignInMethod,
  arrival: Arrival,
): Entered {
  updateAgent(tx, agent.id, change);
  endEverySession(tx, agent.id);
  return enter(tx, ctx, { ...agent, ...change }, method, arrival);
}

/** Ends all other sessions, sign-ins under way and mailed links for a new password, and renews the token of this session. */
export function changePassword(
  tx: Tx,
  ctx: Context,
  actor: AgentActor,
  guesser: Guesser,
  passwordHash: string,
): Started {
  updateAgent(tx, actor.agentId, { passwordHash });
  endOtherSessions(tx, ctx, actor);
  deleteChallengesOfAgent(tx, actor.agentId);
  deleteSignInLinks(tx, 'reset', actor.agentId);
  forgetFailures(tx, ctx, ownAgent(tx, actor).email, guesser);
  audit(tx, ctx, { action: 'password.changed', target: { type: 'agent', id: actor.agentId, name: actor.name } });
  return renewSession(tx, ctx, actor.sessionId);
}

export function confirmWithPassword(tx: Tx, ctx: Context, actor: AgentActor, guesser: Guesser) {
  forgetFailures(tx, ctx, ownAgent(tx, actor).email, guesser);
  return confirmSession(tx, ctx, actor.sessionId);
}
