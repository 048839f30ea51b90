// Merging one ticket into another.

import { conflict, DeskError, invalid, notFound } from '../domain/errors.ts';
import { mostMessagesToMove } from '../domain/limits.ts';
import { maxTags, referenceOf } from '../domain/ticket.ts';
import type { Tx } from '../store/database.ts';
import { moveAttachments, moveMessages } from '../store/messages.ts';
import { countScheduledReplies, moveScheduledReplies } from '../store/scheduled-replies.ts';
import { siteById } from '../store/sites.ts';
import { type Ticket, updateTicket } from '../store/tickets.ts';
import { authorise, findTicket } from './access.ts';
import type { Context } from './context.ts';
import { moveDrafts } from './drafts.ts';
import { record } from './record.ts';
import { reindexTicket } from './search-index.ts';
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
  if (source.authorId !== target.authorId && countScheduledReplies(tx, source.id) > 0)
    throw conflict(
      'A reply to another customer waits to be sent. Withdraw it, or merge after it was sent.',
      'reply_waiting',
    );
  const site = siteById(tx, source.siteId);
  if (!site) throw notFound('ticket');
  moveMessages(tx, source.id, target.id);
  moveAttachments(tx, source.id, target.id);
  moveScheduledReplies(tx, source.id, target.id);
  moveDrafts(tx, source, target);
  const latest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));
  const movedCount = source.messageCount;
  const tags = [...new Set([...target.tags, ...source.tags])].slice(0, maxTags);
  const changedTarget = updateTicket(tx, target, {
    tags,
    messageCount: target.messageCount + source.messageCount,
    lastCustomerMessageAt: latest(target.lastCustomerMessageAt, source.lastCustomerMessageAt),
    lastAgentMessageAt: latest(target.lastAgentMessageAt, source.lastAgentMessageAt),
    updatedAt: ctx.now,
  });
  const closed = source.status === 'closed' ? source : changeStatus(tx, ctx, site, source, 'closed');
  const changedSource = updateTicket(tx, closed, {
    mergedIntoId: target.id,
    // Tags beyond the limit stay where they were.
    tags: source.tags.filter((tag) => !tags.includes(tag)),
    messageCount: 0,
    updatedAt: ctx.now,
  });
  const data = {
    source_ulid: source.ulid,
    source_reference: referenceOf(source.id),
    into_ulid: target.ulid,
    into_reference: referenceOf(target.id),
  };
  record(tx, ctx, {
    kind: 'ticket.merged',
    siteId: source.siteId,
    ticketId: source.id,
    data: { ticket_ulid: source.ulid, ...data },
  });
  record(tx, ctx, {
    kind: 'ticket.merged',
    siteId: source.siteId,
    ticketId: target.id,
    data: { ticket_ulid: target.ulid, ...data, messages_moved: movedCount },
  });
  reindexTicket(tx, source.id);
  reindexTicket(tx, target.id);
  return { source: changedSource, target: changedTarget };
}
