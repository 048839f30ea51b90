// helpdesk macro: the shared macros.

import type { presentMacro } from '../../src/http/wire/tickets/macro.ts';
import { operationGroup } from '../operation-command.ts';
import { plain, table } from '../output/text.ts';

type Macro = ReturnType<typeof presentMacro>;

const applier = 'agent id, or me for the agent who applies it';
const place = 'place in lists: lower numbers come first';

export const macroCommands = operationGroup('macro', 'shared macros', 'helpdesk macro list', [
  {
    usage: 'list',
    does: 'list the shared macros',
    example: 'helpdesk macro list --site web-shop',
    operation: 'macros/listMacros',
    print: ({ data }: { data: Macro[] }) =>
      table(
        ['Id', 'Name', 'Site', 'Changes'],
        data.map(({ id, name, site_id: site, changes }) => [id, name, site ?? 'all', Object.keys(changes).join(', ')]),
      ),
  },
  {
    usage: 'create',
    does: 'add a shared macro; without --site it is for every site',
    example:
      'helpdesk macro create --name "Ask for the order" --body "Hello {{author.name}}, which order is it?" --status pending',
    operation: 'macros/createMacro',
    text: 'body',
    without: ['is_shared'],
    meanings: { assigned_to: applier, position: place },
    print: ({ data }: { data: Macro }) => `Added macro ${data.id}, ${plain(data.name)}.`,
  },
  {
    usage: 'update <id>',
    does: 'change a shared macro; a flag for what it changes on tickets replaces all of them',
    example: 'helpdesk macro update 3 --status pending --add-tags waiting',
    operation: 'macros/updateMacro',
    without: ['is_shared'],
    meanings: { assigned_to: applier, position: place },
    print: ({ data }: { data: Macro }) => `Changed macro ${data.id}, ${plain(data.name)}.`,
  },
  {
    usage: 'delete <id>',
    does: 'remove a shared macro',
    example: 'helpdesk macro delete 3 --yes',
    operation: 'macros/deleteMacro',
    question: ({ words }) => `Remove macro ${words.id}?`,
    print: (_answer, { words }) => `Removed macro ${words.id}.`,
  },
]);
