// The messages of the ticket page and its details, in Spanish.

import type { TicketMessages } from '../en/ticket.ts';

export const messages: TicketMessages = {
  conversation: 'Conversación',
};
