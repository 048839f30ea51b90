// The agent surface: tickets, what is said on them, and the people behind them (api.md, Agent).

import * as z from 'zod';
import { isUlid } from '../base/ids.ts';
import { authorise, findTicket } from '../desk/access.ts';
import { attachAsAgent } from '../desk/attachments.ts';
import { anonymiseAuthor } from '../desk/authors.ts';
import { addNote, replyAsAgent, type Said } from '../desk/replies.ts';
import { changeTicket, listScope, mergeTickets, openTicketAsAgent, readTicket, ticketEtag } from '../desk/tickets.ts';
import { normaliseEmail } from '../domain/author.ts';
import { DeskError } from '../domain/errors.ts';
import {
  type AgentReplyInput,
  type AgentTicketInput,
  type AnonymiseInput,
  agentReplyInput,
  agentTicketInput,
  anonymiseInput,
  mergeInput,
  type NoteInput,
  noteInput,
  type TicketChangeInput,
  ticketChangeInput,
} from '../domain/input/tickets.ts';
import { parseReference, type TicketStatus, ticketStatuses } from '../domain/ticket.ts';
import type { Tx } from '../store/database.ts';
import { eventsOfTicket } from '../store/events.ts';
import { attachmentsOfTicket } from '../store/messages.ts';
import {
  countTickets,
  listTicketIds,
  slaFilters,
  type TicketFilter,
  type TicketPage,
  ticketSorts,
} from '../store/ticket-list.ts';
import { ticketByUlid, ticketsByIds } from '../store/tickets.ts';
import type { Call, Operation } from './call.ts';
import { keepUpload, parseMessageId } from './ingest.ts';
import {
  createLookups,
  presentAttachment,
  presentAuthor,
  presentEvent,
  presentMessage,
  presentTicket,
} from './present.ts';
import * as query from './queries.ts';
import { jsonReply, pageBody } from './respond.ts';
import * as shapes from './shapes.ts';
import { receiveUpload } from './upload.ts';

export const ticketListQuery = z.object({
  site_id: query.name().optional(),
  status: query.list(z.enum(ticketStatuses)).optional(),
  category_id: query.list(query.number()).optional(),
  priority_id: query.list(query.number()).optional(),
  assigned_to: query.list(query.number()).optional(),
  unassigned: query.boolean().optional(),
  external_id: z.string().max(255).optional(),
  email: z.string().max(254).optional(),
  tag: query.list(z.string().max(32)).optional().meta({ description: 'Repeatable; all must match.' }),
  q: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'Full text over subject, messages and author; also #41 and a ulid.' }),
  created_from: query.time().optional(),
  created_to: query.time().optional(),
  updated_from: query.time().optional(),
  updated_to: query.time().optional(),
  sla: query.list(z.enum(slaFilters)).optional(),
  include_test: query.boolean().optional(),
  sort: z.enum(ticketSorts).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  ...query.paging,
  cursor: z
    .string()
    .max(512)
    .optional()
    .meta({ description: 'meta.next_cursor of the page before; stays fast however deep.' }),
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

/** `#41` and a ulid name one ticket; everything else is a search. */
function searchOf(tx: Tx, text: string | undefined): { search: string | null; ids: number[] | null } {
  const term = text?.trim();
  if (!term) return { search: null, ids: null };
  if (term.startsWith('#') && parseReference(term) !== null) return { search: null, ids: [parseReference(term) ?? 0] };
  if (isUlid(term)) return { search: null, ids: [ticketByUlid(tx, term)?.id ?? 0] };
  return { search: term, ids: null };
}

// Counting what a filter matches costs in proportion to it, so a count is kept until anything is committed.
const countCache = new WeakMap<object, { generation: string; counts: Map<string, number> }>();

function cachedCount(call: Call, tx: Tx, filter: TicketFilter): number {
  const { desk } = call.edge;
  const generation = desk.generation();
  let cache = countCache.get(desk);
  if (cache?.generation !== generation || cache.counts.size > 1000) {
    cache = { generation, counts: new Map() };
    countCache.set(desk, cache);
  }
  const key = JSON.stringify(filter);
  let total = cache.counts.get(key);
  if (total === undefined) {
    total = countTickets(tx, filter, call.ctx.now);
    // What is due soon changes with the clock alone.
    if (!filter.sla.includes('due_soon')) cache.counts.set(key, total);
  }
  return total;
}

