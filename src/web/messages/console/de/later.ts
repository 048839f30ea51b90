// The messages of the parts that are loaded after the list: dialogs, palette, filters, selection and empty lists, in German.

import type { LaterMessages } from '../en/later.ts';

export const messages: LaterMessages = {
  no: 'Nein',
  apply: 'Übernehmen',

  withoutCategory: 'Keine Kategorie',

  filters: 'Filter',
  removeFilter: (name) => `Filter ${name} entfernen`,
  clearFilters: 'Filter zurücksetzen',
  saveAsView: 'Als Ansicht speichern',
  updateView: 'Ansicht aktualisieren',
  viewUpdated: (name) => `„${name}“ wurde aktualisiert.`,
  listDensity: 'Dichte',
  comfortable: 'Luftig',
  compact: 'Kompakt',
  columns: 'Spalten',
  resetColumns: 'Spalten zurücksetzen',
  moveColumnUp: (name) => `${name} nach oben`,
  moveColumnDown: (name) => `${name} nach unten`,

  tagRefused: 'Ein Schlagwort hat höchstens 32 Kleinbuchstaben, Ziffern und Bindestriche.',

  noSite: 'Ihr Desk hat noch keine Site',
  noSiteText:
    'Tickets gehören zu einer Site, etwa einem Shop oder einer Anwendung. Legen Sie die erste auf der Kommandozeile an, im Verzeichnis des Desks:',
  noSiteSeen: 'Sie sehen noch keine Site',
  noSiteSeenText: 'Tickets gehören zu einer Site. Bitten Sie einen Inhaber des Desks, Ihnen eine zu geben.',
  emptyMine: 'Nichts wartet auf Sie',
  emptyMineText:
    'Hier stehen offene und wartende Tickets, die Ihnen zugewiesen sind. Mit der Taste M übernehmen Sie eines.',
  goToUnassigned: 'Nicht zugewiesene Tickets ansehen',
  emptyUnassigned: 'Für jedes Ticket ist jemand zuständig',
  emptyUnassignedText: 'Neue Tickets stehen hier, bis jemand sie übernimmt.',
  emptyDueSoon: 'Nichts ist bald fällig',
  emptyDueSoonText: 'Hier stehen Tickets, deren Frist in den nächsten zwei Stunden endet.',
  emptyBreached: 'Keine Frist wurde überschritten',
  emptyBreachedText: 'Hier stehen Tickets, die nicht rechtzeitig beantwortet oder gelöst wurden.',
  emptySnoozed: 'Nichts ist zurückgestellt',
  emptySnoozedText:
    'Mit der Taste Z stellen Sie ein Ticket zurück. Es kommt zu seiner Zeit wieder, oder wenn der Kunde schreibt.',
  emptyMentions: 'Niemand hat Sie erwähnt',
  emptyMentionsText:
    'Tickets erscheinen hier, wenn eine Kollegin oder ein Kollege in einer Notiz @ und Ihren Namen schreibt.',
  emptyDrafts: 'Sie haben keine Entwürfe',
  emptyDraftsText: 'Hier stehen Tickets, auf denen Sie etwas geschrieben und weder gesendet noch verworfen haben.',
  emptyAll: 'Es gibt noch keine Tickets',
  emptyAllText: 'Sie kommen von Ihren Sites, per E-Mail oder von Programmen, die den Desk aufrufen.',
  emptyView: 'Hier sind keine Tickets',
  emptyViewText: 'Tickets, die zu dieser Ansicht passen, erscheinen hier von selbst.',
  emptyFiltered: 'Kein Ticket passt zu diesen Filtern',
  emptyFilteredText: 'Nehmen Sie einen Filter weg, um mehr zu sehen.',
  noMatches: 'Nichts gefunden',
  noMatchesText: 'Versuchen Sie es mit weniger oder anderen Wörtern. Spam finden Sie mit is:spam.',

  bulkActions: 'Aktionen für die ausgewählten Tickets',
  someSelected: (count) => `${count} ausgewählt`,
  allSelected: (count) => `Alle ${count} ausgewählt`,
  selectAllOf: (count) => `Alle ${count} auswählen`,
  changing: (done, all) => `${done} von ${all} werden geändert`,
  listMoreActions: 'Weitere Aktionen',

  pickAssign: (count) => (count === 1 ? 'Ticket zuweisen an' : `${count} Tickets zuweisen an`),
  pickStatus: (count) => (count === 1 ? 'Status des Tickets' : `Status von ${count} Tickets`),
  pickPriority: (count) => (count === 1 ? 'Priorität des Tickets' : `Priorität von ${count} Tickets`),
  pickCategory: (count) => (count === 1 ? 'Kategorie des Tickets' : `Kategorie von ${count} Tickets`),
  pickTags: (count) => (count === 1 ? 'Schlagwörter des Tickets' : `Schlagwörter von ${count} Tickets`),
  pickSnooze: (count) => (count === 1 ? 'Ticket zurückstellen bis' : `${count} Tickets zurückstellen bis`),
  pickMacro: (count) => (count === 1 ? 'Makro auf das Ticket anwenden' : `Makro auf ${count} Tickets anwenden`),
  pickMerge: (count) => (count === 1 ? 'Ticket zusammenführen in' : `${count} Tickets zusammenführen in`),
  listDidUnassign: (count) =>
    count === 1 ? 'Für das Ticket ist jetzt niemand zuständig.' : `Für ${count} Tickets ist jetzt niemand zuständig.`,
  didChange: (count, what) => (count === 1 ? `Geändert in ${what}.` : `${count} Tickets geändert in ${what}.`),
  didTags: (count) => (count === 1 ? 'Schlagwörter geändert.' : `Schlagwörter von ${count} Tickets geändert.`),
  listDidSnooze: (count, what) =>
    count === 1 ? `Zurückgestellt: ${what}.` : `${count} Tickets zurückgestellt: ${what}.`,
  didMacro: (count, what) =>
    count === 1 ? `„${what}“ wurde ausgeführt.` : `„${what}“ wurde auf ${count} Tickets angewendet.`,
  didMerge: (count, what) =>
    count === 1 ? `In „${what}“ zusammengeführt.` : `${count} Tickets in „${what}“ zusammengeführt.`,

  listSnoozeLater: 'Später heute',
  listSnoozeTomorrow: 'Morgen',
  snoozeWeek: 'Nächste Woche',
  snoozeMonth: 'Nächsten Monat',
  snoozeUntil: 'Ein anderer Zeitpunkt',
  snoozeRefused: 'Wählen Sie einen Zeitpunkt in den nächsten zwölf Monaten.',

  shareWithColleagues: 'Kollegen sehen diese Ansicht auch',

  paletteField: 'Befehl, Seite oder Ticket',
  paletteHint: 'Befehl, #41, Wörter oder Adresse eingeben',
  paletteHere: 'Auf dieser Seite',
  paletteAnywhere: 'Überall',
  paletteTickets: 'Gefundene Tickets',
  searching: 'Suche läuft…',
  nothingFound: 'Nichts gefunden. Versuchen Sie andere Wörter.',
  keyCtrl: 'Strg',
  keyShift: 'Umsch',
  keyHome: 'Pos1',
  keyEnd: 'Ende',
  keyPageUp: 'Bild auf',
  keyPageDown: 'Bild ab',
  keyThen: 'dann',
  keysAnywhere: 'Überall in der Konsole',
  keysList: 'In der Liste',
  keysTicket: 'In einem Ticket',
  keysComposer: 'Schreiben',
  keysPage: 'Auf der offenen Seite',
  shortcutsAreOff: 'Tastenkürzel sind ausgeschaltet.',
  toPreferences: 'Zu Ihren Einstellungen',
};
