// The messages of ticket lists and search, in Dutch.

import type { ListMessages } from '../en/list.ts';

export const messages: ListMessages = {
  tickets: 'Tickets',
  viewMine: 'Van mij',
  viewUnassigned: 'Niet toegewezen',
  viewOpen: 'Open',
  viewDueSoon: 'Bijna te laat',
  viewBreached: 'Te laat',
  viewPending: 'In behandeling',
  viewSnoozed: 'Uitgesteld',
  viewResolved: 'Opgelost',
  viewAll: 'Alle',
  viewHeldMail: 'Vastgehouden mail',
};
