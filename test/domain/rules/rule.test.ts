// Rules as tables: every field, operator and action, the order of the chain, and a trace that says what happened.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { evaluateRules } from '../../../src/domain/rules/evaluate.ts';
import type { RuleMessage } from '../../../src/domain/rules/fields.ts';
import { noteEffect } from '../../../src/domain/rules/inbound-actions.ts';
import {
  nextInTurn,
  noEffects,
  type Rule,
  type RuleAction,
  type RuleCondition,
  type RuleSurroundings,
  ruleOperators,
} from '../../../src/domain/rules/rule.ts';
import { caseCount } from '../../support/case-count.ts';

const message: RuleMessage = {
  from: { address: 'Jo.Doe@Mail.Example.com', name: 'Jo Doe' },
  to: [{ address: 'help@desk.example', name: 'Help' }],
  cc: [
    { address: 'kim@example.com', name: '' },
    { address: 'lee@example.org', name: 'Lee' },
  ],
  subject: 'Re: Invoice 4711 is wrong',
  body: 'The sum is 12,50 € and not 15.\nPlease fix it.',
  headers: { 'x-priority': ['1 (Highest)'], 'list-id': ['<a>', '<b>'] },
  attachmentNames: ['scan.PDF', 'log.txt'],
  sizeBytes: 5000,
  spamScore: 4.5,
  isReply: true,
  participants: [
    { address: 'bo@example.net', name: 'Bo Berg' },
    { address: 'cy@example.net', name: '' },
  ],
  barred: ['jo.doe@mail.example.com', 'gone@example.net'],
  category: { id: 1, slug: 'general', name: 'General' },
};
const surroundings: RuleSurroundings = {
  categories: [
    { id: 1, slug: 'general', name: 'General' },
    { id: 2, slug: 'billing', name: 'Billing' },
  ],
  priorities: [{ id: 5, name: 'High' }],
  senders: [{ id: 6, name: 'help@shop.example' }],
  agents: [{ id: 8, name: 'Sam' }],
  hasMembers: true,
};

let nextId = 0;
function rule(
  conditions: readonly RuleCondition[],
  actions: readonly RuleAction[] = [{ type: 'add_tags', value: ['hit'] }],
  more: Partial<Rule> = {},
): Rule {
  nextId++;
  return {
    id: nextId,
    position: nextId,
    name: `Rule ${nextId}`,
    isActive: true,
    match: 'all',
    conditions,
    actions,
    stopProcessing: false,
    ...more,
  };
}
const when = (
  field: string,
  operator: RuleCondition['operator'],
  value: RuleCondition['value'] = null,
  negate = false,
): RuleCondition => ({ field, operator, value, negate });
const run = (...rules: Rule[]) => evaluateRules(rules, message, surroundings);
const matches = (condition: RuleCondition) => run(rule([condition])).trace[0]!.outcome === 'matched';

