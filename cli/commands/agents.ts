// helpdesk agent: the people who work on tickets.

import { Option } from 'commander';
import { findAgent } from '../../src/desk/people/agents.ts';
import type { presentAccount, presentAgent } from '../../src/http/wire/people/people.ts';
import { collect } from '../flags.ts';
import { type OperationCommand, operationGroup, type Use } from '../operation-command.ts';
import { fields, plain } from '../output/text.ts';
import { addAgentLinks, siteIdsOf, worksOn } from './agent-links.ts';

type Account = ReturnType<typeof presentAccount>;

const named = ({ opened, words }: Use) => ({
  slug: '',
  ...opened.read((tx) => findAgent(tx, opened.ctx(), words.agent ?? '')),
});
const describe = ({ data }: { data: Account }) =>
  fields({ ...data, sites: data.sites.length > 0 ? data.sites : 'every site' });
const change: Pick<OperationCommand, 'without' | 'meanings' | 'print'> = {
  without: ['sites', 'invite'],
  meanings: {
    email: 'e-mail address',
    name: 'full name',
    is_active: 'whether the agent can sign in and be assigned tickets',
  },
  print: describe,
};

export const agentCommands = operationGroup(
  'agent',
  'agents',
  'helpdesk agent add --email kim@example.org --name "Kim Sato"',
  [
    {
      ...change,
      usage: 'add',
      does: 'add an agent',
      example: 'helpdesk agent add --email kim@example.org --name Kim --role admin --site web-shop',
      operation: 'agents/createAgent',
      own: (command) => command.option('--site <site>', worksOn, collect),
      body: (use) => ({ invite: false, sites: siteIdsOf(use.opened, use.flags) }),
    },
    {
      usage: 'list',
      does: 'list all agents, or those of one site',
      example: 'helpdesk agent list --site web-shop',
      operation: 'agents/listAgents',
      own: (command) => command.option('--site <site>', 'only agents to whom tickets of this site can be assigned'),
      after: ({ flags, ask }) => flags.site && ask('sites/listSiteAgents', { params: { site: flags.site } }),
      columns: ['id', 'name', 'email', 'role', 'active=is_active', 'available=is_available', 'last seen=last_seen_at'],
    },
    {
      ...change,
      usage: 'update <agent>',
      does: 'change an agent, named by id or e-mail address',
      example: 'helpdesk agent update kim@example.org --role owner',
      operation: 'agents/updateAgent',
      own: (command) =>
        command
          .option(
            '--site <site>',
            'a site that the agent works on, instead of the current ones; can be repeated',
            collect,
          )
          .addOption(new Option('--all-sites', 'the agent works on every site').conflicts('site')),
      reads: named,
      params: ({ row }) => ({ id: String(row.id) }),
      body: ({ opened, flags }) => ({ sites: siteIdsOf(opened, flags) }),
    },
    {
      usage: 'availability <agent>',
      does: 'set an agent as available or away; agents who are away get no tickets automatically',
      example: 'helpdesk agent availability kim@example.org --available no --until 3d --note "On holiday"',
      operation: 'agents/updateAvailability',
      meanings: { is_available: 'whether the agent is available', note: 'what colleagues see' },
      reads: named,
      params: ({ row }) => ({ id: String(row.id) }),
      print: ({ data }: { data: ReturnType<typeof presentAgent> }) =>
        data.is_available
          ? `${plain(data.name)} is available.`
          : `${plain(data.name)} is away${data.away_until === null ? '' : ` until ${data.away_until}`}.`,
    },
    {
      usage: 'rm <agent>',
      does: 'remove an agent; their tickets become unassigned',
      example: 'helpdesk agent rm kim@example.org --yes',
      operation: 'agents/deleteAgent',
      reads: named,
      question: ({ row }) => `Remove ${plain(row.name)}?`,
      params: ({ row }) => ({ id: String(row.id) }),
      print: (_answer, { row }) => `${plain(row.name)} was removed.`,
    },
  ],
  addAgentLinks,
);
