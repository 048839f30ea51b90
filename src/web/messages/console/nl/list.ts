// The messages of ticket lists and search, in Dutch.

import type { ListMessages } from '../en/list.ts';

export const messages: ListMessages = {
  tickets: 'Tickets',
};
