// The messages of ticket lists and search, in English.

import type { Same } from '../../en.ts';

export const messages = {
  tickets: 'Tickets',
};

export type ListMessages = Same<typeof messages>;
