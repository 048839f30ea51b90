// helpdesk view: views of the ticket list, built in and shared.

import { notFound } from '../../src/domain/errors.ts';
import type { viewCounts } from '../../src/http/wire/lists/view-counts.ts';
import type { presentView } from '../../src/http/wire/lists/views.ts';
import { UsageError } from '../errors.ts';
import { operationGroup, type Use } from '../operation-command.ts';
import { plain, table } from '../output/text.ts';
import { ticketColumns } from './tickets.ts';

type View = ReturnType<typeof presentView>;

async function viewNamed({ ask, words }: Use) {
  const { data } = await ask<{ data: View[] }>('views/listViews');
  const found = data.find(({ key }) => key === (words.view ?? words.id));
  if (found === undefined) throw notFound('view');
  return { ...found, id: found.id ?? 0, slug: found.key };
}

function parsed(filter: string | undefined): unknown {
  try {
    return JSON.parse(filter ?? '');
  } catch {
    // The parser's own words would not name the flag.
    throw new UsageError('--filter must be JSON, such as {"status":["open"]}.');
  }
}

export const viewCommands = operationGroup('view', 'views of the ticket list', 'helpdesk view list', [
  {
    usage: 'list',
    does: 'list the views that are the same for everyone',
    example: 'helpdesk view list',
    operation: 'views/listViews',
    async print({ data }: { data: View[] }, { ask }) {
      const counts = (await ask<{ data: Awaited<ReturnType<typeof viewCounts>> }>('views/countViews')).data;
      const countOf = (key: string) => {
        const { count = 0, is_capped: isCapped = false } = counts[key] ?? {};
        return `${count}${isCapped ? '+' : ''}`;
      };
      const rows = data.map(({ key, name, sort, direction, filter }) => [
        ...[key, name, countOf(key), sort, direction],
        filter === null ? '' : JSON.stringify(filter),
      ]);
      return table(['key', 'name', 'tickets', 'sort', 'direction', 'filter'], rows);
    },
  },
  {
    usage: 'show <view>',
    does: 'list the tickets of a view, named by its key',
    example: 'helpdesk view show due-soon',
    operation: 'tickets/listTickets',
    only: ['page', 'per_page'],
    reads: viewNamed,
    query({ row }) {
      const { filter, sort, direction } = row as unknown as View;
      if (filter === null) throw new UsageError('Held mail is not a ticket yet: see `helpdesk mail list`.');
      return { ...filter, sort, direction };
    },
    columns: ticketColumns,
  },
  {
    usage: 'create',
    does: 'save a view that everyone sees',
    example: `helpdesk view create --name Urgent --filter '{"status":["open"],"tag":["vip"]}' --sort next_due_at`,
    operation: 'views/createView',
    without: ['is_shared'],
    meanings: { name: 'what agents read' },
    own: (command) =>
      command.requiredOption(
        '--filter <json>',
        'names and values of the query of GET /tickets, as JSON; lists are arrays',
      ),
    body: ({ flags }) => ({ filter: parsed(flags.filter) }),
    print: ({ data }: { data: View }) => `View ${data.id}, ${plain(data.name)}, is saved.`,
  },
  {
    usage: 'delete <id>',
    does: 'delete a shared view',
    example: 'helpdesk view delete 7 --yes',
    operation: 'views/deleteView',
    reads: viewNamed,
    question: ({ row }) => `Delete the view ${plain(row.name)}?`,
    print: (_answer, { row }) => `The view ${plain(row.name)} is deleted.`,
  },
]);