function listTickets(call: Call) {
  const asked = call.query as TicketListQuery;
  const { page, perPage } = query.pageOf(asked);
  const sort = asked.sort ?? 'created_at';
  const direction = asked.direction ?? 'desc';
  const from: TicketPage['from'] =
    asked.cursor === undefined
      ? { offset: (page - 1) * perPage }
      : { after: decodeCursor(asked.cursor, sort, direction) };
  return call.edge.desk.read((tx) => {
    const { search, ids } = searchOf(tx, asked.q);
    const filter: TicketFilter = {
      siteId: listScope(tx, call.ctx, asked.site_id ?? null),
      statuses: (asked.status ?? []) as TicketStatus[],
      categoryIds: asked.category_id ?? [],
      priorityIds: asked.priority_id ?? [],
      assigneeIds: asked.assigned_to ?? [],
      isUnassigned: asked.unassigned ?? null,
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
    };
    // One row more than the page tells whether there is a next one.
    const rows = listTicketIds(tx, filter, { sort, direction, limit: perPage + 1, from }, call.ctx.now);
    const shown = rows.slice(0, perPage);
    const last = shown.at(-1);
    const next = rows.length > perPage && last ? encodeCursor({ sort, direction, key: last.key }) : null;
    const look = createLookups(tx);
    const data = ticketsByIds(
      tx,
      shown.map(({ id }) => id),
    ).map((ticket) => presentTicket(ticket, look));
    const total = cachedCount(call, tx, filter);
    return pageBody(call.edge.baseUrl, call.url, data, { page, perPage }, total, {
      next,
      isUsed: asked.cursor !== undefined,
    });
  });
}

function detailOf(tx: Tx, call: Call) {
  const { ticket, messages, attachments } = readTicket(tx, call.ctx, call.params.ticket ?? '');
  const look = createLookups(tx);
  const thread = { attachments, links: call.edge.links, now: call.ctx.now };
  const data = {
    ...presentTicket(ticket, look),
    messages: messages.map((message) => presentMessage(message, look, thread)),
    attachments: attachments.map((attachment) => presentAttachment(attachment, call.edge.links, call.ctx.now)),
    context: ticket.context,
    events: eventsOfTicket(tx, ticket.id).map((event) => presentEvent(event, look)),
  };
  return jsonReply(200, { data }, { ETag: ticketEtag(ticket) });
}

function presentSaid(tx: Tx, call: Call, said: Said) {
  const attachments = attachmentsOfTicket(tx, said.ticket.id);
  return presentMessage(said.message, createLookups(tx), { attachments, links: call.edge.links, now: call.ctx.now });
}

