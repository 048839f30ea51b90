// The messages of the live board, in German.

import type { BoardMessages } from '../en/pages.ts';

export const messages: BoardMessages = {
  open: 'Offen',
  unassigned: 'Nicht zugewiesen',
  oldestWait: 'Längste Wartezeit',
  dueSoon: 'Bald fällig',
  breachedToday: 'Heute verspätet',
  agentsThere: 'Im Dienst',
  updatedAt: (time) => `Stand ${time}`,
  notSince: (time) => `Keine Verbindung seit ${time}`,
  closed: 'Dieser Link funktioniert nicht mehr',
  closedNext: 'Er wurde gesperrt oder ist unvollständig. Wer den Desk verwaltet, kann einen neuen erstellen.',
};
