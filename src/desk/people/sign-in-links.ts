// Links that let someone in once: setup, invitation, password reset, one-time sign-in (docs/spec/people.md#links).

import { randomSecret } from '../../base/crypto.ts';
import { conflict, DeskError } from '../../domain/errors.ts';
import { minuteMs } from '../../domain/instant.ts';
import { type LinkPurpose, linkLifetimesMs } from '../../domain/people/sign-in.ts';
import type { Tx } from '../../engine/database.ts';
import { type Agent, agentByEmail, agentById, countOtherOwners, updateAgent } from '../../store/people/agents.ts';
import { addSignInFailure, signInFailures } from '../../store/people/sign-in-failures.ts';
import {
  deleteSignInLink,
  deleteSignInLinks,
  hasSignInLink,
  insertSignInLink,
  type SignInLink,
  signInLinkByHash,
} from '../../store/people/sign-in-links.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { queueMail } from '../outbox/queue-mail.ts';

const paths: Record<LinkPurpose, string> = {
  setup: '/setup',
  invitation: '/invitation',
  reset: '/reset',
  sign_in: '/sign-in',
};

/** After `#`, so that browsers send the secret to no one but the page. */
export function linkUrl(baseUrl: string, purpose: LinkPurpose, secret: string): string {
  return `${baseUrl}${paths[purpose]}#${secret}`;
}

const whatNext: Record<LinkPurpose, string> = {
  setup: 'Restart the desk: it prints a new link while it has no owner who can sign in.',
  invitation: 'Ask the person who invited you for a new invitation.',
  reset: 'Ask for a new link on the sign-in page.',
  sign_in: 'Ask for a new link, or sign in with your password.',
};

const hashOf = (ctx: Context, secret: string) => ctx.seal.fingerprint('sign-in-link', secret);

function createLink(tx: Tx, ctx: Context, purpose: LinkPurpose, agentId: number | null): string {
  const secret = randomSecret('hdl');
  insertSignInLink(tx, {
    purpose,
    agentId,
    tokenHash: hashOf(ctx, secret),
    createdAt: ctx.now,
    expiresAt: ctx.now + linkLifetimesMs[purpose],
  });
  return secret;
}

/** The link and its agent, who is null for a setup link. 410 when the link was used or has expired. */
export function findLink(
  tx: Tx,
  ctx: Context,
  purpose: LinkPurpose,
  secret: string,
): { link: SignInLink; agent: Agent | null } {
  const link = signInLinkByHash(tx, purpose, hashOf(ctx, secret), ctx.now);
  const agent = link?.agentId == null ? null : agentById(tx, link.agentId);
  if (link === undefined || agent?.isActive === false || agent === undefined)
    throw new DeskError('gone', `This link was already used or has expired. ${whatNext[purpose]}`);
  return { link, agent };
}

export function useLink(tx: Tx, ctx: Context, purpose: LinkPurpose, secret: string): Agent | null {
  const { link, agent } = findLink(tx, ctx, purpose, secret);
  deleteSignInLink(tx, link.id);
  return agent;
}

/** The agent of a link that always has one. */
export function useAgentLink(tx: Tx, ctx: Context, purpose: LinkPurpose, secret: string): Agent {
  const agent = useLink(tx, ctx, purpose, secret);
  if (agent === null) throw new Error(`a ${purpose} link without an agent`);
  return agent;
}

function requireActiveAgent(agent: Agent): void {
  if (!agent.isActive) throw conflict(`${agent.name} is not active.`, 'agent_inactive');
}

/**
 * Earlier invitations end. The caller has checked that the actor manages this agent.
 * @param isMailed whether the agent gets the link by mail too
 */
export function inviteAgent(tx: Tx, ctx: Context, agent: Agent, isMailed: boolean): string {
  requireActiveAgent(agent);
  deleteSignInLinks(tx, 'invitation', agent.id);
  const secret = createLink(tx, ctx, 'invitation', agent.id);
  updateAgent(tx, agent.id, { invitedAt: ctx.now });
  audit(tx, ctx, { action: 'agent.invited', target: { type: 'agent', id: agent.id, name: agent.name } });
  if (isMailed) {
    const by = ctx.actor.kind === 'agent' ? ctx.actor.name : null;
    queueMail(tx, ctx, null, null, null, 'mail.invitation', agent, { link_sealed: ctx.seal.seal(secret), by });
  }
  return secret;
}

/** The way back in when everything else is lost. Earlier one-time links end. */
export function linkAgent(tx: Tx, ctx: Context, agent: Agent): string {
  requireActiveAgent(agent);
  deleteSignInLinks(tx, 'sign_in', agent.id);
  audit(tx, ctx, { action: 'agent.linked', target: { type: 'agent', id: agent.id, name: agent.name } });
  return createLink(tx, ctx, 'sign_in', agent.id);
}

/** A setup link, unless an owner can sign in. The one that was printed before ends. */
export function renewSetupLink(tx: Tx, ctx: Context): string | null {
  deleteSignInLinks(tx, 'setup', null);
  return hasOwner(tx) ? null : createLink(tx, ctx, 'setup', null);
}

/** Lets the owner of a demo in, for whom no one sets up the desk. A setup link that was printed before ends. */
export function linkDemoOwner(tx: Tx, ctx: Context, owner: Agent): string {
  deleteSignInLinks(tx, 'setup', null);
  return linkAgent(tx, ctx, owner);
}

export function hasSetupLink(tx: Tx): boolean {
  return hasSignInLink(tx, 'setup');
}

export function hasOwner(tx: Tx): boolean {
  return countOtherOwners(tx, 0) > 0;
}

// One mail a minute, so that no one can fill a mailbox with them.
const resetAgainMs = minuteMs;

/** Notes a request for a reset, and says whether there was one just before. The same work for every address. */
export function isRepeatedReset(tx: Tx, ctx: Context, email: string): boolean {
  const fingerprint = ctx.seal.fingerprint('password-reset', email.toLowerCase());
  const last = signInFailures(tx, fingerprint);
  const isRepeated = last !== undefined && Math.abs(ctx.now - last.failedAt) < resetAgainMs;
  if (!isRepeated) addSignInFailure(tx, fingerprint, ctx.now);
  return isRepeated;
}

/** Mails a link to an active agent with this address; does nothing for any other. Earlier links stay valid. */
export function requestReset(tx: Tx, ctx: Context, email: string): void {
  const agent = agentByEmail(tx, email);
  if (!agent?.isActive) return;
  const secret = createLink(tx, ctx, 'reset', agent.id);
  queueMail(tx, ctx, null, null, null, 'mail.password_reset', agent, { link_sealed: ctx.seal.seal(secret) });
}
