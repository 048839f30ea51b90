// One page of tickets, and one ticket with everything on it, for the agent surface and the command line.

import * as z from 'zod';
import { listScope } from '../../desk/access.ts';
import type { Context } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { readTicket } from '../../desk/find-ticket.ts';
import { normaliseEmail } from '../../domain/address.ts';
import { DeskError } from '../../domain/errors.ts';
import { parseReference, type TicketStatus, ticketStatuses } from '../../domain/ticket.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Links } from '../../files/links.ts';
import type { Tx } from '../../store/database.ts';
import { eventsOfTicket } from '../../store/events.ts';
import { removals } from '../../store/removals.ts';
import { slaFilters, type TicketFilter } from '../../store/ticket-list/filter.ts';
import { createPage } from '../../store/ticket-list/list.ts';
import { type TicketPage, ticketSorts } from '../../store/ticket-list/page.ts';
import { ticketByUlid, ticketsByIds } from '../../store/tickets.ts';
import { stepFor, turnsOf } from '../turns.ts';
import { presentEvent } from './event.ts';
import { createLookups } from './lookups.ts';
import { presentAttachment, presentMessage } from './message.ts';
import * as query from './queries.ts';
import { pageBody } from './respond.ts';
import { presentTicket } from './ticket.ts';
import { ticketCounts } from './ticket-counts.ts';

export const ticketListQuery = z.object({
  site_id: query.name().optional(),
  status: query.list(z.enum(ticketStatuses)).optional(),
  category_id: query.list(query.number()).optional(),
  priority_id: query.list(query.number()).optional(),
  assigned_to: query.list(query.number()).optional(),
  unassigned: query.boolean().optional().meta({ description: 'false does not filter.' }),
  external_id: z.string().max(255).optional(),
  email: z.string().max(1000).optional(),
  tag: query
    .list(z.string().max(32))
    .optional()
    .meta({ description: 'Can be repeated; a ticket must have all of them.' }),
  q: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'Full-text search in subject, messages and author. #41 or a ulid finds that ticket.' }),
  created_from: query.time('first').optional(),
  created_to: query.time('last').optional(),
  updated_from: query.time('first').optional(),
  updated_to: query.time('last').optional(),
  sla: query.list(z.enum(slaFilters)).optional(),
  include_test: query.boolean().optional(),
  is_spam: query.boolean().optional().meta({ description: 'true: only spam. Otherwise lists have none.' }),
  sort: z.enum(ticketSorts).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  ...query.paging,
  cursor: z
    .string()
    .max(512)
    .optional()
    .meta({ description: 'meta.next_cursor of the previous page. Deep pages stay fast.' }),
});
export type TicketListQuery = z.output<typeof ticketListQuery>;

interface Cursor {
  sort: string;
  direction: string;
  key: number[];
}

function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.sort, cursor.direction, ...cursor.key])).toString('base64url');
}

function decodeCursor(text: string, sort: string, direction: string): number[] {
  const refusal = new DeskError('malformed', 'This cursor does not belong to this list.', { reason: 'bad_cursor' });
  try {
    const [of, to, ...key] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    const length = sort === 'priority' ? 3 : 2;
    if (of === sort && to === direction && key.length === length && key.every((part) => Number.isSafeInteger(part)))
      return key as number[];
  } catch {
    throw refusal;
  }
  throw refusal;
}

/** `#41` and a ulid name one ticket; any other text is a search. */
function searchOf(tx: Tx, text: string | undefined): { search: string | null; ids: number[] | null } {
  const term = text?.trim();
  if (!term) return { search: null, ids: null };
  if (term.startsWith('#') && parseReference(term) !== null) return { search: null, ids: [parseReference(term) ?? 0] };
  if (isUlid(term)) return { search: null, ids: [ticketByUlid(tx, term)?.id ?? 0] };
  return { search: term, ids: null };
}

function filterOf(tx: Tx, ctx: Context, asked: TicketListQuery): TicketFilter {
  const { search, ids } = searchOf(tx, asked.q);
  return {
    sites: listScope(tx, ctx, asked.site_id ?? null),
    exceptSiteIds: removals(tx).map(({ siteId }) => siteId),
    statuses: (asked.status ?? []) as TicketStatus[],
    categoryIds: asked.category_id ?? [],
    priorityIds: asked.priority_id ?? [],
    assigneeIds: asked.assigned_to ?? [],
    isUnassigned: asked.unassigned === true ? true : null,
    externalId: asked.external_id ?? null,
    email: asked.email === undefined ? null : normaliseEmail(asked.email),
    tags: asked.tag ?? [],
    search,
    ids,
    createdFrom: asked.created_from ?? null,
    createdTo: asked.created_to ?? null,
    updatedFrom: asked.updated_from ?? null,
    updatedTo: asked.updated_to ?? null,
    sla: asked.sla ?? [],
    includeTest: asked.include_test ?? false,
    isSpam: asked.is_spam ?? false,
  };
}

// After the first limit the work continues in turns with other requests; after the second it fails.
const atOnceMs = 15;
const mostMs = 5000;

export async function listTickets(desk: Desk, baseUrl: string, ctx: Context, asked: TicketListQuery, url: URL) {
  const { page, perPage } = query.pageOf(asked);
  const sort = asked.sort ?? 'created_at';
  const direction = asked.direction ?? 'desc';
  const from: TicketPage['from'] =
    asked.cursor === undefined
      ? { offset: (page - 1) * perPage }
      : { after: decodeCursor(asked.cursor, sort, direction) };
  const wanted: TicketPage = { sort, direction, limit: perPage + 1, from };
  const begun = desk.read((tx) => {
    const filter = filterOf(tx, ctx, asked);
    const steps = createPage(filter, wanted, ctx.now);
    const isWhole = stepFor(tx, steps.step, atOnceMs);
    return { filter, steps, shown: isWhole ? show(tx, filter, steps) : null };
  });
  const { filter, steps } = begun;
  let { shown } = begun;
  if (shown === null) {
    await turnsOf(desk).run(steps.step, mostMs);
    shown = desk.read((tx) => show(tx, filter, steps));
  }
  const { data, next, total } = shown;
  const { total: counted, isCapped } = await total;
  const cursor = { next, isUsed: asked.cursor !== undefined };
  return pageBody(baseUrl, url, data, { page, perPage }, counted, cursor, isCapped);

  function show(tx: Tx, filter: TicketFilter, steps: ReturnType<typeof createPage>) {
    const rows = steps.rows();
    const shown = rows.slice(0, perPage);
    const last = shown.at(-1);
    const next = rows.length > perPage && last ? encodeCursor({ sort, direction, key: [...last.key] }) : null;
    const tickets = ticketsByIds(
      tx,
      shown.map(({ id }) => id),
    );
    const look = createLookups(tx, tickets);
    const data = tickets.map((ticket) => presentTicket(ticket, look));
    return { data, next, total: ticketCounts(desk).of(tx, filter, ctx.now) };
  }
}

/** A ticket with messages, attachments, context and history (docs/spec/api.md#tickets). */
export function ticketDetail(tx: Tx, ctx: Context, links: Links, name: string) {
  const { ticket, messages, attachments } = readTicket(tx, ctx, name);
  const look = createLookups(tx);
  const thread = { attachments, links, now: ctx.now };
  const data = {
    ...presentTicket(ticket, look),
    messages: messages.map((message) => presentMessage(message, look, thread)),
    attachments: attachments.map((attachment) => presentAttachment(attachment, links, ctx.now)),
    context: ticket.context,
    events: eventsOfTicket(tx, ticket.id).map((event) => presentEvent(event, look)),
  };
  return { ticket, data };
}
