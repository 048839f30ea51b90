// Rules in words: what each field, operator and action is called, and a whole rule as a sentence.

import type { idActions, RuleOperator } from '../../../../domain/rules/rule.ts';
import type { TicketStatus } from '../../../../domain/tickets/ticket.ts';
import { isolated } from '../../../shared/bidi.ts';
import { count, locale } from '../../../shared/format.ts';
import { useFetched } from '../../shell/fetched.ts';
import type { Category, Colleague, List, Priority, Sender } from '../../wire.ts';
import { type Asked, together } from '../asked.ts';
import {
  anyHeader,
  bodyOf,
  bytesOfKilobyte,
  type Rule,
  type RuleActionType,
  type RuleValues,
  type WireAction,
} from './draft.ts';
import { t } from './messages.ts';

export const fieldWords: Readonly<Record<string, () => string>> = {
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

/** What it says, and what it says when it is turned round. */
export const operatorWords: Readonly<Record<RuleOperator, () => readonly [string, string]>> = {
  equals: () => [t.opEquals, t.opNotEquals],
  contains: () => [t.opContains, t.opNotContains],
  starts_with: () => [t.opStarts, t.opNotStarts],
  ends_with: () => [t.opEnds, t.opNotEnds],
  matches: () => [t.opMatches, t.opNotMatches],
  in: () => [t.opIn, t.opNotIn],
  gt: () => [t.opAbove, t.opNotAbove],
  lt: () => [t.opBelow, t.opNotBelow],
  exists: () => [t.opExists, t.opNotExists],
};

export const actionWords: Readonly<Record<RuleActionType, () => string>> = {
  set_category: () => t.doCategory,
  set_priority: () => t.doPriority,
  set_sender: () => t.doSender,
  assign: () => t.doAssign,
  add_tags: () => t.doTags,
  add_participant: () => t.doParticipant,
  set_metadata: () => t.doMetadata,
  set_status: () => t.doStatus,
  note: () => t.doNote,
  forward: () => t.doForward,
  discard: () => t.doDiscard,
};

const statuses: Readonly<Record<TicketStatus, () => string>> = {
  open: () => t.statusOpen,
  pending: () => t.statusPending,
  resolved: () => t.statusResolved,
  closed: () => t.statusClosed,
};

/** That of tickets is in a file that is loaded with them. */
export const statusText = (status: TicketStatus): string => statuses[status]();

interface Named {
  id: number;
  name: string;
  slug?: string;
}

/** What rules name by id. Null until the desk has answered. */
export interface Names extends Record<(typeof idActions)[number], readonly Named[] | null> {
  asked: Asked;
}

export function useNames(siteId: number): Names {
  const path = `/sites/${siteId}`;
  const categories = useFetched<List<Category>>(`${path}/categories`);
  const priorities = useFetched<List<Priority>>(`${path}/priorities`);
  const senders = useFetched<List<Sender>>(`${path}/senders`);
  const agents = useFetched<List<Colleague>>(`${path}/agents`);
  return {
    set_category: categories.data.value?.data ?? null,
    set_priority: priorities.data.value?.data ?? null,
    set_sender: senders.data.value?.data.map(({ id, from }) => ({ id, name: from.address })) ?? null,
    assign: agents.data.value?.data ?? null,
    asked: together([categories, priorities, senders, agents]),
  };
}

/** By id, short name or name, as the desk finds it. */
export const categoryOf = (names: Names, value: unknown): Named | undefined =>
  names.set_category?.find(({ id, name, slug }) =>
    [String(id), slug?.toLowerCase(), name.toLowerCase()].includes(String(value).toLowerCase()),
  );

const longestShown = 120;
const mostShown = 5;
const short = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
const inQuotes = (text: string) => t.ruleQuoted(isolated(short(text)));

const listed = (parts: readonly string[], type: 'conjunction' | 'disjunction') =>
  new Intl.ListFormat(locale(), { type }).format(parts);

interface Condition {
  field: string;
  operator: string;
  value: unknown;
  negate: boolean;
}

export function conditionWords({ field, operator, value, negate }: Condition, names: Names): string {
  const header = /^header:(.*)$/.exec(field)?.[1];
  const subject = header === undefined ? (fieldWords[field]?.() ?? field) : t.ruleHeaderOf(isolated(header));
  const isTurned = negate !== (operator === 'exists' && value === false);
  const verb = operatorWords[operator as RuleOperator]?.()[isTurned ? 1 : 0] ?? operator;
  if (operator === 'exists') return `${subject} ${verb}`;
  if (typeof value === 'boolean') return `${subject}: ${value !== negate ? t.valueYes : t.valueNo}`;
  const said = (one: unknown) =>
    field === 'size'
      ? `${count(Number(one) / bytesOfKilobyte)} ${t.ruleKilobytes}`
      : typeof one === 'number' && field === 'spam_score'
        ? count(one)
        : inQuotes((field === 'site_category' ? categoryOf(names, one)?.name : undefined) ?? String(one));
  const values = [value].flat();
  const shown = values.slice(0, mostShown).map(said);
  const rest = values.length - shown.length;
  return `${subject} ${verb} ${shown.join(', ')}${rest > 0 ? ` ${t.ruleMoreValues(count(rest))}` : ''}`;
}

export function actionSentence({ type, value = null }: WireAction, names: Names): string {
  const what = actionWords[type as RuleActionType]?.() ?? type;
  const said = actionValue(type as RuleActionType, value, names);
  return said === '' ? what : t.ruleDoes(what, said);
}

function actionValue(type: RuleActionType, value: unknown, names: Names): string {
  switch (type) {
    case 'set_category':
    case 'set_priority':
    case 'set_sender':
    case 'assign': {
      if (value === 'round_robin') return t.ruleInTurn;
      const found = names[type]?.find(({ id }) => id === value);
      return found === undefined ? (names[type] === null ? '…' : t.ruleGone(String(value))) : isolated(found.name);
    }
    case 'set_status':
      return statusText(value as TicketStatus);
    case 'add_participant': {
      const { email, name } = value as { email: string; name: string | null };
      return isolated(name === null ? email : `${name} <${email}>`);
    }
    case 'add_tags':
      return (value as string[]).join(', ');
    case 'set_metadata':
      return isolated(short(Object.keys(value as object).join(', ')));
    case 'forward':
      return isolated(String(value));
    default:
      return value === null ? '' : inQuotes(String(value));
  }
}

export function sentenceOf({ match, conditions, actions, stop_processing: stops }: Rule, names: Names): string {
  const then = listed(
    [...actions.map((action) => actionSentence(action, names)), ...(stops ? [t.ruleStops] : [])],
    'conjunction',
  );
  if (conditions.length === 0) return t.ruleAlways(then);
  const when = conditions.map((condition) => conditionWords(condition, names));
  return t.ruleSentence(listed(when, match === 'any' ? 'disjunction' : 'conjunction'), then);
}

/** A part of a rule that someone else has changed too. Null: it reads as it is. */
export function partWords(part: keyof RuleValues, values: RuleValues, names: Names): string | null {
  const { conditions, actions, match } = bodyOf(values);
  if (part === 'match') return match === 'any' ? t.ruleMatchAny : t.ruleMatchAll;
  if (part === 'conditions') return conditions.map((one) => conditionWords(one, names)).join('; ');
  return part === 'actions' ? actions.map((one) => actionSentence(one, names)).join('; ') : null;
}
