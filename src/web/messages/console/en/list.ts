// The messages of ticket lists and search, in English.

import type { Same } from '../../en.ts';

export const messages = {
  tickets: 'Tickets',
  viewMine: 'Mine',
  viewUnassigned: 'Unassigned',
  viewOpen: 'Open',
  viewDueSoon: 'Due soon',
  viewBreached: 'Breached',
  viewPending: 'Pending',
  viewSnoozed: 'Snoozed',
  viewResolved: 'Resolved',
  viewAll: 'All',
  viewHeldMail: 'Held mail',
};

export type ListMessages = Same<typeof messages>;
