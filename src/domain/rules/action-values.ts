// What the value of each action holds: what it names of a site, what it says of people, and whether the audit log shows it.

import type { Traces } from '../customers/traces.ts';
import type { RuleAction } from './rule.ts';
import type { TriggerAction } from './trigger.ts';
import { isObject } from './wire-reading.ts';

export type NamedKind = 'category' | 'priority' | 'sender' | 'agent' | 'team' | 'channel';

/** What takes the place of a reference, which is a number or what stands for it in a file. @param path of the value */
export type Rename = (kind: NamedKind, value: unknown, path: string) => unknown;

type AnyAction = TriggerAction | Extract<RuleAction, { type: 'discard' }>;
type Type = AnyAction['type'];
type ValueOf<Name extends Type> = Extract<AnyAction, { type: Name }>['value'];

interface Held<Value> {
  /** Otherwise it names nothing. Values of another shape stay as they are, for the verbs to refuse. */
  rename?(value: unknown, rename: Rename, path: string): unknown;
  /** Null: it says nothing of people. What texts are for machines stays: types, keys of fields, words of choices. */
  scrub: ((value: Value, traces: Traces) => Value | typeof nothing) | null;
  /** The audit log, which is not searched when a person is erased, has none of it. */
  isFreeText?: true;
}

const nothing = Symbol('nothing');

const withoutTags = (tags: readonly string[], traces: Traces) => {
  const kept = tags.filter((tag) => !traces.isIn(tag));
  return kept.length === 0 ? nothing : kept;
};
const text = (value: string, traces: Traces) => traces.text(value);

const idOf = (kind: NamedKind) => ({
  rename: (value: unknown, rename: Rename, path: string) => rename(kind, value, path),
  scrub: null,
});

const held: { [Name in Type]: Held<ValueOf<Name>> } = {
  set_category: idOf('category'),
  set_priority: idOf('priority'),
  set_sender: idOf('sender'),
  set_team: idOf('team'),
  assign: {
    rename(value, rename, path) {
      if (isObject(value)) return { ...value, team_id: rename('team', value.team_id, `${path}.team_id`) };
      return value === 'round_robin' || value === 'last_answered' ? value : rename('agent', value, path);
    },
    scrub: null,
  },
  unassign: { scrub: null },
  add_tags: { scrub: withoutTags },
  remove_tags: { scrub: withoutTags },
  add_participant: {
    scrub: ({ email, name }, traces) => (traces.isIn(email) ? nothing : { email, name: name && traces.text(name) }),
  },
  set_metadata: {
    scrub(value, traces) {
      const kept = Object.entries(value).filter(([key]) => !traces.isIn(key));
      return kept.length === 0 ? nothing : traces.json(Object.fromEntries(kept));
    },
    isFreeText: true,
  },
  set_status: { scrub: null },
  set_subject: { scrub: text, isFreeText: true },
  set_field: { scrub: (value, traces) => ({ ...value, value: traces.json(value.value) }), isFreeText: true },
  snooze: { scrub: null },
  note: { scrub: text, isFreeText: true },
  forward: { scrub: (address, traces) => (traces.isIn(address) ? nothing : address) },
  reply: { scrub: (value, traces) => ({ ...value, body: traces.text(value.body) }), isFreeText: true },
  mail: {
    rename(value, rename, path) {
      if (!isObject(value) || !Array.isArray(value.to)) return value;
      return { ...value, to: value.to.map((one, at) => rename('agent', one, `${path}.to.${at}`)) };
    },
    scrub({ to, subject, body }, traces) {
      const left = to.filter((one) => typeof one === 'number' || !traces.isIn(one));
      return left.length === 0 ? nothing : { to: left, subject: traces.text(subject), body: traces.text(body) };
    },
    isFreeText: true,
  },
  webhook: {
    rename: (value, rename, path) =>
      isObject(value) ? { ...value, channel_id: rename('channel', value.channel_id, `${path}.channel_id`) } : value,
    scrub: (value, traces) => ({ ...value, body: traces.json(value.body) }),
    isFreeText: true,
  },
  follow: {
    rename: (value, rename, path) =>
      Array.isArray(value) ? value.map((one, at) => rename('agent', one, `${path}.${at}`)) : value,
    scrub: null,
  },
  create_ticket: {
    rename: (value, rename, path) => (isObject(value) ? renameInTicket(value, rename, path) : value),
    scrub: (value, traces) => ({ ...value, subject: traces.text(value.subject), body: traces.text(value.body) }),
    isFreeText: true,
  },
  discard: { scrub: (reason, traces) => traces.json(reason), isFreeText: true },
};

/** A file can have an unknown type, for the verbs to refuse. */
const heldBy = (type: string): Held<unknown> | undefined =>
  Object.hasOwn(held, type) ? (held[type as Type] as Held<unknown>) : undefined;

export function renamedAction<Action extends AnyAction>(action: Action, rename: Rename, path: string): Action {
  const { value } = action;
  const { rename: renameIn } = heldBy(action.type) ?? {};
  const renamed = renameIn === undefined ? value : renameIn(value, rename, path);
  return renamed === value ? action : { ...action, value: renamed };
}

export const renamedActions = <Action extends AnyAction>(actions: readonly Action[], rename: Rename): Action[] =>
  actions.map((action, at) => renamedAction(action, rename, `actions.${at}.value`));

/** Without the person; an action that would be nothing then goes. */
export function scrubbedActions<Action extends AnyAction>(actions: readonly Action[], traces: Traces): Action[] {
  return actions.flatMap((action) => {
    const scrub = heldBy(action.type)?.scrub ?? null;
    const value = scrub === null ? action.value : scrub(action.value, traces);
    return value === nothing ? [] : [{ ...action, value }];
  });
}

/** As the audit log shows it. */
export const shownAction = ({ type, value }: AnyAction): { type: string; value?: unknown } =>
  heldBy(type)?.isFreeText ? { type } : { type, value };

const ofNewTicket = {
  category_id: 'category',
  priority_id: 'priority',
  assigned_to: 'agent',
  team_id: 'team',
  from: 'sender',
} as const;

/** Of a ticket that is to be opened. */
export function renameInTicket<Ticket extends object>(ticket: Ticket, rename: Rename, path = 'ticket'): Ticket {
  const given = ticket as Record<string, unknown>;
  const changed = Object.entries(ofNewTicket).flatMap(([field, kind]) =>
    given[field] == null ? [] : [[field, rename(kind, given[field], `${path}.${field}`)]],
  );
  return { ...ticket, ...Object.fromEntries(changed) };
}
