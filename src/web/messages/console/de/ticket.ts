// The messages of the ticket page and its details, in German.

import type { TicketMessages } from '../en/ticket.ts';

export const messages: TicketMessages = {
  conversation: 'Unterhaltung',
};
