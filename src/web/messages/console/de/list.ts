// The messages of ticket lists and search, in German.

import type { ListMessages } from '../en/list.ts';

export const messages: ListMessages = {
  tickets: 'Tickets',
  viewMine: 'Meine',
  viewUnassigned: 'Nicht zugewiesen',
  viewOpen: 'Offen',
  viewDueSoon: 'Bald fällig',
  viewBreached: 'Überfällig',
  viewPending: 'Wartend',
  viewSnoozed: 'Zurückgestellt',
  viewResolved: 'Gelöst',
  viewAll: 'Alle',
  viewHeldMail: 'Zurückgehaltene Mail',
};
