// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in Spanish.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'No encontrado',
  notFoundText: 'En esta dirección no hay nada, o no puedes verlo.',
  toInbox: 'Ir a la bandeja de entrada',
  brokenTitle: 'Esta página ha dejado de funcionar',
  brokenText: 'No se ha perdido nada de lo que guardaste. Vuelve a cargar la página para continuar.',
  reload: 'Volver a cargar',

  // Changes of tickets that the desk refused
  notChanged: (reason) => `El cambio se deshizo: ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} de ${all} tickets no se cambiaron: ${reason}`,
  ticketGone: 'Este ticket ya no existe, o ya no puedes verlo.',
  ticketMerged: 'Este ticket se combinó con otro. Cambia el otro.',
  testTicket: 'Un ticket de prueba no se puede combinar con uno real.',

  views: 'Vistas',
};
