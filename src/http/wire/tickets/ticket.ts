// Tickets on the wire, for agents and for customers (docs/spec/api.md#tickets).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { otherTickets } from '../../../desk/customers/customers.ts';
import type { UndoableMerge } from '../../../desk/tickets/unmerge-ticket.ts';
import { followings } from '../../../domain/notifications/notification.ts';
import { nearestClock, notBegun, type SlaClock, slaClocks } from '../../../domain/sla/clock.ts';
import { ratings } from '../../../domain/tickets/satisfaction.ts';
import { referenceOf, ticketStatuses } from '../../../domain/tickets/ticket.ts';
import type { CustomFieldRow } from '../../../store/sites/catalogue.ts';
import type { Ticket } from '../../../store/tickets/tickets.ts';
import { eventShape } from '../event.ts';
import type { Lookups } from '../lookups.ts';
import { authorShape, presentAuthor } from '../people/people.ts';
import { id, maybeTime, named, time, ulid } from '../shapes.ts';
import { categoryShape, priorityShape } from '../sites/catalogue.ts';
import { attachmentShape, customerMessageShape, messageShape } from './message.ts';
import { participantShape } from './participant.ts';

type ClockMoment = `${SlaClock}_${'due' | 'warned' | 'breached'}_at`;

const clockTimes = {
  first_response_due_at: maybeTime(),
  first_response_warned_at: maybeTime(),
  first_response_breached_at: maybeTime(),
  resolution_due_at: maybeTime(),
  resolution_warned_at: maybeTime(),
  resolution_breached_at: maybeTime(),
} satisfies Record<ClockMoment, z.ZodType>;

const slaShape = named('SlaState', z.object({ ...clockTimes, paused_at: maybeTime(), paused_minutes: z.number() }));

const nextDueShape = named(
  'NextDue',
  z.object({ clock: z.enum(slaClocks), at: time(), is_breached: z.boolean(), is_paused: z.boolean() }),
);

const satisfactionShape = named(
  'Satisfaction',
  z.object({ rating: z.enum(ratings), comment: z.string().nullable(), at: time() }),
);

const ticketFields = {
  id: id(),
  ulid: ulid(),
  reference: z.string().meta({ examples: ['#41'] }),
  site_id: id(),
  subject: z.string(),
  status: z.enum(ticketStatuses),
  source: z.string(),
  is_test: z.boolean(),
  tags: z.array(z.string()),
  custom_fields: z.record(z.string(), z.unknown()),
  metadata: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Values that inbound rules set, and context.extra under the key extra.' }),
  category: categoryShape.nullable(),
  priority: priorityShape.nullable(),
  author: authorShape.nullable(),
  assignee: z.object({ id: id(), name: z.string(), email: z.string() }).nullable(),
  team: z.object({ id: id(), name: z.string() }).nullable(),
  ...clockTimes,
  first_response_at: maybeTime(),
  resolved_at: maybeTime(),
  sla_paused_at: maybeTime(),
  sla_paused_minutes: z.number(),
  sla: slaShape,
  next_due: nextDueShape
    .nullable()
    .meta({ description: 'The clock that is due first, of those that have not stopped.' }),
  closed_at: maybeTime(),
  merged_into: ulid().nullable(),
  split_from: ulid().nullable(),
  snoozed_until: maybeTime(),
  is_spam: z.boolean(),
  sender_id: id()
    .nullable()
    .meta({ description: 'The sender that it came to, or that was chosen. null: the default one.' }),
  message_count: z.int(),
  snippet: z.string().nullable().meta({
    description:
      'The beginning of the newest public message, as one line. In a list with q, the piece of a message in which its words stand; for agents also of notes.',
  }),
  is_unread: z.boolean().meta({
    description:
      'Whether the customer has written since the agent who asks read it, and no agent has answered. Always false for tokens.',
  }),
  has_draft: z
    .boolean()
    .meta({ description: 'Whether the agent who asks has a draft on it. Always false for tokens.' }),
  following: z.enum(followings).meta({
    description: 'Whether the agent who asks follows it, or has muted it. Always no for tokens.',
  }),
  awaits_author: z.boolean().meta({
    description:
      'Whether an agent opened it by mail and the customer has not answered: the clock of the first response has not started.',
  }),
  last_customer_message_at: maybeTime(),
  last_agent_message_at: maybeTime(),
  satisfaction: satisfactionShape.nullable().meta({ description: 'What the customer said of the help.' }),
  created_at: time(),
  updated_at: time(),
};

