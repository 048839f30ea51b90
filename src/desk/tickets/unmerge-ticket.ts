// Undoing a merge (docs/spec/console.md#undoing-a-merge).

import type { Instant } from '../../base/clock.ts';
import { conflict } from '../../domain/errors.ts';
import { dayMs } from '../../domain/instant.ts';
import { unmergeDays } from '../../domain/sites/limits.ts';
import { participantLimits } from '../../domain/tickets/participant.ts';
import { maxTags } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import { unfollowMerged } from '../../store/notifications/followers.ts';
import { moveUnreadBack } from '../../store/notifications/notifications.ts';
import type { Site } from '../../store/sites/sites.ts';
import {
  deleteMerge,
  hasMessagesElsewhere,
  type Merge,
  mergeOf,
  mergesInto,
  moveFilesAfter,
  moveQueuedMails,
  moveThese,
  updateMoved,
} from '../../store/tickets/merges.ts';
import { countsOfMessages, firstCustomerMessageAt } from '../../store/tickets/messages.ts';
import { moveParticipants } from '../../store/tickets/participants.ts';
import { type Ticket, ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket, siteOfTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { hearAuthorAgain } from '../sla/clocks.ts';
import { moveDraftsBack } from './drafts.ts';
import { tellMerge } from './merge-tickets.ts';
import { leaveAgain } from './participants.ts';
import { openAgain } from './ticket-status.ts';

const undoableUntil = ({ createdAt }: Merge): Instant => createdAt + unmergeDays * dayMs;

export type UndoableMerge = Merge & { ulid: string; until: Instant };

/** Merges into this ticket, or the one of it into another. Only trying tells whether one can really be undone. */
export function undoableMerges(tx: Tx, ctx: Context, ticket: Ticket): UndoableMerge[] {
  const own = ticket.mergedIntoId === null ? undefined : mergeOf(tx, ticket.id);
  const known = ticket.mergedIntoId === null ? mergesInto(tx, ticket.id) : own ? [own] : [];
  return known.flatMap((merge) => {
    const [ulid, until] = [ticketById(tx, merge.sourceId)?.ulid, undoableUntil(merge)];
    return ulid === undefined || until <= ctx.now ? [] : [{ ...merge, ulid, until }];
  });
}

/** What the merge moved goes back to the ticket that was merged; what came after it stays. */
export function unmergeTicket(tx: Tx, ctx: Context, name: string | number): { source: Ticket; target: Ticket } {
  authorise(ctx, 'write');
  const source = findTicket(tx, ctx, name);
  const { merge, target } = requireUndoable(tx, ctx, source);
  const site = siteOfTicket(tx, source);
  const { moved } = merge;
  for (const [table, ids] of [
    ['messages', moved.messages],
    ['scheduled_replies', moved.scheduledReplies],
    ['side_conversations', moved.sideConversations],
    ['participants', moved.participants],
  ] as const)
    moveThese(tx, table, ids, target.id, source.id);
  moveDraftsBack(tx, source, target, moved.drafts);
  moveFilesAfter(tx, target.id, source.id, moved.files);
  moveQueuedMails(tx, target.id, source.id, moved.messages);
  unfollowMerged(tx, source.id, target.id, merge.createdAt);
  moveUnreadBack(tx, source.id, target.id);
  deleteMerge(tx, source.id);
  const counts = countsOfMessages(tx, source.id);
  const opened = openAgain(tx, ctx, site, source, moved);
  const changedSource = updateTicket(tx, opened, {
    mergedIntoId: null,
    tags: [...new Set([...moved.tags, ...source.tags])].slice(0, maxTags),
    ...counts,
    updatedAt: ctx.now,
  });
  const changedTarget = updateTicket(tx, target, {
    tags: leftTags(tx, target, merge),
    ...countsOfMessages(tx, target.id),
    ...clockWithout(tx, site, target, merge),
    updatedAt: ctx.now,
  });
  tellMerge(tx, ctx, 'ticket.unmerged', source, target, counts.messageCount);
  return { source: changedSource, target: leaveAgain(tx, ctx, changedTarget, source.authorId, merge.createdAt) };
}

function requireUndoable(tx: Tx, ctx: Context, source: Ticket): { merge: Merge; target: Ticket } {
  if (source.mergedIntoId === null) throw conflict('This ticket is not merged into another one.', 'not_merged');
  const merge = mergeOf(tx, source.id);
  const target = ticketById(tx, source.mergedIntoId);
  if (!merge || !target || ctx.now >= undoableUntil(merge))
    throw conflict(
      `A merge can be undone for ${unmergeDays} days, on the desk that made it, unless its customer was erased.`,
      'merge_final',
    );
  if (target.mergedIntoId !== null)
    throw conflict('The other ticket was itself merged since. Undo that merge first.', 'target_merged');
  // What is left of them must not move while an erasure goes through their tickets.
  if ([source, target].some(({ authorId }) => authorById(tx, authorId)?.anonymisedAt != null))
    throw conflict('The customer of one of the tickets was erased.', 'author_erased');
  if (hasMessagesElsewhere(tx, merge.moved.messages, target.id))
    throw conflict('Messages of this ticket were split off since. Merge that ticket back first.', 'messages_split');
  return { merge, target };
}

/** Other tickets that were merged into this one keep their tags and participants on it, also those that came with this merge. */
function leftTags(tx: Tx, target: Ticket, { moved: { newTags } }: Merge): string[] {
  let tags = target.tags.filter((tag) => !newTags.includes(tag));
  for (const { sourceId, moved } of mergesInto(tx, target.id)) {
    const added = moved.tags.filter((tag) => newTags.includes(tag) && !tags.includes(tag));
    const people = moveParticipants(tx, sourceId, target.id, target.authorId, participantLimits.onTicket);
    if (added.length === 0 && people.length === 0) continue;
    tags = [...tags, ...added];
    const change = { newTags: [...moved.newTags, ...added], participants: [...moved.participants, ...people] };
    updateMoved(tx, { sourceId, moved: { ...moved, ...change } });
  }
  return tags;
}

/** A clock that the customer's messages started, which are gone. What was answered stays answered. */
function clockWithout(tx: Tx, site: Site, target: Ticket, { moved, createdAt }: Merge): Partial<Ticket> {
  const isBegunByIt = moved.didTargetAwaitAuthor && target.firstResponseFrom === createdAt;
  if (!isBegunByIt || target.firstResponseAt !== null) return {};
  const heardAt = firstCustomerMessageAt(tx, target.id);
  return hearAuthorAgain(tx, site, target, heardAt === null ? null : Math.max(heardAt, createdAt));
}
