// The messages of ticket lists and search, in German.

import type { ListMessages } from '../en/list.ts';

export const messages: ListMessages = {
  tickets: 'Tickets',
};
