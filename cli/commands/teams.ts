// helpdesk team: agents who share tickets.

import { Option } from 'commander';
import type { presentTeam } from '../../src/http/wire/people/people.ts';
import { collect } from '../flags.ts';
import type { Use } from '../operation-command.ts';
import { table } from '../output/text.ts';
import { sharedCommands } from '../shared-commands.ts';
import { siteIdsOf } from './agent-links.ts';

type Team = ReturnType<typeof presentTeam>;

const change = {
  without: ['sites'],
  meanings: { members: 'ids of agents such as 2,5' },
  body: ({ opened, flags }: Use) => ({ sites: siteIdsOf(opened, flags) }),
};
const example = 'helpdesk team create --name "Second level" --members 2,5';

export const teamCommands = sharedCommands('team', ['teams', example], {
  list: {
    does: 'list the teams',
    example: 'helpdesk team list --site web-shop',
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
  create: {
    ...change,
    does: 'add a team; without --site it is for every site',
    example: `${example} --max-open-per-agent 20`,
    own: (command) => command.option('--site <site>', 'a site that it is for; can be repeated', collect),
  },
  update: {
    ...change,
    does: 'change a team; a list replaces the whole list',
    example: 'helpdesk team update 3 --members 2,5,7',
    own: (command) =>
      command
        .option('--site <site>', 'a site that it is for, instead of the current ones; can be repeated', collect)
        .addOption(new Option('--all-sites', 'the team is for every site').conflicts('site')),
  },
  remove: { does: 'remove a team; its tickets are left without one', example: 'helpdesk team rm 3 --yes' },
});
