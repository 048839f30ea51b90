// A rule from the wire: what is wrong with it, by dotted path, and the rule it becomes.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { evaluateRules } from '../../../src/domain/rules/evaluate.ts';
import { readRule, validateRule } from '../../../src/domain/rules/validation.ts';
import { caseCount } from '../../support/case-count.ts';

const sound = {
  name: ' Invoices ',
  match: 'any',
  conditions: [
    { field: 'subject', operator: 'contains', value: 'invoice' },
    { field: 'size', operator: 'gt', value: 1000, negate: true },
    { field: 'header:X-Spam', operator: 'exists' },
    { field: 'from_domain', operator: 'in', value: ['a.example', 'b.example'], negate: false },
  ],
  actions: [
    { type: 'set_priority', value: 3 },
    { type: 'add_tags', value: ['billing', 'billing'] },
    { type: 'assign', value: 'round_robin' },
    { type: 'set_metadata', value: { a: { b: 1 } } },
    { type: 'discard' },
  ],
  stop_processing: true,
};

test('a sound rule is read', () => {
  expect(readRule(sound)).toEqual({
    errors: null,
    rule: {
      name: 'Invoices',
      isActive: true,
      match: 'any',
      stopProcessing: true,
      conditions: [
        { field: 'subject', operator: 'contains', value: 'invoice', negate: false },
        { field: 'size', operator: 'gt', value: 1000, negate: true },
        { field: 'header:X-Spam', operator: 'exists', value: null, negate: false },
        { field: 'from_domain', operator: 'in', value: ['a.example', 'b.example'], negate: false },
      ],
      actions: [
        { type: 'set_priority', value: 3 },
        { type: 'add_tags', value: ['billing'] },
        { type: 'assign', value: 'round_robin' },
        { type: 'set_metadata', value: { a: { b: 1 } } },
        { type: 'discard', value: null },
      ],
    },
  });
});

