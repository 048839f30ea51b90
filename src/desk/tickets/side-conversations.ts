// Side conversations: an agent writes to someone outside about a ticket, and answers come back (docs/spec/conversations.md#forward-and-side-conversations).

import { toWire } from '../../base/clock.ts';
import { newUlid } from '../../base/ids.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import type { SideConversationInput, SideMessageInput } from '../../domain/input/side-conversations.ts';
import { publicName } from '../../domain/sites/site.ts';
import { truncate } from '../../domain/text.ts';
import { requireNoneInfected } from '../../domain/tickets/files.ts';
import { type Addressee, eachOnce } from '../../domain/tickets/participant.ts';
import { sideLimits } from '../../domain/tickets/side-conversation.ts';
import { isUlid, ulidShape } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { agentWords } from '../../mail/outgoing/agent-words.ts';
import { authorById } from '../../store/customers/authors.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import { hearersOf } from '../../store/notifications/followers.ts';
import { siteById } from '../../store/sites/sites.ts';
import {
  type Attachment,
  attachmentsByIds,
  type Message,
  messageByUlid,
  publicMessagesBefore,
} from '../../store/tickets/messages.ts';
import { hasParticipant } from '../../store/tickets/participants.ts';
import {
  countSideMessages,
  deliveriesOfSideMessage,
  insertSideConversation,
  insertSideMessage,
  type SideConversation,
  type SideDelivery,
  type SideMessage,
  sideConversationByUlid,
  sideConversationsOf,
  sideMessagesOf,
  updateSideConversation,
} from '../../store/tickets/side-conversations.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { isOwnAddress } from '../mail/own-address.ts';
import { tell } from '../notifications/notify.ts';
import { queueMail } from '../outbox/queue-mail.ts';
import { record } from '../record.ts';

export interface ShownSideConversation extends SideConversation {
  messages: (SideMessage & { deliveries: SideDelivery[]; attachments: Attachment[] })[];
}

export function listSideConversations(tx: Tx, ctx: Context, name: string | number): ShownSideConversation[] {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  return sideConversationsOf(tx, ticket.id).map((row) => shown(tx, row));
}

function shown(tx: Tx, row: SideConversation): ShownSideConversation {
  const messages = sideMessagesOf(tx, row.id).map((message) => ({
    ...message,
    deliveries: message.agentName === null ? [] : deliveriesOfSideMessage(tx, message.id),
    attachments: filesOf(tx, row, message),
  }));
  return { ...row, messages };
}

/** A file that was removed, or moved away with its message, is left out. */
export function filesOf(tx: Tx, { ticketId }: SideConversation, { attachmentIds }: SideMessage): Attachment[] {
  return attachmentIds.length === 0 ? [] : attachmentsByIds(tx, ticketId, attachmentIds);
}

export function startSideConversation(
  tx: Tx,
  ctx: Context,
  name: string | number,
  { to, subject, body, quote, attachment_ids: files }: SideConversationInput,
): ShownSideConversation {
  authorise(ctx, 'write');
  const ticket = openTicketNamed(tx, ctx, name);
  if (sideConversationsOf(tx, ticket.id).length >= sideLimits.onTicket)
    throw conflict(
      `A ticket can have at most ${sideLimits.onTicket} side conversations.`,
      'too_many_side_conversations',
    );
  const people = eachOnce(to);
  requireOutside(tx, ctx, ticket, people);
  const quoted = quote == null ? null : quotedFrom(tx, ticket, quote);
  const conversation = insertSideConversation(tx, {
    ulid: newUlid(ctx.now),
    ticketId: ticket.id,
    subject,
    people,
    closedAt: null,
    createdAt: ctx.now,
    agentId: ctx.actor.kind === 'agent' ? ctx.actor.agentId : null,
  });
  say(tx, ctx, ticket, conversation, { body, attachment_ids: files }, quoted);
  return shown(tx, conversation);
}

export function writeInSideConversation(
  tx: Tx,
  ctx: Context,
  name: string | number,
  ulid: string,
  input: SideMessageInput,
): ShownSideConversation {
  authorise(ctx, 'write');
  const ticket = openTicketNamed(tx, ctx, name);
  const conversation = conversationNamed(tx, ticket, ulid);
  if (conversation.closedAt !== null)
    throw conflict('This side conversation is closed. Open it again first.', 'closed');
  if (countSideMessages(tx, conversation.id) >= sideLimits.messages)
    throw conflict(`A side conversation can have at most ${sideLimits.messages} messages.`, 'too_many_messages');
  requireOutside(tx, ctx, ticket, conversation.people);
  say(tx, ctx, ticket, conversation, input, null);
  return shown(tx, conversation);
}

export function changeSideConversation(
  tx: Tx,
  ctx: Context,
  name: string | number,
  ulid: string,
  { is_closed: isClosed }: { is_closed: boolean },
): ShownSideConversation {
  authorise(ctx, 'write');
  const ticket = openTicketNamed(tx, ctx, name);
  const conversation = conversationNamed(tx, ticket, ulid);
  if (isClosed === (conversation.closedAt !== null)) return shown(tx, conversation);
  const closedAt = isClosed ? ctx.now : null;
  updateSideConversation(tx, conversation.id, { closedAt });
  note(tx, ctx, ticket, conversation, isClosed ? 'closed' : 'reopened');
  return shown(tx, { ...conversation, closedAt });
}

function openTicketNamed(tx: Tx, ctx: Context, name: string | number): Ticket {
  const ticket = findTicket(tx, ctx, name);
  if (ticket.mergedIntoId !== null)
    throw conflict('This ticket was merged into another one. Write there instead.', 'ticket_merged');
  return ticket;
}

