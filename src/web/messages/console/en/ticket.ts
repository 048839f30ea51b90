// The messages of the ticket page and its details, in English.

import type { Same } from '../../en.ts';

export const messages = {
  conversation: 'Conversation',
};

export type TicketMessages = Same<typeof messages>;
