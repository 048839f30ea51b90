// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in Dutch.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'Niet gevonden',
  notFoundText: 'Op dit adres is niets, of je mag het niet zien.',
  toInbox: 'Naar de inbox',
  brokenTitle: 'Deze pagina werkt niet meer',
  brokenText: 'Wat je hebt opgeslagen is niet verloren. Laad de pagina opnieuw om verder te gaan.',
  reload: 'Opnieuw laden',
  views: 'Weergaven',
};
