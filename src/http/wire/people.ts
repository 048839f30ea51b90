// Authors, agents and team tokens on the wire.

import * as z from 'zod';
import { toWire } from '../../base/clock.ts';
import type { AgentAccount } from '../../desk/people/people.ts';
import { agentRoles, tokenAbilities } from '../../domain/actor.ts';
import { secondFactors } from '../../domain/sign-in.ts';
import type { Agent } from '../../store/agents.ts';
import type { Author, TeamToken } from '../../store/people.ts';
import { id, maybeTime, named, time } from './shapes.ts';

export const authorShape = named(
  'Author',
  z.object({
    id: id(),
    external_id: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string(),
    is_verified: z.boolean(),
    anonymised_at: maybeTime(),
  }),
);

export function presentAuthor(author: Author) {
  return {
    id: author.id,
    external_id: author.externalId,
    name: author.name,
    email: author.email,
    is_verified: author.isVerified,
    anonymised_at: toWire(author.anonymisedAt),
  };
}

export const agentShape = named(
  'Agent',
  z.object({ id: id(), name: z.string(), email: z.string(), role: z.enum(agentRoles), is_active: z.boolean() }),
);

export function presentAgent(agent: Agent) {
  return { id: agent.id, name: agent.name, email: agent.email, role: agent.role, is_active: agent.isActive };
}

export const agentAccountShape = named(
  'AgentAccount',
  agentShape.extend({
    sites: z.array(id()).meta({ description: 'Empty for every site.' }),
    has_password: z.boolean(),
    second_factors: z.array(z.enum(secondFactors)),
    invited_at: maybeTime(),
    last_seen_at: maybeTime(),
  }),
);

export function presentAccount(agent: AgentAccount) {
  const has = { totp: agent.hasTotp, passkey: agent.hasPasskey, recovery_code: agent.hasRecoveryCodes };
  return {
    ...presentAgent(agent),
    sites: agent.siteIds,
    has_password: agent.passwordHash !== null,
    second_factors: secondFactors.filter((factor) => has[factor]),
    invited_at: toWire(agent.invitedAt),
    last_seen_at: toWire(agent.lastSeenAt),
  };
}

export const tokenShape = named(
  'Token',
  z.object({
    id: id(),
    name: z.string(),
    abilities: z.array(z.enum(tokenAbilities)),
    site: id().nullable(),
    expires_at: maybeTime(),
    last_used_at: maybeTime(),
    created_at: time(),
  }),
);

export function presentToken(token: TeamToken) {
  return {
    id: token.id,
    name: token.name,
    abilities: token.abilities,
    site: token.siteId,
    expires_at: toWire(token.expiresAt),
    last_used_at: toWire(token.lastUsedAt),
    created_at: toWire(token.createdAt),
  };
}
