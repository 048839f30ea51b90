// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in Dutch.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'Niet gevonden',
  notFoundText: 'Op dit adres is niets, of je mag het niet zien.',
  toInbox: 'Naar de inbox',
  brokenTitle: 'Deze pagina werkt niet meer',
  brokenText: 'Wat je hebt opgeslagen is niet verloren. Laad de pagina opnieuw om verder te gaan.',
  reload: 'Opnieuw laden',

  // Changes of tickets that the desk refused
  notChanged: (reason) => `De wijziging is teruggedraaid: ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} van ${all} tickets zijn niet gewijzigd: ${reason}`,
  ticketGone: 'Dit ticket bestaat niet meer, of je mag het niet meer zien.',
  ticketMerged: 'Dit ticket is met een ander samengevoegd. Wijzig dat ticket.',
  testTicket: 'Een testticket kan niet met een echt ticket worden samengevoegd.',

  views: 'Weergaven',
};
