// The actions of inbound rules: one row for each, with how it is read from the wire, typed as a flag, told and done to a ticket.

import type { TicketChangeInput } from '../input/tickets.ts';
import { canonicalAddress, isAddress, normaliseEmail, personIn } from '../mail/address.ts';
import { mostForwards, mostMetadataCharacters, mostRuleNotes } from '../sites/limits.ts';
import { participantLimits } from '../tickets/participant.ts';
import { maxTags, tagPattern, ticketStatuses, transitionBetween } from '../tickets/ticket.ts';
import type { RuleColumn, Settled, Settling } from './deed.ts';
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
  /** What has to be known before the ticket is. */
  note?(effects: RuleEffects, value: Value, rule: ById): void;
  /** A ticket has one of it: the last rule wins. */
  isSingular?: true;
  /** Where the action only changes the ticket. */
  change?(value: Value): TicketChangeInput;
  settle(value: Value, settling: Settling): Settled;
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

const alreadySo = 'the ticket already has this value';

const setColumn =
  (column: RuleColumn): Row<number>['settle'] =>
  (id, { subject, deed }) => {
    if (subject.columns[column] === id) return alreadySo;
    deed.change[column] = id;
    return { result: id };
  };

const ofColumn = (column: RuleColumn) => ({
  isSingular: true as const,
  change: (id: number): TicketChangeInput => ({ [column]: id }),
  settle: setColumn(column),
});

const readAgent = readId('agent', 'agents', 'an agent or round_robin');