const mergeShape = named(
  'Merge',
  z.object({
    ticket: ulid(),
    reference: z.string(),
    merged_by: z.string().nullable(),
    merged_at: time(),
    until: time().meta({ description: 'Until when it can be undone.' }),
  }),
);

export const presentMerge = ({ sourceId, mergedBy, createdAt, until, ulid }: UndoableMerge) => ({
  ticket: ulid,
  reference: referenceOf(sourceId),
  merged_by: mergedBy.name,
  merged_at: toWire(createdAt),
  until: toWire(until),
});

const otherTicketsShape = named(
  'OtherTickets',
  z.object({
    count: z.int().meta({ description: 'Without tests and spam; counted up to 1,000.' }),
    newest: z
      .array(z.object({ ulid: ulid(), reference: z.string(), subject: z.string(), status: z.enum(ticketStatuses) }))
      .meta({ description: 'The newest five.' }),
  }),
);

export const presentOtherTickets = ({ count, newest }: ReturnType<typeof otherTickets>) => ({
  count,
  newest: newest.map(({ id, ulid, subject, status }) => ({ ulid, reference: referenceOf(id), subject, status })),
});

export const ticketShape = named('Ticket', z.object(ticketFields));

export const ticketDetailShape = named(
  'TicketDetail',
  z.object({
    ...ticketFields,
    author_paused_at: maybeTime().meta({
      description: 'Since when mail to the author comes back. They get none until they write.',
    }),
    participants: z.array(participantShape),
    merges: z
      .array(mergeShape)
      .meta({ description: 'Of other tickets into this one, or of this one into another, while they can be undone.' }),
    sender: z
      .object({ name: z.string(), address: z.string() })
      .meta({ description: 'Whom its mail to customers is from.' }),
    signature: z
      .string()
      .meta({ description: 'In Markdown: what the console puts under a reply of the agent who asks.' }),
    messages: z.array(messageShape),
    attachments: z.array(attachmentShape),
    context: z.record(z.string(), z.unknown()).nullable(),
    events: z.array(eventShape),
    other_tickets: otherTicketsShape
      .optional()
      .meta({ description: 'Those of the same customer, if the request asks for them.' }),
  }),
);

const customerTicketFields = {
  id: id(),
  ulid: ulid(),
  reference: z.string(),
  subject: z.string(),
  status: z.enum(ticketStatuses),
  category: z.string().nullable(),
  priority: z.string().nullable(),
  custom_fields: z.record(z.string(), z.unknown()),
  created_at: time(),
  updated_at: time(),
  resolved_at: maybeTime(),
  closed_at: maybeTime(),
};

export const customerTicketShape = named('CustomerTicket', z.object(customerTicketFields));

export const userTicketShape = named(
  'UserTicket',
  z.object({
    ...customerTicketFields,
    is_test: z.boolean(),
    merged_into: ulid().nullable().meta({ description: "Another customer's ticket, into which this one was merged." }),
  }),
);

export const customerThreadShape = named(
  'CustomerThread',
  z.object({
    ...customerTicketFields,
    merged_into: ulid().optional(),
    messages: z.array(customerMessageShape),
    attachments: z.array(attachmentShape),
  }),
);

function presentClockTimes(ticket: Ticket): Record<ClockMoment, string | null> {
  return {
    first_response_due_at: toWire(ticket.firstResponseDueAt),
    first_response_warned_at: toWire(ticket.firstResponseWarnedAt),
    first_response_breached_at: toWire(ticket.firstResponseBreachedAt),
    resolution_due_at: toWire(ticket.resolutionDueAt),
    resolution_warned_at: toWire(ticket.resolutionWarnedAt),
    resolution_breached_at: toWire(ticket.resolutionBreachedAt),
  };
}

