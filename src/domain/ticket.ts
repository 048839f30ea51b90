// The states of a ticket and the transitions between them (docs/spec/behaviour.md#states).

export const bodyFormats = ['text', 'html'] as const;
export type BodyFormat = (typeof bodyFormats)[number];

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

export function parseReference(text: string): number | null {
  const match = /^#?(\d{1,15})$/.exec(text.trim());
  return match ? Number(match[1]) : null;
}

export const tagPattern = /^[a-z0-9-]{1,32}$/;
export const maxTags = 10;
