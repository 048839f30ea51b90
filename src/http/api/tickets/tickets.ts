// The agent surface: tickets and authors (docs/spec/api.md#tickets).

import * as z from 'zod';
import { eraseAuthor } from '../../../desk/customers/authors.ts';
import { changeTicket } from '../../../desk/tickets/change-ticket.ts';
import { ticketEtag } from '../../../desk/tickets/find-ticket.ts';
import { mergeTickets } from '../../../desk/tickets/merge-tickets.ts';
import { splitTicket } from '../../../desk/tickets/split-ticket.ts';
import { openTicketAsAgent } from '../../../desk/tickets/tickets.ts';
import { unmergeTicket } from '../../../desk/tickets/unmerge-ticket.ts';
import {
  agentTicketInput,
  anonymiseInput,
  mergeInput,
  splitInput,
  ticketChangeInput,
} from '../../../domain/input/tickets.ts';
import { longAnswer } from '../../long-answer.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { ticketListQuery } from '../../wire/lists/ticket-query.ts';
import { createLookups } from '../../wire/lookups.ts';
import { authorShape, presentAuthor } from '../../wire/people/people.ts';
import * as query from '../../wire/queries.ts';
import { jsonReply, type Reply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { presentTicket, ticketDetailShape, ticketShape } from '../../wire/tickets/ticket.ts';
import { listTickets, ticketDetail } from '../../wire/tickets/ticket-reading.ts';
import { rendered } from '../../wire/tickets/written.ts';
import { taggedReply, visible } from '../../write-only-answer.ts';
import { ticketName } from '../parameters.ts';

const reading = { tag: 'Tickets', access: 'team', ability: 'read' } as const;
const writing = { access: 'team', ability: 'write' } as const;

export const agentTicketOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tickets',
    id: 'listTickets',
    isKept: true,
    ...reading,
    summary: 'List tickets',
    description:
      'The total is exact unless meta.is_capped is true: then there may be more. When a filter matches very many tickets, the total may be up to a minute old. A list that takes too long answers 503 too_slow: narrow it by site, status or time.',
    query: ticketListQuery,
    answer: answered(200, 'One page', shapes.page(ticketShape, { hasCursor: true, hasNewestSeq: true })),
    errors: [404],
    handle: async (call) =>
      jsonReply(200, await listTickets(call.edge.desk, call.edge.baseUrl, call.ctx, call.query, call.url)),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets',
    id: 'createTicket',
    tag: 'Tickets',
    summary: 'Open a ticket for a customer',
    ...writing,
    isShortWithoutRead: true,
    body: agentTicketInput,
    answer: answered(201, 'The ticket', z.object({ message: z.string(), data: ticketShape })),
    errors: [409],
    async handle(call) {
      const { message: body, body_format } = call.body;
      const { html } = await rendered({ body, body_format });
      return call.commit((tx) => {
        const { ticket } = openTicketAsAgent(tx, call.ctx, { ...call.body, html });
        const data = visible(call, presentTicket(ticket, createLookups(tx, { reader: call.actor })));
        return taggedReply(call, 201, { message: 'Ticket created.', data }, ticketEtag(ticket));
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/tickets/{ticket}',
    id: 'readTicket',
    isKept: true,
    ...reading,
    summary: 'Read a ticket with messages, notes, attachments, context and history',
    description: 'The ETag is of the ticket itself: it stays the same when other_tickets change.',
    hasEtag: true,
    query: z.looseObject({
      other_tickets: query.boolean().optional().meta({ description: 'Adds other_tickets of the same customer.' }),
    }),
    answer: answered(200, 'The ticket', shapes.one(ticketDetailShape)),
    errors: [404],
    handle: (call) =>
      longAnswer(call, (view) => {
        const { ticket, data } = ticketDetail(
          view,
          call.ctx,
          call.edge.links,
          ticketName(call),
          call.query.other_tickets === true,
        );
        return { data, headers: { ETag: ticketEtag(ticket) } };
      }),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/tickets/{ticket}',
    id: 'updateTicket',
    tag: 'Tickets',
    summary: 'Update a ticket',
    description:
      'Send If-Match to protect against overwriting: if the ticket has changed since, the answer is 412 and nothing changes.',
    ...writing,
    isShortWithoutRead: true,
    hasEtag: true,
    body: ticketChangeInput,
    answer: answered(200, 'The updated ticket', shapes.one(ticketShape)),
    errors: [404, 409, 412],
    write(tx, call) {
      const ticket = changeTicket(tx, call.ctx, ticketName(call), call.body, call.ifMatch);
      const data = visible(call, presentTicket(ticket, createLookups(tx, { reader: call.actor })));
      return taggedReply(call, 200, { data }, ticketEtag(ticket));
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/merge',
    id: 'mergeTickets',
    tag: 'Tickets',
    summary: 'Merge this ticket into another',
    description:
      'Messages, attachments and tags move to the other ticket. The old ulid answers with merged_into, and its access token opens the other ticket. It can be undone for 30 days.',
    ...writing,
    isShortWithoutRead: true,
    body: mergeInput,
    answer: answered(
      200,
      'The ticket that this one was merged into',
      z.object({ message: z.string(), data: ticketShape }),
    ),
    errors: [404, 409],
    write(tx, call) {
      const { target } = mergeTickets(tx, call.ctx, ticketName(call), call.body.into);
      const data = visible(call, presentTicket(target, createLookups(tx, { reader: call.actor })));
      return taggedReply(call, 200, { message: 'Tickets merged.', data }, ticketEtag(target));
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/unmerge',
    id: 'unmergeTicket',
    tag: 'Tickets',
    summary: 'Undo the merge of this ticket into another',
    description:
      'For 30 days. What the merge moved goes back, and the ticket gets the state it had; what came after the merge stays on the other ticket.',
    ...writing,
    isShortWithoutRead: true,
    answer: answered(200, 'The ticket that was merged', z.object({ message: z.string(), data: ticketShape })),
    errors: [404, 409],
    write(tx, call) {
      const { source } = unmergeTicket(tx, call.ctx, ticketName(call));
      const data = visible(call, presentTicket(source, createLookups(tx, { reader: call.actor })));
      return taggedReply(call, 200, { message: 'Merge undone.', data }, ticketEtag(source));
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/split',
    id: 'splitTicket',
    tag: 'Tickets',
    summary: 'Make a new ticket of a message and all after it, or only of the message',
    ...writing,
    isShortWithoutRead: true,
    body: splitInput,
    answer: answered(201, 'The new ticket', z.object({ message: z.string(), data: ticketShape })),
    errors: [404, 409],
    write(tx, call) {
      const ticket = splitTicket(tx, call.ctx, ticketName(call), call.body);
      const data = visible(call, presentTicket(ticket, createLookups(tx, { reader: call.actor })));
      return taggedReply(call, 201, { message: 'Ticket split.', data }, ticketEtag(ticket));
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/authors/anonymise',
    id: 'anonymiseAuthor',
    tag: 'Authors',
    summary: 'Erase a person',
    ...writing,
    needsConfirmation: true,
    body: anonymiseInput,
    answer: answered(
      200,
      'The erased author; repeating the request gives the same answer',
      z.object({
        message: z.string(),
        author: authorShape,
        external_id: z.string().nullable(),
        tickets_scrubbed: z.int(),
      }),
    ),
    errors: [404, 409],
    complete: (answer, body) => withExternalId(answer, body.external_id ?? null),
    write(tx, call) {
      const { author, ticketsScrubbed } = eraseAuthor(tx, call.ctx, call.body);
      return jsonReply(200, {
        message: 'Author anonymised.',
        author: presentAuthor(author),
        external_id: null,
        tickets_scrubbed: ticketsScrubbed,
      });
    },
  }),
];

/** Adds the external id to the answer only now: an answer stored under an Idempotency-Key must not name the erased person. */
function withExternalId(reply: Reply, externalId: string | null): Reply {
  if (externalId === null) return reply;
  const said = JSON.parse(reply.body) as { author: object };
  const body = { ...said, author: { ...said.author, external_id: externalId }, external_id: externalId };
  return { ...reply, body: JSON.stringify(body) };
}
