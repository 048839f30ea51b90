// The actions of inbound rules: one row for each, with how it is read from the wire, typed as a flag, told and done.

import { canonicalAddress, isAddress, normaliseEmail, personIn } from '../mail/address.ts';
import { mostForwards, mostRuleNotes } from '../sites/limits.ts';
import { participantLimits } from '../tickets/participant.ts';
import { maxTags, tagPattern, ticketStatuses } from '../tickets/ticket.ts';
import {
  type ActionTrace,
  type Known,
  type Rule,
  type RuleAction,
  type RuleEffects,
  type RuleSurroundings,
  ruleActionTypes,
  setOwn,
} from './rule.ts';
import { isId, isObject, isOneOf, isShortText, type RuleReading, ruleLimits } from './wire-reading.ts';

type ById = Pick<Rule, 'id' | 'name'>;

interface Row<Value> {
  /** Undefined: it is wrong, and `reading` says why. */
  read(value: unknown, at: string, reading: RuleReading): Value | undefined;
  /** What is typed after its name, as the wire has it; otherwise as it is. Undefined: it is no such value. */
  typed?(text: string, around: RuleSurroundings | undefined): unknown;
  /** What it names that is not there. */
  gone?(value: Value, known: Known): string | null;
  tell(value: Value, known: Known): string;
  /** Told instead of doing it. */
  idle?(value: Value, known: Known): string | null;
  /** Why there is no room for one more. */
  limit?(value: Value, effects: RuleEffects): string | null;
  apply(effects: RuleEffects, value: Value, rule: ById): void;
}

const wrong = (reading: RuleReading, at: string, message: string): undefined => void reading.wrong(at, message);

function readId(
  what: 'category' | 'priority' | 'sender' | 'agent',
  list: 'categories' | 'priorities' | 'senders' | 'agents',
  wanted = `a ${what}`,
): Row<number>['read'] {
  return (value, at, reading) => {
    if (!isId(value)) return wrong(reading, at, `Must be the id of ${wanted}.`);
    const { surroundings } = reading;
    if (surroundings === undefined || surroundings[list].some((each) => each.id === value)) return value;
    return wrong(reading, at, `Names ${what} ${value}, which the site does not have.`);
  };
}

function idIn(text: string, known: readonly { id: number; name: string; slug?: string }[] = []): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const wanted = text.toLowerCase();
  return known.find((each) => each.name.toLowerCase() === wanted || each.slug?.toLowerCase() === wanted)?.id;
}

const readAgent = readId('agent', 'agents', 'an agent or round_robin');
const mostTagsAsked = 100;