function conversationNamed(tx: Tx, ticket: Ticket, ulid: string): SideConversation {
  const found = isUlid(ulid) ? sideConversationByUlid(tx, ulid.toUpperCase()) : undefined;
  if (found?.ticketId !== ticket.id) throw notFound('side conversation');
  return found;
}

/** What is said here is not for the customer, nor for who sees the ticket beside them. */
function requireOutside(tx: Tx, ctx: Context, ticket: Ticket, people: readonly Addressee[]): void {
  const author = authorById(tx, ticket.authorId)?.email;
  for (const { email } of people) {
    if (email === author || hasParticipant(tx, ticket.id, email))
      throw invalid('to', `must not name ${email}, who takes part in the ticket: reply to them instead.`);
    if (isOwnAddress(tx, ctx, email)) throw invalid('to', `must not name ${email}, an address of the desk.`);
  }
}

function say(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  conversation: SideConversation,
  { body, attachment_ids: ids }: SideMessageInput,
  quoted: string | null,
): void {
  const wanted = [...new Set(ids ?? [])];
  const files = wanted.length === 0 ? [] : attachmentsByIds(tx, ticket.id, wanted);
  if (files.length !== wanted.length) throw invalid('attachment_ids', 'must name attachments of this ticket.');
  requireNoneInfected(files);
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  const message = insertSideMessage(tx, {
    ulid: newUlid(ctx.now),
    sideConversationId: conversation.id,
    agentName: ctx.actor.kind === 'agent' ? ctx.actor.name : publicName(site),
    senderEmail: null,
    senderName: null,
    senderVerified: null,
    body,
    quoted,
    attachmentIds: wanted,
    mailMessageId: null,
    createdAt: ctx.now,
  });
  if (!ticket.isTest)
    for (const to of conversation.people)
      queueMail(tx, ctx, ticket.siteId, null, null, 'mail.side_message', to, { side_message_id: message.id });
  note(tx, ctx, ticket, conversation, 'sent');
}

/** Neither a clock nor the state of the ticket moves: its customer has said and heard nothing. */
function note(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  conversation: SideConversation,
  what: 'sent' | 'answered' | 'closed' | 'reopened',
): number {
  updateTicket(tx, ticket, {});
  indexLater(tx, 'ticket_search', ticket.id);
  return record(tx, ctx, {
    kind: 'ticket.side_conversation_changed',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, side_conversation_ulid: conversation.ulid, change: what },
  });
}

function quotedFrom(tx: Tx, ticket: Ticket, quote: string): string {
  const messages =
    quote === 'conversation'
      ? publicMessagesBefore(tx, ticket.id, Number.MAX_SAFE_INTEGER, {
          messages: sideLimits.quotedMessages,
          characters: sideLimits.quotedCharacters,
        }).messages
      : [messageByUlid(tx, quote.toUpperCase())].filter((message) => message?.ticketId === ticket.id);
  if (messages.length === 0) throw invalid('quote', 'does not name a message of this ticket.');
  const { customer } = agentWords[siteById(tx, ticket.siteId)?.settings.locale ?? 'en'];
  return truncate(
    messages.map((message) => quotation(message as Message, customer)).join('\n\n'),
    2 * sideLimits.quotedCharacters,
  );
}

/** What a text that quotes the desk's mail says of the ticket's page and address: who has that can write to the ticket. */
const place = new RegExp(`(/t/|/tickets/|ticket\\+)${ulidShape}`, 'gi');

/** Names only, no address: who is forwarded did not choose the reader. */
function quotation({ isAgent, agentName, authorName, createdAt, body }: Message, customer: string): string {
  const name = (isAgent ? agentName : authorName) ?? '';
  const called = !isAgent && (name === '' || name.includes('@')) ? customer : name;
  const at = toWire(createdAt).slice(0, 16).replace('T', ' ');
  return `---------- ${called}, ${at} UTC ----------\n\n${body.replace(place, '$1…')}`;
}

interface SideAnswer {
  sender: Addressee;
  isProven: boolean;
  body: string;
  attachmentIds: number[];
  mailMessageId: string | null;
}

/** Opens a closed conversation again, and tells who began it, or else the assignee. */
export function receiveSideAnswer(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  conversation: SideConversation,
  { sender, isProven, ...answer }: SideAnswer,
): SideMessage {
  const isKnown = conversation.people.some(({ email }) => email === sender.email);
  const message = insertSideMessage(tx, {
    ...answer,
    ulid: newUlid(ctx.now),
    sideConversationId: conversation.id,
    agentName: null,
    senderEmail: sender.email,
    senderName: sender.name,
    senderVerified: isKnown ? (isProven ? true : null) : false,
    quoted: null,
    createdAt: ctx.now,
  });
  if (conversation.closedAt !== null) updateSideConversation(tx, conversation.id, { closedAt: null });
  const seq = note(tx, ctx, ticket, conversation, 'answered');
  const about = { ticketId: ticket.id, siteId: ticket.siteId, withFollowers: false };
  const isStarterHere = conversation.agentId !== null && hearersOf(tx, [conversation.agentId], about).length > 0;
  if (!ticket.isTest && !ticket.isSpam)
    tell(
      tx,
      ctx,
      {
        kind: 'side_answered',
        siteId: ticket.siteId,
        ticketId: ticket.id,
        seq,
        payload: { side_message_id: message.id },
      },
      [isStarterHere ? [conversation.agentId, 'starter'] : [ticket.assigneeId, 'assignee']],
    );
  return message;
}
