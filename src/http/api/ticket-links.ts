// The agent surface: the links that customers have to a ticket (docs/spec/customer.md#links).

import * as z from 'zod';
import { listTicketLinks, revokeTicketLinks } from '../../desk/customer/ticket-links.ts';
import { type Operation, operation } from '../operation.ts';
import { jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { presentTicketLink, ticketLinkShape } from '../wire/ticket-link.ts';
import { ticketName } from './parameters.ts';

export const ticketLinkOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tickets/{ticket}/links',
    id: 'listTicketLinks',
    tag: 'Tickets',
    summary: 'List the links that customers have to a ticket',
    description: 'With those of tickets that were merged into it; the newest 500, newest first.',
    access: 'team',
    ability: 'read',
    answer: {
      status: 200,
      description: 'The links, without their tokens',
      schema: shapes.one(z.array(ticketLinkShape)),
    },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) =>
        jsonReply(200, {
          data: listTicketLinks(tx, call.ctx, ticketName(call)).map(presentTicketLink),
        }),
      ),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tickets/{ticket}/links',
    id: 'revokeTicketLinks',
    tag: 'Tickets',
    summary: 'Revoke the links that customers have to a ticket',
    description:
      'Also ends their visits. The next mail to the customer brings a new link. The access token no longer opens the page; its own calls go on.',
    access: 'team',
    ability: 'write',
    answer: {
      status: 200,
      description: 'How many of the listed links were revoked',
      schema: shapes.one(z.object({ revoked: z.int() })),
    },
    errors: [404],
    handle: (call) =>
      call.commit((tx) => jsonReply(200, { data: { revoked: revokeTicketLinks(tx, call.ctx, ticketName(call)) } })),
  }),
];
