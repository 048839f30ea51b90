// What a customer writes on the page of their ticket (docs/spec/customer.md#a-ticket-by-its-link).

import * as z from 'zod';
import { attachAsCustomer, type StoredFile } from '../../../desk/attachments.ts';
import { settleAsCustomer } from '../../../desk/customer/own-ticket.ts';
import { replyAsCustomer } from '../../../desk/replies.ts';
import { statusWords, statusWordsOf } from '../../../domain/customer-link.ts';
import { customerReplyInput } from '../../../domain/input/tickets.ts';
import { ticketStatuses } from '../../../domain/ticket.ts';
import type { Tx } from '../../../store/database.ts';
import { type Operation, operation } from '../../operation.ts';
import { createLookups } from '../../wire/lookups.ts';
import { customerMessageShape, presentMessageForCustomer } from '../../wire/message.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { attachUpload, uploadAnswer, uploadErrors } from '../uploaded-file.ts';
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
    answer: {
      status: 201,
      description: 'The reply',
      schema: z.object({ message: z.string(), reply: customerMessageShape }),
    },
    errors: [403],
    handle: (call) =>
      call.commit((tx) => {
        const { visit, isConfirmed } = enterToWrite(tx, call);
        const by = { linkId: visit.link.id, isConfirmed };
        const said = replyAsCustomer(tx, call.ctx, visit.thread, visit.author, call.body, by);
        const files = { attachments: [], links: call.edge.links, now: call.ctx.now };
        const look = createLookups(tx, { customerId: null });
        return jsonReply(201, { message: 'Reply added.', reply: presentMessageForCustomer(said.message, look, files) });
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/ticket/attachments',
    id: 'attachByLink',
    tag,
    summary: 'Attach a file by a link',
    description:
      'Send multipart/form-data with one file of at most 10 MB under the key "file" and, optionally, "message_id". 403 confirm_address until the address is confirmed.',
    access: 'visit',
    query: visitQuery,
    isUpload: true,
    answer: uploadAnswer,
    errors: [403, ...uploadErrors],
    async handle(call) {
      // Checked before the body is read, so that only permitted callers can use disk space.
      call.edge.desk.read((tx) => {
        enterToWrite(tx, call);
        return null;
      });
      const attach = (tx: Tx, file: StoredFile, messageId: number | null) =>
        attachAsCustomer(tx, call.ctx, enterToWrite(tx, call).visit.thread, file, messageId);
      return attachUpload(call, attach, { isStranger: true });
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
    answer: { status: 200, description: 'The status', schema: answeredShape },
    errors: [403],
    handle: (call) =>
      call.commit((tx) => {
        const ticket = settleAsCustomer(tx, call.ctx, enterToWrite(tx, call).visit, call.body.status);
        return jsonReply(200, { data: { status: ticket.status, status_words: statusWordsOf(ticket) } });
      }),
  }),
];
