// helpdesk category, priority and field: the nouns of a site's catalogue, which share their commands.

import type { OperationName } from '../ask.ts';
import { rowId } from '../flags.ts';
import { type OperationCommand, operationGroup, type Register } from '../operation-command.ts';

/** @param one as operations name it, such as `CustomField` */
function nounCommands(
  word: string,
  [plural, one, many]: readonly [plural: string, one: string, many: string],
  columns: readonly string[],
  added: string,
): Register {
  const of = (verb: string): OperationName => `fields/${verb}`;
  const change = { without: ['sla_hours'], meanings: { description: 'explanation to show in forms' } };
  const commands: OperationCommand[] = [
    {
      ...change,
      usage: 'add',
      does: `add a ${word}`,
      example: `helpdesk ${word} add --site web-shop ${added}`,
      operation: of(`create${one}`),
    },
    {
      usage: 'list',
      does: `list the ${plural} of a site in their order`,
      example: `helpdesk ${word} list --site web-shop`,
      operation: of(`list${many}`),
      columns,
    },
    {
      ...change,
      usage: 'update <id>',
      does: `change a ${word}`,
      example: `helpdesk ${word} update 3 --site web-shop --active no`,
      operation: of(`update${one}`),
      async after({ opened }) {
        // No desk may be running that would do this in the background.
        await (await import('../../src/jobs/upkeep.ts')).sortByLevels(opened.data.desk);
      },
    },
    {
      usage: 'rm <id>',
      does: `remove a ${word}`,
      example: `helpdesk ${word} rm 3 --site web-shop --yes`,
      operation: of(`delete${one}`),
      reads: of(`read${one}`),
      question: ({ row }) => `Remove ${word} ${row.id}?`,
      print: () => `The ${word} was removed.`,
    },
    {
      usage: 'order <ids...>',
      does: `set the order of the ${plural}; name all ids of the site`,
      example: `helpdesk ${word} order 3 1 2 --site web-shop`,
      operation: of(`order${many}`),
      only: [],
      body: ({ list: ids }) => ({ ids: ids.map(rowId) }),
      columns,
    },
  ];
  return operationGroup(word, `${plural} of a site`, `helpdesk ${word} list --site web-shop`, commands);
}

export const categoryCommands = nounCommands(
  'category',
  ['categories', 'Category', 'Categories'],
  ['id', 'name', 'slug', 'color', 'sort_order', 'is_active'],
  '--name Billing',
);

export const priorityCommands = nounCommands(
  'priority',
  ['priorities', 'Priority', 'Priorities'],
  ['id', 'name', 'slug', 'level', 'is_default', 'is_active', 'first_response_minutes', 'resolution_minutes'],
  '--name Critical --level 5 --first-response 30 --resolution 240',
);

export const fieldCommands = nounCommands(
  'field',
  ['custom fields', 'CustomField', 'CustomFields'],
  ['id', 'key', 'label', 'type', 'is_required', 'is_author_visible', 'is_active', 'options'],
  '--key order_number --label "Order number" --type text',
);