describe('a condition', () => {
  test.each<[string, RuleCondition['operator'], RuleCondition['value'], boolean]>([
    ['from', 'equals', 'jo.doe@mail.example.com', true],
    ['from', 'contains', 'JO DOE', true],
    ['from', 'equals', 'jo', false],
    ['from_domain', 'equals', 'mail.example.com', true],
    ['from_domain', 'ends_with', '.example.com', true],
    ['from_domain', 'in', ['example.com', 'MAIL.example.com'], true],
    ['from_domain', 'in', ['example.com'], false],
    ['to', 'equals', 'HELP@desk.example', true],
    ['cc', 'ends_with', '@example.org', true],
    ['participant', 'equals', 'bo berg', true],
    ['participant', 'in', ['x@example.net', 'CY@example.net'], true],
    ['participant', 'ends_with', '@example.org', false],
    ['cc', 'equals', 'nobody@example.com', false],
    ['subject', 'starts_with', 're:', true],
    ['subject', 'ends_with', 'wrong', true],
    ['subject', 'matches', 'invoice \\d{4}', true],
    ['subject', 'matches', '^invoice', false],
    ['subject', 'matches', '(?-i)invoice', false],
    ['body', 'contains', '€', true],
    ['body', 'matches', 'not\\s+15\\.\\s+please', true],
    ['body', 'matches', '(sum|total) is [0-9,]+', true],
    ['header:X-Priority', 'starts_with', '1', true],
    ['header:list-id', 'equals', '<b>', true],
    ['header:x-none', 'exists', null, false],
    ['has_attachment', 'exists', null, true],
    ['has_attachment', 'exists', false, false],
    ['is_reply', 'exists', null, true],
    ['is_reply', 'exists', false, false],
    ['header:x-none', 'exists', false, true],
    ['header:list-id', 'exists', true, true],
    ['has_attachment', 'equals', true, true],
    ['has_attachment', 'equals', false, false],
    ['attachment_name', 'ends_with', '.pdf', true],
    ['attachment_name', 'matches', '\\.(exe|bat)$', false],
    ['size', 'gt', 4999, true],
    ['size', 'lt', 5000, false],
    ['size', 'equals', 5000, true],
    ['spam_score', 'gt', 4.4, true],
    ['spam_score', 'in', [1, 4.5], true],
    ['is_reply', 'equals', true, true],
    ['site_category', 'equals', 'General', true],
    ['site_category', 'equals', 1, true],
    ['site_category', 'in', ['billing', 2], false],
    ['no_such_field', 'equals', 'x', false],
  ])('%s %s %p is %p', (field, operator, value, expected) => {
    expect(matches(when(field, operator, value))).toBe(expected);
    expect(matches(when(field, operator, value, true))).toBe(!expected);
  });

  test('on what is absent holds only when negated', () => {
    const bare: RuleMessage = {
      ...message,
      from: null,
      cc: [],
      subject: '',
      body: '',
      headers: {},
      attachmentNames: [],
      spamScore: null,
      category: null,
    };
    for (const [field, operator, value] of [
      ['from', 'contains', ''],
      ['cc', 'equals', 'a'],
      ['spam_score', 'lt', 5],
      ['site_category', 'contains', 'a'],
      ['header:a', 'matches', '.*'],
    ] as const) {
      expect(evaluateRules([rule([when(field, operator, value)])], bare, surroundings).trace[0]!.outcome).toBe(
        'not_matched',
      );
      expect(evaluateRules([rule([when(field, operator, value, true)])], bare, surroundings).trace[0]!.outcome).toBe(
        'matched',
      );
    }
  });
});

