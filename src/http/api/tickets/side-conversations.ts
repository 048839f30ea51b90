// The agent surface: side conversations of a ticket (docs/spec/conversations.md#forward-and-side-conversations).

import * as z from 'zod';
import {
  changeSideConversation,
  listSideConversations,
  startSideConversation,
  writeInSideConversation,
} from '../../../desk/tickets/side-conversations.ts';
import {
  sideConversationChangeInput,
  sideConversationInput,
  sideMessageInput,
} from '../../../domain/input/side-conversations.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { presentSideConversation, sideConversationShape } from '../../wire/tickets/side-conversation.ts';
import { visible } from '../../write-only-answer.ts';
import { ticketName } from '../parameters.ts';

const writing = { tag: 'Tickets', access: 'team', ability: 'write', isShortWithoutRead: true } as const;

const told = z.object({ message: z.string(), data: sideConversationShape });

export const sideConversationOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tickets/{ticket}/side-conversations',
    id: 'listSideConversations',
    tag: 'Tickets',
    summary: 'List the side conversations of a ticket',
    description: 'With their messages, oldest first. Only agents see them.',
    access: 'team',
    ability: 'read',
    answer: answered(200, 'The side conversations', shapes.one(z.array(sideConversationShape))),
    errors: [404],
    read: (tx, call) =>
      jsonReply(200, { data: listSideConversations(tx, call.ctx, ticketName(call)).map(presentSideConversation) }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/side-conversations',
    id: 'startSideConversation',
    ...writing,
    summary: 'Write to someone outside about a ticket',
    description:
      'Each of them gets a mail of their own, and answers come back to the side conversation. The customer sees nothing of it, and no clock moves.',
    body: sideConversationInput,
    answer: answered(201, 'The side conversation', told),
    errors: [404, 409],
    write(tx, call) {
      const started = startSideConversation(tx, call.ctx, ticketName(call), call.body);
      return jsonReply(201, {
        message: 'Side conversation started.',
        data: visible(call, presentSideConversation(started)),
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/side-conversations/{side_conversation}/messages',
    id: 'writeInSideConversation',
    ...writing,
    summary: 'Write again in a side conversation',
    description: 'To everyone whom it was started with. The side conversation is named by its ulid.',
    body: sideMessageInput,
    answer: answered(201, 'The side conversation', told),
    errors: [404, 409],
    write(tx, call) {
      const ulid = call.params.side_conversation ?? '';
      const written = writeInSideConversation(tx, call.ctx, ticketName(call), ulid, call.body);
      return jsonReply(201, { message: 'Message sent.', data: visible(call, presentSideConversation(written)) });
    },
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/tickets/{ticket}/side-conversations/{side_conversation}',
    id: 'changeSideConversation',
    ...writing,
    summary: 'Close or open a side conversation',
    description: 'An answer opens a closed one again.',
    body: sideConversationChangeInput,
    answer: answered(200, 'The side conversation', told),
    errors: [404, 409],
    write(tx, call) {
      const ulid = call.params.side_conversation ?? '';
      const changed = changeSideConversation(tx, call.ctx, ticketName(call), ulid, call.body);
      return jsonReply(200, {
        message: 'Side conversation changed.',
        data: visible(call, presentSideConversation(changed)),
      });
    },
  }),
];
