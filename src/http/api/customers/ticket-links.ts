// The agent surface: the links that customers have to a ticket (docs/spec/customer.md#links).

import * as z from 'zod';
import { listTicketLinks, revokeTicketLinks } from '../../../desk/customers/ticket-links.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { presentTicketLink, ticketLinkShape } from '../../wire/customers/ticket-link.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { ticketName } from '../parameters.ts';

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
    answer: answered(200, 'The links, without their tokens', shapes.one(z.array(ticketLinkShape))),
    errors: [404],
    read: (tx, call) =>
      jsonReply(200, {
        data: listTicketLinks(tx, call.ctx, ticketName(call)).map(presentTicketLink),
      }),
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
    answer: answered(200, 'How many of the listed links were revoked', shapes.one(z.object({ revoked: z.int() }))),
    errors: [404],
    write: (tx, call) => jsonReply(200, { data: { revoked: revokeTicketLinks(tx, call.ctx, ticketName(call)) } }),
  }),
];