describe('a rule', () => {
  const yes = when('is_reply', 'equals', true);
  const no = when('is_reply', 'equals', false);

  test('matches on all or any, and says which condition decided', () => {
    const [all, any, failed, none, empty] = run(
      rule([yes, yes]),
      rule([no, yes, no], [], { match: 'any' }),
      rule([yes, no, yes]),
      rule([no, no], [], { match: 'any' }),
      rule([]),
    ).trace;
    expect(all).toMatchObject({
      outcome: 'matched',
      decidedBy: null,
      explanation: 'Matched: all of its 2 conditions held.',
    });
    expect(any).toMatchObject({
      outcome: 'matched',
      decidedBy: 1,
      explanation: 'Matched: is_reply is “true” (it is “true”).',
    });
    expect(failed).toMatchObject({
      outcome: 'not_matched',
      decidedBy: 1,
      explanation: 'Did not match: is_reply is not “false” (it is “true”).',
    });
    expect(failed!.conditions.length).toBe(2);
    expect(none).toMatchObject({
      outcome: 'not_matched',
      decidedBy: null,
      explanation: 'Did not match: none of its 2 conditions held.',
    });
    expect(empty).toMatchObject({
      outcome: 'matched',
      explanation: 'Matched: a rule without conditions matches every message.',
    });
  });

  test('says what its actions do', () => {
    const { effects, trace } = run(
      rule(
        [yes],
        [
          { type: 'set_category', value: 2 },
          { type: 'set_priority', value: 5 },
          { type: 'assign', value: 8 },
          { type: 'add_tags', value: ['a', 'b'] },
          { type: 'add_participant', value: { email: 'di@example.net', name: null } },
          { type: 'set_metadata', value: { plan: 'pro', seats: 1 } },
          { type: 'set_status', value: 'pending' },
          { type: 'note', value: 'Look here.' },
          { type: 'forward', value: 'boss@example.com' },
        ],
      ),
      rule(
        [yes],
        [
          { type: 'assign', value: 'round_robin' },
          { type: 'set_sender', value: 6 },
          { type: 'add_tags', value: ['b', 'c'] },
          { type: 'set_metadata', value: { seats: 2 } },
          { type: 'forward', value: 'Boss@example.com' },
        ],
      ),
    );
    expect(effects).toEqual({
      categoryId: 2,
      participants: ['di@example.net'],
      notes: 1,
      forwards: [{ ruleId: trace[0]!.ruleId, address: 'boss@example.com' }],
      discard: null,
    });
    expect(trace[0]!.actions.map((each) => each.explanation)).toEqual([
      'Set the category to Billing.',
      'Set the priority to High.',
      'Assign to Sam.',
      'Add the tags a, b.',
      'Add the participant di@example.net.',
      'Set the metadata plan, seats.',
      'Set the status to pending.',
      'Add a note.',
      'Forward the message to boss@example.com.',
    ]);
  });

  test('sees the category that an earlier one set', () => {
    const { trace } = run(
      rule([yes], [{ type: 'set_category', value: 2 }]),
      rule([when('site_category', 'equals', 'billing')]),
      rule([when('site_category', 'equals', 'general')]),
    );
    expect(trace.map((each) => each.outcome)).toEqual(['matched', 'matched', 'not_matched']);
    expect(trace[2]!.explanation).toBe(
      'Did not match: site_category is not “general” (it is “billing”, “Billing”, “2”).',
    );
  });

  test('sees the participant whom an earlier one adds, unless no rule can', () => {
    const add = (email: string) => ({ type: 'add_participant', value: { email, name: null } }) as const;
    const { trace } = run(
      rule([when('participant', 'ends_with', '@example.net')], [add('di@example.net'), add('gone@example.net')]),
      rule([when('participant', 'equals', 'di@example.net')]),
      rule([when('participant', 'equals', 'gone@example.net')]),
    );
    expect(trace.map((each) => each.outcome)).toEqual(['matched', 'matched', 'not_matched']);
  });

  test('says of participants whom it met, not whom it adds', () => {
    const add = { type: 'add_participant', value: { email: 'di@example.net', name: null } } as const;
    const one = rule([when('participant', 'ends_with', '@example.net')], [add]);
    const { trace } = evaluateRules([one], { ...message, participants: message.participants.slice(1) }, surroundings);
    expect(trace[0]?.explanation).toBe('Matched: participant ends with “@example.net” (it is “cy@example.net”).');
  });

  test('adds no more participants than a ticket can have', () => {
    const add = (at: number) =>
      ({ type: 'add_participant', value: { email: `p${at}@example.net`, name: null } }) as const;
    const all = Array.from({ length: 31 }, (_, at) => add(at));
    const { effects, trace } = run(rule([yes], all.slice(0, 20)), rule([yes], all.slice(20)));
    expect(effects.participants).toHaveLength(30);
    expect(trace[1]?.actions.at(-1)).toMatchObject({ isApplied: false });
  });

  test('of one condition tells what it met, as it was written', () => {
    const [one] = run(rule([when('subject', 'contains', message.subject.slice(0, 4))])).trace;
    expect(one!.explanation).toBe(
      `Matched: subject contains “${message.subject.slice(0, 4)}” (it is “${message.subject}”).`,
    );
  });

  test('with stop_processing, or one that discards, ends the chain', () => {
    const stopped = run(rule([yes], undefined, { stopProcessing: true, name: 'Stop' }), rule([yes]));
    expect(stopped.trace.map((each) => [each.outcome, each.isLast])).toEqual([
      ['matched', true],
      ['not_reached', false],
    ]);
    expect(stopped.trace[1]!.explanation).toBe('“Stop” stopped processing.');
    const passed = run(rule([no], undefined, { stopProcessing: true }), rule([yes]));
    expect(passed.trace.map((each) => each.outcome)).toEqual(['not_matched', 'matched']);
    const discarded = run(
      rule(
        [yes],
        [
          { type: 'discard', value: 'spam' },
          { type: 'forward', value: 'spam@example.com' },
        ],
      ),
      rule([yes]),
    );
    expect(discarded.effects).toMatchObject({
      discard: { reason: 'spam' },
      forwards: [{ address: 'spam@example.com' }],
    });
    expect(discarded.trace[1]!.outcome).toBe('not_reached');
  });

  test('runs by position, and not when it is switched off', () => {
    const { trace } = run(
      rule([yes], [], { position: 3, name: 'c' }),
      rule([yes], [], { position: 1, name: 'a' }),
      rule([yes], [], { position: 2, name: 'b', isActive: false }),
    );
    expect(trace.map((each) => [each.name, each.outcome])).toEqual([
      ['a', 'matched'],
      ['b', 'inactive'],
      ['c', 'matched'],
    ]);
  });

  test.each<[string, RuleAction[], RuleCondition[], string]>([
    ['a category', [{ type: 'set_category', value: 99 }], [], 'category 99'],
    ['a priority', [{ type: 'set_priority', value: 99 }], [], 'priority 99'],
    ['an agent', [{ type: 'assign', value: 99 }], [], 'agent 99'],
    [
      'a category in a condition',
      [{ type: 'note', value: 'x' }],
      [when('site_category', 'in', ['general', 'gone'])],
      'category gone',
    ],
  ])('that names %s that was deleted is skipped whole and says so', (_what, actions, conditions, named) => {
    const { trace } = run(
      rule(conditions, [{ type: 'add_tags', value: ['x'] }, ...actions], { stopProcessing: true }),
      rule([]),
    );
    expect(trace[0]).toMatchObject({
      outcome: 'skipped',
      explanation: `Skipped: it names ${named}, which was removed or switched off.`,
      actions: [],
      isLast: false,
    });
    expect(trace[1]!.outcome).toBe('matched');
  });

  test('assigns no one in turn where there is no one', () => {
    const { trace } = evaluateRules([rule([yes], [{ type: 'assign', value: 'round_robin' }])], message, {
      ...surroundings,
      hasMembers: false,
    });
    expect(trace[0]!.actions).toMatchObject([
      { isApplied: false, explanation: 'Assign no one: the site has no active agents.' },
    ]);
  });
});

