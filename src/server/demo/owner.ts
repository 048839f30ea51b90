// The owner of the demo data, who signs in by the link that the desk prints.

import type { Tx } from '../../engine/database.ts';
import { type Agent, agentByEmail } from '../../store/people/agents.ts';

export const ownerEmail = 'noor@demo-shop.example';

export function demoOwner(tx: Tx): Agent | undefined {
  const agent = agentByEmail(tx, ownerEmail);
  return agent?.isActive && agent.role === 'owner' ? agent : undefined;
}
