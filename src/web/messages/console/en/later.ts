// The messages of the parts that are loaded after the list: dialogs, palette, filters, selection and empty lists, in English.

import type { Same } from '../../en.ts';

export const messages = {
  no: 'No',
  apply: 'Apply',

  withoutCategory: 'No category',

  filters: 'Filters',
  removeFilter: (name: string) => `Remove the filter ${name}`,
  clearFilters: 'Clear filters',
  saveAsView: 'Save as view',
  updateView: 'Update this view',
  viewUpdated: (name: string) => `“${name}” was updated.`,
  listDensity: 'Density',
  comfortable: 'Comfortable',
  compact: 'Compact',
  columns: 'Columns',
  resetColumns: 'Reset columns',
  moveColumnUp: (name: string) => `Move ${name} up`,
  moveColumnDown: (name: string) => `Move ${name} down`,

  tagRefused: 'A tag has at most 32 small letters, digits and hyphens.',

  noSite: 'Your desk has no site yet',
  noSiteText:
    'Tickets belong to a site, such as a shop or an application. Create the first one on the command line, in the directory of the desk:',
  noSiteSeen: 'You see no site yet',
  noSiteSeenText: 'Tickets belong to a site. Ask an owner of the desk to give you one.',
  emptyMine: 'Nothing is waiting for you',
  emptyMineText: 'Open and pending tickets that are assigned to you appear here. Take one with the key M.',
  goToUnassigned: 'See unassigned tickets',
  emptyUnassigned: 'Every ticket has an assignee',
  emptyUnassignedText: 'New tickets appear here until someone takes them.',
  emptyDueSoon: 'Nothing is due soon',
  emptyDueSoonText: 'Tickets whose deadline is within two hours appear here.',
  emptyBreached: 'No deadline was missed',
  emptyBreachedText: 'Tickets that were not answered or resolved in time appear here.',
  emptySnoozed: 'Nothing is snoozed',
  emptySnoozedText: 'Snooze a ticket with the key Z. It comes back at its time, or when the customer writes.',
  emptyMentions: 'No one has mentioned you',
  emptyMentionsText: 'Tickets appear here when a colleague writes @ and your name in a note.',
  emptyDrafts: 'You have no drafts',
  emptyDraftsText: 'Tickets with a text that you have not sent or discarded appear here.',
  emptyAll: 'There are no tickets yet',
  emptyAllText: 'They come from your sites, by mail, or from programs that call the desk.',
  emptyView: 'No tickets here',
  emptyViewText: 'Tickets that fit this view appear here by themselves.',
  emptyFiltered: 'No ticket fits these filters',
  emptyFilteredText: 'Take a filter away to see more.',
  noMatches: 'Nothing found',
  noMatchesText: 'Try fewer or other words. Spam is found with is:spam.',

  bulkActions: 'Actions for the selected tickets',
  someSelected: (count: string) => `${count} selected`,
  allSelected: (count: string) => `All ${count} selected`,
  selectAllOf: (count: string) => `Select all ${count}`,
  changing: (done: string, all: string) => `Changing ${done} of ${all}`,
  listMoreActions: 'More actions',

  pickAssign: (count: number) => (count === 1 ? 'Assign the ticket to' : `Assign ${count} tickets to`),
  pickStatus: (count: number) => (count === 1 ? 'Set the status' : `Set the status of ${count} tickets`),
  pickPriority: (count: number) => (count === 1 ? 'Set the priority' : `Set the priority of ${count} tickets`),
  pickCategory: (count: number) => (count === 1 ? 'Set the category' : `Set the category of ${count} tickets`),
  pickTags: (count: number) => (count === 1 ? 'Change the tags' : `Change the tags of ${count} tickets`),
  pickSnooze: (count: number) => (count === 1 ? 'Snooze the ticket until' : `Snooze ${count} tickets until`),
  pickMacro: (count: number) => (count === 1 ? 'Run a macro on the ticket' : `Run a macro on ${count} tickets`),
  pickMerge: (count: number) => (count === 1 ? 'Merge the ticket into' : `Merge ${count} tickets into`),
  listDidUnassign: (count: number) =>
    count === 1 ? 'The ticket has no assignee now.' : `${count} tickets have no assignee now.`,
  didChange: (count: number, what: string) =>
    count === 1 ? `Changed to ${what}.` : `${count} tickets changed to ${what}.`,
  didTags: (count: number) => (count === 1 ? 'Tags changed.' : `Tags of ${count} tickets changed.`),
  listDidSnooze: (count: number, what: string) =>
    count === 1 ? `Snoozed: ${what}.` : `${count} tickets snoozed: ${what}.`,
  didMacro: (count: number, what: string) =>
    count === 1 ? `“${what}” was run.` : `“${what}” was run on ${count} tickets.`,
  didMerge: (count: number, what: string) =>
    count === 1 ? `Merged into “${what}”.` : `${count} tickets merged into “${what}”.`,

  listSnoozeLater: 'Later today',
  listSnoozeTomorrow: 'Tomorrow',
  snoozeWeek: 'Next week',
  snoozeMonth: 'Next month',
  snoozeUntil: 'Another time',
  snoozeRefused: 'Choose a time in the next twelve months.',

  shareWithColleagues: 'Colleagues see this view too',

  paletteField: 'Command, page or ticket',
  paletteHint: 'Type a command, #41, words or an address',
  paletteHere: 'On this page',
  paletteAnywhere: 'Everywhere',
  paletteTickets: 'Found tickets',
  searching: 'Searching…',
  nothingFound: 'Nothing found. Try other words.',
  keyCtrl: 'Ctrl',
  keyShift: 'Shift',
  keyHome: 'Home',
  keyEnd: 'End',
  keyPageUp: 'Page up',
  keyPageDown: 'Page down',
  keyThen: 'then',
  keysAnywhere: 'Everywhere in the console',
  keysList: 'In the list',
  keysTicket: 'In a ticket',
  keysComposer: 'Writing',
  keysPage: 'On the open page',
  shortcutsAreOff: 'Shortcuts are turned off.',
  toPreferences: 'Go to your preferences',
};

export type LaterMessages = Same<typeof messages>;
