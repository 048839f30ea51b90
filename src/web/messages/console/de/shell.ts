// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in German.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'Nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es nichts, oder Sie dürfen es nicht sehen.',
  toInbox: 'Zum Posteingang',
  brokenTitle: 'Diese Seite funktioniert nicht mehr',
  brokenText:
    'Laden Sie die Seite neu, um weiterzumachen. Geschieht es wieder, nennen Sie dem Inhaber des Desks diese Nummer.',
  reload: 'Neu laden',
  deskUnavailable: 'Der Desk antwortet nicht',
  partMissing: 'Diese Seite konnte nicht geladen werden',
  partMissingText: 'Prüfen Sie Ihre Netzwerkverbindung und versuchen Sie es erneut.',

  views: 'Ansichten',
  otherPages: 'Andere Seiten',
  customersPage: 'Kunden',
  allSites: 'Alle Sites',
  siteIs: (name: string) => `Site: ${name}`,
  agentMenu: (name: string) => `Ihr Menü, ${name}`,
  useSystemTheme: 'Design des Systems',
  useLightTheme: 'Helles Design',
  useDarkTheme: 'Dunkles Design',
  openMenu: 'Menü öffnen',
  menu: 'Menü',
  search: 'Suchen',
  connectionOffline: 'Keine Verbindung zum Desk',
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
  viewMenu: (name: string) => `Aktionen für ${name}`,
  renameView: 'Umbenennen',
  moveUp: 'Nach oben',
  moveDown: 'Nach unten',
  shareView: 'Mit Kollegen teilen',
  makeViewPrivate: 'Nicht mehr teilen',
  viewIsShared: (name: string) => `Kollegen sehen jetzt „${name}“.`,
  viewIsPrivate: (name: string) => `Nur noch Sie sehen „${name}“.`,
  deleteView: 'Löschen',
  viewDeleted: (name: string) => `„${name}“ wurde gelöscht.`,

  commandPalette: 'Befehlspalette',
  goTo: (name: string) => `Gehe zu ${name}`,
  showSite: (name: string) => `${name} zeigen`,
  keyboardShortcuts: 'Tastenkürzel',

  // Changes of tickets that the desk refused
  notChanged: (reason) => `Die Änderung wurde zurückgenommen: ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} von ${all} Tickets wurden nicht geändert: ${reason}`,
  ticketGone: 'Dieses Ticket gibt es nicht mehr, oder Sie dürfen es nicht mehr sehen.',
  ticketMerged: 'Dieses Ticket wurde mit einem anderen zusammengeführt. Ändern Sie das andere.',
  testTicket: 'Ein Testticket lässt sich nicht mit einem echten zusammenführen.',
};
