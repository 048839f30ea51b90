// The messages of the live board, in Dutch.

import type { BoardMessages } from '../en/pages.ts';

export const messages: BoardMessages = {
  open: 'Open',
  unassigned: 'Niet toegewezen',
  oldestWait: 'Langste wachttijd',
  dueSoon: 'Binnenkort te laat',
  breachedToday: 'Vandaag te laat',
  agentsThere: 'Agents aanwezig',
  updatedAt: (time) => `Stand van ${time}`,
  notSince: (time) => `Geen verbinding sinds ${time}`,
  closed: 'Deze link werkt niet meer',
  closedNext: 'De link is ingetrokken of onvolledig. Wie de desk beheert, kan een nieuwe maken.',
};
