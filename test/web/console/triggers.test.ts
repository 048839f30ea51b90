// Triggers in the settings: nothing is lost between the wire and the form, what the form makes is taken by the desk, and each part has words.

import { describe, expect, test } from 'bun:test';
import { readTrigger, type TriggerSurroundings } from '../../../src/domain/rules/read-trigger.ts';
import { ticketFields } from '../../../src/domain/rules/ticket-fields.ts';
import { triggerActionTypes, triggerEvents } from '../../../src/domain/rules/trigger.ts';
import { emptyAction } from '../../../src/web/console/settings/rules/action-rows.ts';
import { emptyCondition } from '../../../src/web/console/settings/rules/draft.ts';
import { jsonCommands } from '../../../src/web/console/settings/rules/json-commands.ts';
import {
  bodyOf,
  emptyTrigger,
  eventWords,
  problemsIn,
  type Trigger,
  valuesOf,
} from '../../../src/web/console/settings/rules/trigger.ts';
import { changeVocabulary, ticketFieldWords } from '../../../src/web/console/settings/rules/vocabulary.ts';
import { formattedAs } from '../../../src/web/shared/format.ts';
import { namesOfSite as names } from './rule-names.ts';

const { category, priority, sender, agent, team, channel, fields } = names;
const surroundings = {
  ...{ categories: category, priorities: priority, senders: sender, agents: agent, teams: team, hasMembers: true },
  channels: channel.map((one) => ({ ...one, type: 'custom' })),
  fields: fields.map(({ key, label, type, options }) => ({
    ...{ key, label, type, options, isRequired: false, isAuthorVisible: true, isActive: true },
  })),
} as TriggerSurroundings;

const trigger = (part: Partial<Trigger>): Trigger => ({
  ...{ id: 1, name: 'A trigger', position: 1, is_active: true, match: 'any', stop_processing: true, on: ['created'] },
  ...{ conditions: [], actions: [{ type: 'unassign', value: null }], broken: null },
  runs: { ran: 0, matched: 0, changed: 0, skipped: 0 },
  ...part,
});

interface Condition {
  field: string;
  operator: string;
  value: unknown;
  negate: boolean;
}

const choicesOf = (field: string) => formattedAs('en', () => changeVocabulary.choices(field, names));

const conditions: Condition[] = changeVocabulary.fields(names).flatMap(({ value: field }) =>
  changeVocabulary.operators(field, names).flatMap((operator) => {
    const kind = changeVocabulary.kindOf(field, names);
    const known = choicesOf(field)?.map(({ value }) => value) ?? ['a “word”', 'b c'];
    const all = kind === 'number' ? [1536, 2.5] : known;
    const [one = ''] = kind === 'boolean' ? [false] : all;
    const several = all.length > 1 ? all : [one];
    const values = {
      ...{ exists: [null], changed: [null], in: [several] },
      ...{ changed_from: [one, all], changed_to: [one, all] },
    }[operator as string] ?? [one];
    return values
      .filter((value) => kind !== 'boolean' || !Array.isArray(value))
      .flatMap((value) => [false, true].map((negate) => ({ field, operator, value, negate })))
      .filter(({ value }) => !operator.startsWith('changed') || !Array.isArray(value) || value.length > 1);
  }),
);

const actions: Trigger['actions'] = [
  { type: 'set_category', value: 3 },
  { type: 'set_priority', value: 4 },
  { type: 'set_sender', value: 5 },
  { type: 'set_team', value: 8 },
  { type: 'set_team', value: null },
  { type: 'assign', value: 6 },
  { type: 'assign', value: 'round_robin' },
  { type: 'assign', value: 'last_answered' },
  { type: 'assign', value: { team_id: 8, by: 'round_robin' } },
  { type: 'assign', value: { team_id: 8, by: 'least_open' } },
  { type: 'unassign', value: null },
  { type: 'add_tags', value: ['billing', 'vip'] },
  { type: 'remove_tags', value: ['vip'] },
  { type: 'add_participant', value: { email: 'mia@example.org', name: 'Mia Jansen' } },
  { type: 'set_metadata', value: { order: '4711', n: 5 } },
  { type: 'set_status', value: 'pending' },
  { type: 'set_subject', value: 'About {{ticket.reference}}' },
  { type: 'set_field', value: { key: 'order', value: '4711' } },
  { type: 'set_field', value: { key: 'order', value: null } },
  { type: 'set_field', value: { key: 'seats', value: 3 } },
  { type: 'set_field', value: { key: 'paid', value: false } },
  { type: 'set_field', value: { key: 'plan', value: 'Gold' } },
  { type: 'set_field', value: { key: 'parts', value: ['Hinge', 'Door'] } },
  { type: 'snooze', value: 48 },
  { type: 'note', value: 'Two\n\nlines' },
  { type: 'forward', value: 'mia@example.org' },
  { type: 'reply', value: { body: 'Thank you, {{author.name}}', as: 'assignee', is_repeated: true } },
  { type: 'mail', value: { to: [6, 'mia@example.org'], subject: 'Look', body: 'At {{ticket.reference}}' } },
  { type: 'webhook', value: { channel_id: 9, body: { text: ['{{ticket.subject}}', 1, null] } } },
  { type: 'follow', value: [6, 7] },
  {
    type: 'create_ticket',
    value: { subject: 'A', body: 'B', category_id: 3, priority_id: 4, assigned_to: 6, tags: ['again'] },
  },
];

