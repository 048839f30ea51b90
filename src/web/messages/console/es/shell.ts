// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in Spanish.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'No encontrado',
  notFoundText: 'En esta dirección no hay nada, o no puedes verlo.',
  toInbox: 'Ir a la bandeja de entrada',
  brokenTitle: 'Esta página ha dejado de funcionar',
  brokenText: 'No se ha perdido nada de lo que guardaste. Vuelve a cargar la página para continuar.',
  reload: 'Volver a cargar',
  views: 'Vistas',
};
