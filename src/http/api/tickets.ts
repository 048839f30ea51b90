// The agent surface: tickets and authors (docs/spec/api.md#tickets).

import * as z from 'zod';
import { eraseAuthor } from '../../desk/authors.ts';
import { changeTicket } from '../../desk/change-ticket.ts';
import { ticketEtag } from '../../desk/find-ticket.ts';
import { mergeTickets } from '../../desk/merge-tickets.ts';
import { splitTicket } from '../../desk/split-ticket.ts';
import { openTicketAsAgent } from '../../desk/tickets.ts';
import {
  agentTicketInput,
  anonymiseInput,
  mergeInput,
  splitInput,
  ticketChangeInput,
} from '../../domain/input/tickets.ts';
import { longAnswer } from '../long-answer.ts';
import { type Operation, operation } from '../operation.ts';
import { createLookups } from '../wire/lookups.ts';
import { authorShape, presentAuthor } from '../wire/people.ts';
import { jsonReply, type Reply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { presentTicket, ticketDetailShape, ticketShape } from '../wire/ticket.ts';
import { ticketListQuery } from '../wire/ticket-query.ts';
import { listTickets, ticketDetail } from '../wire/ticket-reading.ts';
import { taggedReply, visible } from '../write-only-answer.ts';
import { ticketName } from './parameters.ts';

export const agentTicketOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tickets',
    id: 'listTickets',
    tag: 'Tickets',
    summary: 'List tickets',
    description:
      'The total is exact unless meta.is_capped is true: then there may be more. When a filter matches very many tickets, the total may be up to a minute old. A list that takes too long answers 503 too_slow: narrow it by site, status or time.',
    access: 'team',
    ability: 'read',
    query: ticketListQuery,
    answer: {
      status: 200,
      description: 'One page',
      schema: shapes.page(ticketShape, { hasCursor: true, hasNewestSeq: true }),
    },
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
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    body: agentTicketInput,
    answer: { status: 201, description: 'The ticket', schema: z.object({ message: z.string(), data: ticketShape }) },
    errors: [409],
    handle: (call) =>
      call.commit((tx) => {
        const { ticket } = openTicketAsAgent(tx, call.ctx, call.body);
        const data = visible(call, presentTicket(ticket, createLookups(tx, { reader: call.actor })));
        return taggedReply(call, 201, { message: 'Ticket created.', data }, ticketEtag(ticket));
      }),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/tickets/{ticket}',
    id: 'readTicket',
    tag: 'Tickets',
    summary: 'Read a ticket with messages, notes, attachments, context and history',
    access: 'team',
    ability: 'read',
    hasEtag: true,
    answer: { status: 200, description: 'The ticket', schema: shapes.one(ticketDetailShape) },
    errors: [404],
    handle: (call) =>
      longAnswer(call, (view) => {
        const { ticket, data } = ticketDetail(view, call.ctx, call.edge.links, ticketName(call));
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
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    hasEtag: true,
    body: ticketChangeInput,
    answer: { status: 200, description: 'The updated ticket', schema: shapes.one(ticketShape) },
    errors: [404, 409, 412],
    handle: (call) =>
      call.commit((tx) => {
        const ticket = changeTicket(tx, call.ctx, ticketName(call), call.body, call.ifMatch);
        const data = visible(call, presentTicket(ticket, createLookups(tx, { reader: call.actor })));
        return taggedReply(call, 200, { data }, ticketEtag(ticket));
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/merge',
    id: 'mergeTickets',
    tag: 'Tickets',
    summary: 'Merge this ticket into another',
    description:
      'Messages, attachments and tags move to the other ticket. The old ulid answers with merged_into, and its access token opens the other ticket.',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    body: mergeInput,
    answer: {
      status: 200,
      description: 'The ticket that this one was merged into',
      schema: z.object({ message: z.string(), data: ticketShape }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const { target } = mergeTickets(tx, call.ctx, ticketName(call), call.body.into);
        const data = visible(call, presentTicket(target, createLookups(tx, { reader: call.actor })));
        return taggedReply(call, 200, { message: 'Tickets merged.', data }, ticketEtag(target));
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/split',
    id: 'splitTicket',
    tag: 'Tickets',
    summary: 'Make a new ticket of a message and all after it, or only of the message',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    body: splitInput,
    answer: {
      status: 201,
      description: 'The new ticket',
      schema: z.object({ message: z.string(), data: ticketShape }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const ticket = splitTicket(tx, call.ctx, ticketName(call), call.body);
        const data = visible(call, presentTicket(ticket, createLookups(tx, { reader: call.actor })));
        return taggedReply(call, 201, { message: 'Ticket split.', data }, ticketEtag(ticket));
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/authors/anonymise',
    id: 'anonymiseAuthor',
    tag: 'Authors',
    summary: 'Erase a person',
    access: 'team',
    ability: 'write',
    needsConfirmation: true,
    body: anonymiseInput,
    answer: {
      status: 200,
      description: 'The erased author; repeating the request gives the same answer',
      schema: z.object({
        message: z.string(),
        author: authorShape,
        external_id: z.string().nullable(),
        tickets_scrubbed: z.int(),
      }),
    },
    errors: [404, 409],
    complete: (answer, body) => withExternalId(answer, body.external_id ?? null),
    handle: (call) =>
      call.commit((tx) => {
        const { author, ticketsScrubbed } = eraseAuthor(tx, call.ctx, call.body);
        return jsonReply(200, {
          message: 'Author anonymised.',
          author: presentAuthor(author),
          external_id: null,
          tickets_scrubbed: ticketsScrubbed,
        });
      }),
  }),
];

/** Adds the external id to the answer only now: an answer stored under an Idempotency-Key must not name the erased person. */
function withExternalId(reply: Reply, externalId: string | null): Reply {
  if (externalId === null) return reply;
  const said = JSON.parse(reply.body) as { author: object };
  const body = { ...said, author: { ...said.author, external_id: externalId }, external_id: externalId };
  return { ...reply, body: JSON.stringify(body) };
}
