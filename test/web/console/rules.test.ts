// Rules in the settings: nothing is lost between the wire, the form and the command line, and each part has words.

import { describe, expect, test } from 'bun:test';
import { operatorsOf, ruleFields } from '../../../src/domain/rules/fields.ts';
import { ruleActionTypes } from '../../../src/domain/rules/rule.ts';
import { parseAction, parseCondition } from '../../../src/domain/rules/text.ts';
import { triggerActionTypes, triggerOperators } from '../../../src/domain/rules/trigger.ts';
import { validateRule } from '../../../src/domain/rules/validation.ts';
import { actionRows } from '../../../src/web/console/settings/rules/action-rows.ts';
import * as inbound from '../../../src/web/console/settings/rules/inbound-rule.ts';
import { type Rule, type RuleValues, valuesOf } from '../../../src/web/console/settings/rules/inbound-rule.ts';
import { mailFieldWords, mailVocabulary, operatorWords } from '../../../src/web/console/settings/rules/vocabulary.ts';
import { namesOfSite } from './rule-names.ts';

const names = namesOfSite;
const bodyOf = (values: RuleValues) => inbound.bodyOf(values, names);
const problemsIn = (values: RuleValues) => inbound.problemsIn(values, names);
const flagsOf = (values: RuleValues) => inbound.flagsOf(values, names);
const changesOf = (before: RuleValues, now: RuleValues) => inbound.changesOf(before, now, names);
const kindOf = ({ field }: { field: string }) => mailVocabulary.kindOf(field, names);

const rule = (part: Partial<Rule>): Rule => ({
  ...{ id: 1, name: 'A rule', position: 1, is_active: true, match: 'any', stop_processing: true },
  ...{ conditions: [], actions: [{ type: 'discard', value: null }], last_30_days: { runs: 0, matches: 0 } },
  ...part,
});

const conditions: Rule['conditions'] = ruleFields.flatMap((known) => {
  const field = known.startsWith('header:') ? 'header:List-Id' : known;
  return operatorsOf(kindOf({ field })).flatMap((operator) => {
    const kind = kindOf({ field });
    const one = kind === 'number' ? 1536 : kind === 'boolean' ? false : ' a “word” ';
    const value =
      operator === 'exists' ? null : operator === 'in' ? (kind === 'number' ? [1, 2.5] : ['a', 'b c']) : one;
    return [false, true].map((negate) => ({ field, operator, value, negate }));
  });
});

const actions: Rule['actions'] = [
  { type: 'set_category', value: 3 },
  { type: 'set_priority', value: 4 },
  { type: 'set_sender', value: 5 },
  { type: 'assign', value: 6 },
  { type: 'assign', value: 'round_robin' },
  { type: 'add_tags', value: ['billing', 'vip'] },
  { type: 'add_participant', value: { email: 'mia@example.org', name: null } },
  { type: 'add_participant', value: { email: 'mia@example.org', name: 'Mia Jansen' } },
  {
    type: 'set_metadata',
    value: { order: '4711', n: 5, deep: { a: [1] }, 'a=b': 'x y', 'c:': '', t: true, '"': 'true', line: 'a\nb' },
  },
  { type: 'set_status', value: 'pending' },
  { type: 'note', value: 'Two\n\nlines' },
  { type: 'forward', value: 'mia@example.org' },
  { type: 'discard', value: null },
  { type: 'discard', value: 'Not for us' },
];

describe('a rule in the settings', () => {
  test('has every field, operator and action in words', () => {
    expect(Object.keys(mailFieldWords)).toEqual([...ruleFields]);
    expect(Object.keys(operatorWords)).toEqual([...triggerOperators]);
    expect(new Set(Object.keys(actionRows))).toEqual(new Set([...ruleActionTypes, ...triggerActionTypes]));
  });

  test.each(conditions)('keeps $field $operator $value, turned round: $negate', (condition) => {
    const values = valuesOf(rule({ conditions: [condition] }));
    expect(bodyOf(values).conditions).toEqual([condition] as never);
    expect(problemsIn(values)).toEqual({});
    const flags = flagsOf(values) ?? [];
    expect(parseCondition(flags[flags.indexOf('--if') + 1] ?? '').value).toEqual(condition as never);
  });

  test.each(actions)('keeps $type $value', (action) => {
    const values = valuesOf(rule({ actions: [action] }));
    expect(bodyOf(values).actions).toEqual([action] as never);
    expect(problemsIn(values)).toEqual({});
    const flags = flagsOf(values) ?? [];
    expect(parseAction(flags[flags.indexOf('--then') + 1] ?? '').value).toEqual(action as never);
  });

  test('that asks for absence reads as one that is turned round', () => {
    const values = valuesOf(rule({ conditions: [{ field: 'cc', operator: 'exists', value: false, negate: false }] }));
    expect(bodyOf(values).conditions).toEqual([{ field: 'cc', operator: 'exists', value: null, negate: true }]);
  });

  test('that is changed has a command with what changed', () => {
    const before = valuesOf(rule({}));
    expect(changesOf(before, before)).toBeNull();
    expect(changesOf(before, { ...before, name: 'Other', match: 'all', stop_processing: false })).toEqual([
      ...['--name', 'Other', '--match', 'all', '--stop-processing', 'no'],
    ]);
    const after = valuesOf(rule({ conditions: conditions.slice(0, 1), actions: actions.slice(0, 1) }));
    expect(changesOf(before, after)).toEqual(['--if', 'from equals " a “word” "', '--then', 'set_category 3']);
    // The command line has no word for no condition.
    expect(changesOf(after, before)).toBeNull();
  });

  test('whose list has a comma has no equal command', () => {
    expect(
      flagsOf(valuesOf(rule({ conditions: [{ field: 'subject', operator: 'in', value: ['a, b'], negate: false }] }))),
    ).toBeNull();
  });

  test('has text in its metadata unless a line asks for JSON, and says which line cannot be read', () => {
    const values = valuesOf(rule({ actions: [{ type: 'set_metadata', value: { a: 'b' } }] }));
    const typed = (value: string) => ({
      ...values,
      actions: JSON.stringify([{ type: 'set_metadata', typed: { '': value } }]),
    });
    expect(bodyOf(typed('order = 4711\nseats:=3')).actions[0]?.value).toEqual({ order: '4711', seats: 3 });
    for (const text of ['order', '=4711', 'seats:=three', '"a=b'])
      expect(Object.keys(problemsIn(typed(text)))).toEqual(['actions.0.value']);
  });

  const wrong: [string, Partial<Rule>][] = [
    ['conditions.0.value', { conditions: [{ field: 'subject', operator: 'contains', value: '', negate: false }] }],
    ['conditions.0.value', { conditions: [{ field: 'subject', operator: 'in', value: [], negate: false }] }],
    ['conditions.0.field', { conditions: [{ field: 'header:a b', operator: 'exists', value: null, negate: false }] }],
    ['actions', { actions: [] }],
    ['actions.0.value', { actions: [{ type: 'add_tags', value: ['Not A Tag'] }] }],
    ['actions.0.value', { actions: [{ type: 'forward', value: 'nowhere' }] }],
    ['actions.0.value', { actions: [{ type: 'note', value: ' ' }] }],
    ['name', { name: ' ' }],
  ];
  test.each(wrong)('is refused at %s before the desk refuses it there', (path, part) => {
    const values = valuesOf(rule(part));
    expect(Object.keys(problemsIn(values))).toEqual([path]);
    expect(Object.keys(validateRule(bodyOf(values)))[0]).toStartWith(path);
  });
});
