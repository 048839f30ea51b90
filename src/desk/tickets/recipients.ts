// Who a reply goes to (docs/spec/conversations.md#replies).

import { invalid } from '../../domain/errors.ts';
import type { AgentReplyInput } from '../../domain/input/tickets.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import { eachOnce, participantLimits, type Recipient, recipientFields } from '../../domain/tickets/participant.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById } from '../../store/customers/authors.ts';
import { participantsOf } from '../../store/tickets/participants.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { isOwnAddress } from '../mail/own-address.ts';
import { calledBy } from '../outbox/queue-mail.ts';

export const authorAsRecipient = (author: Author): Recipient => ({
  email: normaliseEmail(author.email),
  name: calledBy(author),
  as: 'to',
  isAuthor: true,
});

/** The author, and everyone who takes part. */
export function everyoneOn(tx: Tx, ticket: Ticket): Recipient[] {
  const author = authorById(tx, ticket.authorId);
  const first = author && author.anonymisedAt === null ? [authorAsRecipient(author)] : [];
  const others = participantsOf(tx, ticket.id).flatMap(({ person, removedAt }): Recipient[] =>
    removedAt === null ? [{ email: person.email, name: calledBy(person), as: first.length > 0 ? 'cc' : 'to' }] : [],
  );
  return eachOnce([...first, ...others]);
}

const byHand = ['agent', 'command_line', 'rule'];

/**
 * For what no person has read before it leaves: those beside the author whom an agent or a rule named, or who were there when an
 * agent last wrote. Else anyone could have the desk write to strangers.
 */
export function knownOn(tx: Tx, ticket: Ticket): Recipient[] {
  const strangers = participantsOf(tx, ticket.id).filter(
    ({ addedBy, createdAt }) => !byHand.includes(addedBy.type) && createdAt >= (ticket.lastAgentMessageAt ?? 0),
  );
  return everyoneOn(tx, ticket).filter(({ email }) => !strangers.some(({ person }) => person.email === email));
}

/** Null: the people on the ticket when it is sent. */
export function chosenRecipients(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  input: Pick<AgentReplyInput, 'to' | 'cc' | 'bcc' | 'is_internal'>,
): Recipient[] | null {
  const fields = recipientFields.filter((field) => input[field] != null);
  if (fields.length === 0) return null;
  if (input.is_internal) throw invalid(fields[0] ?? 'to', 'cannot be used for a note.');
  if (input.to?.length === 0) throw invalid('to', 'must name at least one address.');
  const author = authorById(tx, ticket.authorId);
  const called = recipientFields.flatMap((field) =>
    (input[field] ?? []).map(({ email, name }, at): Recipient => {
      if (isOwnAddress(tx, ctx, email))
        throw invalid(`${field}.${at}.email`, 'must not be an address of the desk.', 'desk_address');
      const isAuthor = author !== undefined && normaliseEmail(author.email) === email;
      return isAuthor ? { ...authorAsRecipient(author), as: field } : { email, name, as: field };
    }),
  );
  const everyone = everyoneOn(tx, ticket);
  // Naming only who gets a copy does not leave anyone out.
  const rest = input.to != null ? [] : input.cc != null ? everyone.filter(({ as }) => as === 'to') : everyone;
  const recipients = eachOnce([...rest, ...called]);
  if (recipients.filter(({ isAuthor }) => !isAuthor).length > participantLimits.ofReply)
    throw invalid(
      'cc',
      `must not make more than ${participantLimits.ofReply} recipients beside the author.`,
      'too_many_recipients',
    );
  return recipients;
}
