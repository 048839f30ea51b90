// Rules evaluated in one process and explained in another: the same outcome, within the time limit, and the rest is
// skipped.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { processorClock } from '../../../src/base/process.ts';
import { evaluateRules } from '../../../src/domain/rules/evaluate.ts';
import { messageForRules, type RuleMessage } from '../../../src/domain/rules/fields.ts';
import { judgeRules, outcomeOfFindings } from '../../../src/domain/rules/judging.ts';
import type { Rule, RuleAction, RuleCondition } from '../../../src/domain/rules/rule.ts';
import { traceForDryRun, traceForLog } from '../../../src/domain/rules/trace.ts';
import { caseCount } from '../../support/case-count.ts';

const message: RuleMessage = {
  from: { address: 'mia@example.org', name: 'Mia' },
  to: [{ address: 'help@desk.example', name: '' }],
  cc: [],
  subject: 'Invoice 4711',
  body: 'ab'.repeat(5000),
  headers: { 'x-a': ['one', 'two'], 'x-b': ['three'] },
  attachmentNames: ['log.txt'],
  sizeBytes: 500,
  spamScore: null,
  isReply: false,
  participants: [],
  barred: [],
  category: null,
};
const surroundings = {
  categories: [
    { id: 1, slug: 'general', name: 'General' },
    { id: 2, slug: 'billing', name: 'Billing' },
  ],
  priorities: [],
  senders: [],
  agents: [],
  hasMembers: false,
};

const when = (field: string, operator: RuleCondition['operator'], value: RuleCondition['value'], negate = false) => ({
  field,
  operator,
  value,
  negate,
});
const tag = (name: string): RuleAction => ({ type: 'add_tags', value: [name] });
let ids = 0;
const rule = (conditions: RuleCondition[], actions: RuleAction[] = [tag('hit')], more: Partial<Rule> = {}): Rule => {
  ids += 1;
  const plain = { isActive: true, match: 'all', stopProcessing: false } as const;
  return { ...plain, id: ids, position: ids, name: `Rule ${ids}`, conditions, actions, ...more };
};
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const question = (rules: Rule[], about = message) => ({ rules, message: messageForRules(about, rules), surroundings });
const never = () => 0;

test('what is told of the findings is what asking here tells, also after a way through JSON', () => {
  const condition = fc.oneof(
    fc.constantFrom(
      when('subject', 'matches', 'inv\\w+ \\d+'),
      when('body', 'matches', 'b{3}'),
      when('body', 'contains', 'abab', true),
      when('header:X-A', 'equals', 'two'),
      when('header:x-c', 'exists', null),
      when('site_category', 'equals', 'billing'),
      when('site_category', 'equals', 'gone'),
      when('size', 'gt', 100),
      when('has_attachment', 'equals', true, true),
      when('cc', 'starts_with', 'x'),
    ),
  );
  const action = fc.constantFrom<RuleAction>(
    { type: 'set_category', value: 2 },
    { type: 'set_category', value: 9 },
    tag('a'),
    { type: 'discard', value: null },
    { type: 'forward', value: 'kim@example.org' },
  );
  const rules = fc.array(
    fc
      .record({
        conditions: fc.array(condition, { maxLength: 4 }),
        actions: fc.array(action, { minLength: 1, maxLength: 3 }),
        match: fc.constantFrom('all' as const, 'any' as const),
        isActive: fc.boolean(),
        stopProcessing: fc.constantFrom(false, false, true),
      })
      .map(({ conditions, actions, ...more }) => rule(conditions, actions, more)),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(rules, (list) => {
      const asked = question(list);
      const findings = judgeRules(plain(asked), never);
      expect(plain(outcomeOfFindings(asked, findings))).toEqual(plain(evaluateRules(list, message, surroundings)));
    }),
    { numRuns: caseCount(40, 500) },
  );
});

