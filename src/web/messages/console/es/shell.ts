// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in Spanish.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  newTicket: 'Nuevo ticket',
  notFound: 'No encontrado',
  notFoundText: 'En esta dirección no hay nada, o no puedes verlo.',
  toInbox: 'Ir a la bandeja de entrada',
  brokenTitle: 'Esta página ha dejado de funcionar',
  brokenText: 'Vuelve a cargar la página para continuar. Si ocurre otra vez, dile este número al propietario del desk.',
  reload: 'Volver a cargar',
  deskUnavailable: 'El desk no responde',
  partMissing: 'No se pudo cargar esta página',
  partMissingText: 'Comprueba tu conexión de red e inténtalo de nuevo.',

  views: 'Vistas',
  otherPages: 'Otras páginas',
  customersPage: 'Clientes',
  reports: 'Informes',
  settings: 'Ajustes',
  allSites: 'Todos los sitios',
  siteIs: (name: string) => `Sitio: ${name}`,
  useSystemTheme: 'Tema del sistema',
  useLightTheme: 'Tema claro',
  useDarkTheme: 'Tema oscuro',
  openMenu: 'Abrir el menú',
  menu: 'Menú',
  search: 'Buscar',
  changeWaits: 'Sin conexión. El cambio se hará en cuanto vuelva la conexión.',
  connectionOffline: 'Sin conexión',
  undo: 'Deshacer',

  viewMine: 'Míos',
  viewMentions: 'Menciones',
  viewDrafts: 'Borradores',
  viewUnassigned: 'Sin asignar',
  viewOpen: 'Abiertos',
  viewDueSoon: 'Vencen pronto',
  viewBreached: 'Vencidos',
  viewPending: 'Pendientes',
  viewSnoozed: 'Pospuestos',
  viewResolved: 'Resueltos',
  viewAll: 'Todos',
  viewHeldMail: 'Correo retenido',
  savedViews: 'Vistas guardadas',
  ticketCount: (count: string, isCapped: boolean) =>
    isCapped ? `Más de ${count} tickets` : count === '1' ? `${count} ticket` : `${count} tickets`,

  commandPalette: 'Paleta de comandos',
  goTo: (name: string) => `Ir a ${name}`,
  showSite: (name: string) => `Mostrar ${name}`,
  keyboardShortcuts: 'Atajos de teclado',

  // Changes of tickets that the desk refused
  takenBack: (what) => `Deshecho: ${what}`,
  changedSince: (tickets) => `Se cambió entretanto y no se ha deshecho: ${tickets}`,
  goToTicket: (ticket) => `Ir a ${ticket}`,
  notChanged: (reason) => `El cambio se deshizo: ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} de ${all} tickets no se cambiaron: ${reason}`,
  ticketGone: 'Este ticket ya no existe, o ya no puedes verlo.',
  ticketMerged: 'Este ticket se fusionó con otro. Cambia el otro.',
};
