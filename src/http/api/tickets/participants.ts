// The agent surface: who takes part in a ticket beside its author (docs/spec/conversations.md#participants).

import * as z from 'zod';
import { addParticipant, listParticipants, removeParticipant } from '../../../desk/tickets/participants.ts';
import { participantInput } from '../../../domain/input/tickets.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { participantShape, presentParticipant } from '../../wire/tickets/participant.ts';
import { visible } from '../../write-only-answer.ts';
import { idOf, ticketName } from '../parameters.ts';

const writing = { tag: 'Tickets', access: 'team', ability: 'write' } as const;

export const participantOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tickets/{ticket}/participants',
    id: 'listParticipants',
    tag: 'Tickets',
    summary: 'List who takes part in a ticket beside its author',
    description: 'In the order in which they came, with those who were removed.',
    access: 'team',
    ability: 'read',
    answer: answered(200, 'The participants', shapes.one(z.array(participantShape))),
    errors: [404],
    read: (tx, call) =>
      jsonReply(200, { data: listParticipants(tx, call.ctx, ticketName(call)).map(presentParticipant) }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tickets/{ticket}/participants',
    id: 'addParticipant',
    ...writing,
    summary: 'Add someone to a ticket',
    description:
      'They get the next replies in Cc, and what they write is theirs. Someone who was removed comes back, and an address whose mail came back counts as good again.',
    isShortWithoutRead: true,
    body: participantInput,
    answer: answered(201, 'The participant', z.object({ message: z.string(), data: participantShape })),
    errors: [404, 409],
    write(tx, call) {
      const { participant } = addParticipant(tx, call.ctx, ticketName(call), call.body);
      return jsonReply(201, { message: 'Participant added.', data: visible(call, presentParticipant(participant)) });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tickets/{ticket}/participants/{id}',
    id: 'removeParticipant',
    ...writing,
    summary: 'Remove someone from a ticket',
    description:
      'They get no more mail, and the links in mails that they got open nothing. They come back only when a later mail names them in its To or Cc.',
    answer: answered(204, 'Removed', null),
    errors: [404],
    write(tx, call) {
      removeParticipant(tx, call.ctx, ticketName(call), idOf(call, 'participant'));
      return emptyReply(204);
    },
  }),
];
