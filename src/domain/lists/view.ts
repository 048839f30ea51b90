// Views of the ticket list: the built-in ones, and what a saved one may hold (docs/spec/console.md#views).

import type { Direction, TicketSort, TicketStatus } from '../tickets/ticket.ts';

/** Names and types of the query of the ticket list; lists are arrays. */
export type ViewFilter = Readonly<Record<string, ViewValue>>;
export type ViewValue = string | number | boolean | readonly (string | number)[];

export const mostViews = { own: 100, shared: 200 } as const;

interface BuiltInView {
  key: string;
  name: string;
  /** Null for held mail, which is not a ticket yet. */
  filter: ViewFilter | null;
  sort: TicketSort;
  direction: Direction;
}

export const unsolved: readonly TicketStatus[] = ['open', 'pending'];
export const solved: readonly TicketStatus[] = ['resolved', 'closed'];
const newest = { sort: 'updated_at', direction: 'desc' } as const;
const soonest = { sort: 'next_due_at', direction: 'asc' } as const;

export const builtInViews: readonly BuiltInView[] = [
  { key: 'mine', name: 'Mine', filter: { assigned_to: ['me'], status: unsolved, snoozed: false }, ...newest },
  { key: 'mentions', name: 'Mentions', filter: { mentions: ['me'] }, ...newest },
  { key: 'drafts', name: 'Drafts', filter: { has_draft: true }, ...newest },
  { key: 'unassigned', name: 'Unassigned', filter: { unassigned: true, status: unsolved, snoozed: false }, ...newest },
  { key: 'open', name: 'Open', filter: { status: ['open'] }, ...newest },
  { key: 'due-soon', name: 'Due soon', filter: { sla: ['due_soon'] }, ...soonest },
  { key: 'breached', name: 'Breached', filter: { sla: ['breached'], status: unsolved }, ...soonest },
  { key: 'pending', name: 'Pending', filter: { status: ['pending'], snoozed: false }, ...newest },
  { key: 'snoozed', name: 'Snoozed', filter: { snoozed: true }, ...newest },
  { key: 'resolved', name: 'Resolved', filter: { status: ['resolved'] }, ...newest },
  { key: 'all', name: 'All', filter: {}, sort: 'created_at', direction: 'desc' },
  { key: 'held-mail', name: 'Held mail', filter: null, sort: 'created_at', direction: 'desc' },
];

/** Whether a view shows other tickets to each agent. */
export function namesAgent(filter: ViewFilter): boolean {
  if (filter.has_draft === true || filter.unread === true) return true;
  return Object.values(filter).some((value) => value === 'me' || (Array.isArray(value) && value.includes('me')));
}
