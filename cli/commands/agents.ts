// helpdesk agent: the people who work on tickets.

import { type Command, Option } from 'commander';
import {
  addAgent,
  changeAgent,
  findAgent,
  listAllAgents,
  listAssignableAgents,
  removeAgent,
} from '../../src/desk/people/people.ts';
import { agentRoles } from '../../src/domain/actor.ts';
import { agentChangeInput, agentInput } from '../../src/domain/input/people.ts';
import { presentAccount, presentAgent } from '../../src/http/wire/people.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, show } from '../command.ts';
import { check, collect, confirmed, orList } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { fields, plain, table } from '../output/text.ts';
import { type AgentFlags, inputOf } from './agent-input.ts';
import { agentLinkCommands } from './agent-links.ts';

const rolesMeaning = orList(agentRoles);

export function agentCommands(program: Command): void {
  const group = addCommand(
    program,
    'agent',
    'agents: add, invite, link, list, update, rm',
    'helpdesk agent add --email kim@example.org --name "Kim Sato"',
  );
  agentLinkCommands(group);
  const describe = (agent: ReturnType<typeof presentAccount>) =>
    fields({ ...agent, sites: agent.sites.length > 0 ? agent.sites : 'every site' });
  addCommand(
    group,
    'add',
    'add an agent',
    'helpdesk agent add --email kim@example.org --name Kim --role admin --site web-shop',
  )
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--name <name>', 'full name')
    .option('--role <role>', rolesMeaning)
    .option('--site <site>', 'a site that the agent works on; can be repeated (default: every site)', collect)
    .action((flags: AgentFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(agentInput, inputOf(opened, flags));
        const agent = presentAccount(await opened.write((tx, ctx) => addAgent(tx, ctx, input)));
        show(flags, { json: { data: agent }, text: () => describe(agent) });
      }),
    );
  addCommand(group, 'list', 'list all agents, or those of one site', 'helpdesk agent list --site web-shop')
    .option('--site <site>', 'only agents to whom tickets of this site can be assigned')
    .action((flags: CommonOptions & { site?: string }) =>
      withDesk(flags, (opened) => {
        const { site } = flags;
        const agents =
          site === undefined
            ? opened.read((tx) => listAllAgents(tx, opened.ctx())).map(presentAccount)
            : opened.read((tx) => listAssignableAgents(tx, opened.ctx(), site)).map(presentAgent);
        show(flags, {
          json: { data: agents },
          text: () =>
            table(
              ['id', 'name', 'email', 'role', 'active', 'last seen'],
              agents.map((agent) => [
                agent.id,
                agent.name,
                agent.email,
                agent.role,
                agent.is_active,
                'last_seen_at' in agent ? agent.last_seen_at : '',
              ]),
            ),
        });
      }),
    );
  addCommand(
    group,
    'update <agent>',
    'change an agent, named by id or e-mail address',
    'helpdesk agent update kim@example.org --role owner',
  )
    .option('--email <address>', 'e-mail address')
    .option('--name <name>', 'full name')
    .option('--role <role>', rolesMeaning)
    .option('--site <site>', 'a site that the agent works on, instead of the current ones; can be repeated', collect)
    .addOption(new Option('--all-sites', 'the agent works on every site').conflicts('site'))
    .option('--active <yes|no>', 'whether the agent can sign in and be assigned tickets')
    .action((name: string, flags: AgentFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(agentChangeInput, inputOf(opened, flags));
        const agent = presentAccount(
          await opened.write((tx, ctx) => changeAgent(tx, ctx, findAgent(tx, ctx, name).id, input)),
        );
        show(flags, { json: { data: agent }, text: () => describe(agent) });
      }),
    );
  askBeforeRemoving(
    addCommand(
      group,
      'rm <agent>',
      'remove an agent; their tickets become unassigned',
      'helpdesk agent rm kim@example.org --yes',
    ),
  ).action((name: string, flags: CommonOptions & { yes?: boolean }) =>
    withDesk(flags, async (opened) => {
      const agent = opened.read((tx) => findAgent(tx, opened.ctx(), name));
      confirmed(`Remove ${plain(agent.name)}?`, flags.yes);
      await opened.write((tx, ctx) => {
        removeAgent(tx, ctx, agent.id);
        return null;
      });
      show(flags, { json: { data: null }, text: () => `${plain(agent.name)} was removed.` });
    }),
  );
}
