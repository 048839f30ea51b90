// What a customer writes on the page of their ticket (docs/spec/customer.md#a-ticket-by-its-link).

import * as z from 'zod';
import { siteOfTicket } from '../../../desk/access.ts';
import { attachAsCustomer, type StoredFile } from '../../../desk/tickets/attachments.ts';
import { replyAsCustomer } from '../../../desk/tickets/replies.ts';
import { changeStatus } from '../../../desk/tickets/ticket-status.ts';
import { statusWords, statusWordsOf } from '../../../domain/customers/link.ts';
import { customerReplyInput } from '../../../domain/input/tickets.ts';
import { customersRules } from '../../../domain/tickets/files.ts';
import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { createLookups } from '../../wire/lookups.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { customerMessageShape, presentMessageForCustomer } from '../../wire/tickets/message.ts';
import { attachUpload, uploadAnswer, uploadErrors } from '../tickets/uploaded-file.ts';
import { enterToWrite, tag, visitQuery } from './visit.ts';

const answeredShape = shapes.one(z.object({ status: z.enum(ticketStatuses), status_words: z.enum(statusWords) }));

export const customerWriteOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/customer/ticket/messages',
    id: 'replyByLink',
    tag,
    summary: 'Reply by a link',
    description: 'Reopens a pending, resolved or closed ticket. 403 confirm_address until the address is confirmed.',
    access: 'visit',
    query: visitQuery,
    body: customerReplyInput,
    answer: answered(201, 'The reply', z.object({ message: z.string(), reply: customerMessageShape })),
    errors: [403],
    write(tx, call) {
      const { visit, speaker, isConfirmed, ctx } = enterToWrite(tx, call);
      const by = { linkId: visit.link.id, isConfirmed };
      const said = replyAsCustomer(tx, ctx, visit.thread, speaker, call.body, by);
      const files = { attachments: [], links: call.edge.links, now: call.ctx.now };
      const look = createLookups(tx, { customerId: null });
      return jsonReply(201, { message: 'Reply added.', reply: presentMessageForCustomer(said.message, look, files) });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/ticket/attachments',
    id: 'attachByLink',
    tag,
    summary: 'Attach a file by a link',
    description:
      'Send multipart/form-data with one file of at most 10 MB, or what the site allows, under the key "file" and, optionally, "message_id". 403 confirm_address until the address is confirmed.',
    access: 'visit',
    query: visitQuery,
    isUpload: true,
    answer: uploadAnswer,
    errors: [403, ...uploadErrors],
    async handle(call) {
      // Checked before the body is read, so that only permitted callers can use disk space.
      const { site, ticketId } = call.edge.desk.read((tx) => {
        const { thread } = enterToWrite(tx, call).visit;
        return { site: siteOfTicket(tx, thread), ticketId: thread.id };
      });
      const attach = (tx: Tx, file: StoredFile, messageId: number | null) => {
        const { visit, ctx } = enterToWrite(tx, call);
        return attachAsCustomer(tx, ctx, visit.thread, file, messageId);
      };
      return attachUpload(call, customersRules(site.settings), attach, { by: 'links', siteId: site.id, ticketId });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/ticket/status',
    id: 'settleByLink',
    tag,
    summary: 'Say by a link that a ticket is solved, or is not',
    description: '403 confirm_address until the address is confirmed. 409 when the ticket cannot get this status.',
    access: 'visit',
    query: visitQuery,
    body: z.object({ status: z.enum(['resolved', 'open']).meta({ examples: ['resolved'] }) }),
    answer: answered(200, 'The status', answeredShape),
    errors: [403],
    write(tx, call) {
      const { visit, ctx } = enterToWrite(tx, call);
      const ticket = changeStatus(tx, ctx, siteOfTicket(tx, visit.thread), visit.thread, call.body.status);
      return jsonReply(200, { data: { status: ticket.status, status_words: statusWordsOf(ticket) } });
    },
  }),
];