describe('what is wrong is named by its path', () => {
  const condition = (value: object) => ({ ...sound, conditions: [sound.conditions[0], value] });
  const action = (value: object) => ({ ...sound, actions: [value] });
  test.each<[string, unknown, string]>([
    ['no rule at all', 7, 'name'],
    ['no name', { ...sound, name: ' ' }, 'name'],
    ['a long name', { ...sound, name: 'x'.repeat(256) }, 'name'],
    ['another match', { ...sound, match: 'some' }, 'match'],
    ['a flag that is none', { ...sound, stop_processing: 'yes' }, 'stop_processing'],
    ['conditions that are no list', { ...sound, conditions: {} }, 'conditions'],
    ['too many conditions', { ...sound, conditions: Array(51).fill(sound.conditions[0]) }, 'conditions'],
    ['no actions', { ...sound, actions: [] }, 'actions'],
    ['actions left out', { name: 'x' }, 'actions'],
    ['a condition that is none', condition([]), 'conditions.1'],
    ['an unknown field', condition({ field: 'colour', operator: 'equals', value: 'x' }), 'conditions.1.field'],
    ['an inherited field', condition({ field: 'constructor', operator: 'equals', value: 'x' }), 'conditions.1.field'],
    ['a header without a name', condition({ field: 'header:', operator: 'exists' }), 'conditions.1.field'],
    ['an unknown operator', condition({ field: 'subject', operator: 'is', value: 'x' }), 'conditions.1.operator'],
    ['an operator of another kind', condition({ field: 'subject', operator: 'gt', value: 1 }), 'conditions.1.operator'],
    ['a number that is none', condition({ field: 'size', operator: 'gt', value: '5' }), 'conditions.1.value'],
    ['a truth that is none', condition({ field: 'is_reply', operator: 'equals', value: 'yes' }), 'conditions.1.value'],
    ['a list that is none', condition({ field: 'from', operator: 'in', value: 'x' }), 'conditions.1.value'],
    ['an empty text', condition({ field: 'from', operator: 'contains', value: '' }), 'conditions.1.value'],
    ['a long text', condition({ field: 'from', operator: 'contains', value: 'x'.repeat(1001) }), 'conditions.1.value'],
    ['a bad expression', condition({ field: 'from', operator: 'matches', value: '(' }), 'conditions.1.value'],
    ['a wrong negate', condition({ field: 'from', operator: 'exists', negate: 1 }), 'conditions.1.negate'],
    ['a value for exists', condition({ field: 'from', operator: 'exists', value: 'x' }), 'conditions.1.value'],
    ['an unknown action', action({ type: 'explode' }), 'actions.0.type'],
    ['a category by name', action({ type: 'set_category', value: 'billing' }), 'actions.0.value'],
    ['an agent by name', action({ type: 'assign', value: 'sam' }), 'actions.0.value'],
    ['tags that are none', action({ type: 'add_tags', value: 'a' }), 'actions.0.value'],
    ['a bad tag', action({ type: 'add_tags', value: ['ok', 'Not Ok'] }), 'actions.0.value.1'],
    ['a person that is none', action({ type: 'add_participant', value: 'bo@example.org' }), 'actions.0.value'],
    ['a person without address', action({ type: 'add_participant', value: { email: 'Bo' } }), 'actions.0.value.email'],
    [
      'a name of two lines',
      action({ type: 'add_participant', value: { email: 'bo@example.org', name: 'Bo\r\nBcc: x@example.org' } }),
      'actions.0.value.name',
    ],
    ['empty metadata', action({ type: 'set_metadata', value: {} }), 'actions.0.value'],
    ['an unknown state', action({ type: 'set_status', value: 'done' }), 'actions.0.value'],
    ['an empty note', action({ type: 'note', value: ' ' }), 'actions.0.value'],
    ['an address that is none', action({ type: 'forward', value: 'a@b.example, c@d.example' }), 'actions.0.value'],
    ['a reason that is none', action({ type: 'discard', value: 7 }), 'actions.0.value'],
  ])('%s', (_name, input, path) => expect(Object.keys(validateRule(input))).toContain(path));

  test('what the site has not, where the site is known', () => {
    const surroundings = {
      categories: [{ id: 1, slug: 'general', name: 'General' }],
      priorities: [{ id: 2, name: 'High' }],
      senders: [],
      agents: [],
      hasMembers: true,
    };
    const errors = (input: object) => Object.keys(validateRule({ name: 'x', ...input }, surroundings));
    expect(
      errors({
        actions: [
          { type: 'set_category', value: 9 },
          { type: 'set_priority', value: 2 },
          { type: 'assign', value: 3 },
        ],
      }),
    ).toEqual(['actions.0.value', 'actions.2.value']);
    expect(
      errors({
        conditions: [{ field: 'site_category', operator: 'equals', value: 'gone' }],
        actions: [{ type: 'discard' }],
      }),
    ).toEqual(['conditions.0.value']);
  });
});

test('a property: any JSON gives errors or a rule that runs', () => {
  const word = fc.constantFrom(
    'name',
    'x',
    'all',
    'subject',
    'matches',
    '(',
    'size',
    'gt',
    'discard',
    'note',
    'set_metadata',
  );
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          'name',
          'match',
          'conditions',
          'actions',
          'field',
          'operator',
          'value',
          'type',
          'negate',
          '__proto__',
        ),
        tie('value'),
        { maxKeys: 6 },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(json, (input) => {
      const { rule, errors } = readRule(input);
      if (rule === null) return expect(Object.keys(errors).length).toBeGreaterThan(0);
      const message = {
        from: null,
        to: [],
        cc: [],
        subject: 's',
        body: 'b',
        headers: {},
        attachmentNames: [],
        sizeBytes: 1,
        spamScore: null,
        isReply: false,
        participants: [],
        barred: [],
        category: null,
      };
      expect(
        evaluateRules([{ ...rule, id: 1, position: 1 }], message, {
          categories: [],
          priorities: [],
          senders: [],
          agents: [],
          hasMembers: false,
        }).trace.length,
      ).toBe(1);
    }),
    { numRuns: caseCount(100, 1000) },
  );
});
