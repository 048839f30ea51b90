// The status of a ticket as a word and as a shape: never only as a colour.

import type { TicketStatus } from '../../../domain/tickets/ticket.ts';
import { t } from '../../shared/messages.ts';

export function statusText(status: TicketStatus): string {
  switch (status) {
    case 'open':
      return t.statusOpen;
    case 'pending':
      return t.statusPending;
    case 'resolved':
      return t.statusResolved;
    case 'closed':
      return t.statusClosed;
  }
}

const shapes: Record<TicketStatus | 'snoozed', string> = {
  open: 'M8 2.75a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5Z',
  pending: 'M8 2.75a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5ZM6.5 6v4M9.5 6v4',
  resolved: 'M8 2.75a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5Zm-2.25 5.5 1.5 1.5 3-3.25',
  closed: 'M8 2.75a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5ZM5.5 8h5',
  snoozed: 'M8 3.75a4.75 4.75 0 1 1 0 9.5 4.75 4.75 0 0 1 0-9.5ZM8 6v2.5l1.5 1M2.5 4.25l2-1.75M13.5 4.25l-2-1.75',
};

/** Next to the word, or with it as a title of something around it. */
export function StatusIcon({ status, isSnoozed = false }: { status: TicketStatus; isSnoozed?: boolean }) {
  const shape = isSnoozed ? 'snoozed' : status;
  return (
    <svg class={`icon status-icon ${shape}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[shape]} />
    </svg>
  );
}
