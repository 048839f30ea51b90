// Removes a person from one ticket. An erasure does this for each ticket they opened or wrote on.

import { anonymisedName } from '../domain/author.ts';
import type { TicketContext } from '../domain/context.ts';
import type { CustomFieldValues } from '../domain/custom-field.ts';
import { type Known, type Traces, tracesOf } from '../domain/traces.ts';
import {
  authorMailsOf,
  eraseAuthorMails,
  eraseLettersOf,
  failedDeliveriesOf,
  forgetAnswersOf,
} from '../store/author-mails.ts';
import { deleteCustomerLinks } from '../store/customer-links.ts';
import type { Tx } from '../store/database.ts';
import { deleteDraftsOfTicket, draftsOfTicket, saveDraft } from '../store/drafts.ts';
import { answersAboutTicket, eventsOfTicket, setEventTexts, setIdempotencyAnswer } from '../store/events.ts';
import { updateInboundMail } from '../store/inbound.ts';
import { mailOnTicket } from '../store/inbound-erasure.ts';
import {
  attachmentsOfTicket,
  deleteAttachment,
  type Message,
  messagesOfTicket,
  updateAttachment,
  updateMessage,
} from '../store/messages.ts';
import { updateDelivery } from '../store/outbox.ts';
import { deleteScheduledReply, scheduledRepliesOfTicket, updateScheduledReply } from '../store/scheduled-replies.ts';
import { type Ticket, ticketById, updateTicket } from '../store/tickets.ts';
import type { Context } from './context.ts';
import { reindexTicket } from './search-index.ts';

export interface Person extends Known {
  authorId: number;
  anonymisedEmail: string;
}

/** Idempotent. What it cannot reach expires (docs/privacy.md). Returns whether it was their own ticket. */
export function scrubTicket(tx: Tx, ctx: Context, person: Person, ticketId: number): boolean {
  const ticket = ticketById(tx, ticketId);
  if (!ticket) return false;
  const isOwn = ticket.authorId === person.authorId;
  const messages = messagesOfTicket(tx, ticketId);
  const traces = tracesOf(knownHere(tx, person, ticket, messages, isOwn), isOwn);
  for (const message of messages) scrubMessage(tx, person, traces, message);
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
  scrubDeliveries(tx, ctx, person, traces, ticketId, isOwn);
  if (isOwn) deleteCustomerLinks(tx, ticket);
  scrubAnswers(tx, ctx, traces, ticketId, isOwn);
  const subject = traces.text(ticket.subject);
  const change = isOwn ? { ...ownColumns(traces, ticket), subject } : { subject };
  if (isOwn || subject !== ticket.subject) updateTicket(tx, ticket, { ...change, updatedAt: ctx.now });
  reindexTicket(tx, ticketId);
  return isOwn;
}

const wholeMailName = 'message.txt';
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Adds the names and addresses used while this ticket was written. */
function knownHere(tx: Tx, person: Person, ticket: Ticket, messages: readonly Message[], isOwn: boolean): Known {
  const theirs = messages.filter(({ authorId }) => authorId === person.authorId);
  const sent = isOwn ? authorMailsOf(tx, ticket.id) : [];
  const user = isOwn ? ticket.context?.user : undefined;
  const some = (texts: readonly (string | null | undefined)[]) => texts.filter((text) => typeof text === 'string');
  return {
    names: some([
      ...person.names,
      ...theirs.map(({ authorName }) => authorName),
      ...sent.map(({ recipientName }) => recipientName),
      user?.name,
    ]),
    emails: some([...person.emails, ...sent.map(({ recipient }) => recipient), user?.email]),
    externalIds: some([...person.externalIds, user?.external_id]),
  };
}

function scrubMessage(tx: Tx, person: Person, traces: Traces, message: Message): void {
  const { body, html, wholeBody, authorName, delivery } = message;
  const changed = {
    ...traces.json({ body, html, wholeBody, delivery }),
    authorName: message.authorId === person.authorId ? anonymisedName : authorName,
  };
  if (!isSame(changed, { body, html, wholeBody, delivery, authorName })) updateMessage(tx, message.id, changed);
}

function scrubUnsent(tx: Tx, traces: Traces, ticketId: number, isOwn: boolean): void {
  if (isOwn) deleteDraftsOfTicket(tx, ticketId);
  for (const draft of draftsOfTicket(tx, ticketId)) {
    const body = traces.text(draft.body);
    if (body !== draft.body) saveDraft(tx, { ...draft, body });
  }
  for (const { id, body, html } of scheduledRepliesOfTicket(tx, ticketId)) {
    const changed = traces.json({ body, html });
    if (isOwn) deleteScheduledReply(tx, id);
    else if (!isSame(changed, { body, html })) updateScheduledReply(tx, id, changed);
  }
}

function ownColumns(traces: Traces, { tags, customFields, metadata, context }: Ticket): Partial<Ticket> {
  return {
    tags: tags.filter((tag) => !traces.isIn(tag)),
    customFields: withoutPerson(customFields, traces),
    metadata: traces.json(metadata),
    context: traces.json(technicalContext(context)),
  };
}

/** Only technical parts stay: pages, consoles and free-form data may contain anything. */
export function technicalContext(context: TicketContext | null): TicketContext | null {
  if (context === null) return null;
  const { source, sdk, app, runtime, device } = context;
  return { source, sdk, app, runtime, device };
}

/** Removes values that name the person; from a list, only those entries. */
export function withoutPerson(values: CustomFieldValues, traces: Traces): CustomFieldValues {
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

const details: Record<string, unknown> = { context: null, custom_fields: {}, metadata: {}, tags: [] };

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
