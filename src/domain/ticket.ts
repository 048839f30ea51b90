// The states of a ticket and the ways between them (docs/spec/behaviour.md#states).

export const ticketStatuses = ['open', 'pending', 'resolved', 'closed'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** What a change of state does to the clocks. */
export type Transition = 'pause' | 'resume' | 'resolve' | 'reopen' | 'close';

const transitions: Record<TicketStatus, Partial<Record<TicketStatus, Transition>>> = {
  open: { pending: 'pause', resolved: 'resolve', closed: 'close' },
  pending: { open: 'resume', resolved: 'resolve', closed: 'close' },
  resolved: { open: 'reopen', closed: 'close' },
  closed: { open: 'reopen' },
};

/** The way from one state to another: 'none' when the ticket is there already, null when there is no such way. */
export function transitionBetween(from: TicketStatus, to: TicketStatus): Transition | 'none' | null {
  return from === to ? 'none' : (transitions[from][to] ?? null);
}

export function referenceOf(ticketId: number): string {
  return `#${ticketId}`;
}

/** The id in `#41` or `41`, or null. */
export function parseReference(text: string): number | null {
  const match = /^#?(\d{1,15})$/.exec(text.trim());
  return match ? Number(match[1]) : null;
}

export const tagPattern = /^[a-z0-9-]{1,32}$/;
export const maxTags = 10;
