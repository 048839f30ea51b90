// The messages about what can be searched for, in German.

import type { SearchMessages } from '../en/search.ts';

export const messages: SearchMessages = {
  searchUse: (text) => `„${text}“ verwenden`,
  searchValueMissing: (key) => `Geben Sie nach ${key}: einen Wert ein.`,
  searchValueUnknown: (value, key, good) =>
    good === '' ? `„${value}“ passt nicht zu „${key}:“.` : `„${value}“ passt nicht zu „${key}:“. Möglich: ${good}.`,
  searchSeveralMatch: (value) => `Mehrere Sites beginnen mit „${value}“. Geben Sie mehr vom Namen ein.`,
  searchNotADate: (value, example) => `„${value}“ ist kein Datum. Verwenden Sie ${example}, 7d, today oder yesterday.`,
  searchNotATag: (value) =>
    `„${value}“ kann kein Schlagwort sein: Sie bestehen aus Kleinbuchstaben, Ziffern und Bindestrichen.`,
  searchNotAnAddress: (value) =>
    `from: braucht eine vollständige Adresse oder eine Domain wie @example.org, nicht „${value}“. Namen finden Sie ohne from:.`,
  searchOnlyOnce: (key) => `${key}: nimmt nur einen Wert.`,
  searchAssigneeAndNone: 'Ein Ticket kann nicht zugleich zugewiesen und nicht zugewiesen sein.',
  searchNoExclusion: (key) => `Ein Minus schließt nur Wörter aus, nicht ${key}:.`,
  searchKeyUnknown: (key, good) =>
    `„${key}:“ ist kein Suchbegriff. Möglich: ${good}. Oder setzen Sie die Wörter in Anführungszeichen.`,
  searchOnlyExcluded: 'Geben Sie auch ein Wort ein, das vorkommen soll: Ein Minus lässt nur etwas weg.',
  searchTooLong: (most) => `Eine Suche hat höchstens ${most} Zeichen.`,
  searchCompletions: 'Vervollständigungen',
  searchHelp: 'Wonach Sie suchen können',
  helpPhrase: 'Diese Wörter nebeneinander',
  helpExclude: 'Ohne dieses Wort',
  helpReference: 'Das Ticket mit dieser Nummer',
  helpStatus: 'Einer dieser Status',
  helpAssignee: 'Ihnen zugewiesen; assignee:none für nicht zugewiesen',
  helpTeam: 'Eines Teams',
  helpTag: 'Mit diesem Schlagwort und dieser Priorität',
  helpFrom: 'Von dieser Adresse geschrieben',
  helpParticipant: 'Mit dieser Adresse beteiligt',
  helpDates: 'Ab diesem Tag erstellt, und vor mehr als einer Woche',
  helpAttachment: 'Mit einer Datei',
  helpBreached: 'Eine Frist wurde überschritten',
};
