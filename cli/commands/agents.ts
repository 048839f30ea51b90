// helpdesk agent …

import type { Command } from 'commander';
import {
  addAgent,
  changeAgent,
  findAgent,
  listAllAgents,
  listAssignableAgents,
  removeAgent,
} from '../../src/desk/people.ts';
import { readSite } from '../../src/desk/sites.ts';
import { agentChangeInput, agentInput } from '../../src/domain/input/people.ts';
import { presentAgent, presentAgentWithSites } from '../../src/http/wire/present.ts';
import { addCommand, addGroup, collect, given, show } from '../command.ts';
import { type CommonOptions, check, confirmed, type Opened, withDesk, yesOrNo } from '../opened-desk.ts';
import { fields, plain, table } from '../output/text.ts';

const siteId = (opened: Opened, name: string) => opened.read((tx) => readSite(tx, opened.ctx(), name)).id;

interface AgentFlags extends CommonOptions {
  email?: string;
  name?: string;
  role?: string;
  site?: string[];
  active?: string;
}

export function agentCommands(program: Command): void {
  const group = addGroup(
    program,
    'agent',
    'agents: add, list, update, rm',
    'helpdesk agent add --email kim@example.org --name "Kim Sato"',
  );
  const describe = (agent: ReturnType<typeof presentAgentWithSites>) =>
    fields({ ...agent, site_ids: agent.site_ids.length > 0 ? agent.site_ids : 'every site' });
  const inputOf = (opened: Opened, flags: AgentFlags) =>
    given({
      email: flags.email,
      name: flags.name,
      role: flags.role,
      site_ids: flags.site?.map((name) => siteId(opened, name)),
      is_active: flags.active === undefined ? undefined : yesOrNo(flags.active, '--active'),
    });
  addCommand(
    group,
    'add',
    'add an agent',
    'helpdesk agent add --email kim@example.org --name Kim --role admin --site web-shop',
  )
    .requiredOption('--email <address>')
    .requiredOption('--name <name>')
    .option('--role <role>', 'owner, admin or member')
    .option('--site <site>', 'a site they work on, repeatable; every site by default', collect)
    .action((flags: AgentFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(agentInput, inputOf(opened, flags));
        const agent = presentAgentWithSites(await opened.write((tx, ctx) => addAgent(tx, ctx, input)));
        show(flags, { json: { data: agent }, text: () => describe(agent) });
      }),
    );
  addCommand(group, 'list', 'list agents, or those of one site', 'helpdesk agent list --site web-shop')
    .option('--site <site>', 'who a ticket of this site can be assigned to')
    .action((flags: CommonOptions & { site?: string }) =>
      withDesk(flags, (opened) => {
        const { site } = flags;
        const agents =
          site === undefined
            ? opened.read((tx) => listAllAgents(tx, opened.ctx(), 10_000, 0)).rows.map(presentAgentWithSites)
            : opened.read((tx) => listAssignableAgents(tx, opened.ctx(), site)).map(presentAgent);
        show(flags, {
          json: { data: agents },
          text: () =>
            table(
              ['id', 'name', 'email', 'role', 'active'],
              agents.map((agent) => [agent.id, agent.name, agent.email, agent.role, agent.is_active]),
            ),
        });
      }),
    );
  addCommand(
    group,
    'update <agent>',
    'change an agent, by id or e-mail address',
    'helpdesk agent update kim@example.org --role owner',
  )
    .option('--email <address>')
    .option('--name <name>')
    .option('--role <role>', 'owner, admin or member')
    .option('--site <site>', 'the sites they work on, repeatable', collect)
    .option('--active <yes|no>')
    .action((name: string, flags: AgentFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(agentChangeInput, inputOf(opened, flags));
        const agent = presentAgentWithSites(
          await opened.write((tx, ctx) => changeAgent(tx, ctx, findAgent(tx, ctx, name).id, input)),
        );
        show(flags, { json: { data: agent }, text: () => describe(agent) });
      }),
    );
  addCommand(
    group,
    'rm <agent>',
    'remove an agent; their tickets become unassigned',
    'helpdesk agent rm kim@example.org --yes',
  )
    .option('--yes', 'do not ask')
    .action((name: string, flags: CommonOptions & { yes?: boolean }) =>
      withDesk(flags, async (opened) => {
        const agent = opened.read((tx) => findAgent(tx, opened.ctx(), name));
        confirmed(`Remove ${plain(agent.name)}?`, flags.yes);
        await opened.write((tx, ctx) => {
          removeAgent(tx, ctx, agent.id);
          return null;
        });
        show(flags, { json: { data: null }, text: () => `${plain(agent.name)} is gone.` });
      }),
    );
}
