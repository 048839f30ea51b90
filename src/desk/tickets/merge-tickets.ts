// Merging one ticket into another.

import { toStoredActor } from '../../domain/actor.ts';
import { conflict, DeskError, invalid, notFound } from '../../domain/errors.ts';
import { mostMessagesToMove } from '../../domain/sites/limits.ts';
import { notBegun } from '../../domain/sla/clock.ts';
import { participantLimits } from '../../domain/tickets/participant.ts';
import { maxTags, referenceOf } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import { followMerged } from '../../store/notifications/followers.ts';
import { moveUnread } from '../../store/notifications/notifications.ts';
import { siteById } from '../../store/sites/sites.ts';
import { insertMerge, moveAll, moveFiles } from '../../store/tickets/merges.ts';
import { moveParticipants } from '../../store/tickets/participants.ts';
import { hasWaitingReply } from '../../store/tickets/scheduled-replies.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { hearAuthor } from '../sla/clocks.ts';
import { moveDrafts } from './drafts.ts';
import { changeStatus } from './ticket-status.ts';

/** Moves messages, attachments and tags, and closes the source (docs/spec/api.md#tickets). */
export function mergeTickets(
  tx: Tx,
  ctx: Context,
  name: string | number,
  into: string | number,
  field = 'into',
): { source: Ticket; target: Ticket } {
  authorise(ctx, 'write');
  const source = findTicket(tx, ctx, name);
  let target: Ticket;
  try {
    target = findTicket(tx, ctx, into);
  } catch (error) {
    if (error instanceof DeskError && error.code === 'not_found') throw invalid(field, 'does not name a ticket.');
    throw error;
  }
  if (target.siteId !== source.siteId) throw invalid(field, 'must name a ticket of the same site.');
  if (target.id === source.id) throw invalid(field, 'must name another ticket.');
  if (source.mergedIntoId !== null) throw conflict('This ticket was already merged.', 'ticket_merged');
  if (target.mergedIntoId !== null)
    throw conflict('The other ticket was itself merged. Name the ticket it was merged into.', 'ticket_merged');
  if (target.isTest !== source.isTest) throw conflict('A test ticket cannot be merged with a real one.', 'test_ticket');
  if (target.isSpam !== source.isSpam)
    throw conflict('Spam cannot be merged with a ticket that is not marked as spam.', 'spam_ticket');
  if (source.messageCount + target.messageCount > mostMessagesToMove)
    throw conflict(`Together they have more than ${mostMessagesToMove} messages.`, 'too_many_messages');
  if (source.authorId !== target.authorId && hasWaitingReply(tx, source.id))
    throw conflict(
      'A reply to another customer waits to be sent. Withdraw it, or merge after it was sent.',
      'reply_waiting',
    );
  const site = siteById(tx, source.siteId);
  if (!site) throw notFound('ticket');
  const tags = [...new Set([...target.tags, ...source.tags])].slice(0, maxTags);
  insertMerge(tx, {
    sourceId: source.id,
    targetId: target.id,
    mergedBy: toStoredActor(ctx.actor),
    moved: {
      messages: moveAll(tx, 'messages', source.id, target.id),
      files: moveFiles(tx, source.id, target.id),
      scheduledReplies: moveAll(tx, 'scheduled_replies', source.id, target.id),
      sideConversations: moveAll(tx, 'side_conversations', source.id, target.id),
      participants: moveParticipants(tx, source.id, target.id, target.authorId, participantLimits.onTicket),
      drafts: moveDrafts(tx, source, target),
      tags: source.tags,
      newTags: tags.slice(target.tags.length),
      status: source.status,
      snoozedUntil: source.snoozedUntil,
      didTargetAwaitAuthor: target.firstResponseFrom === notBegun,
    },
    createdAt: ctx.now,
  });
  followMerged(tx, source.id, target.id, ctx.now);
  moveUnread(tx, source.id, target.id);
  const latest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));
  const movedCount = source.messageCount;
  let changedTarget = updateTicket(tx, target, {
    tags,
    messageCount: target.messageCount + source.messageCount,
    lastCustomerMessageAt: latest(target.lastCustomerMessageAt, source.lastCustomerMessageAt),
    lastAgentMessageAt: latest(target.lastAgentMessageAt, source.lastAgentMessageAt),
    updatedAt: ctx.now,
  });
  if (source.lastCustomerMessageAt !== null) changedTarget = hearAuthor(tx, ctx, site, changedTarget);
  const closed = source.status === 'closed' ? source : changeStatus(tx, ctx, site, source, 'closed');
  const changedSource = updateTicket(tx, closed, {
    mergedIntoId: target.id,
    // Tags beyond the limit stay where they were.
    tags: source.tags.filter((tag) => !tags.includes(tag)),
    messageCount: 0,
    updatedAt: ctx.now,
  });
  tellMerge(tx, ctx, 'ticket.merged', source, target, movedCount);
  return { source: changedSource, target: changedTarget };
}

/** In the history of both tickets. */
export function tellMerge(
  tx: Tx,
  ctx: Context,
  kind: 'ticket.merged' | 'ticket.unmerged',
  source: Ticket,
  target: Ticket,
  messagesMoved: number,
): void {
  const data = {
    source_ulid: source.ulid,
    source_reference: referenceOf(source.id),
    into_ulid: target.ulid,
    into_reference: referenceOf(target.id),
  };
  for (const { id, ulid, siteId } of [source, target]) {
    const moved = id === target.id ? { messages_moved: messagesMoved } : {};
    record(tx, ctx, { kind, siteId, ticketId: id, data: { ticket_ulid: ulid, ...data, ...moved } });
    indexLater(tx, 'ticket_search', id);
  }
}
