// An agent who acts without a session: by mail, or by a link that they asked for.

import { type AgentActor, scopeOfAgent } from '../../domain/actor.ts';
import { abilitiesOf } from '../../domain/people/roles.ts';
import type { Tx } from '../../engine/database.ts';
import { agentById, agentFacts } from '../../store/people/agents.ts';

/** With their rights of now; null if they have none any more. */
export function actingAgent(tx: Tx, agentId: number): AgentActor | null {
  const agent = agentById(tx, agentId);
  if (!agent?.isActive) return null;
  const { id, name, role } = agent;
  const { siteIds } = agentFacts(tx, [id]).get(id) ?? { siteIds: [] };
  const scope = scopeOfAgent({ role, siteIds });
  return { kind: 'agent', agentId: id, name, role, abilities: abilitiesOf(role), scope, sessionId: 0 };
}
