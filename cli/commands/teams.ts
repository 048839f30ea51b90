// helpdesk team: agents who share tickets.

import { Option } from 'commander';
import type { presentTeam } from '../../src/http/wire/people/people.ts';
import { collect } from '../flags.ts';
import { operationGroup } from '../operation-command.ts';
import { plain, table } from '../output/text.ts';
import { siteIdsOf } from './agent-links.ts';

type Team = ReturnType<typeof presentTeam>;

const change = { without: ['sites'], meanings: { members: 'ids of agents such as 2,5' } };

export const teamCommands = operationGroup(
  'team',
  'teams',
  'helpdesk team create --name "Second level" --members 2,5',
  [
    {
      usage: 'list',
      does: 'list the teams',
      example: 'helpdesk team list --site web-shop',
      operation: 'teams/listTeams',
      print: ({ data }: { data: Team[] }) =>
        table(
          ['Id', 'Name', 'Members', 'Sites', 'Open each'],
          data.map(({ id, name, members, sites, max_open_per_agent: most }) => [
            id,
            name,
            members.join(', '),
            sites.length === 0 ? 'all' : sites.join(', '),
            most ?? '',
          ]),
        ),
    },
    {
      ...change,
      usage: 'create',
      does: 'add a team; without --site it is for every site',
      example: 'helpdesk team create --name "Second level" --members 2,5 --max-open-per-agent 20',
      operation: 'teams/createTeam',
      own: (command) => command.option('--site <site>', 'a site that it is for; can be repeated', collect),
      body: ({ opened, flags }) => ({ sites: siteIdsOf(opened, flags) }),
      print: ({ data }: { data: Team }) => `Added team ${data.id}, ${plain(data.name)}.`,
    },
    {
      ...change,
      usage: 'update <id>',
      does: 'change a team; a list replaces the whole list',
      example: 'helpdesk team update 3 --members 2,5,7',
      operation: 'teams/updateTeam',
      own: (command) =>
        command
          .option('--site <site>', 'a site that it is for, instead of the current ones; can be repeated', collect)
          .addOption(new Option('--all-sites', 'the team is for every site').conflicts('site')),
      body: ({ opened, flags }) => ({ sites: siteIdsOf(opened, flags) }),
      print: ({ data }: { data: Team }) => `Changed team ${data.id}, ${plain(data.name)}.`,
    },
    {
      usage: 'rm <id>',
      does: 'remove a team; its tickets are left without one',
      example: 'helpdesk team rm 3 --yes',
      operation: 'teams/deleteTeam',
      question: ({ words }) => `Remove team ${words.id}?`,
      print: (_answer, { words }) => `Removed team ${words.id}.`,
    },
  ],
);
