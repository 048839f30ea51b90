// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in German.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'Nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es nichts, oder Sie dürfen es nicht sehen.',
  toInbox: 'Zum Posteingang',
  brokenTitle: 'Diese Seite funktioniert nicht mehr',
  brokenText: 'Was Sie gespeichert haben, ist nicht verloren. Laden Sie die Seite neu, um weiterzumachen.',
  reload: 'Neu laden',
  views: 'Ansichten',
};