const taken = (rule: { conditions: readonly unknown[]; actions: readonly unknown[] }) =>
  readTrigger(rule, surroundings).errors;

describe('a trigger in the settings', () => {
  test('has every event, field and action in words', () => {
    expect(Object.keys(eventWords)).toEqual([...triggerEvents]);
    expect(Object.keys(ticketFieldWords)).toEqual(ticketFields.filter((field) => !field.startsWith('field:')));
    expect([...changeVocabulary.actions]).toEqual([...triggerActionTypes]);
    expect(new Set(actions.map(({ type }) => type))).toEqual(new Set(triggerActionTypes));
  });

  test.each(conditions)('keeps $field $operator $value, turned round: $negate', (condition) => {
    const values = valuesOf(trigger({ conditions: [condition] }));
    const body = bodyOf(values, names);
    expect(body.conditions).toEqual([condition]);
    expect(problemsIn(values, names)).toEqual({});
    expect(taken(body)).toBeNull();
  });

  test.each(actions)('keeps $type $value', (action) => {
    const values = valuesOf(trigger({ actions: [action] }));
    const body = bodyOf(values, names);
    expect(body.actions).toEqual([action] as never);
    expect(problemsIn(values, names)).toEqual({});
    expect(taken(body)).toBeNull();
  });

  test('keeps its events in one order, its match and its groups', () => {
    const group = { match: 'any' as const, conditions: conditions.slice(0, 2) };
    const values = valuesOf(trigger({ on: ['tagged', 'created'], conditions: [group, ...conditions.slice(2, 3)] }));
    const body = bodyOf(values, names);
    expect(body.on).toEqual(['created', 'tagged']);
    expect(body.conditions).toEqual([group, ...conditions.slice(2, 3)]);
    expect([body.match, body.stop_processing]).toEqual(['any', true]);
  });

  test.each(triggerActionTypes)('says what a new %s lacks at a path that the desk would name', (type) => {
    const values = { ...emptyTrigger, name: 'A', conditions: '[]', actions: JSON.stringify([emptyAction(type)]) };
    const own = Object.keys(problemsIn(values, names));
    const theirs = Object.keys(taken(bodyOf(values, names)) ?? {});
    expect(own.length > 0).toBe(theirs.length > 0);
    for (const path of own) expect(theirs.some((one) => path.startsWith(one) || one.startsWith(path))).toBe(true);
  });

  test('names the condition of a group that has no value', () => {
    const group = { match: 'any', conditions: [{ ...emptyCondition, value: 'a' }, emptyCondition] };
    const values = { ...emptyTrigger, name: 'A', conditions: JSON.stringify([group]) };
    const [first] = Object.keys(problemsIn(values, names));
    expect(first).toBe('conditions.0.conditions.1.value');
    expect(Object.keys(taken(bodyOf(values, names)) ?? {})).toContain('conditions.0.conditions.1.value');
  });

  test('needs something that sets it off', () => {
    expect(Object.keys(problemsIn({ ...valuesOf(trigger({})), on: '' }, names))).toEqual(['on']);
  });

  test('that is changed has a command with what changed', () => {
    const commands = jsonCommands('trigger', bodyOf);
    const before = valuesOf(trigger({}));
    expect(commands.change(7, before, before, names)).toBeNull();
    const [verb, id, json = ''] = commands.change(7, before, { ...before, match: 'all', on: 'note' }, names) ?? [];
    expect([verb, id, JSON.parse(json)]).toEqual(['update-trigger', '7', { on: ['note'], match: 'all' }]);
  });
});
