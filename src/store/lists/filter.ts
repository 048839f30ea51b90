// The filters of a ticket list, as conditions on `tickets`.

import type { Instant } from '../../base/clock.ts';
import type { Scope } from '../../domain/actor.ts';
import { hourMs } from '../../domain/instant.ts';
import type { ListFilter, ListKey } from '../../domain/tickets/filters.ts';
import type { SlaFilter } from '../../domain/tickets/ticket.ts';
import { type TicketStatus, ticketStatuses } from '../../domain/tickets/ticket.ts';
import { addressDomain, hasAddress } from '../customers/author-address.ts';
import { isOfSites } from '../scope.ts';
import { clockColumns, ofAnyClock } from './clock-columns.ts';

/**
 * Those that compare one column with some values: what a query calls them, the column, and the index of the column and
 * the status.
 */
export const columnFilters = {
  categoryIds: { name: 'category_id', column: 'category_id', index: 'by_category' },
  priorityIds: { name: 'priority_id', column: 'priority_id', index: 'by_priority' },
  assigneeIds: { name: 'assigned_to', column: 'assignee_id', index: 'by_assignee' },
  teamIds: { name: 'team_id', column: 'team_id', index: 'by_team' },
  /** What customers said of the help. */
  ratings: { name: 'satisfaction', column: 'satisfaction', index: 'by_satisfaction' },
} as const satisfies Record<string, { name: ListKey; column: string; index: string }>;
export type ColumnFilter = {
  [Field in keyof typeof columnFilters]: readonly Exclude<
    NonNullable<ListFilter[(typeof columnFilters)[Field]['name']]>[number],
    'me'
  >[];
};

export interface TicketFilter extends ColumnFilter {
  sites: Scope;
  exceptSiteIds: readonly number[];
  statuses: readonly TicketStatus[];
  isUnassigned: boolean | null;
  /** Agents of whom messages mention one. */
  mentionedIds: readonly number[];
  /** The agent who has a draft on it. */
  drafterId: number | null;
  /** The agent for whom it is unread. */
  unreadForId: number | null;
  externalId: string | null;
  /** An address, or `@example.org` for every address of that domain. */
  email: string | null;
  /** The same of people who take part beside the author. */
  participant: string | null;
  tags: readonly string[];
  search: string | null;
  createdFrom: Instant | null;
  createdTo: Instant | null;
  updatedFrom: Instant | null;
  updatedTo: Instant | null;
  sla: readonly SlaFilter[];
  isSnoozed: boolean | null;
  hasAttachment: boolean | null;
  includeTest: boolean;
  /** Only spam; otherwise none of it. */
  isSpam: boolean;
  ids: readonly number[] | null;
}

type Value = string | number;
export interface Sql {
  text: string;
  values: Value[];
}

/** "Soon" in `sla=due_soon`: a running clock's deadline within the next two hours. */
export const dueSoonMs = 2 * hourMs;

// The bits of tickets.sla_marks, which the indexes of lists hold.
const slaBits = { warned: 1, breached: 2, paused: 4 } as const;

export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

export function isAmong(column: string, values: readonly Value[]): Sql {
  return { text: `${column} IN (${placeholders(values)})`, values: [...values] };
}

