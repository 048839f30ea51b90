// Input of the verbs on agents and team tokens, in the wire's names.

import * as z from 'zod';
import { agentRoles, tokenAbilities } from '../actor.ts';
import { email, line, resourceId } from './fields.ts';

export const agentInput = z.object({
  email: email(),
  name: line(255),
  role: z.enum(agentRoles).nullish(),
  site_ids: z.array(resourceId()).max(1000).nullish(),
  is_active: z.boolean().nullish(),
});
export type AgentInput = z.output<typeof agentInput>;

export const agentChangeInput = agentInput.partial();
export type AgentChangeInput = z.output<typeof agentChangeInput>;

export const tokenInput = z.object({
  name: line(255),
  abilities: z.array(z.enum(tokenAbilities)).min(1),
  site_id: resourceId().nullish(),
  expires_at: z.number().nullish(),
});
export type TokenInput = z.output<typeof tokenInput>;