test('members take turns', () => {
  expect(nextInTurn([3, 1, 2], null)).toBe(1);
  expect(nextInTurn([3, 1, 2], 1)).toBe(2);
  expect(nextInTurn([3, 1, 2], 3)).toBe(1);
  expect(nextInTurn([5, 9], 7)).toBe(9);
  expect(nextInTurn([], 1)).toBeNull();
});

describe('properties', () => {
  const field = fc.constantFrom(
    'from',
    'from_domain',
    'to',
    'cc',
    'subject',
    'body',
    'header:x-priority',
    'has_attachment',
    'attachment_name',
    'size',
    'spam_score',
    'is_reply',
    'site_category',
  );
  const value = fc.oneof(
    fc.constantFrom('a', 'example.com', 'general', 'billing', 'gone', '.*', '(', 1, 2, 5000, true, false, null),
    fc.string({ maxLength: 8 }),
    fc.array(fc.constantFrom('general', 'a', 1), { maxLength: 3 }),
  );
  const condition = fc.record({ field, operator: fc.constantFrom(...ruleOperators), value, negate: fc.boolean() });
  const action = fc.oneof(
    fc.record({ type: fc.constant('set_category' as const), value: fc.constantFrom(1, 2, 99) }),
    fc.record({ type: fc.constant('set_priority' as const), value: fc.constantFrom(5, 99) }),
    fc.record({ type: fc.constant('assign' as const), value: fc.constantFrom(8, 99, 'round_robin' as const) }),
    fc.record({
      type: fc.constant('add_tags' as const),
      value: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({
      type: fc.constant('set_metadata' as const),
      value: fc.dictionary(fc.constantFrom('a', 'b'), fc.nat()),
    }),
    fc.record({ type: fc.constant('set_status' as const), value: fc.constantFrom('open' as const, 'closed' as const) }),
    fc.record({ type: fc.constant('note' as const), value: fc.string() }),
    fc.record({ type: fc.constant('forward' as const), value: fc.constantFrom('a@b.example', 'c@d.example') }),
    fc.record({ type: fc.constant('discard' as const), value: fc.constantFrom(null, 'spam') }),
  );
  const rules = fc
    .array(
      fc.record({
        isActive: fc.boolean(),
        match: fc.constantFrom('all' as const, 'any' as const),
        conditions: fc.array(condition, { maxLength: 3 }),
        actions: fc.array(action, { minLength: 1, maxLength: 3 }),
        stopProcessing: fc.boolean(),
      }),
      { maxLength: 8 },
    )
    .map((drafts) => drafts.map((draft, at) => ({ ...draft, id: at + 1, position: at, name: `r${at}` })));
  const mail = fc.record({
    from: fc.option(
      fc.record({ address: fc.constantFrom('a@example.com', 'odd', ''), name: fc.string({ maxLength: 5 }) }),
    ),
    to: fc.constant(message.to),
    cc: fc.constant([]),
    subject: fc.string(),
    body: fc.string(),
    headers: fc.constant({}),
    attachmentNames: fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
    sizeBytes: fc.nat(),
    spamScore: fc.option(fc.float({ noNaN: true })),
    isReply: fc.boolean(),
    participants: fc.constant(message.participants),
    barred: fc.constant(message.barred),
    category: fc.constantFrom(null, ...surroundings.categories),
  });

  test('the trace and the effects agree: replaying what the trace applied gives the effects', () => {
    fc.assert(
      fc.property(rules, mail, fc.boolean(), (list, received, hasMembers) => {
        const { effects, trace } = evaluateRules(list, received, { ...surroundings, hasMembers });
        const again = noEffects();
        for (const entry of trace)
          for (const each of entry.actions)
            if (each.isApplied) noteEffect(again, { id: entry.ruleId, name: entry.name }, each.action);
        expect(effects).toEqual(again);
        expect(trace.map((entry) => entry.ruleId)).toEqual(list.map((each) => each.id));
        for (const [at, entry] of trace.entries()) {
          const { conditions, match, actions } = list[at]!;
          const isMatch = entry.outcome === 'matched';
          expect(entry.actions.length).toBe(isMatch ? actions.length : 0);
          if (isMatch && conditions.length > 0)
            expect(
              match === 'all' ? entry.conditions.every((each) => each.holds) : entry.conditions.at(-1)!.holds,
            ).toBe(true);
          if (entry.outcome === 'not_matched')
            expect(match === 'all' ? entry.conditions.at(-1)!.holds : entry.conditions.some((each) => each.holds)).toBe(
              false,
            );
          if (entry.decidedBy !== null) expect(entry.conditions[entry.decidedBy]!.holds).toBe(match === 'any');
          expect(entry.explanation.length).toBeGreaterThan(5);
        }
        const last = trace.findIndex((entry) => entry.isLast);
        if (last !== -1) expect(trace.slice(last + 1).every((entry) => entry.outcome === 'not_reached')).toBe(true);
        else expect(trace.every((entry) => entry.outcome !== 'not_reached')).toBe(true);
      }),
      { numRuns: caseCount(100, 1000) },
    );
  });
});