export function allOf(parts: readonly Sql[]): Sql {
  if (parts.length === 0) return { text: '1', values: [] };
  return { text: parts.map(({ text }) => text).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

export function between(column: string, from: number | null, to: number | null): Sql[] {
  const parts: Sql[] = [];
  if (from !== null) parts.push({ text: `${column} >= ?`, values: [from] });
  if (to !== null) parts.push({ text: `${column} <= ?`, values: [to] });
  return parts;
}

export function ofSites(sites: Scope): Sql[] {
  const condition = isOfSites(sites);
  return condition === null ? [] : [condition];
}

export function statusesOf(filter: TicketFilter): readonly TicketStatus[] {
  const named = filter.statuses.length > 0 ? [...new Set(filter.statuses)] : ticketStatuses;
  const asked = filter.isSnoozed === true ? named.filter((one) => one === 'pending') : named;
  return filter.sla.includes('due_soon') ? asked.filter((one) => one === 'open' || one === 'pending') : asked;
}

/** No site or no status is left: nothing can match. */
export function isEmpty(filter: TicketFilter): boolean {
  return filter.sites.length === 0 || statusesOf(filter).length === 0;
}

export function isDomain(email: string): boolean {
  return email.startsWith('@');
}

/** The condition of the index tickets_unanswered. */
export const isUnanswered = 'last_customer_message_at > coalesce(last_agent_message_at, -1)';

// What `isUnread` of src/domain/tickets/ticket.ts says.
const isUnread = `((${isUnanswered} AND NOT EXISTS (
    SELECT 1 FROM read_marks
    WHERE agent_id = ? AND ticket_id = tickets.id AND read_at >= tickets.last_customer_message_at))
  OR EXISTS (SELECT 1 FROM read_marks WHERE agent_id = ? AND ticket_id = tickets.id AND read_at IS NULL))`;

export function authorsOf({ sites, externalId, email }: TicketFilter): Sql | null {
  const parts: Sql[] = [];
  if (externalId !== null) parts.push({ text: 'external_id = ?', values: [externalId] });
  if (email !== null && !isDomain(email)) parts.push({ text: hasAddress('email = ?'), values: [email, email] });
  if (parts.length === 0) return null;
  parts.push(...ofSites(sites));
  const { text, values } = allOf(parts);
  return { text: `author_id IN (SELECT id FROM authors WHERE ${text})`, values };
}

/** Who takes part in it is one with this address, or of this domain. */
export function participationsOf({ participant }: TicketFilter): Sql | null {
  if (participant === null) return null;
  const [index, condition] = isDomain(participant)
    ? ['INDEXED BY authors_by_domain', `${addressDomain} = ?`]
    : ['', hasAddress('email = ?')];
  return {
    text: `authors ${index} CROSS JOIN participants INDEXED BY participants_by_author
      ON participants.author_id = authors.id WHERE removed_at IS NULL AND ${condition}`,
    values: isDomain(participant) ? [participant] : [participant, participant],
  };
}

/** The columns that it compares, with their condition and index. */
export function askedColumns(filter: TicketFilter): { among: Sql; index: string }[] {
  return Object.entries(columnFilters).flatMap(([field, { column, index }]) => {
    const values = filter[field as keyof ColumnFilter];
    return values.length === 0 ? [] : [{ among: isAmong(column, values), index }];
  });
}

/** A filter with the bound that follows from another: `updateTicket` sees to it that no ticket was updated before it was created. */
export function withImpliedBounds(filter: TicketFilter): TicketFilter {
  const { createdTo, updatedTo } = filter;
  if (updatedTo === null || (createdTo !== null && createdTo <= updatedTo)) return filter;
  return { ...filter, createdTo: updatedTo };
}

/** The filters other than status and words, cheapest first. */
export function conditions(filter: TicketFilter, now: Instant): Sql[] {
  const list: Sql[] = [];
  const add = (text: string, ...values: Value[]) => list.push({ text, values });
  if (filter.ids !== null) add('tickets.id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.ids));
  list.push(...ofSites(filter.sites));
  if (filter.exceptSiteIds.length > 0)
    add(`site_id NOT IN (${placeholders(filter.exceptSiteIds)})`, ...filter.exceptSiteIds);
  if (!filter.includeTest) add('is_test = 0');
  add(filter.isSpam ? 'is_spam = 1' : 'is_spam = 0');
  list.push(...askedColumns(filter).map(({ among }) => among));
  if (filter.isUnassigned !== null) add(filter.isUnassigned ? 'assignee_id IS NULL' : 'assignee_id IS NOT NULL');
  for (const sla of filter.sla) if (sla !== 'due_soon') add(`sla_marks & ${slaBits[sla]} <> 0`);
  list.push(...between('created_at', filter.createdFrom, filter.createdTo));
  const authors = authorsOf(filter);
  if (authors !== null) list.push(authors);
  // A domain can have more authors than could be listed first.
  if (filter.email !== null && isDomain(filter.email))
    add(`EXISTS (SELECT 1 FROM authors WHERE id = tickets.author_id AND ${addressDomain} = ?)`, filter.email);
  const participations = participationsOf(filter);
  if (participations !== null)
    add(`tickets.id IN (SELECT ticket_id FROM ${participations.text})`, ...participations.values);
  for (const tag of filter.tags)
    add('EXISTS (SELECT 1 FROM ticket_tags WHERE tag = ? AND ticket_id = tickets.id)', tag);
  if (filter.mentionedIds.length > 0) {
    const { text, values } = isAmong('agent_id', filter.mentionedIds);
    add(`EXISTS (SELECT 1 FROM mentions WHERE ${text} AND ticket_id = tickets.id)`, ...values);
  }
  if (filter.drafterId !== null)
    add('EXISTS (SELECT 1 FROM drafts WHERE agent_id = ? AND ticket_id = tickets.id)', filter.drafterId);
  if (filter.unreadForId !== null) add(isUnread, filter.unreadForId, filter.unreadForId);
  // What an agent uploaded but has not sent is not an attachment yet.
  if (filter.hasAttachment !== null)
    add(
      `${filter.hasAttachment ? '' : 'NOT '}EXISTS (
        SELECT 1 FROM attachments WHERE ticket_id = tickets.id AND (message_id IS NOT NULL OR is_agent = 0))`,
    );
  if (filter.isSnoozed !== null) add(`snoozed_until IS ${filter.isSnoozed ? 'NOT ' : ''}NULL`);
  list.push(...between('updated_at', filter.updatedFrom, filter.updatedTo));
  if (filter.sla.includes('due_soon')) {
    const until = now + dueSoonMs;
    add(
      `sla_paused_at IS NULL AND status IN ('open', 'pending')
        AND ${ofAnyClock(({ done, sort }) => `(${done} IS NULL AND ${sort} BETWEEN ? AND ?)`)}`,
      ...clockColumns.flatMap(() => [now, until]),
    );
  }
  return list;
}

/** Whether it asks for no more than sites, states and test tickets, whose counts are kept. */
export function isCountKept({
  sites,
  exceptSiteIds,
  statuses,
  includeTest,
  isSpam,
  ids,
  ...more
}: TicketFilter): boolean {
  const isAsked = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== null);
  return !isSpam && ids === null && !Object.values(more).some(isAsked);
}
