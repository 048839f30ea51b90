// helpdesk macro: the shared macros.

import type { presentMacro } from '../../src/http/wire/tickets/macro.ts';
import { table } from '../output/text.ts';
import { sharedCommands } from '../shared-commands.ts';

type Macro = ReturnType<typeof presentMacro>;

const change = {
  without: ['is_shared'],
  meanings: {
    assigned_to: 'agent id, or me for the agent who applies it',
    position: 'place in lists: lower numbers come first',
  },
};

export const macroCommands = sharedCommands('macro', ['shared macros', 'helpdesk macro list'], {
  list: {
    does: 'list the shared macros',
    example: 'helpdesk macro list --site web-shop',
    print: ({ data }: { data: Macro[] }) =>
      table(
        ['Id', 'Name', 'Site', 'Changes'],
        data.map(({ id, name, site_id: site, changes }) => [id, name, site ?? 'all', Object.keys(changes).join(', ')]),
      ),
  },
  create: {
    ...change,
    does: 'add a shared macro; without --site it is for every site',
    example:
      'helpdesk macro create --name "Ask for the order" --body "Hello {{author.name}}, which order is it?" --status pending',
    text: 'body',
  },
  update: {
    ...change,
    does: 'change a shared macro; a flag for what it changes on tickets replaces all of them',
    example: 'helpdesk macro update 3 --status pending --add-tags waiting',
  },
  remove: { usage: 'delete <id>', does: 'remove a shared macro', example: 'helpdesk macro delete 3 --yes' },
});
