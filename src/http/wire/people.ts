// Authors, agents and team tokens on the wire.

import * as z from 'zod';
import { toWire } from '../../base/clock.ts';
import type { AgentWithSites } from '../../desk/people.ts';
import { agentRoles } from '../../domain/actor.ts';
import type { Agent } from '../../store/agents.ts';
import type { Author, TeamToken } from '../../store/people.ts';
import { id, maybeTime, named } from './shapes.ts';

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

export function presentAgentWithSites(agent: AgentWithSites) {
  return { ...presentAgent(agent), site_ids: agent.siteIds };
}

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
