// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in English.

import type { Same } from '../../en.ts';

export const messages = {
  newTicket: 'New ticket',
  notFound: 'Not found',
  notFoundText: 'There is nothing at this address, or you are not allowed to see it.',
  toInbox: 'Go to the inbox',
  brokenTitle: 'This page has stopped working',
  brokenText: 'Reload the page to go on. If it happens again, give the owner of the desk this id.',
  reload: 'Reload',
  deskUnavailable: 'The desk does not answer',
  partMissing: 'This page could not be loaded',
  partMissingText: 'Check your network connection and try again.',

  views: 'Views',
  otherPages: 'Other pages',
  customersPage: 'Customers',
  reports: 'Reports',
  settings: 'Settings',
  allSites: 'All sites',
  siteIs: (name: string) => `Site: ${name}`,
  useSystemTheme: 'System theme',
  useLightTheme: 'Light theme',
  useDarkTheme: 'Dark theme',
  openMenu: 'Open the menu',
  menu: 'Menu',
  search: 'Search',
  changeWaits: 'No connection. The change is made once the connection is back.',
  connectionOffline: 'No connection',
  undo: 'Undo',

  viewMine: 'Mine',
  viewMentions: 'Mentions',
  viewDrafts: 'Drafts',
  viewUnassigned: 'Unassigned',
  viewOpen: 'Open',
  viewDueSoon: 'Due soon',
  viewBreached: 'Breached',
  viewPending: 'Pending',
  viewSnoozed: 'Snoozed',
  viewResolved: 'Resolved',
  viewAll: 'All',
  viewHeldMail: 'Held mail',
  savedViews: 'Saved views',
  ticketCount: (count: string, isCapped: boolean) =>
    isCapped ? `More than ${count} tickets` : count === '1' ? `${count} ticket` : `${count} tickets`,

  commandPalette: 'Command palette',
  goTo: (name: string) => `Go to ${name}`,
  showSite: (name: string) => `Show ${name}`,
  keyboardShortcuts: 'Keyboard shortcuts',

  takenBack: (what: string) => `Taken back: ${what}`,
  changedSince: (tickets: string) => `Changed in the meantime, so not taken back: ${tickets}`,
  goToTicket: (ticket: string) => `Go to ${ticket}`,
  notChanged: (reason: string) => `The change was taken back: ${reason}`,
  notAllChanged: (refused: number, all: number, reason: string) =>
    `${refused} of ${all} tickets were not changed: ${reason}`,
  ticketGone: 'This ticket no longer exists, or you are no longer allowed to see it.',
  ticketMerged: 'This ticket was merged into another one. Change that one.',
};

export type ShellMessages = Same<typeof messages>;
