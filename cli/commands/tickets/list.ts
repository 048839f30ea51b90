// helpdesk ticket list

import type { Command } from 'commander';
import { DeskError } from '../../../src/domain/errors.ts';
import { ticketSorts, ticketStatuses } from '../../../src/domain/ticket.ts';
import { decodeQuery } from '../../../src/http/wire/decode.ts';
import { type TicketListQuery, ticketListQuery } from '../../../src/http/wire/ticket-query.ts';
import { listTickets } from '../../../src/http/wire/ticket-reading.ts';
import { addCommand, allowSite, type CommonOptions, show } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { collect } from '../../flags.ts';
import { withDesk } from '../../opened-desk.ts';
import { dim, table } from '../../output/text.ts';

interface ListFlags extends CommonOptions {
  site?: string;
  status?: string;
  category?: string;
  priority?: string;
  assignedTo?: string;
  unassigned?: boolean;
  externalId?: string;
  email?: string;
  tag?: string[];
  q?: string;
  createdFrom?: string;
  createdTo?: string;
  updatedFrom?: string;
  updatedTo?: string;
  sla?: string;
  snoozed?: boolean;
  hasAttachment?: boolean;
  spam?: boolean;
  includeTest?: boolean;
  sort?: string;
  direction?: string;
  page?: string;
  perPage?: string;
  cursor?: string;
}

/** The flags as the query of GET /tickets, checked with the same schema. */
function queryOf(flags: ListFlags): { asked: TicketListQuery; url: URL } {
  const url = new URL('http://desk/api/v1/tickets');
  const single: Record<string, string | undefined> = {
    site_id: flags.site,
    status: flags.status,
    category_id: flags.category,
    priority_id: flags.priority,
    assigned_to: flags.assignedTo,
    unassigned: flags.unassigned ? '1' : undefined,
    external_id: flags.externalId,
    email: flags.email,
    q: flags.q,
    created_from: flags.createdFrom,
    created_to: flags.createdTo,
    updated_from: flags.updatedFrom,
    updated_to: flags.updatedTo,
    sla: flags.sla,
    snoozed: flags.snoozed ? '1' : undefined,
    has_attachment: flags.hasAttachment ? '1' : undefined,
    is_spam: flags.spam ? '1' : undefined,
    include_test: flags.includeTest ? '1' : undefined,
    sort: flags.sort,
    direction: flags.direction,
    page: flags.page,
    per_page: flags.perPage,
    cursor: flags.cursor,
  };
  for (const [name, value] of Object.entries(single)) if (value !== undefined) url.searchParams.set(name, value);
  for (const tag of flags.tag ?? []) url.searchParams.append('tag[]', tag);
  try {
    return { asked: decodeQuery(ticketListQuery, url) as TicketListQuery, url };
  } catch (error) {
    if (error instanceof DeskError) throw new UsageError(error.message);
    throw error;
  }
}

export function ticketTable({ data, meta }: Awaited<ReturnType<typeof listTickets>>): string {
  const rows = data.map((ticket) => [
    ticket.reference,
    ticket.status,
    ticket.priority?.name,
    ticket.subject,
    ticket.author?.email,
    ticket.assignee?.name,
    ticket.created_at,
  ]);
  const shown = table(['ticket', 'status', 'priority', 'subject', 'author', 'assignee', 'created'], rows);
  return data.length < meta.total
    ? `${shown}\n${dim(`${data.length} of ${meta.total}; see more with --page or --per-page`)}`
    : shown;
}

export function addTicketList(group: Command): void {
  allowSite(
    addCommand(
      group,
      'list',
      'list tickets, newest first; the flags are the filters of the API',
      'helpdesk ticket list --site web-shop --status open,pending --q invoice',
    ),
  )
    .option('--status <list>', `comma-separated: ${ticketStatuses.join(', ')}`)
    .option('--category <ids>', 'category ids, comma-separated')
    .option('--priority <ids>', 'priority ids, comma-separated')
    .option('--assigned-to <ids>', 'agent ids, comma-separated')
    .option('--unassigned', 'only tickets without an agent')
    .option('--external-id <id>', "author's id in the application")
    .option('--email <address>', "author's e-mail address, or @example.org for a domain")
    .option('--tag <tag>', 'only tickets with this tag; can be repeated', collect)
    .option('--q <words>', 'search in subject, messages and author; also #41 or a ULID')
    .option('--created-from <time>', 'created at or after this time')
    .option('--created-to <time>', 'created at or before this time')
    .option('--updated-from <time>', 'changed at or after this time')
    .option('--updated-to <time>', 'changed at or before this time')
    .option('--sla <list>', 'comma-separated: warned, breached, due_soon, paused')
    .option('--snoozed', 'only snoozed tickets')
    .option('--has-attachment', 'only tickets with an attachment')
    .option('--spam', 'only spam, which is otherwise left out')
    .option('--include-test', 'also test tickets')
    .option('--sort <key>', ticketSorts.join(', '))
    .option('--direction <direction>', 'desc or asc (default: desc)')
    .option('--page <number>', 'page to show (default: 1)')
    .option('--per-page <number>', 'tickets on a page')
    .option('--cursor <cursor>', 'continue after an earlier page, with the cursor from its JSON')
    .action((flags: ListFlags) =>
      withDesk(flags, async (opened) => {
        const { asked, url } = queryOf(flags);
        const page = await listTickets(opened.data.desk, opened.baseUrl, opened.ctx(), asked, url);
        show(flags, {
          json: page,
          text: () => ticketTable(page),
        });
      }),
    );
}