const rows: { [Type in RuleAction['type']]: Row<Extract<RuleAction, { type: Type }>['value']> } = {
  set_category: {
    read: readId('category', 'categories'),
    typed: (text, around) => idIn(text, around?.categories),
    gone: (id, { categories }) => (categories.has(id) ? null : `category ${id}`),
    tell: (id, { categories }) => `Set the category to ${categories.get(id)?.name}.`,
    apply(effects, id) {
      effects.categoryId = id;
    },
  },
  set_priority: {
    read: readId('priority', 'priorities'),
    typed: (text, around) => idIn(text, around?.priorities),
    gone: (id, { priorities }) => (priorities.has(id) ? null : `priority ${id}`),
    tell: (id, { priorities }) => `Set the priority to ${priorities.get(id)}.`,
    apply(effects, id) {
      effects.priorityId = id;
    },
  },
  set_sender: {
    read: readId('sender', 'senders'),
    typed: (text, around) => idIn(text, around?.senders),
    gone: (id, { senders }) => (senders.has(id) ? null : `sender ${id}`),
    tell: (id, { senders }) => `Answer from ${senders.get(id)}.`,
    apply(effects, id) {
      effects.senderId = id;
    },
  },
  assign: {
    read: (value, at, reading) => (value === 'round_robin' ? value : readAgent(value, at, reading)),
    typed: (text, around) =>
      text.toLowerCase().replace('-', '_') === 'round_robin' ? 'round_robin' : idIn(text, around?.agents),
    gone: (who, { agents }) => (who === 'round_robin' || agents.has(who) ? null : `agent ${who}`),
    tell: (who, { agents }) =>
      who === 'round_robin' ? 'Assign to the next agent of the site in turn.' : `Assign to ${agents.get(who)}.`,
    idle: (who, { hasMembers }) =>
      who === 'round_robin' && !hasMembers ? 'Assign no one: the site has no active agents.' : null,
    apply(effects, who) {
      effects.assign = who;
    },
  },
  add_tags: {
    read(value, at, reading) {
      if (!Array.isArray(value) || value.length === 0 || value.length > maxTags)
        return wrong(reading, at, `Must be a list of 1 to ${maxTags} tags.`);
      const wrongAt = value.findIndex((tag) => typeof tag !== 'string' || !tagPattern.test(tag));
      if (wrongAt !== -1)
        return wrong(reading, `${at}.${wrongAt}`, 'Must have 1 to 32 lower-case letters, digits and hyphens.');
      return [...new Set(value as string[])];
    },
    typed: (text) => text.split(/[\s,]+/).filter((each) => each !== ''),
    tell: (tags) => `Add the tags ${tags.join(', ')}.`,
    apply(effects, tags) {
      for (const tag of tags)
        if (effects.tags.length < mostTagsAsked && !effects.tags.includes(tag)) effects.tags.push(tag);
    },
  },
  add_participant: {
    read(value, at, reading) {
      if (!isObject(value)) return wrong(reading, at, 'Must be an object with an email, and a name or none.');
      const { email, name = null } = value;
      if (typeof email !== 'string' || canonicalAddress(email) !== email)
        return wrong(reading, `${at}.email`, 'Must be an e-mail address.');
      if (name !== null && (typeof name !== 'string' || name.length > ruleLimits.name || /\p{Cc}/u.test(name)))
        return wrong(reading, `${at}.name`, `Must be one line of at most ${ruleLimits.name} characters.`);
      return { email, name };
    },
    typed: personIn,
    tell: ({ email }) => `Add the participant ${email}.`,
    limit: (_person, { participants }) =>
      participants.length < participantLimits.onTicket
        ? null
        : `rules can add at most ${participantLimits.onTicket} participants per message`,
    apply(effects, { email }) {
      effects.participants.push(email);
    },
  },
  set_metadata: {
    read(value, at, reading) {
      if (!isObject(value) || Object.keys(value).length === 0)
        return wrong(reading, at, 'Must be an object with at least one key.');
      if (Object.keys(value).length > ruleLimits.metadataKeys)
        return wrong(reading, at, `Must have at most ${ruleLimits.metadataKeys} keys.`);
      if (JSON.stringify(value).length > ruleLimits.metadataBytes)
        return wrong(reading, at, `Must have at most ${ruleLimits.metadataBytes} bytes.`);
      return value;
    },
    typed: metadataIn,
    tell: (metadata) => `Set the metadata ${Object.keys(metadata).join(', ')}.`,
    apply(effects, metadata) {
      setOwn(effects.metadata, metadata);
    },
  },
  set_status: {
    read: (value, at, reading) =>
      isOneOf(ticketStatuses, value) ? value : wrong(reading, at, `Must be one of ${ticketStatuses.join(', ')}.`),
    tell: (status) => `Set the status to ${status}.`,
    apply(effects, status) {
      effects.status = status;
    },
  },
  note: {
    read(value, at, reading) {
      if (typeof value !== 'string' || value.trim() === '') return wrong(reading, at, 'Must be the text of the note.');
      return [...value].length > ruleLimits.note
        ? wrong(reading, at, `Must have at most ${ruleLimits.note} characters.`)
        : value;
    },
    tell: () => 'Add a note.',
    limit: (_text, { notes }) =>
      notes.length < mostRuleNotes ? null : `rules can add at most ${mostRuleNotes} notes per message`,
    apply(effects, text, rule) {
      effects.notes.push({ ruleId: rule.id, text });
    },
  },
  forward: {
    read: (value, at, reading) =>
      typeof value === 'string' && isAddress(value)
        ? normaliseEmail(value)
        : wrong(reading, at, 'Must be an e-mail address.'),
    tell: (address) => `Forward the message to ${address}.`,
    limit: (address, { forwards }) =>
      forwards.length < mostForwards || isAmong(forwards, address)
        ? null
        : `a message can be forwarded to at most ${mostForwards} addresses`,
    apply(effects, address, rule) {
      if (!isAmong(effects.forwards, address)) effects.forwards.push({ ruleId: rule.id, address });
    },
  },
  discard: {
    read(value, at, reading) {
      if (value === null || isShortText(value)) return value === '' ? null : value;
      return wrong(reading, at, 'Must be a reason or absent.');
    },
    typed: (text) => (text === '' ? null : text),
    tell: (reason) => `Discard the message${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`,
    apply(effects, reason, rule) {
      effects.discard ??= { ruleId: rule.id, reason: reason || `Discarded by rule “${rule.name}”.` };
    },
  },
};

const rowOf = (type: RuleAction['type']): Row<unknown> => rows[type] as Row<unknown>;

export function readAction(reading: RuleReading, input: unknown, path: string): RuleAction | null {
  if (!isObject(input)) return reading.wrong(path, 'Must be an object.');
  const { type } = input;
  if (!isOneOf(ruleActionTypes, type))
    return reading.wrong(`${path}.type`, `Must be one of ${ruleActionTypes.join(', ')}.`);
  const value = rowOf(type).read(input.value ?? null, `${path}.value`, reading);
  return value === undefined ? null : ({ type, value } as RuleAction);
}

/** @param text what stands after the name of the action, without quotes around it */
export function typedValue(type: RuleAction['type'], text: string, around: RuleSurroundings | undefined): unknown {
  const { typed } = rowOf(type);
  return typed === undefined ? text : typed(text, around);
}

/** What it names that was removed or switched off; null if nothing. */
export const goneFrom = ({ type, value }: RuleAction, known: Known): string | null =>
  rowOf(type).gone?.(value, known) ?? null;

export function explained(action: RuleAction, known: Known): ActionTrace {
  const { tell, idle } = rowOf(action.type);
  const why = idle?.(action.value, known) ?? null;
  return { action, isApplied: why === null, explanation: why ?? tell(action.value, known) };
}

export const limitOf = ({ type, value }: RuleAction, effects: RuleEffects): string | null =>
  rowOf(type).limit?.(value, effects) ?? null;

export const apply = (effects: RuleEffects, rule: ById, { type, value }: RuleAction): void =>
  rowOf(type).apply(effects, value, rule);

function isAmong(forwards: RuleEffects['forwards'], address: string): boolean {
  return forwards.some((each) => each.address.toLowerCase() === address.toLowerCase());
}

/** `order=4711 plan="gold plus"`, or JSON. */
function metadataIn(text: string): unknown {
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  const pairs = [...text.matchAll(/([^\s=]{1,200})=("[^"]*"|'[^']*'|[^\s]*)/g)];
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs.map((pair) => [pair[1]!, unquoted(pair[2]!)]));
}

export function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) && text.length >= 2 ? text.slice(1, -1) : text;
}
