// helpdesk token … and helpdesk agent …

import type { Command } from 'commander';
import {
  addAgent,
  changeAgent,
  findAgent,
  issueToken,
  listAllAgents,
  listAssignableAgents,
  listTokens,
  removeAgent,
  revokeToken,
} from '../src/desk/people.ts';
import { readSite } from '../src/desk/sites.ts';
import { agentChangeInput, agentInput, tokenInput } from '../src/domain/input/people.ts';
import { presentAgent, presentAgentWithSites, presentToken } from '../src/http/present.ts';
import { addCommand, addGroup, collect, given, list, show } from './command.ts';
import { type CommonOptions, check, confirmed, momentOf, type Opened, wholeNumber, withDesk, yesOrNo } from './open.ts';
import { fields, plain, table } from './print.ts';

const siteId = (opened: Opened, name: string) => opened.read((tx) => readSite(tx, opened.ctx(), name)).id;

export function tokenCommands(program: Command): void {
  const group = addGroup(
    program,
    'token',
    'team tokens: issue, list, revoke',
    'helpdesk token issue --name me --abilities read,write',
  );
  addCommand(
    group,
    'issue',
    'issue a team token, shown this once',
    'helpdesk token issue --name console --abilities read,write --expires 90d',
  )
    .requiredOption('--name <name>')
    .option('--site <site>', 'confine it to one site')
    .option('--abilities <list>', 'read, write, manage', 'read,write')
    .option('--expires <when>', 'a span as 90d or a time')
    .action((flags: CommonOptions & { name: string; site?: string; abilities: string; expires?: string }) =>
      withDesk(flags, async (opened) => {
        const input = check(tokenInput, {
          name: flags.name,
          abilities: list(flags.abilities),
          site_id: flags.site === undefined ? null : siteId(opened, flags.site),
          expires_at: flags.expires === undefined ? null : momentOf(flags.expires, '--expires', 1),
        });
        const { token, secret } = await opened.write((tx, ctx) => issueToken(tx, ctx, input));
        show(flags, {
          json: { data: presentToken(token), token: secret },
          text: () => `Token ${token.id} (${token.abilities.join(', ')}), shown this once:\n${secret}`,
        });
      }),
    );
  addCommand(group, 'list', 'list team tokens and when each was last used', 'helpdesk token list').action(
    (flags: CommonOptions) =>
      withDesk(flags, (opened) => {
        const { rows } = opened.read((tx) => listTokens(tx, opened.ctx(), 10_000, 0));
        const shown = rows.map(presentToken);
        show(flags, {
          json: { data: shown },
          text: () =>
            table(
              ['id', 'name', 'abilities', 'site', 'expires', 'last used'],
              shown.map((token) => [
                token.id,
                token.name,
                token.abilities,
                token.site,
                token.expires_at,
                token.last_used_at,
              ]),
            ),
        });
      }),
  );
  addCommand(group, 'revoke <id>', 'revoke a team token at once', 'helpdesk token revoke 3 --yes')
    .option('--yes', 'do not ask')
    .action((id: string, flags: CommonOptions & { yes?: boolean }) =>
      withDesk(flags, async (opened) => {
        confirmed(`Revoke token ${id}?`, flags.yes);
        const token = await opened.write((tx, ctx) => revokeToken(tx, ctx, wholeNumber(id, 'The id')));
        show(flags, { json: { data: presentToken(token) }, text: () => `Token ${token.id} opens nothing any more.` });
      }),
    );
}

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
