// The messages of ticket lists and search, in Spanish.

import type { ListMessages } from '../en/list.ts';

export const messages: ListMessages = {
  tickets: 'Tickets',
  viewMine: 'Míos',
  viewUnassigned: 'Sin asignar',
  viewOpen: 'Abiertos',
  viewDueSoon: 'Vencen pronto',
  viewBreached: 'Vencidos',
  viewPending: 'Pendientes',
  viewSnoozed: 'Pospuestos',
  viewResolved: 'Resueltos',
  viewAll: 'Todos',
  viewHeldMail: 'Correo retenido',
};
