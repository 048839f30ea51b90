// The messages of the settings of macros, in English.

import type { Same } from '../../en.ts';

export const messages = {
  macrosTitle: 'Macros',
  macrosLead:
    'Text and changes for what comes up often. Agents apply them with “/” when they write, or to many tickets from a list.',
  addMacro: 'Add a macro',
  noMacros: 'No macro yet',
  noMacrosText: 'With macros, what customers often ask is answered in one step.',
  noMacroFound: 'No macro matches.',
  macroEverySite: 'Every site',
  macroOnlyYou: 'Only you',
  macroText: 'Text',
  macroTextHint:
    'It goes into the reply or note that is being written. Empty: the macro only changes the ticket. The desk fills in the placeholders:',
  macroMeansAuthor: 'the name of the customer, or their address',
  macroMeansSite: 'the name of the site',
  macroMeansField: (label: string) => `what the ticket has in “${label}”`,
  macroMarkdown: 'The text is Markdown',
  macroMarkdownHint: 'For bold, lists and links.',
  macroStatus: 'Status',
  macroPriority: 'Priority',
  macroCategory: 'Category',
  macroAssignee: 'Assignee',
  macroTeam: 'Team',
  macroNoTeam: 'No team',
  macroLeaves: 'Leave as it is',
  macroNoOne: 'No one',
  macroNoCategory: 'None',
  macroApplier: 'The agent who applies it',
  macroGone: (id: string) => `No longer there (${id})`,
  macroAddTags: 'Tags to add',
  macroRemoveTags: 'Tags to take away',
  macroTagsHint: 'Separated by spaces.',
  macroTagsRefused: 'A tag has 1 to 32 lower-case letters from a to z, digits and hyphens.',
  macroTagsMany: (most: string) => `At most ${most} tags.`,
  macroSnooze: 'Hours to snooze',
  macroSnoozeHint: 'Empty: not at all. The ticket is pending until then, or until the customer writes.',
  macroSnoozeStatus: (pending: string) =>
    `A snoozed ticket is pending: choose “${pending}” as its status, or leave it as it is.`,
  macroFor: 'For',
  macroEverySiteHint: 'For every site it sets no priority or category, because these belong to one site.',
  macroShared: 'Share it with colleagues',
  macroSharedHint: 'Otherwise only you see it.',
  macroPlace: 'Place in lists',
  macroPlaceHint: 'Lower numbers come first.',
  macroPlaceNewHint: 'Lower numbers come first. Empty: after all others.',
  macroEmpty: 'Write a text, or choose something that changes.',
  macroUnknown: (names: string) => `The desk does not know ${names}.`,
  macroDoes: 'What it does',
  macroDoesText: 'Puts in its text',
  macroDoesStatus: (text: string) => `Status: ${text}`,
  macroDoesPriority: (text: string) => `Priority: ${text}`,
  macroDoesCategory: (text: string) => `Category: ${text}`,
  macroDoesAssignee: (text: string) => `Assignee: ${text}`,
  macroDoesTeam: (text: string) => `Team: ${text}`,
  macroDoesAddTags: (text: string) => `Adds ${text}`,
  macroDoesRemoveTags: (text: string) => `Takes away ${text}`,
  macroDoesSnooze: (hours: string) => `Snoozes for ${hours} h`,
  macroReadOnly:
    'Only the agent who made it, admins and owners can change this. A macro for every site also needs access to all sites.',
  macroRemoveText:
    'Its text and changes go. Tickets that it was applied to, and drafts with its text, stay as they are. This cannot be taken back.',
  macroRemoveSharedText: 'Your colleagues lose it too, and so do all sites if it is for every site.',
};

export type SettingsMacrosMessages = Same<typeof messages>;