describe('when the time is over', () => {
  /** Each call takes a millisecond. */
  const ticking = (each: number) => {
    let spent = 0;
    return () => (spent += each);
  };

  test('later rules are skipped, what earlier ones did stays, and the trace says why', () => {
    const rules = [
      rule([when('subject', 'contains', 'invoice')], [tag('first')]),
      rule([when('subject', 'contains', 'invoice')], [tag('second')]),
      rule([], [tag('third')]),
      rule([], [tag('off')], { isActive: false }),
    ];
    const asked = question(rules);
    const { trace } = outcomeOfFindings(asked, judgeRules(asked, ticking(130)));
    expect(trace.flatMap(({ actions }) => actions.map(({ action }) => action))).toEqual([tag('first')]);
    expect(trace.map(({ outcome, isTooSlow }) => [outcome, isTooSlow ?? false])).toEqual([
      ['matched', false],
      ['skipped', true],
      ['skipped', true],
      ['inactive', false],
    ]);
    expect(trace[1]?.explanation).toBe(
      'Skipped: too slow. All rules together have 250 ms per message, and the time was up.',
    );
    expect(trace[2]?.actions).toEqual([]);
  });

  test.each(['[ab]*a[ab]{900}z', '(a|b)*a(a|b){300}z', '\\w+q', '(\\b|a|b)*a(a|b){200}z\\b', '(ab)+(?:x|y)'])(
    'a single expression is left in the middle: %s',
    (pattern) => {
      let asked = 0;
      const spent = () => {
        asked += 1;
        return asked > 5 ? 1000 : 0;
      };
      const slow = question([rule([when('body', 'matches', pattern)])]);
      expect(judgeRules(slow, spent)).toBe('');
      expect(asked).toBeLessThan(10);
      // And the next one works as before.
      const again = question([rule([when('body', 'matches', pattern)])]);
      expect(judgeRules(again, never)).toBe('0');
      const other = { ...message, body: `${'ab'.repeat(600)}x z ${'ab'.repeat(600)}z q` };
      const found = new RegExp(pattern, 'i').test(other.body) ? '1' : '0';
      expect(judgeRules(question([rule([when('body', 'matches', pattern)])], other), never)).toBe(found);
    },
  );

  test('the worst rules that may be stored are left in the middle, by the processor’s own clock', () => {
    let bit = 1;
    const body = Array.from({ length: 10_000 }, () => {
      bit = (bit * 1_103_515_245 + 12_345) & 0x7fffffff;
      return bit & 65_536 ? 'a' : 'b';
    }).join('');
    const rules = Array.from({ length: 200 }, (_, at) =>
      rule(
        Array.from({ length: 50 }, (_, nth) =>
          when('body', 'matches', `(a|b)*a(a|b){${200 + ((at * 50 + nth) % 120)}}[^ab]`),
        ),
        [tag('hit')],
        { match: 'any' },
      ),
    );
    const asked = question(rules, { ...message, body });
    const findings = judgeRules(asked, processorClock());
    const { trace } = outcomeOfFindings(asked, findings);
    expect(trace.at(-1)).toMatchObject({ outcome: 'skipped', isTooSlow: true });
  });
});

describe('one message sets off', () => {
  const many = (action: (at: number) => RuleAction) =>
    Array.from({ length: 30 }, (_, at) => rule([], [action(at), action(at + 100)]));

  test('twenty forwards and twenty notes at most; the others say so', () => {
    const forwards = evaluateRules(
      many((at) => ({ type: 'forward', value: `a${at}@example.org` })),
      message,
      surroundings,
    );
    expect(forwards.effects.forwards).toHaveLength(20);
    expect(forwards.trace[20]?.actions[0]).toMatchObject({
      isApplied: false,
      explanation:
        'Forward the message to a20@example.org: not done, a message can be forwarded to at most 20 addresses.',
    });
    const notes = evaluateRules(
      many((at) => ({ type: 'note', value: `${at}` })),
      message,
      surroundings,
    );
    expect(notes.effects.notes).toBe(20);
    expect(notes.trace.flatMap(({ actions }) => actions).filter(({ isApplied }) => isApplied)).toHaveLength(20);
  });

  test('the same address again is no other one', () => {
    const { trace } = evaluateRules(
      many((at) => ({ type: 'forward', value: `a${at % 10}@example.org` })),
      message,
      surroundings,
    );
    expect(trace.flatMap(({ actions }) => actions).every(({ isApplied }) => isApplied)).toBe(true);
  });
});

describe('what is told', () => {
  const long = Array.from({ length: 500 }, (_, at) =>
    rule(
      Array.from({ length: 50 }, (_, nth) => when('subject', 'equals', `${'x'.repeat(500)}${at}-${nth}`)),
      [tag('hit')],
      { match: 'any' },
    ),
  );
  const { trace } = evaluateRules(long, message, surroundings);

  test('has an end, in the inbound log and in a dry run, which names every rule', () => {
    expect(JSON.stringify(traceForLog(trace)).length).toBeLessThan(100_000);
    const told = traceForDryRun(trace);
    expect(JSON.stringify(told).length).toBeLessThan(800_000);
    expect(told).toHaveLength(500);
    expect(told[0]?.conditions).toHaveLength(50);
    expect(told[499]).toMatchObject({ outcome: 'not_matched', conditions: [], decidedBy: null });
    expect(told[499]?.explanation).not.toBe('');
  });

  test('is everything where it is little', () => {
    const few = evaluateRules(long.slice(0, 1), message, surroundings).trace;
    expect(traceForLog(few)).toEqual(plain(few));
  });
});

test('what is sent of a message is what its rules look at, and no more', () => {
  const rules = [rule([when('header:X-A', 'exists', null)])];
  const huge = {
    ...message,
    body: 'x'.repeat(50_000),
    headers: { 'x-a': Array.from({ length: 100 }, () => 'y'.repeat(20_000)), 'x-b': ['secret'] },
    to: Array.from({ length: 50_000 }, () => ({ address: 'a@example.org', name: '' })),
    attachmentNames: Array.from({ length: 50_000 }, () => 'a.txt'),
  };
  const sent = messageForRules(huge, rules);
  expect(JSON.stringify(sent).length).toBeLessThan(150_000);
  expect(Object.keys(sent.headers)).toEqual(['x-a']);
  for (const name of ['__proto__', 'constructor'])
    expect(judgeRules(plain(question([rule([when(`header:${name}`, 'exists', null)])])), never)).toBe('0');
});
