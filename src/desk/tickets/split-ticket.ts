// Splitting a ticket: a message, alone or with all after it, becomes a ticket of its own.

import type { Instant } from '../../base/clock.ts';
import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { conflict, DeskError, invalid, notFound } from '../../domain/errors.ts';
import type { SplitInput } from '../../domain/input/tickets.ts';
import { mostMessagesToMove } from '../../domain/sites/limits.ts';
import type { Tx } from '../../engine/database.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import { anyPriority } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import {
  authorsOfParticipants,
  filesOfAuthors,
  mergeOf,
  moveFilesAfter,
  redirectMerge,
} from '../../store/tickets/merges.ts';
import { type MessageOutline, moveMessagesTo, outlineOfTicket } from '../../store/tickets/messages.ts';
import { copyParticipants } from '../../store/tickets/participants.ts';
import { insertTicket, mergedIds, type Ticket, ticketsByIds, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { respond, startClocks } from '../sla/clocks.ts';
import { leaveAgain } from './participants.ts';

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
  const end = input.only ? at + 1 : thread.length;
  const [stay, move] = [[...thread.slice(0, at), ...thread.slice(end)], thread.slice(at, end)];
  const [staying, moving] = [writersOf(stay), writersOf(move)];
  // After a wrong merge the first one can be another customer's.
  if (at === 0 && (stay.length === 0 || moving.size === 0 || moving.has(source.authorId)))
    throw invalid('message', 'must not be the first message, except alone and of another customer.');
  // Those that were merged into another one come after it.
  const merged = ticketsByIds(tx, mergedIds(tx, source.id));
  const isLeftToOthers = !staying.has(source.authorId) && merged.some(({ authorId }) => staying.has(authorId));
  if (moving.has(source.authorId) && isLeftToOthers)
    throw conflict(
      'Only words of another customer would be left on this ticket. Undo the merge, or split off what the other customer wrote.',
      'only_others_left',
    );
  const opened = openFrom(tx, ctx, site, source, merged, move, input.subject);
  moveMessagesTo(
    tx,
    move.map(({ id }) => id),
    opened.id,
  );
  const { brought, gone } = followMessages(tx, source, opened, merged, staying, moving);
  const written = move.flatMap(({ authorId }) => authorId ?? []);
  const known = opened.authorId === source.authorId ? null : [...written, ...brought];
  copyParticipants(tx, source.id, opened.id, opened.authorId, known);
  const isAnswered = move.some(isAgentReply);
  const ticket = isAnswered ? updateTicket(tx, opened, respond(tx, ctx, site, opened)) : opened;
  let left = updateTicket(tx, source, { ...countsOf(stay), updatedAt: ctx.now });
  for (const { ticket: own, mergedAt } of gone) left = leaveAgain(tx, ctx, left, own.authorId, mergedAt);
  tell(tx, ctx, source, ticket, move);
  indexLater(tx, 'ticket_search', source.id);
  indexLater(tx, 'ticket_search', ticket.id);
  return ticket;
}

const isCustomerMessage = ({ isAgent, isInternal }: MessageOutline) => !isAgent && !isInternal;
const writersOf = (messages: readonly MessageOutline[]): ReadonlySet<number> =>
  new Set(messages.filter(isCustomerMessage).flatMap(({ authorId }) => authorId ?? []));
const isAgentReply = ({ isAgent, isInternal }: MessageOutline) => isAgent && !isInternal;

function countsOf(messages: readonly MessageOutline[]) {
  return {
    messageCount: messages.length,
    lastCustomerMessageAt: messages.findLast(isCustomerMessage)?.createdAt ?? null,
    lastAgentMessageAt: messages.findLast(isAgentReply)?.createdAt ?? null,
  };
}

/**
 * Tickets that were merged into the one that is split, and whose customer's messages all move, lead to the new one from now on: with them
 * their links, access tokens, addresses in mail and files of no message. Files of no message go with a customer whose messages all move.
 * Returns these tickets, and the authors of the participants that they had brought.
 */
function followMessages(
  tx: Tx,
  source: Ticket,
  opened: Ticket,
  merged: readonly Ticket[],
  staying: ReadonlySet<number>,
  moving: ReadonlySet<number>,
): { brought: number[]; gone: { ticket: Ticket; mergedAt: Instant }[] } {
  const gone: { ticket: Ticket; mergedAt: Instant }[] = [];
  const follows = new Map<number, boolean>();
  const files = new Map<number, boolean>();
  const participants = new Map<number, boolean>();
  for (const one of merged) {
    const isLed = follows.get(one.mergedIntoId ?? source.id) ?? false;
    const doesFollow = isFollower(one.authorId, isLed);
    follows.set(one.id, doesFollow);
    const merge = mergeOf(tx, one.id);
    // What came by way of another ticket was brought by both, and goes with the one that had it first.
    for (const id of merge?.moved.files ?? []) files.set(id, doesFollow);
    for (const id of merge?.moved.participants ?? []) participants.set(id, doesFollow);
    if (doesFollow && merge) gone.push({ ticket: one, mergedAt: merge.createdAt });
    if (doesFollow === isLed) continue;
    const target = doesFollow ? opened : source;
    updateTicket(tx, one, { mergedIntoId: target.id });
    redirectMerge(tx, one.id, target.id);
  }
  const following = (brought: ReadonlyMap<number, boolean>) => [...brought].flatMap(([id, goes]) => (goes ? [id] : []));
  // Sent without a message: to the thread after a merge, or by someone who takes part.
  const leaving = [...moving].filter((id) => id !== source.authorId && !staying.has(id));
  const sent = filesOfAuthors(tx, [source.id, ...merged.map(({ id }) => id)], leaving);
  moveFilesAfter(tx, source.id, opened.id, [...following(files), ...sent]);
  return { brought: authorsOfParticipants(tx, following(participants)), gone };

  /** The ticket of a customer who wrote nothing follows the one that it was merged into. */
  function isFollower(authorId: number, isLed: boolean): boolean {
    if (authorId === source.authorId || staying.has(authorId)) return false;
    return moving.has(authorId) || isLed;
  }
}

function openFrom(
  tx: Tx,
  ctx: Context,
  site: Site,
  source: Ticket,
  merged: readonly Ticket[],
  messages: readonly MessageOutline[],
  subject: string | null | undefined,
): Ticket {
  const priority = anyPriority(tx, source.priorityId);
  if (!priority) throw new DeskError('invalid', 'The ticket has no priority.');
  const { id: _, context: __, ...row } = source;
  const authorId = messages.find((one) => isCustomerMessage(one) && one.authorId !== null)?.authorId ?? source.authorId;
  // What another customer told the desk stays on that customer's ticket.
  const own = merged.filter((one) => one.authorId === authorId).sort((one, other) => other.id - one.id);
  const told = authorId === source.authorId ? source : own[0];
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
