// The messages about what can be searched for, in English.

import type { Same } from '../../en.ts';

export const messages = {
  searchUse: (text: string) => `Use “${text}”`,
  searchValueMissing: (key: string) => `Type a value after ${key}:.`,
  searchValueUnknown: (value: string, key: string, good: string) =>
    good === '' ? `“${value}” does not fit “${key}:”.` : `“${value}” does not fit “${key}:”. Use ${good}.`,
  searchSeveralMatch: (value: string) => `Several sites begin with “${value}”. Type more of the name.`,
  searchNotADate: (value: string, example: string) =>
    `“${value}” is not a date. Use ${example}, 7d, today or yesterday.`,
  searchNotATag: (value: string) => `“${value}” cannot be a tag: tags have small letters, digits and hyphens.`,
  searchNotAnAddress: (value: string) =>
    `from: needs a complete address or a domain such as @example.org, not “${value}”. Names are found without from:.`,
  searchOnlyOnce: (key: string) => `${key}: takes one value.`,
  searchAssigneeAndNone: 'A ticket cannot be assigned to someone and to no one.',
  searchNoExclusion: (key: string) => `A minus leaves out words only, not ${key}:.`,
  searchKeyUnknown: (key: string, good: string) =>
    `“${key}:” is not a search term. Use ${good}, or put the words in quotes.`,
  searchOnlyExcluded: 'Type a word to find as well: a minus only leaves something out.',
  searchTooLong: (most: number) => `A search has at most ${most} characters.`,
  searchCompletions: 'Completions',
  searchHelp: 'What you can search for',
  helpPhrase: 'These words next to each other',
  helpExclude: 'Without this word',
  helpReference: 'The ticket with this number',
  helpStatus: 'One of these statuses',
  helpAssignee: 'Assigned to you; assignee:none for no one',
  helpTeam: 'Of this team',
  helpTag: 'With this tag and this priority',
  helpFrom: 'From this address',
  helpParticipant: 'With this participant',
  helpDates: 'Created from this day on, and more than a week ago',
  helpAttachment: 'With a file',
  helpBreached: 'A deadline was missed',
};

export type SearchMessages = Same<typeof messages>;
