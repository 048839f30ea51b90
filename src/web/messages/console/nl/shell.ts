// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in Dutch.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  newTicket: 'Nieuw ticket',
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
  reports: 'Rapporten',
  settings: 'Instellingen',
  allSites: 'Alle sites',
  siteIs: (name: string) => `Site: ${name}`,
  useSystemTheme: 'Thema van het systeem',
  useLightTheme: 'Licht thema',
  useDarkTheme: 'Donker thema',
  openMenu: 'Menu openen',
  menu: 'Menu',
  search: 'Zoeken',
  changeWaits: 'Geen verbinding. De wijziging volgt zodra de verbinding er weer is.',
  connectionOffline: 'Geen verbinding',
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

  commandPalette: 'Opdrachten',
  goTo: (name: string) => `Naar ${name}`,
  showSite: (name: string) => `Toon ${name}`,
  keyboardShortcuts: 'Sneltoetsen',

  // Changes of tickets that the desk refused
  takenBack: (what) => `Ongedaan gemaakt: ${what}`,
  changedSince: (tickets) => `Intussen gewijzigd en daarom niet ongedaan gemaakt: ${tickets}`,
  goToTicket: (ticket) => `Naar ${ticket}`,
  notChanged: (reason) => `De wijziging is teruggedraaid: ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} van ${all} tickets zijn niet gewijzigd: ${reason}`,
  ticketGone: 'Dit ticket bestaat niet meer, of je mag het niet meer zien.',
  ticketMerged: 'Dit ticket is met een ander samengevoegd. Wijzig dat ticket.',
};
