// Calls about agents, team tokens and the desk's settings.

import { addAgent } from '../../../src/desk/people/people.ts';
import { issueToken } from '../../../src/desk/people/tokens.ts';
import type { TestApp } from '../../support/app.ts';
import { each, unique, type Walks } from './step.ts';

export function peopleWalks(app: TestApp): Walks {
  const context = () => app.desk.context({ kind: 'command_line' }, 'walk');
  const agentInput = () => ({
    email: `agent${unique()}@agents.example`,
    name: 'Ann',
    sites: [app.site.id],
  });
  const agent = async () => {
    const { id } = await app.desk.write((tx) => addAgent(tx, context(), agentInput()));
    return { params: { id: String(id) } };
  };
  const tokenInput = () => ({ name: 'Reports', abilities: ['read' as const], site_id: app.site.id });
  const token = async () => {
    const issued = await app.desk.write((tx) => issueToken(tx, context(), tokenInput()));
    return { params: { id: String(issued.token.id) } };
  };
  return {
    createAgent: () => ({ params: {}, body: agentInput() }),
    ...each(['readAgent', 'inviteAgent', 'deleteAgent', 'resetSecondFactor'], agent),
    updateAgent: async () => ({ ...(await agent()), body: { name: 'Anna' } }),
    issueToken: () => ({ params: {}, body: tokenInput() }),
    updateToken: async () => ({ ...(await token()), body: { name: 'Other' } }),
    revokeToken: token,
    updateDesk: () => ({ params: {}, body: { name: `Desk ${unique()}` } }),
  };
}
