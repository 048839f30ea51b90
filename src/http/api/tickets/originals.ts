// The mail that a customer's message came by (docs/spec/api.md#originals).

import { readOriginal } from '../../../desk/tickets/find-ticket.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { originalShape, presentOriginal } from '../../wire/mail/inbound-mail.ts';
import { jsonReply } from '../../wire/respond.ts';
import { one } from '../../wire/shapes.ts';
import { messageName, ticketName } from '../parameters.ts';
import { disposition, sandbox } from './files.ts';

const reading = { tag: 'Tickets', access: 'team', ability: 'read' } as const;

const path = '/api/v1/tickets/{ticket}/messages/{message}/original';

const asked = (call: Call) =>
  call.edge.desk.read((tx) => readOriginal(tx, call.ctx, ticketName(call), messageName(call)));

export const originalOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path,
    id: 'readOriginal',
    ...reading,
    summary: 'Read the mail that a message came by',
    description: 'Its headers, what is known about its sender, and its source. 404 when the message came otherwise.',
    answer: answered(200, 'The mail', one(originalShape)),
    errors: [404, 409],
    async handle(call) {
      const { site, row } = asked(call);
      const { mailroom } = call.edge;
      const mail = await mailroom.show(site, row);
      return jsonReply(200, { data: presentOriginal(mail, row, await mailroom.original(row)) });
    },
  }),
  operation({
    method: 'GET',
    path: `${path}/source`,
    id: 'downloadOriginal',
    ...reading,
    summary: 'Download the mail that a message came by',
    description: 'As it was sent, with files that the desk refused. Only ever a download.',
    answer: answered(200, 'The mail', null, { contentType: 'message/rfc822' }),
    errors: [404, 409],
    async handle(call) {
      const { ticket, row } = asked(call);
      const bytes = await call.edge.mailroom.original(row);
      return new Response(bytes as BodyInit, {
        headers: {
          'Content-Type': 'message/rfc822',
          'Content-Disposition': disposition('attachment', `ticket-${ticket.id}-${messageName(call)}.eml`),
          'Content-Security-Policy': sandbox,
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': 'no-store',
        },
      });
    },
  }),
];
