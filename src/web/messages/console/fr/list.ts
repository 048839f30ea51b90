// The messages of ticket lists and search, in French.

import type { ListMessages } from '../en/list.ts';

export const messages: ListMessages = {
  tickets: 'Tickets',
  viewMine: 'Les miens',
  viewUnassigned: 'Non attribués',
  viewOpen: 'Ouverts',
  viewDueSoon: 'Bientôt dus',
  viewBreached: 'En retard',
  viewPending: 'En attente',
  viewSnoozed: 'Reportés',
  viewResolved: 'Résolus',
  viewAll: 'Tous',
  viewHeldMail: 'Courrier retenu',
};
