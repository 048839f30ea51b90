// The messages of the live board, in Spanish.

import type { BoardMessages } from '../en/pages.ts';

export const messages: BoardMessages = {
  open: 'Abiertos',
  unassigned: 'Sin asignar',
  oldestWait: 'Espera más larga',
  dueSoon: 'Vencen pronto',
  breachedToday: 'Con retraso hoy',
  agentsThere: 'Agentes presentes',
  updatedAt: (time) => `A las ${time}`,
  notSince: (time) => `Sin conexión desde las ${time}`,
  closed: 'Este enlace ya no funciona',
  closedNext: 'Se ha revocado o está incompleto. Quien administra el servicio puede crear otro.',
};
