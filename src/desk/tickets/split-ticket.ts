// Splitting a ticket: a message, alone or with all after it, becomes a ticket of its own.

import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { conflict, DeskError, invalid, notFound } from '../../domain/errors.ts';
import type { SplitInput } from '../../domain/input/tickets.ts';
import { mostMessagesToMove } from '../../domain/sites/limits.ts';
import type { Tx } from '../../engine/database.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import { anyPriority } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { filesOfAuthors, mergeOf, moveFilesAfter, redirectMerge } from '../../store/tickets/merges.ts';
import { type MessageOutline, moveMessagesTo, outlineOfTicket } from '../../store/tickets/messages.ts';
import { copyParticipants } from '../../store/tickets/participants.ts';
import { insertTicket, mergedIds, type Ticket, ticketsByIds, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { respond, startClocks } from '../sla/clocks.ts';

/** The new ticket (docs/spec/console.md#split). Its clocks start now. */
export function splitTicket(tx: Tx, ctx: Context, name: string | number, input: SplitInput): Ticket {
  authorise(ctx, 'write');
  const source = findTicket(tx, ctx, name);
  if (source.mergedIntoId !== null)
    throw conflict('This ticket was merged into another one. Split that one instead.', 'ticket_merged');
  if (source.messageCount > mostMessagesToMove)
    throw conflict(`This ticket has more than ${mostMessagesToMove} messages.`, 'too_many_messages');
  const site = siteById(tx, source.siteId);
  if (!site) throw notFound('ticket');
  const thread = outlineOfTicket(tx, source.id);
  const at = thread.findIndex(({ ulid }) => ulid === input.message);
  if (at === -1) throw invalid('message', 'does not name a message of this ticket.');
  if (at === 0) throw invalid('message', 'must not be the first message: nothing would be left.');
  const end = input.only ? at + 1 : thread.length;
  const [stay, move] = [[...thread.slice(0, at), ...thread.slice(end)], thread.slice(at, end)];
  const opened = openFrom(tx, ctx, site, source, move, input.subject);
  moveMessagesTo(
    tx,
    move.map(({ id }) => id),
    opened.id,
  );
  const followed = followMessages(tx, source, opened, stay, move);
  const writers = move.flatMap(({ authorId }) => authorId ?? []);
  const known = opened.authorId === source.authorId ? null : [...writers, ...followed];
  copyParticipants(tx, source.id, opened.id, opened.authorId, known);
  const isAnswered = move.some(isAgentReply);
  const ticket = isAnswered ? updateTicket(tx, opened, respond(tx, ctx, site, opened)) : opened;
  updateTicket(tx, source, { ...countsOf(stay), updatedAt: ctx.now });
  tell(tx, ctx, source, ticket, move);
  indexLater(tx, 'ticket_search', source.id);
  indexLater(tx, 'ticket_search', ticket.id);
  return ticket;
}

const isCustomerMessage = ({ isAgent, isInternal }: MessageOutline) => !isAgent && !isInternal;
const isAgentReply = ({ isAgent, isInternal }: MessageOutline) => isAgent && !isInternal;

function countsOf(messages: readonly MessageOutline[]) {
  return {
    messageCount: messages.length,
    lastCustomerMessageAt: messages.findLast(isCustomerMessage)?.createdAt ?? null,
    lastAgentMessageAt: messages.findLast(isAgentReply)?.createdAt ?? null,
  };
}

/**
 * Tickets that were merged into the one that is split, and whose messages all move, lead to the new one from now on: with them
 * their links, access tokens, addresses in mail and files of no message. Files of no message go with a customer whose messages all move.
 * Returns the authors of the participants that those tickets had brought.
 */
function followMessages(
  tx: Tx,
  source: Ticket,
  opened: Ticket,
  stay: readonly MessageOutline[],
  move: readonly MessageOutline[],
): number[] {
  const writersOf = (messages: readonly MessageOutline[]) =>
    new Set(messages.filter(isCustomerMessage).flatMap(({ authorId }) => authorId ?? []));
  const [staying, moving] = [writersOf(stay), writersOf(move)];
  const followers = ticketsByIds(tx, mergedIds(tx, source.id)).filter((one) => {
    if (one.mergedIntoId !== source.id || one.authorId === source.authorId) return false;
    const authors = [one, ...ticketsByIds(tx, mergedIds(tx, one.id))].map(({ authorId }) => authorId);
    return authors.some((id) => moving.has(id)) && !authors.some((id) => staying.has(id));
  });
  const brought: number[] = [];
  for (const one of followers) {
    updateTicket(tx, one, { mergedIntoId: opened.id });
    moveFilesAfter(tx, source.id, opened.id, mergeOf(tx, one.id)?.moved.files ?? []);
    brought.push(...redirectMerge(tx, one.id, opened.id));
  }
  // Sent without a message: to the thread after a merge, or by someone who takes part.
  const leaving = [...moving].filter((id) => id !== source.authorId && !staying.has(id));
  moveFilesAfter(tx, source.id, opened.id, filesOfAuthors(tx, [source.id, ...mergedIds(tx, source.id)], leaving));
  return brought;
}

/** A ticket of this author that was merged into the one that is split, the newest; it says what the author told the desk. */
function ownTicket(tx: Tx, source: Ticket, authorId: number): Ticket | undefined {
  return ticketsByIds(tx, mergedIds(tx, source.id))
    .filter((one) => one.authorId === authorId)
    .sort((one, other) => other.id - one.id)[0];
}

function openFrom(
  tx: Tx,
  ctx: Context,
  site: Site,
  source: Ticket,
  messages: readonly MessageOutline[],
  subject: string | null | undefined,
): Ticket {
  const priority = anyPriority(tx, source.priorityId);
  if (!priority) throw new DeskError('invalid', 'The ticket has no priority.');
  const { id: _, context: __, ...row } = source;
  const authorId = messages.find((one) => isCustomerMessage(one) && one.authorId !== null)?.authorId ?? source.authorId;
  // What another customer told the desk stays on that customer's ticket.
  const told = authorId === source.authorId ? source : ownTicket(tx, source, authorId);
  return insertTicket(tx, {
    ...row,
    ulid: newUlid(ctx.now),
    authorId,
    // Who wrote on a ticket of someone else knows its subject.
    subject: subject ?? told?.subject ?? source.subject,
    customFields: told?.customFields ?? {},
    status: 'open',
    source: messages[0]?.source ?? source.source,
    metadata: {},
    context: null,
    accessTokenHash: hashSecret(randomSecret('hda')),
    ...startClocks(site, priority, ctx.now, source),
    closedAt: null,
    mergedIntoId: null,
    splitFromId: source.id,
    // What the customer said was of the ticket that it is split from.
    satisfaction: null,
    satisfactionComment: null,
    satisfactionAt: null,
    snoozedUntil: null,
    isSpam: false,
    ...countsOf(messages),
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
}

function tell(tx: Tx, ctx: Context, source: Ticket, ticket: Ticket, messages: readonly MessageOutline[]): void {
  const about = ({ id, ulid }: Ticket) => ({ siteId: source.siteId, ticketId: id, data: { ticket_ulid: ulid } });
  const created = about(ticket);
  record(tx, ctx, {
    ...created,
    kind: 'ticket.created',
    ticket,
    data: {
      ...created.data,
      message_ulid: messages.find(({ isInternal }) => !isInternal)?.ulid ?? null,
      status: ticket.status,
      source: ticket.source,
      // The author has not written anything new.
      acknowledge: false,
    },
  });
  for (const [one, link, other] of [
    [source, 'into', ticket],
    [ticket, 'from', source],
  ] as const) {
    const { data, ...event } = about(one);
    const split = { [link]: { id: other.id, ulid: other.ulid }, messages_moved: messages.length };
    record(tx, ctx, { ...event, kind: 'ticket.split', data: { ...data, ...split } });
  }
}
