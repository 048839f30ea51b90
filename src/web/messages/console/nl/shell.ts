// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in Dutch.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'Niet gevonden',
  notFoundText: 'Op dit adres is niets, of je mag het niet zien.',
  toInbox: 'Naar de inbox',
  brokenTitle: 'Deze pagina werkt niet meer',
  brokenText:
    'Laad de pagina opnieuw om verder te gaan. Gebeurt het weer, geef dan dit nummer door aan de eigenaar van de desk.',
  reload: 'Opnieuw laden',
  deskUnavailable: 'De desk antwoordt niet',
  partMissing: 'Deze pagina kon niet worden geladen',
  partMissingText: 'Controleer je netwerkverbinding en probeer het opnieuw.',

  views: 'Weergaven',
  otherPages: 'Andere pagina’s',
  customersPage: 'Klanten',
  allSites: 'Alle sites',
  siteIs: (name: string) => `Site: ${name}`,
  agentMenu: (name: string) => `Jouw menu, ${name}`,
  useSystemTheme: 'Thema van het systeem',
  useLightTheme: 'Licht thema',
  useDarkTheme: 'Donker thema',
  openMenu: 'Menu openen',
  menu: 'Menu',
  search: 'Zoeken',
  connectionOffline: 'Geen verbinding met de desk',
  undo: 'Ongedaan maken',

  viewMine: 'Van mij',
  viewMentions: 'Vermeldingen',
  viewDrafts: 'Concepten',
  viewUnassigned: 'Niet toegewezen',
  viewOpen: 'Open',
  viewDueSoon: 'Bijna te laat',
  viewBreached: 'Te laat',
  viewPending: 'In de wacht',
  viewSnoozed: 'Uitgesteld',
  viewResolved: 'Opgelost',
  viewAll: 'Alle',
  viewHeldMail: 'Tegengehouden mail',
  savedViews: 'Bewaarde weergaven',
  ticketCount: (count: string, isCapped: boolean) =>
    isCapped ? `Meer dan ${count} tickets` : count === '1' ? `${count} ticket` : `${count} tickets`,
  viewMenu: (name: string) => `Acties voor ${name}`,
  renameView: 'Naam wijzigen',
  moveUp: 'Omhoog',
  moveDown: 'Omlaag',
  shareView: 'Delen met collega’s',
  makeViewPrivate: 'Niet meer delen',
  viewIsShared: (name: string) => `Collega’s zien nu “${name}”.`,
  viewIsPrivate: (name: string) => `Alleen jij ziet “${name}” nog.`,
  deleteView: 'Verwijderen',
  viewDeleted: (name: string) => `“${name}” is verwijderd.`,

  commandPalette: 'Opdrachten',
  goTo: (name: string) => `Naar ${name}`,
  showSite: (name: string) => `Toon ${name}`,
  keyboardShortcuts: 'Sneltoetsen',

  // Changes of tickets that the desk refused
  notChanged: (reason) => `De wijziging is teruggedraaid: ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} van ${all} tickets zijn niet gewijzigd: ${reason}`,
  ticketGone: 'Dit ticket bestaat niet meer, of je mag het niet meer zien.',
  ticketMerged: 'Dit ticket is met een ander samengevoegd. Wijzig dat ticket.',
  testTicket: 'Een testticket kan niet met een echt ticket worden samengevoegd.',
};
