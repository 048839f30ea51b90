// Calls about agents, teams, team tokens and the desk's settings.

import { addAgent } from '../../../src/desk/people/agents.ts';
import { addTeam } from '../../../src/desk/people/teams.ts';
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
  const teamInput = () => ({ name: `Team ${unique()}` });
  const team = async () => {
    const { id } = await app.desk.write((tx) => addTeam(tx, context(), { ...teamInput(), sites: [app.site.id] }));
    return { params: { id: String(id) } };
  };
  return {
    listTeams: () => ({ params: {} }),
    createTeam: () => ({ params: {}, body: { ...teamInput(), members: [], max_open_per_agent: 5 } }),
    ...each(['readTeam', 'deleteTeam'], team),
    updateTeam: async () => ({ ...(await team()), body: { max_open_per_agent: 9 } }),
    createAgent: () => ({ params: {}, body: agentInput() }),
    ...each(['readAgent', 'inviteAgent', 'deleteAgent', 'resetSecondFactor'], agent),
    updateAvailability: async () => ({ ...(await agent()), body: { is_available: false, note: 'On holiday' } }),
    updateOwnAvailability: () => ({ params: {}, body: { is_available: false, note: 'At lunch' } }),
    updateAgent: async () => ({ ...(await agent()), body: { name: 'Anna' } }),
    issueToken: () => ({ params: {}, body: tokenInput() }),
    readToken: token,
    updateToken: async () => ({ ...(await token()), body: { name: 'Other' } }),
    revokeToken: token,
    startDoctor: () => ({ params: {}, body: {} }),
    updateDesk: () => ({ params: {}, body: { name: `Desk ${unique()}` } }),
  };
}
