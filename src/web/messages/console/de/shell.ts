// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in German.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  newTicket: 'Neues Ticket',
  notFound: 'Nicht gefunden',
  notFoundText: 'Diese Seite gibt es nicht, oder Sie dürfen sie nicht sehen.',
  toInbox: 'Zum Posteingang',
  brokenTitle: 'Diese Seite funktioniert nicht mehr',
  brokenText: 'Laden Sie die Seite neu. Geschieht es wieder, nennen Sie dem Inhaber diese Nummer.',
  reload: 'Neu laden',
  deskUnavailable: 'Der Desk antwortet nicht',
  partMissing: 'Diese Seite konnte nicht geladen werden',
  partMissingText: 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',

  views: 'Ansichten',
  otherPages: 'Andere Seiten',
  customersPage: 'Kunden',
  reports: 'Berichte',
  settings: 'Einstellungen',
  allSites: 'Alle Sites',
  siteIs: (name: string) => `Site: ${name}`,
  useSystemTheme: 'Design des Systems',
  useLightTheme: 'Helles Design',
  useDarkTheme: 'Dunkles Design',
  openMenu: 'Menü öffnen',
  menu: 'Menü',
  search: 'Suchen',
  changeWaits: 'Keine Verbindung. Die Änderung folgt, sobald die Verbindung wieder da ist.',
  connectionOffline: 'Keine Verbindung',
  undo: 'Rückgängig',

  viewMine: 'Meine',
  viewMentions: 'Erwähnungen',
  viewDrafts: 'Entwürfe',
  viewUnassigned: 'Nicht zugewiesen',
  viewOpen: 'Offen',
  viewDueSoon: 'Bald fällig',
  viewBreached: 'Überfällig',
  viewPending: 'Wartend',
  viewSnoozed: 'Zurückgestellt',
  viewResolved: 'Gelöst',
  viewAll: 'Alle',
  viewHeldMail: 'Zurückgehaltene Mails',
  savedViews: 'Gespeicherte Ansichten',
  ticketCount: (count: string, isCapped: boolean) =>
    isCapped ? `Mehr als ${count} Tickets` : count === '1' ? `${count} Ticket` : `${count} Tickets`,

  commandPalette: 'Befehlspalette',
  goTo: (name: string) => `Gehe zu ${name}`,
  showSite: (name: string) => `${name} zeigen`,
  keyboardShortcuts: 'Tastenkürzel',

  // Changes of tickets that the desk refused
  takenBack: (what) => `Rückgängig gemacht: ${what}`,
  changedSince: (tickets) => `Inzwischen geändert, nicht zurückgenommen: ${tickets}`,
  goToTicket: (ticket) => `Zu ${ticket}`,
  notChanged: (reason) => `Die Änderung wurde zurückgenommen: ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} von ${all} Tickets wurden nicht geändert: ${reason}`,
  ticketGone: 'Dieses Ticket gibt es nicht mehr, oder Sie dürfen es nicht mehr sehen.',
  ticketMerged: 'Dieses Ticket wurde zusammengeführt. Ändern Sie das andere.',
};