const rows = {
  set_category: {
    read: readId('category', 'categories'),
    typed: (text, around) => idIn(text, around?.categories),
    gone: (id, { categories }) => (categories.has(id) ? null : `category ${id}`),
    tell: (id, { categories }) => `Set the category to ${categories.get(id)?.name}.`,
    note(effects, id) {
      effects.categoryId = id;
    },
    ...ofColumn('category_id'),
  },
  set_priority: {
    read: readId('priority', 'priorities'),
    typed: (text, around) => idIn(text, around?.priorities),
    gone: (id, { priorities }) => (priorities.has(id) ? null : `priority ${id}`),
    tell: (id, { priorities }) => `Set the priority to ${priorities.get(id)}.`,
    ...ofColumn('priority_id'),
  },
  set_sender: {
    read: readId('sender', 'senders'),
    typed: (text, around) => idIn(text, around?.senders),
    gone: (id, { senders }) => (senders.has(id) ? null : `sender ${id}`),
    tell: (id, { senders }) => `Answer from ${senders.get(id)}.`,
    ...ofColumn('sender_id'),
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
    isSingular: true,
    settle(who, settling) {
      const setAssignee = setColumn('assigned_to');
      if (who !== 'round_robin') return setAssignee(who, settling);
      const { subject, deed } = settling;
      // Turns are for unassigned tickets: a conversation keeps its agent.
      if (subject.columns.assigned_to !== null) return 'the ticket is already assigned';
      const next = subject.nextAgentId;
      if (next === null) return 'the site has no active agents';
      deed.isTurn = true;
      const told = `Assign to ${subject.agents.find(({ id }) => id === next)?.name}, whose turn it is.`;
      deed.change.assigned_to = next;
      return { result: next, told };
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
    change: (tags) => ({ add_tags: [...tags] }),
    settle(tags, { progress, deed }) {
      const missing = tags.filter((tag) => !progress.tags.includes(tag));
      if (missing.length === 0) return 'the ticket already has them';
      const added = missing.slice(0, Math.max(0, maxTags - progress.tags.length));
      if (added.length === 0) return `a ticket can have at most ${maxTags} tags`;
      progress.tags.push(...added);
      deed.tags.push(...added);
      return { result: added, told: `Add the tags ${added.join(', ')}.` };
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
    note(effects, { email }) {
      effects.participants.push(email);
    },
    settle(person, { subject, progress, deed }) {
      const { email } = person;
      const why = subject.circle.refused.get(email);
      if (why !== undefined) return why;
      if (progress.participants.has(email)) return 'an earlier rule adds them';
      if (subject.circle.size + progress.participants.size >= participantLimits.onTicket)
        return `a ticket can have at most ${participantLimits.onTicket} participants`;
      progress.participants.add(email);
      deed.participants.push(person);
      return { result: email };
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
    settle(wanted, { subject, progress, deed }) {
      const entries = Object.entries(wanted).filter(([key, value]) => !isSame(ownValue(subject.metadata, key), value));
      if (entries.length === 0) return 'the ticket already has these values, or a later rule sets others';
      const metadata = Object.fromEntries(entries);
      const characters = progress.metadataCharacters + JSON.stringify(metadata).length;
      if (characters > mostMetadataCharacters)
        return `a ticket can have at most ${mostMetadataCharacters / 1024} KB of metadata`;
      progress.metadataCharacters = characters;
      setOwn(deed.metadata, metadata);
      return { result: metadata, told: `Set the metadata ${entries.map(([key]) => key).join(', ')}.` };
    },
  },
  set_status: {
    read: (value, at, reading) =>
      isOneOf(ticketStatuses, value) ? value : wrong(reading, at, `Must be one of ${ticketStatuses.join(', ')}.`),
    tell: (status) => `Set the status to ${status}.`,
    isSingular: true,
    change: (status) => ({ status }),
    settle(status, { subject, deed }) {
      const step = transitionBetween(subject.status, status);
      if (step === 'none') return alreadySo;
      if (step === null) return `a ${subject.status} ticket cannot become ${status}`;
      deed.status = status;
      return { result: status };
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
      notes < mostRuleNotes ? null : `rules can add at most ${mostRuleNotes} notes per message`,
    note(effects) {
      effects.notes += 1;
    },
    settle(text, { deed }) {
      deed.notes.push(text);
      return { result: text };
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
    note(effects, address, rule) {
      if (!isAmong(effects.forwards, address)) effects.forwards.push({ ruleId: rule.id, address });
    },
    settle(given, { subject, progress, deed }) {
      const address = given.toLowerCase();
      if (progress.forwardedTo.has(address)) return 'the message was already forwarded there';
      if (subject.bouncing.includes(address)) return 'mail to this address bounces';
      progress.forwardedTo.add(address);
      deed.forwards.push(given);
      return { result: given };
    },
  },
  discard: {
    read(value, at, reading) {
      if (value === null || isShortText(value)) return value === '' ? null : value;
      return wrong(reading, at, 'Must be a reason or absent.');
    },
    typed: (text) => (text === '' ? null : text),
    tell: (reason) => `Discard the message${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`,
    note(effects, reason, rule) {
      effects.discard ??= { ruleId: rule.id, reason: reason || `Discarded by rule “${rule.name}”.` };
    },
    settle(reason, { progress }) {
      if (progress.hasDiscarded) return 'the message is already discarded';
      progress.hasDiscarded = true;
      return { result: reason };
    },
  },
} satisfies { [Type in RuleAction['type']]: Row<Extract<RuleAction, { type: Type }>['value']> };

/** Those that only change the ticket. */
export type ChangingAction = {
  [Type in RuleAction['type']]: (typeof rows)[Type] extends { change: unknown } ? Type : never;
}[RuleAction['type']];

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

/** Null for an action that does something else. */
export const changeOf = (type: string, value: unknown): TicketChangeInput | null =>
  isOneOf(ruleActionTypes, type) ? (rowOf(type).change?.(value) ?? null) : null;

export const noteEffect = (effects: RuleEffects, rule: ById, { type, value }: RuleAction): void =>
  rowOf(type).note?.(effects, value, rule);

export const isSingular = (type: RuleAction['type']): boolean => rowOf(type).isSingular === true;

export const settle = ({ type, value }: RuleAction, settling: Settling): Settled => rowOf(type).settle(value, settling);

function ownValue(metadata: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

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
