// Agents say that they are away, or someone who manages them does (docs/spec/people.md#who-is-there).

import type { AgentActor } from '../../domain/actor.ts';
import { invalid } from '../../domain/errors.ts';
import type { AvailabilityInput } from '../../domain/input/people.ts';
import { dayMs } from '../../domain/instant.ts';
import { isAwayAt } from '../../domain/people/availability.ts';
import type { Tx } from '../../engine/database.ts';
import { type Agent, agentById, updateAgent } from '../../store/people/agents.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { agentToChange } from './agents.ts';
import { ownAgent } from './sessions.ts';

const longestMs = 366 * dayMs;

export function changeOwnAvailability(tx: Tx, ctx: Context, actor: AgentActor, input: AvailabilityInput): Agent {
  return setAvailability(tx, ctx, ownAgent(tx, actor), input);
}

export function changeAvailability(tx: Tx, ctx: Context, id: number, input: AvailabilityInput): Agent {
  return setAvailability(tx, ctx, agentToChange(tx, ctx, id), input);
}

/** The note is not in the audit log: it is often about someone's health. */
function setAvailability(
  tx: Tx,
  ctx: Context,
  before: Agent,
  { is_available: isAvailable, until = null, note = null }: AvailabilityInput,
): Agent {
  if (isAvailable && until !== null) throw invalid('until', 'must not be sent for an agent who is available.');
  if (until !== null && until <= ctx.now) throw invalid('until', 'must be in the future.');
  if (until !== null && until > ctx.now + longestMs) throw invalid('until', 'must be at most a year ahead.');
  const after = { isAway: !isAvailable, awayUntil: until, awayNote: isAvailable ? null : note || null };
  updateAgent(tx, before.id, after);
  audit(tx, ctx, {
    action: 'agent.updated',
    target: { type: 'agent', id: before.id, name: before.name },
    before: { ...before, isAway: isAwayAt(before, ctx.now) },
    after,
  });
  return agentById(tx, before.id) ?? { ...before, ...after };
}
