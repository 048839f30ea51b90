// A ticket as lists show it.

import type * as z from 'zod';
import type { ticketShape } from '../../../http/wire/ticket.ts';

export interface DueClock {
  clock: 'first_response' | 'resolution';
  at: string;
  is_breached: boolean;
  is_paused: boolean;
}

export type ListedTicket = z.output<typeof ticketShape> & {
  snippet: string | null;
  is_unread: boolean;
  next_due: DueClock | null;
  snoozed_until: string | null;
  is_spam: boolean;
};
