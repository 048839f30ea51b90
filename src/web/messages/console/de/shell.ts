// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in German.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'Nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es nichts, oder Sie dürfen es nicht sehen.',
  toInbox: 'Zum Posteingang',
  brokenTitle: 'Diese Seite funktioniert nicht mehr',
  brokenText: 'Was Sie gespeichert haben, ist nicht verloren. Laden Sie die Seite neu, um weiterzumachen.',
  reload: 'Neu laden',

  // Changes of tickets that the desk refused
  notChanged: (reason) => `Die Änderung wurde zurückgenommen: ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} von ${all} Tickets wurden nicht geändert: ${reason}`,
  ticketGone: 'Dieses Ticket gibt es nicht mehr, oder Sie dürfen es nicht mehr sehen.',
  ticketMerged: 'Dieses Ticket wurde mit einem anderen zusammengeführt. Ändern Sie das andere.',
  testTicket: 'Ein Testticket lässt sich nicht mit einem echten zusammenführen.',

  views: 'Ansichten',
};
