// Inviting an agent who is new, or again one who is not (docs/spec/people.md#links).

import type { AgentInput, NewAgentInput } from '../../domain/input/people.ts';
import type { Tx } from '../../engine/database.ts';
import { agentByEmail } from '../../store/people/agents.ts';
import type { Context } from '../context.ts';
import { type AgentAccount, addAgent, agentToInvite, changeAgent, readAgent } from './agents.ts';
import { inviteAgent } from './sign-in-links.ts';

/**
 * An agent with this address is changed to what the input says, and any other is added. The secret is returned only here.
 * @param isMailed whether the agent gets the link by mail too
 */
export function inviteByEmail(
  tx: Tx,
  ctx: Context,
  input: AgentInput,
  isMailed: boolean,
): { agent: AgentAccount; secret: string } {
  const known = agentByEmail(tx, input.email);
  const agent = known ? changeAgent(tx, ctx, known.id, input) : addAgent(tx, ctx, input);
  const secret = inviteAgent(tx, ctx, agent, isMailed);
  return { agent: readAgent(tx, ctx, agent.id), secret };
}

/** Earlier invitations end. */
export function inviteAgain(
  tx: Tx,
  ctx: Context,
  id: number,
  isMailed: boolean,
): { agent: AgentAccount; secret: string } {
  const secret = inviteAgent(tx, ctx, agentToInvite(tx, ctx, id), isMailed);
  return { agent: readAgent(tx, ctx, id), secret };
}

/** A new agent, with an invitation unless the input says no or they are not active. */
export function addInvited(
  tx: Tx,
  ctx: Context,
  { invite, ...input }: NewAgentInput,
  isMailed: boolean,
): { agent: AgentAccount; secret: string | null } {
  const agent = addAgent(tx, ctx, input);
  return invite === false || !agent.isActive ? { agent, secret: null } : inviteAgain(tx, ctx, agent.id, isMailed);
}
