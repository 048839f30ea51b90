// Authors, agents, teams and team tokens on the wire.

import * as z from 'zod';
import { type Instant, toWire } from '../../../base/clock.ts';
import type { AgentAccount } from '../../../desk/people/agents.ts';
import { agentRoles, tokenAbilities } from '../../../domain/actor.ts';
import { isAwayAt } from '../../../domain/people/availability.ts';
import { secondFactors } from '../../../domain/people/sign-in.ts';
import type { Author } from '../../../store/customers/authors.ts';
import type { Agent } from '../../../store/people/agents.ts';
import type { TeamToken } from '../../../store/people/team-tokens.ts';
import type { Team } from '../../../store/people/teams.ts';
import { presenter } from '../presenter.ts';
import { id, maybeTime, named, time } from '../shapes.ts';

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
  z.object({
    ...{ id: id(), name: z.string(), email: z.string(), role: z.enum(agentRoles), is_active: z.boolean() },
    is_available: z.boolean().meta({ description: 'Whether automatic assignment gives them tickets.' }),
    away_until: maybeTime().meta({ description: 'When an absence ends by itself.' }),
    away_note: z.string().nullable(),
  }),
);

export function presentAgent(agent: Agent, now: Instant) {
  const isAway = isAwayAt(agent, now);
  return {
    ...{ id: agent.id, name: agent.name, email: agent.email, role: agent.role, is_active: agent.isActive },
    is_available: !isAway,
    away_until: toWire(isAway ? agent.awayUntil : null),
    away_note: isAway ? agent.awayNote : null,
  };
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

export function presentAccount(agent: AgentAccount, now: Instant) {
  const has = { totp: agent.hasTotp, passkey: agent.hasPasskey, recovery_code: agent.hasRecoveryCodes };
  return {
    ...presentAgent(agent, now),
    sites: agent.siteIds,
    has_password: agent.passwordHash !== null,
    second_factors: secondFactors.filter((factor) => has[factor]),
    invited_at: toWire(agent.invitedAt),
    last_seen_at: toWire(agent.lastSeenAt),
  };
}

export const teamShape = named(
  'Team',
  z.object({
    id: id(),
    name: z.string(),
    members: z.array(id()).meta({ description: 'Ids of agents.' }),
    sites: z.array(id()).meta({ description: 'Empty for every site.' }),
    max_open_per_agent: z.int().nullable(),
    wait_minutes: z.int().nullable(),
    returns_when_away: z.boolean(),
    created_at: time(),
  }),
);

export const presentTeam = presenter(teamShape, ({ memberIds, siteIds }: Team) => ({
  members: [...memberIds],
  sites: [...siteIds],
}));

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

export const presentToken = presenter(tokenShape, ({ siteId }: TeamToken) => ({ site: siteId }));
