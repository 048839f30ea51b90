// helpdesk view: views of the ticket list, built in and shared.

import type { Command } from 'commander';
import { createView, readView, removeView } from '../../src/desk/views.ts';
import { notFound } from '../../src/domain/errors.ts';
import { viewInput } from '../../src/domain/input/views.ts';
import { ticketSorts } from '../../src/domain/ticket.ts';
import { listTickets } from '../../src/http/wire/ticket-reading.ts';
import { viewCounts } from '../../src/http/wire/view-counts.ts';
import { presentView, presentViews, queryOfView } from '../../src/http/wire/views.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { check, confirmed, given, optionalNumber, rowId } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { plain, table } from '../output/text.ts';
import { ticketTable } from './tickets/list.ts';

interface CreateFlags extends CommonOptions {
  name: string;
  filter: string;
  sort?: string;
  direction?: string;
}

function parsed(filter: string): unknown {
  try {
    return JSON.parse(filter);
  } catch {
    // The parser's own words would not name the flag.
    throw new UsageError('--filter must be JSON, such as {"status":["open"]}.');
  }
}

export function viewCommands(program: Command): void {
  const group = addCommand(
    program,
    'view',
    'views of the ticket list: list, show, create, delete',
    'helpdesk view list',
  );
  addCommand(group, 'list', 'list the views that are the same for everyone', 'helpdesk view list').action(
    (flags: CommonOptions) =>
      withDesk(flags, async (opened) => {
        const views = opened.read((tx) => presentViews(tx, opened.ctx()));
        const counts = flags.json ? {} : await viewCounts(opened.data.desk, opened.ctx(), null);
        const countOf = (key: string) => {
          const { count = 0, is_capped: isCapped = false } = counts[key] ?? {};
          return `${count}${isCapped ? '+' : ''}`;
        };
        show(flags, {
          json: { data: views },
          text: () =>
            table(
              ['key', 'name', 'tickets', 'sort', 'direction', 'filter'],
              views.map(({ key, name, sort, direction, filter }) => [
                key,
                name,
                countOf(key),
                sort,
                direction,
                filter === null ? '' : JSON.stringify(filter),
              ]),
            ),
        });
      }),
  );
  addCommand(group, 'show <view>', 'list the tickets of a view, named by its key', 'helpdesk view show due-soon')
    .option('--page <number>', 'page to show (default: 1)')
    .option('--per-page <number>', 'tickets on a page')
    .action((key: string, flags: CommonOptions & { page?: string; perPage?: string }) =>
      withDesk(flags, async (opened) => {
        const view = opened.read((tx) => presentViews(tx, opened.ctx()).find((one) => one.key === key));
        if (view === undefined) throw notFound('view');
        if (view.filter === null) throw new UsageError('Held mail is no ticket yet: see `helpdesk mail list`.');
        const { sort, direction } = view;
        const paging = given({
          page: optionalNumber(flags.page, '--page'),
          per_page: optionalNumber(flags.perPage, '--per-page'),
        });
        const asked = { ...queryOfView(view.filter), sort, direction, ...paging };
        const url = new URL('http://desk/api/v1/tickets');
        const page = await listTickets(opened.data.desk, opened.baseUrl, opened.ctx(), asked, url);
        show(flags, { json: page, text: () => ticketTable(page) });
      }),
    );
  addCommand(
    group,
    'create',
    'save a view that everyone sees',
    `helpdesk view create --name Urgent --filter '{"status":["open"],"tag":["vip"]}' --sort next_due_at`,
  )
    .requiredOption('--name <name>', 'what agents read')
    .requiredOption('--filter <json>', 'names and values of the query of GET /tickets, as JSON; lists are arrays')
    .option('--sort <order>', ticketSorts.join(', '))
    .option('--direction <direction>', 'desc or asc (default: desc)')
    .action(({ name, filter, sort, direction, ...flags }: CreateFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(viewInput, given({ name, filter: parsed(filter), sort, direction }));
        queryOfView(input.filter);
        const view = await opened.write((tx, ctx) => presentView(ctx, createView(tx, ctx, input)));
        show(flags, {
          json: { message: 'View saved.', data: view },
          text: () => `View ${view.id}, ${plain(view.name)}, is saved.`,
        });
      }),
    );
  askBeforeRemoving(addCommand(group, 'delete <id>', 'delete a shared view', 'helpdesk view delete 7 --yes')).action(
    (text: string, flags: CommonOptions & { yes?: boolean }) =>
      withDesk(flags, async (opened) => {
        const view = opened.read((tx) => readView(tx, opened.ctx(), rowId(text)));
        confirmed(`Delete the view ${plain(view.name)}?`, flags.yes);
        await opened.write((tx, ctx) => {
          removeView(tx, ctx, view.id);
          return null;
        });
        show(flags, { json: {}, text: () => `The view ${plain(view.name)} is deleted.` });
      }),
  );
}
