// The messages about what can be searched for, in Dutch.

import type { SearchMessages } from '../en/search.ts';

export const messages: SearchMessages = {
  searchUse: (text) => `“${text}” gebruiken`,
  searchValueMissing: (key) => `Typ een waarde na ${key}:.`,
  searchValueUnknown: (value, key, good) =>
    good === '' ? `“${value}” past niet bij “${key}:”.` : `“${value}” past niet bij “${key}:”. Gebruik ${good}.`,
  searchSeveralMatch: (value) => `Meerdere sites beginnen met “${value}”. Typ meer van de naam.`,
  searchNotADate: (value, example) => `“${value}” is geen datum. Gebruik ${example}, 7d, today of yesterday.`,
  searchNotATag: (value) => `“${value}” kan geen label zijn: labels hebben kleine letters, cijfers en streepjes.`,
  searchNotAnAddress: (value) =>
    `from: heeft een volledig adres of een domein zoals @example.org nodig, niet “${value}”. Namen vind je zonder from:.`,
  searchOnlyOnce: (key) => `${key}: neemt één waarde.`,
  searchAssigneeAndNone: 'Een ticket kan niet wel en geen behandelaar hebben.',
  searchNoExclusion: (key) => `Een minteken sluit alleen woorden uit, niet ${key}:.`,
  searchKeyUnknown: (key, good) =>
    `“${key}:” is geen zoekterm. Gebruik ${good}, of zet de woorden tussen aanhalingstekens.`,
  searchOnlyExcluded: 'Typ ook een woord dat gevonden moet worden: een minteken laat alleen iets weg.',
  searchTooLong: (most) => `Een zoekopdracht heeft hoogstens ${most} tekens.`,
  searchCompletions: 'Aanvullingen',
  searchHelp: 'Waar je op kunt zoeken',
  helpPhrase: 'Deze woorden naast elkaar',
  helpExclude: 'Zonder dit woord',
  helpReference: 'Het ticket met dit nummer',
  helpStatus: 'Een van deze statussen',
  helpAssignee: 'Aan jou toegewezen; assignee:none voor niemand',
  helpTeam: 'Van een team',
  helpTag: 'Met dit label en deze prioriteit',
  helpFrom: 'Geschreven door dit adres',
  helpParticipant: 'Neemt deel met dit adres',
  helpDates: 'Gemaakt vanaf deze dag, en meer dan een week geleden',
  helpAttachment: 'Met een bestand',
  helpBreached: 'Een termijn is gemist',
};
