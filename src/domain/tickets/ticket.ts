// The states of a ticket and the transitions between them (docs/spec/behaviour.md#states).

export const bodyFormats = ['text', 'html', 'markdown'] as const;
export type BodyFormat = (typeof bodyFormats)[number];

/** The formats that agents write in. */
export const writtenFormats = ['text', 'markdown'] as const satisfies readonly BodyFormat[];

/** How an agent says that a ticket came about. */
export const agentSources = ['phone', 'email', 'agent'] as const;

export const draftTabs = ['reply', 'note'] as const;
export type DraftTab = (typeof draftTabs)[number];

export const ticketStatuses = ['open', 'pending', 'resolved', 'closed'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

export type Transition = 'pause' | 'resume' | 'resolve' | 'reopen' | 'close';

const transitions: Record<TicketStatus, Partial<Record<TicketStatus, Transition>>> = {
  open: { pending: 'pause', resolved: 'resolve', closed: 'close' },
  pending: { open: 'resume', resolved: 'resolve', closed: 'close' },
  resolved: { open: 'reopen', closed: 'close' },
  closed: { open: 'reopen' },
};

export function transitionBetween(from: TicketStatus, to: TicketStatus): Transition | 'none' | null {
  return from === to ? 'none' : (transitions[from][to] ?? null);
}

export function referenceOf(ticketId: number): string {
  return `#${ticketId}`;
}

export const ticketSorts = [
  'created_at',
  'updated_at',
  'priority',
  'first_response_due_at',
  'resolution_due_at',
  'next_due_at',
] as const;
export type TicketSort = (typeof ticketSorts)[number];

/** What a list can ask of the SLA clocks of its tickets. */
export const slaFilters = ['warned', 'breached', 'due_soon', 'paused'] as const;
export type SlaFilter = (typeof slaFilters)[number];

/** Fields of a ticket change that need more than copying the value into a column. */
export const composedFields = [
  ...(['status', 'snoozed_until', 'priority_id', 'custom_fields'] as const),
  ...(['tags', 'add_tags', 'remove_tags', 'assigned_to', 'team_id', 'assign_from_team'] as const),
] as const;

export const directions = ['asc', 'desc'] as const;
export type Direction = (typeof directions)[number];

export function parseReference(text: string): number | null {
  const match = /^#?(\d{1,15})$/.exec(text.trim());
  return match ? Number(match[1]) : null;
}

export const tagPattern = /^[a-z0-9-]{1,32}$/;
export const maxTags = 10;

interface Heard {
  lastCustomerMessageAt: number | null;
  lastAgentMessageAt: number | null;
}

/** @param readAt up to when an agent has read it; undefined if never, null if they marked it as unread */
export function isUnread({ lastCustomerMessageAt, lastAgentMessageAt }: Heard, readAt: number | null | undefined) {
  if (readAt === null) return true;
  if (lastCustomerMessageAt === null || lastCustomerMessageAt <= (readAt ?? -1)) return false;
  return lastAgentMessageAt === null || lastAgentMessageAt < lastCustomerMessageAt;
}
