// The agent surface: replies, notes and their attachments (docs/spec/console.md#replies).

import * as z from 'zod';
import { authorise, findTicket, siteOfTicket } from '../../../desk/access.ts';
import { attachAsAgent, removeAttachment } from '../../../desk/tickets/attachments.ts';
import { ownerOf } from '../../../desk/tickets/drafts.ts';
import { attachToNewTicket, newTicketName, removeNewTicketFile } from '../../../desk/tickets/new-ticket-draft.ts';
import { changeNote, deleteNote } from '../../../desk/tickets/note-changes.ts';
import { answerTicket } from '../../../desk/tickets/replies.ts';
import { resendReply } from '../../../desk/tickets/resend-reply.ts';
import { type Scheduled, withdrawReply } from '../../../desk/tickets/scheduled-replies.ts';
import type { Said } from '../../../desk/tickets/sent-replies.ts';
import { agentReplyInput, noteChangeInput, noteInput, resendInput } from '../../../domain/input/tickets.ts';
import { defaultSettings } from '../../../domain/sites/site.ts';
import { agentsRules } from '../../../domain/tickets/files.ts';
import type { Tx } from '../../../engine/database.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { createLookups } from '../../wire/lookups.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import { messageShape, presentScheduledReply } from '../../wire/tickets/message.ts';
import { presentSaid } from '../../wire/tickets/thread.ts';
import { rendered } from '../../wire/tickets/written.ts';
import { visible } from '../../write-only-answer.ts';
import { messageName, ticketName } from '../parameters.ts';
import { attachUpload, uploadAnswer, uploadErrors } from './uploaded-file.ts';

const writing = { tag: 'Tickets', access: 'team', ability: 'write' } as const;
const noting = { tag: 'Tickets', access: 'team', ability: 'note', isShortWithoutRead: true } as const;
const notingInSession = { tag: 'Tickets', access: 'session', ability: 'note' } as const;

const shownSaid = (tx: Tx, call: Call, said: Said | Scheduled) =>
  visible(call, presentSaid(tx, said, call.edge.links, call.ctx.now));

function outcomeOf(said: Said | Scheduled): string {
  if ('reply' in said) return said.reply.isInternal ? 'Note held.' : 'Reply scheduled.';
  return said.message.isInternal ? 'Note added.' : 'Reply added.';
}

export const replyOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/messages',
    id: 'replyAsAgent',
    ...writing,
    summary: 'Reply to a ticket',
    description:
      'With is_internal, the message is a note that only agents see. With send_at or hold_seconds it is sent later, and can be withdrawn until then.',
    isShortWithoutRead: true,
    body: agentReplyInput,
    answer: answered(201, 'The message', z.object({ message: z.string(), reply: messageShape })),
    errors: [404, 409],
    async handle(call) {
      const written = await rendered(call.body);
      return call.commit((tx) => {
        const said = answerTicket(tx, call.ctx, ticketName(call), written);
        return jsonReply(201, { message: outcomeOf(said), reply: shownSaid(tx, call, said) });
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tickets/{ticket}/messages/{message}',
    id: 'withdrawReply',
    ...noting,
    summary: 'Withdraw a reply that is not sent yet, or a note of yours that is held',
    description:
      'Its attachments are loose again. A message that is sent answers 409 already_sent. Of an agent, a reply needs the right to write, and a note must be their own.',
    answer: answered(
      200,
      'The reply as it would have been sent',
      z.object({ message: z.string(), data: messageShape }),
    ),
    errors: [404, 409],
    write(tx, call) {
      const { reply, attachments } = withdrawReply(tx, call.ctx, ticketName(call), messageName(call));
      const files = { attachments, links: call.edge.links, now: call.ctx.now };
      const data = visible(call, presentScheduledReply(reply, createLookups(tx), files));
      return jsonReply(200, { message: reply.isInternal ? 'Note withdrawn.' : 'Reply withdrawn.', data });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/messages/{message}/resend',
    id: 'resendReply',
    ...writing,
    summary: 'Send a reply again whose mail failed or came back',
    isShortWithoutRead: true,
    body: resendInput,
    isBodyOptional: true,
    answer: answered(200, 'The message, queued again', z.object({ message: z.string(), data: messageShape })),
    errors: [404, 409],
    write(tx, call) {
      const { to = null } = call.body;
      const said = resendReply(tx, call.ctx, ticketName(call), messageName(call), to);
      return jsonReply(200, { message: 'The mail is queued again.', data: shownSaid(tx, call, said) });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/notes',
    id: 'addNote',
    ...noting,
    summary: 'Add a note that only agents see',
    description: 'With hold_seconds it is added later, and its writer can withdraw it until then.',
    body: noteInput,
    answer: answered(201, 'The note', z.object({ message: z.string(), note: messageShape })),
    errors: [404, 409],
    async handle(call) {
      const written = await rendered(call.body);
      return call.commit((tx) => {
        const said = answerTicket(tx, call.ctx, ticketName(call), { ...written, is_internal: true });
        return jsonReply(201, { message: outcomeOf(said), note: shownSaid(tx, call, said) });
      });
    },
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/tickets/{ticket}/notes/{note}',
    id: 'changeNote',
    ...notingInSession,
    summary: 'Change the text of a note of yours',
    description:
      'Its format and mentions are replaced with the text. The history says who changed it, not what it said.',
    body: noteChangeInput,
    answer: answered(200, 'The note', z.object({ message: z.string(), note: messageShape })),
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
    ...notingInSession,
    summary: 'Delete a note of yours',
    description: 'With its files. The history says who deleted it, not what it said.',
    answer: answered(204, 'Deleted', null),
    errors: [403, 404],
    write(tx, call) {
      deleteNote(tx, call.ctx, ticketName(call), call.params.note ?? '');
      return emptyReply(204);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/attachments',
    id: 'attachAsAgent',
    ...writing,
    summary: 'Attach a file',
    description:
      'Send multipart/form-data with one file under the key "file" and, optionally, "message_id". Without message_id, the customer cannot see the file until a reply names it in attachment_ids. For the ticket "new", it waits for the one that you open next.',
    isShortWithoutRead: true,
    isUpload: true,
    answer: uploadAnswer,
    errors: uploadErrors,
    async handle(call) {
      const rules = call.edge.desk.read((tx) => {
        authorise(call.ctx, 'write');
        if (ticketName(call) !== newTicketName)
          return agentsRules(siteOfTicket(tx, findTicket(tx, call.ctx, ticketName(call))).settings);
        ownerOf(call.ctx);
        // Its site is not known yet; opening it checks the files by the site's own rules.
        return agentsRules(defaultSettings);
      });
      return attachUpload(call, rules, (tx, file, messageId) =>
        ticketName(call) === newTicketName
          ? attachToNewTicket(tx, call.ctx, file, messageId)
          : attachAsAgent(tx, call.ctx, ticketName(call), file, messageId),
      );
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tickets/{ticket}/attachments/{ulid}',
    id: 'removeAttachment',
    ...writing,
    summary: 'Remove a file of yours that belongs to no message',
    answer: answered(204, 'Removed', null),
    errors: [404, 409],
    write(tx, call) {
      const ulid = call.params.ulid ?? '';
      if (ticketName(call) === newTicketName) removeNewTicketFile(tx, call.ctx, ulid);
      else removeAttachment(tx, call.ctx, ticketName(call), ulid);
      return emptyReply(204);
    },
  }),
];
