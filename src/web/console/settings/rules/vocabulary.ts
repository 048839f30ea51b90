// What the conditions of a kind of rule can look at, what it can do, and what all that is called.

import { locales } from '../../../../domain/people/preferences.ts';
import { type FieldKind, kindOfField, operatorsOf, ruleFields } from '../../../../domain/rules/fields.ts';
import { ruleActionTypes } from '../../../../domain/rules/rule.ts';
import { canChange, customFieldKey, kindOfTicketField, ticketFields } from '../../../../domain/rules/ticket-fields.ts';
import { changeOperators, triggerActionTypes, type triggerOperators } from '../../../../domain/rules/trigger.ts';
import { isolated } from '../../../shared/bidi.ts';
import { locale } from '../../../shared/format.ts';
import { type ActionType, actionRows, mailActionRows } from './action-rows.ts';
import { t } from './messages.ts';
import { type Choice, choicesOf, type Names, statusChoices } from './names.ts';

export type Operator = (typeof triggerOperators)[number];

export interface Vocabulary {
  /** Those that conditions can begin with. */
  fields: (names: Names) => readonly Choice[];
  fieldWords: (field: string, names: Names) => string;
  kindOf: (field: string, names: Names) => FieldKind;
  operators: (field: string, names: Names) => readonly Operator[];
  /** What the field can be. Null: anything. */
  choices: (field: string, names: Names) => readonly Choice[] | null;
  actions: readonly ActionType[];
  rows: typeof actionRows;
  /** What it says without conditions. */
  always: () => string;
  alwaysSentence: (then: string) => string;
  /** Its texts have variables, and its conditions groups. */
  isOfTickets: boolean;
}

/** Stands for every header; the last of the fields. */
export const anyHeader = ruleFields.at(-1) ?? '';
export const headerOf = (field: string): string | null => /^header:(.*)$/.exec(field)?.[1] ?? null;

export const mailFieldWords: Readonly<Record<string, () => string>> = {
  from: () => t.ruleFrom,
  from_domain: () => t.ruleFromDomain,
  to: () => t.ruleTo,
  cc: () => t.ruleCc,
  participant: () => t.ruleParticipant,
  subject: () => t.ruleSubject,
  body: () => t.ruleBody,
  has_attachment: () => t.ruleHasAttachment,
  attachment_name: () => t.ruleAttachmentName,
  size: () => t.ruleSize,
  spam_score: () => t.ruleSpamScore,
  is_reply: () => t.ruleIsReply,
  site_category: () => t.ruleCategory,
  [anyHeader]: () => t.ruleHeader,
};

export const mailVocabulary: Vocabulary = {
  fields: () => ruleFields.map((value) => ({ value, text: mailFieldWords[value]?.() ?? value })),
  fieldWords(field) {
    const header = field === anyHeader ? null : headerOf(field);
    return header === null ? (mailFieldWords[field]?.() ?? field) : t.ruleHeaderOf(isolated(header));
  },
  kindOf: (field) => kindOfField(field) ?? 'text',
  operators: (field) => operatorsOf(kindOfField(field) ?? 'text'),
  choices: (field, { category }) => (field === 'site_category' ? choicesOf(category) : null),
  actions: ruleActionTypes,
  rows: mailActionRows,
  always: () => t.ruleEveryMessage,
  alwaysSentence: (then) => t.ruleAlways(then),
  isOfTickets: false,
};

/** Beside a site's own fields. */
export const ticketFieldWords: Readonly<Record<string, () => string>> = {
  status: () => t.ruleFieldStatus,
  priority: () => t.ruleFieldPriority,
  priority_level: () => t.ruleFieldLevel,
  category: () => t.ruleCategory,
  tag: () => t.ruleFieldTag,
  assignee: () => t.ruleFieldAssignee,
  team: () => t.ruleFieldTeam,
  subject: () => t.ruleSubject,
  body: () => t.ruleBody,
  source: () => t.ruleFieldSource,
  language: () => t.ruleFieldLanguage,
  author: () => t.ruleFieldAuthor,
  author_domain: () => t.ruleFieldAuthorDomain,
  participant: () => t.ruleParticipant,
  is_verified: () => t.ruleFieldVerified,
  message_count: () => t.ruleFieldMessages,
  age_minutes: () => t.ruleFieldAge,
  working_hours: () => t.ruleFieldWorkingHours,
};

const customField = (field: string, { fields }: Names) => fields.find(({ key }) => key === customFieldKey(field));

function ticketWords(field: string, names: Names): string {
  const key = customFieldKey(field);
  if (key === null) return ticketFieldWords[field]?.() ?? field;
  return isolated(customField(field, names)?.label ?? key);
}

function ticketKind(field: string, { fields }: Names): FieldKind {
  return kindOfTicketField(field, new Map(fields.map(({ key, type }) => [key, type]))) ?? 'text';
}

function ticketChoices(field: string, names: Names): readonly Choice[] | null {
  switch (field) {
    case 'status':
      return statusChoices();
    case 'category':
      return choicesOf(names.category);
    case 'priority':
      return choicesOf(names.priority);
    case 'assignee':
      return choicesOf(names.agent);
    case 'team':
      return choicesOf(names.team);
    case 'language': {
      const words = new Intl.DisplayNames(locale(), { type: 'language' });
      return locales.map((value) => ({ value, text: words.of(value) ?? value }));
    }
    default: {
      const options = customField(field, names)?.options ?? [];
      return options.length === 0 ? null : options.map((value) => ({ value, text: value }));
    }
  }
}

/** @param isOfChange what was before is known */
const ofTickets = (isOfChange: boolean): Vocabulary => ({
  fields: (names) =>
    [
      ...ticketFields.filter((value) => customFieldKey(value) === null),
      ...names.fields.map(({ key }) => `field:${key}`),
    ].map((value) => ({ value, text: ticketWords(value, names) })),
  fieldWords: ticketWords,
  kindOf: ticketKind,
  operators: (field, names) => [
    ...operatorsOf(ticketKind(field, names)),
    ...(isOfChange && canChange(field) ? changeOperators : []),
  ],
  choices: ticketChoices,
  actions: triggerActionTypes,
  rows: actionRows,
  always: () => t.ruleEveryTicket,
  alwaysSentence: (then) => t.ruleAlwaysTicket(then),
  isOfTickets: true,
});

export const changeVocabulary = ofTickets(true);
export const timeVocabulary = ofTickets(false);

/** What it says, and what it says when it is turned round. */
export const operatorWords: Readonly<Record<Operator, () => readonly [string, string]>> = {
  equals: () => [t.opEquals, t.opNotEquals],
  contains: () => [t.opContains, t.opNotContains],
  starts_with: () => [t.opStarts, t.opNotStarts],
  ends_with: () => [t.opEnds, t.opNotEnds],
  matches: () => [t.opMatches, t.opNotMatches],
  in: () => [t.opIn, t.opNotIn],
  gt: () => [t.opAbove, t.opNotAbove],
  lt: () => [t.opBelow, t.opNotBelow],
  exists: () => [t.opExists, t.opNotExists],
  changed: () => [t.opChanged, t.opNotChanged],
  changed_from: () => [t.opChangedFrom, t.opNotChangedFrom],
  changed_to: () => [t.opChangedTo, t.opNotChangedTo],
};