function presentSla(ticket: Ticket) {
  const times = presentClockTimes(ticket);
  const pausedAt = toWire(ticket.slaPausedAt);
  const pausedMinutes = Math.floor(ticket.resolutionPausedMs / 600) / 100;
  return {
    ...times,
    first_response_at: toWire(ticket.firstResponseAt),
    resolved_at: toWire(ticket.resolvedAt),
    sla_paused_at: pausedAt,
    sla_paused_minutes: pausedMinutes,
    sla: { ...times, paused_at: pausedAt, paused_minutes: pausedMinutes },
    next_due: presentNextDue(ticket),
  };
}

function presentNextDue(ticket: Ticket) {
  const nearest = nearestClock(ticket);
  if (nearest === null) return null;
  const { clock, dueAt, isBreached } = nearest;
  return { clock, at: toWire(dueAt), is_breached: isBreached, is_paused: ticket.slaPausedAt !== null };
}

export function presentTicket(ticket: Ticket, look: Lookups) {
  const extra = look.extra(ticket);
  const author = look.author(ticket.authorId);
  const team = ticket.teamId === null ? undefined : look.team(ticket.teamId);
  const assignee = ticket.assigneeId === null ? undefined : look.agent(ticket.assigneeId);
  return {
    id: ticket.id,
    ulid: ticket.ulid,
    reference: referenceOf(ticket.id),
    site_id: ticket.siteId,
    subject: ticket.subject,
    status: ticket.status,
    source: ticket.source,
    is_test: ticket.isTest,
    tags: ticket.tags,
    custom_fields: ticket.customFields,
    metadata: extra === undefined ? ticket.metadata : { ...ticket.metadata, extra },
    category: ticket.categoryId === null ? null : (look.category(ticket.categoryId) ?? null),
    priority: look.priority(ticket.priorityId) ?? null,
    author: author ? presentAuthor(author) : null,
    assignee: assignee ? { id: assignee.id, name: assignee.name, email: assignee.email } : null,
    team: team ? { id: team.id, name: team.name } : null,
    ...presentSla(ticket),
    closed_at: toWire(ticket.closedAt),
    merged_into: look.mergedInto(ticket),
    split_from: look.splitFrom(ticket),
    snoozed_until: toWire(ticket.snoozedUntil),
    is_spam: ticket.isSpam,
    sender_id: ticket.senderId,
    message_count: ticket.messageCount,
    snippet: look.snippet(ticket),
    is_unread: look.isUnread(ticket),
    has_draft: look.hasDraft(ticket),
    following: look.following(ticket),
    awaits_author: ticket.firstResponseFrom === notBegun,
    last_customer_message_at: toWire(ticket.lastCustomerMessageAt),
    last_agent_message_at: toWire(ticket.lastAgentMessageAt),
    satisfaction: presentSatisfaction(ticket),
    created_at: toWire(ticket.createdAt),
    updated_at: toWire(ticket.updatedAt),
  };
}

function presentSatisfaction({ satisfaction, satisfactionComment, satisfactionAt }: Ticket) {
  if (satisfaction === null) return null;
  return { rating: satisfaction, comment: satisfactionComment, at: toWire(satisfactionAt ?? 0) };
}

/** Only what customers can see: nothing internal, only author-visible custom fields. */
export function presentTicketForCustomer(ticket: Ticket, look: Lookups, visibleFields: readonly CustomFieldRow[]) {
  const category = ticket.categoryId === null ? null : look.category(ticket.categoryId);
  const priority = look.priority(ticket.priorityId);
  const visible = new Set(
    visibleFields.filter(({ isActive, isAuthorVisible }) => isActive && isAuthorVisible).map(({ key }) => key),
  );
  return {
    id: ticket.id,
    ulid: ticket.ulid,
    reference: referenceOf(ticket.id),
    subject: ticket.subject,
    status: ticket.status,
    category: category?.name ?? null,
    priority: priority?.name ?? null,
    custom_fields: Object.fromEntries(Object.entries(ticket.customFields).filter(([key]) => visible.has(key))),
    created_at: toWire(ticket.createdAt),
    updated_at: toWire(ticket.updatedAt),
    resolved_at: toWire(ticket.resolvedAt),
    closed_at: toWire(ticket.closedAt),
  };
}