export const agentTicketOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/api/v1/tickets',
    id: 'listTickets',
    tag: 'Tickets',
    summary: 'List tickets',
    access: 'team',
    query: ticketListQuery,
    answer: { status: 200, description: 'One page', schema: shapes.page(shapes.ticket, true) },
    errors: [404],
    handle: (call) => jsonReply(200, listTickets(call)),
  },
  {
    method: 'POST',
    path: '/api/v1/tickets',
    id: 'createTicket',
    tag: 'Tickets',
    summary: "Open a ticket on somebody's behalf",
    access: 'team',
    body: agentTicketInput,
    answer: { status: 201, description: 'The ticket', schema: z.object({ message: z.string(), data: shapes.ticket }) },
    errors: [409],
    handle: (call) =>
      call.commit((tx) => {
        const { ticket } = openTicketAsAgent(tx, call.ctx, call.body as AgentTicketInput);
        return jsonReply(
          201,
          { message: 'Ticket created.', data: presentTicket(ticket, createLookups(tx)) },
          { ETag: ticketEtag(ticket) },
        );
      }),
  },
  {
    method: 'GET',
    path: '/api/v1/tickets/{ticket}',
    id: 'readTicket',
    tag: 'Tickets',
    summary: 'Read a ticket with messages, notes, attachments, context and history',
    access: 'team',
    hasEtag: true,
    answer: { status: 200, description: 'The ticket', schema: shapes.one(shapes.ticketDetail) },
    errors: [404],
    handle: (call) => call.edge.desk.read((tx) => detailOf(tx, call)),
  },
  {
    method: 'PATCH',
    path: '/api/v1/tickets/{ticket}',
    id: 'updateTicket',
    tag: 'Tickets',
    summary: 'Change a ticket',
    description: 'With If-Match a change that somebody else overtook answers 412 and changes nothing.',
    access: 'team',
    hasEtag: true,
    body: ticketChangeInput,
    answer: { status: 200, description: 'The ticket as it is now', schema: shapes.one(shapes.ticket) },
    errors: [404, 409, 412],
    handle: (call) =>
      call.commit((tx) => {
        const ticket = changeTicket(
          tx,
          call.ctx,
          call.params.ticket ?? '',
          call.body as TicketChangeInput,
          call.ifMatch,
        );
        return jsonReply(200, { data: presentTicket(ticket, createLookups(tx)) }, { ETag: ticketEtag(ticket) });
      }),
  },
  {
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/messages',
    id: 'replyAsAgent',
    tag: 'Tickets',
    summary: 'Answer, or note with is_internal',
    access: 'team',
    body: agentReplyInput,
    answer: {
      status: 201,
      description: 'The message',
      schema: z.object({ message: z.string(), reply: shapes.message }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const said = replyAsAgent(tx, call.ctx, call.params.ticket ?? '', call.body as AgentReplyInput);
        return jsonReply(201, {
          message: said.message.isInternal ? 'Note added.' : 'Reply added.',
          reply: presentSaid(tx, call, said),
        });
      }),
  },
  {
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/notes',
    id: 'addNote',
    tag: 'Tickets',
    summary: 'Add a note that only agents see',
    access: 'team',
    body: noteInput,
    answer: { status: 201, description: 'The note', schema: z.object({ message: z.string(), note: shapes.message }) },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const said = addNote(tx, call.ctx, call.params.ticket ?? '', call.body as NoteInput);
        return jsonReply(201, { message: 'Note added.', note: presentSaid(tx, call, said) });
      }),
  },
  {
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/attachments',
    id: 'attachAsAgent',
    tag: 'Tickets',
    summary: 'Upload one file',
    description:
      'multipart/form-data with one file under the key "file", optionally "message_id". Without one the file waits, unseen by the customer, to be named in attachment_ids of a reply.',
    access: 'team',
    isUpload: true,
    answer: {
      status: 201,
      description: 'The attachment',
      schema: z.object({ message: z.string(), attachment: shapes.attachment }),
    },
    errors: [404, 409, 413, 415],
    async handle(call) {
      call.edge.desk.read((tx) => {
        authorise(call.ctx, 'write');
        findTicket(tx, call.ctx, call.params.ticket ?? '');
        return null;
      });
      const upload = await receiveUpload(call);
      const messageId = parseMessageId(upload.fields.message_id);
      return keepUpload(call, upload, (tx, file) =>
        attachAsAgent(tx, call.ctx, call.params.ticket ?? '', file, messageId),
      );
    },
  },
  {
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/merge',
    id: 'mergeTickets',
    tag: 'Tickets',
    summary: 'Merge this ticket into another',
    description:
      'Messages, attachments and tags move; the old ulid answers with merged_into, its access token opens the merged thread.',
    access: 'team',
    body: mergeInput,
    answer: {
      status: 200,
      description: 'The ticket that it went into',
      schema: z.object({ message: z.string(), data: shapes.ticket }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const { target } = mergeTickets(
          tx,
          call.ctx,
          call.params.ticket ?? '',
          (call.body as z.output<typeof mergeInput>).into,
        );
        return jsonReply(
          200,
          { message: 'Tickets merged.', data: presentTicket(target, createLookups(tx)) },
          { ETag: ticketEtag(target) },
        );
      }),
  },
  {
    method: 'POST',
    path: '/api/v1/authors/anonymise',
    id: 'anonymiseAuthor',
    tag: 'Authors',
    summary: 'Erase a person',
    access: 'team',
    body: anonymiseInput,
    answer: {
      status: 200,
      description: 'The author as they are now; asking again answers the same',
      schema: z.object({ message: z.string(), author: shapes.author, tickets_scrubbed: z.int() }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const { author, ticketsScrubbed } = anonymiseAuthor(tx, call.ctx, call.body as AnonymiseInput);
        return jsonReply(200, {
          message: 'Author anonymised.',
          author: presentAuthor(author),
          tickets_scrubbed: ticketsScrubbed,
        });
      }),
  },
];
