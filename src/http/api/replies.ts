// The agent surface: replies, notes and their attachments (docs/spec/console.md#replies).

import * as z from 'zod';
import { authorise, findTicket } from '../../desk/access.ts';
import { attachAsAgent, removeAttachment } from '../../desk/attachments.ts';
import { changeNote, deleteNote } from '../../desk/own-notes.ts';
import { addNote, answerTicket } from '../../desk/replies.ts';
import { resendReply } from '../../desk/resend-reply.ts';
import { type Scheduled, withdrawReply } from '../../desk/scheduled-replies.ts';
import type { Said } from '../../desk/sent-replies.ts';
import { agentReplyInput, noteChangeInput, noteInput } from '../../domain/input/tickets.ts';
import type { Tx } from '../../store/database.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { createLookups } from '../wire/lookups.ts';
import { messageShape, presentScheduledReply } from '../wire/message.ts';
import { emptyReply, jsonReply } from '../wire/respond.ts';
import { presentSaid } from '../wire/thread.ts';
import { rendered } from '../wire/written.ts';
import { visible } from '../write-only-answer.ts';
import { messageName, ticketName } from './parameters.ts';
import { attachUpload, uploadAnswer, uploadErrors } from './uploaded-file.ts';

const shownSaid = (tx: Tx, call: Call, said: Said | Scheduled) =>
  visible(call, presentSaid(tx, said, call.edge.links, call.ctx.now));

function answered(said: Said | Scheduled): string {
  if ('reply' in said) return 'Reply scheduled.';
  return said.message.isInternal ? 'Note added.' : 'Reply added.';
}

export const replyOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/messages',
    id: 'replyAsAgent',
    tag: 'Tickets',
    summary: 'Reply to a ticket',
    description:
      'With is_internal, the message is a note that only agents see. With send_at or hold_seconds it is sent later, and can be withdrawn until then.',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    body: agentReplyInput,
    answer: {
      status: 201,
      description: 'The message',
      schema: z.object({ message: z.string(), reply: messageShape }),
    },
    errors: [404, 409],
    async handle(call) {
      const written = await rendered(call.body);
      return call.commit((tx) => {
        const said = answerTicket(tx, call.ctx, ticketName(call), written);
        return jsonReply(201, { message: answered(said), reply: shownSaid(tx, call, said) });
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tickets/{ticket}/messages/{message}',
    id: 'withdrawReply',
    tag: 'Tickets',
    summary: 'Withdraw a reply that is not sent yet',
    description: 'Its attachments are loose again. A message that is sent answers 409 already_sent.',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    answer: {
      status: 200,
      description: 'The reply as it would have been sent',
      schema: z.object({ message: z.string(), data: messageShape }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const { reply, attachments } = withdrawReply(tx, call.ctx, ticketName(call), messageName(call));
        const files = { attachments, links: call.edge.links, now: call.ctx.now };
        const data = visible(call, presentScheduledReply(reply, createLookups(tx), files));
        return jsonReply(200, { message: 'Reply withdrawn.', data });
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/messages/{message}/resend',
    id: 'resendReply',
    tag: 'Tickets',
    summary: 'Send a reply again whose mail failed or came back',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    answer: {
      status: 200,
      description: 'The message, queued again',
      schema: z.object({ message: z.string(), data: messageShape }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const said = resendReply(tx, call.ctx, ticketName(call), messageName(call));
        return jsonReply(200, { message: 'The mail is queued again.', data: shownSaid(tx, call, said) });
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/notes',
    id: 'addNote',
    tag: 'Tickets',
    summary: 'Add a note that only agents see',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'note',
    body: noteInput,
    answer: { status: 201, description: 'The note', schema: z.object({ message: z.string(), note: messageShape }) },
    errors: [404, 409],
    async handle(call) {
      const written = await rendered(call.body);
      return call.commit((tx) => {
        const said = addNote(tx, call.ctx, ticketName(call), written);
        return jsonReply(201, { message: 'Note added.', note: shownSaid(tx, call, said) });
      });
    },
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/tickets/{ticket}/notes/{note}',
    id: 'changeNote',
    tag: 'Tickets',
    summary: 'Change the text of a note of yours',
    description:
      'Its format and mentions are replaced with the text. The history says who changed it, not what it said.',
    access: 'session',
    ability: 'note',
    body: noteChangeInput,
    answer: { status: 200, description: 'The note', schema: z.object({ message: z.string(), note: messageShape }) },
    errors: [403, 404],
    async handle(call) {
      const written = await rendered(call.body);
      return call.commit((tx) => {
        const said = changeNote(tx, call.ctx, ticketName(call), call.params.note ?? '', written);
        return jsonReply(200, { message: 'Note changed.', note: shownSaid(tx, call, said) });
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tickets/{ticket}/notes/{note}',
    id: 'deleteNote',
    tag: 'Tickets',
    summary: 'Delete a note of yours',
    description: 'With its files. The history says who deleted it, not what it said.',
    access: 'session',
    ability: 'note',
    answer: { status: 204, description: 'Deleted', schema: null },
    errors: [403, 404],
    handle: (call) =>
      call.commit((tx) => {
        deleteNote(tx, call.ctx, ticketName(call), call.params.note ?? '');
        return emptyReply(204);
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/attachments',
    id: 'attachAsAgent',
    tag: 'Tickets',
    summary: 'Attach a file',
    description:
      'Send multipart/form-data with one file under the key "file" and, optionally, "message_id". Without message_id, the customer cannot see the file until a reply names it in attachment_ids.',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    isUpload: true,
    answer: uploadAnswer,
    errors: uploadErrors,
    async handle(call) {
      call.edge.desk.read((tx) => {
        authorise(call.ctx, 'write');
        findTicket(tx, call.ctx, ticketName(call));
        return null;
      });
      return attachUpload(call, (tx, file, messageId) =>
        attachAsAgent(tx, call.ctx, ticketName(call), file, messageId),
      );
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tickets/{ticket}/attachments/{ulid}',
    id: 'removeAttachment',
    tag: 'Tickets',
    summary: 'Remove a file of yours that belongs to no message',
    access: 'team',
    ability: 'write',
    answer: { status: 204, description: 'Removed', schema: null },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        removeAttachment(tx, call.ctx, ticketName(call), call.params.ulid ?? '');
        return emptyReply(204);
      }),
  }),
];
