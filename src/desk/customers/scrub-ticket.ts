// Removes a person from one ticket. An erasure does this for each ticket they opened, wrote on or took part in.

import { anonymisedName } from '../../domain/customers/author.ts';
import { type Known, type Traces, tracesOf } from '../../domain/customers/traces.ts';
import type { TicketContext } from '../../domain/tickets/context.ts';
import type { CustomFieldValues } from '../../domain/tickets/custom-field.ts';
import type { Addressee, MailedRecipient } from '../../domain/tickets/participant.ts';
import type { Tx } from '../../engine/database.ts';
import { deleteCustomerLinks } from '../../store/customers/links.ts';
import { answersAboutTicket, eventsOfTicket, setEventTexts, setIdempotencyAnswer } from '../../store/events.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import {
  authorMailsOf,
  eraseAuthorMails,
  eraseLettersOf,
  eraseMailsTo,
  failedDeliveriesOf,
  forgetAnswersOf,
} from '../../store/mail/author-mails.ts';
import { updateInboundMail } from '../../store/mail/inbound.ts';
import { mailOnTicket } from '../../store/mail/inbound-erasure.ts';
import { updateDelivery } from '../../store/outbox/outbox.ts';
import { deleteDraftsOfTicket, draftsOfTicket, saveDraft } from '../../store/tickets/drafts.ts';
import { forgetMergesOf } from '../../store/tickets/merges.ts';
import {
  attachmentsOfTicket,
  deleteAttachment,
  type Message,
  messagesOfTicket,
  updateAttachment,
  updateMessage,
} from '../../store/tickets/messages.ts';
import { deleteParticipant } from '../../store/tickets/participants.ts';
import {
  deleteScheduledReply,
  scheduledRepliesOfTicket,
  updateScheduledReply,
} from '../../store/tickets/scheduled-replies.ts';
import {
  eraseSideLetters,
  forgetSideRecipient,
  sideConversationsOf,
  sideMessagesOf,
  updateSideConversation,
  updateSideMessage,
} from '../../store/tickets/side-conversations.ts';
import { mergedIds, type Ticket, ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';

export interface Person extends Known {
  authorId: number;
  anonymisedEmail: string;
}

/**
 * Idempotent. What it cannot reach expires (docs/privacy.md). People and messages went along with a merge, the history and the inbound log
 * stayed with what was merged.
 */
export function scrubTicket(tx: Tx, ctx: Context, person: Person, ticketId: number): void {
  for (const id of [ticketId, ...mergedIds(tx, ticketId)]) scrubOne(tx, ctx, person, id);
}

function scrubOne(tx: Tx, ctx: Context, person: Person, ticketId: number): void {
  const ticket = ticketById(tx, ticketId);
  if (!ticket) return;
  const isOwn = ticket.authorId === person.authorId;
  const messages = messagesOfTicket(tx, ticketId);
  const traces = tracesOf(knownHere(tx, person, ticket, messages, isOwn), isOwn);
  for (const message of messages) scrubMessage(tx, person, traces, message, isOwn);
  scrubUnsent(tx, traces, ticketId, isOwn);
  for (const { id, ulid, filename, messageId } of attachmentsOfTicket(tx, ticketId)) {
    const message = messages.find((one) => one.id === messageId);
    // The desk's own copy of a long mail; the message has the text too.
    if (message?.authorId === person.authorId && message.source === 'email' && filename === wholeMailName) {
      deleteAttachment(tx, id);
      ctx.noteErasure?.([], [ulid]);
    } else if (traces.text(filename) !== filename) updateAttachment(tx, id, { filename: traces.text(filename) });
  }
  for (const { seq, data, actor } of eventsOfTicket(tx, ticketId)) {
    const isTheirs = actor.type === 'author' && actor.id === person.authorId;
    const changed = { data: traces.json(data), actor: isTheirs ? { ...actor, name: null } : actor };
    if (!isSame(changed, { data, actor })) setEventTexts(tx, seq, changed);
  }
  for (const { id, recipient, subject, reason, trace, headers } of mailOnTicket(tx, ticketId)) {
    const changed = traces.json({ recipient, subject, reason, trace, headers });
    if (!isSame(changed, { recipient, subject, reason, trace, headers })) updateInboundMail(tx, id, changed);
  }
  scrubSideConversations(tx, person, traces, ticketId);
  scrubDeliveries(tx, ctx, person, traces, ticketId, isOwn);
  deleteParticipant(tx, ticketId, person.authorId);
  if (isOwn) {
    deleteCustomerLinks(tx, ticket);
    // It has the tags of the ticket, and undoing it would move what this has gone through.
    forgetMergesOf(tx, ticketId);
  }
  scrubAnswers(tx, ctx, traces, ticketId, isOwn);
  const subject = traces.text(ticket.subject);
  const change = isOwn ? { ...ownColumns(traces, ticket), subject } : { subject };
  if (isOwn || subject !== ticket.subject) updateTicket(tx, ticket, { ...change, updatedAt: ctx.now });
  indexLater(tx, 'ticket_search', ticketId);
}

const wholeMailName = 'message.txt';
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Adds the names and addresses used while this ticket was written. */
function knownHere(tx: Tx, person: Person, ticket: Ticket, messages: readonly Message[], isOwn: boolean): Known {
  const theirs = messages.filter(({ authorId }) => authorId === person.authorId);
  const isTheirs = ({ email }: { email: string | null }) => email !== null && person.emails.includes(email);
  const sent = authorMailsOf(tx, ticket.id).filter(({ recipient: email }) => isOwn || isTheirs({ email }));
  const sides = sideConversationsOf(tx, ticket.id);
  // Who only got a copy, or wrote in a side conversation, may be called so nowhere else.
  const called = [
    ...[...messages, ...scheduledRepliesOfTicket(tx, ticket.id)].flatMap(({ recipients }) => recipients ?? []),
    ...sides.flatMap(({ people }) => people),
    ...sides
      .flatMap(({ id }) => sideMessagesOf(tx, id))
      .map(({ senderEmail, senderName }) => ({ email: senderEmail, name: senderName })),
  ].filter(isTheirs);
  const user = isOwn ? ticket.context?.user : undefined;
  const some = (texts: readonly (string | null | undefined)[]) => texts.filter((text) => typeof text === 'string');
  return {
    names: some([
      ...person.names,
      ...theirs.map(({ authorName }) => authorName),
      ...sent.map(({ recipientName }) => recipientName),
      ...called.map(({ name }) => name),
      user?.name,
    ]),
    emails: some([...person.emails, ...sent.map(({ recipient }) => recipient), user?.email]),
    externalIds: some([...person.externalIds, user?.external_id]),
  };
}

/** Only what they are called: the other values are the desk's own words. */
function withoutNames<One extends Addressee & { error?: string | null }>(traces: Pick<Traces, 'json'>, one: One): One {
  const { email, name, error } = one;
  return { ...one, ...traces.json({ email, name, ...(error === undefined ? {} : { error }) }) };
}

/** Nothing more is sent to them, nor to anyone from their own tickets. */
function unreached(
  scrubbed: MailedRecipient,
  person: Person,
  before: MailedRecipient,
  isOwn: boolean,
): MailedRecipient {
  const isQueued = before.status === 'queued' && (isOwn || person.emails.includes(before.email));
  return isQueued ? { ...scrubbed, status: 'failed', error: 'The author was erased.' } : scrubbed;
}

function scrubMessage(tx: Tx, person: Person, traces: Traces, message: Message, isOwn: boolean): void {
  const { body, html, wholeBody, authorName, delivery, recipients, inboundId } = message;
  const changed = {
    ...traces.json({ body, html, wholeBody, delivery }),
    recipients: recipients?.map((one) => unreached(withoutNames(traces, one), person, one, isOwn)) ?? null,
    authorName: message.authorId === person.authorId ? anonymisedName : authorName,
    // Mail of others quotes them too.
    inboundId: null,
  };
  if (!isSame(changed, { body, html, wholeBody, delivery, recipients, authorName, inboundId }))
    updateMessage(tx, message.id, changed);
}

function scrubSideConversations(tx: Tx, person: Person, traces: Traces, ticketId: number): void {
  const isTheirs = (email: string | null) => email !== null && person.emails.includes(email);
  const gone = { email: person.anonymisedEmail, name: anonymisedName };
  for (const { id, subject, people } of sideConversationsOf(tx, ticketId)) {
    updateSideConversation(tx, id, {
      subject: traces.text(subject),
      people: people.map((one) => (isTheirs(one.email) ? gone : one)),
    });
    for (const { id: messageId, body, quoted, senderEmail } of sideMessagesOf(tx, id)) {
      updateSideMessage(tx, messageId, {
        ...traces.json({ body, quoted }),
        ...(isTheirs(senderEmail) ? { senderEmail: gone.email, senderName: gone.name, mailMessageId: null } : {}),
      });
    }
    eraseSideLetters(tx, id);
    for (const email of person.emails) forgetSideRecipient(tx, id, email, gone.email);
  }
}

function scrubUnsent(tx: Tx, traces: Traces, ticketId: number, isOwn: boolean): void {
  if (isOwn) deleteDraftsOfTicket(tx, ticketId);
  for (const draft of draftsOfTicket(tx, ticketId)) {
    const { body, fields } = draft;
    const changed = traces.json({ body, fields });
    if (!isSame(changed, { body, fields })) saveDraft(tx, { ...draft, ...changed });
  }
  for (const { id, body, html, recipients } of scheduledRepliesOfTicket(tx, ticketId)) {
    const changed = {
      ...traces.json({ body, html }),
      recipients: recipients?.map((one) => withoutNames(traces, one)) ?? null,
    };
    if (isOwn) deleteScheduledReply(tx, id);
    else if (!isSame(changed, { body, html, recipients })) updateScheduledReply(tx, id, changed);
  }
}

function ownColumns(traces: Traces, { tags, customFields, metadata, context }: Ticket): Partial<Ticket> {
  return {
    tags: tags.filter((tag) => !traces.isIn(tag)),
    customFields: withoutPerson(customFields, traces),
    metadata: traces.json(metadata),
    context: traces.json(technicalContext(context)),
    satisfactionComment: null,
  };
}

/** Only technical parts stay: pages, consoles and free-form data may contain anything. */
function technicalContext(context: TicketContext | null): TicketContext | null {
  if (context === null) return null;
  const { source, sdk, app, runtime, device } = context;
  return { source, sdk, app, runtime, device };
}

/** Removes values that name the person; from a list, only those entries. */
function withoutPerson(values: CustomFieldValues, traces: Traces): CustomFieldValues {
  const rest: CustomFieldValues = {};
  for (const [key, value] of Object.entries(values)) {
    const kept = Array.isArray(value) ? value.filter((entry) => !traces.isIn(entry)) : value;
    if (Array.isArray(kept) ? kept.length > 0 : !traces.isIn(kept)) rest[key] = kept;
  }
  return rest;
}

function scrubDeliveries(tx: Tx, ctx: Context, person: Person, traces: Traces, ticketId: number, isOwn: boolean): void {
  // Letters and receivers' answers contain the person's words.
  eraseLettersOf(tx, ticketId);
  for (const { id, lastError } of failedDeliveriesOf(tx, ticketId))
    updateDelivery(tx, id, { lastError: traces.text(lastError) });
  forgetAnswersOf(tx, ticketId);
  if (isOwn) eraseAuthorMails(tx, ticketId, person.anonymisedEmail, ctx.now);
  else eraseMailsTo(tx, ticketId, person.emails, person.anonymisedEmail, ctx.now);
}

/** Stored answers stay valid, without the person. */
function scrubAnswers(tx: Tx, ctx: Context, traces: Traces, ticketId: number, isOwn: boolean): void {
  for (const { id, answerSealed } of answersAboutTicket(tx, ticketId)) {
    const answer = JSON.parse(ctx.seal.open(answerSealed)) as { body: string };
    const said: unknown = answer.body === '' ? null : JSON.parse(answer.body);
    const body = said === null ? '' : JSON.stringify(traces.json(isOwn ? withoutDetails(said) : said));
    if (body !== answer.body) setIdempotencyAnswer(tx, id, ctx.seal.seal(JSON.stringify({ ...answer, body })));
  }
}

const details: Record<string, unknown> = {
  context: null,
  custom_fields: {},
  metadata: {},
  tags: [],
  satisfaction: null,
};

function withoutDetails(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDetails);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      Object.hasOwn(details, key) ? details[key] : withoutDetails(inner),
    ]),
  );
}
