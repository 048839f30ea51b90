// Timed rules in the settings: nothing is lost between the wire and the form, and the time is one that the desk takes.

import { describe, expect, test } from 'bun:test';
import { timedRuleInput } from '../../../src/domain/input/automation.ts';
import { mostTimedMinutes, timedSinces, timedTimes } from '../../../src/domain/rules/timed-rule.ts';
import {
  bodyOf,
  emptyTimed,
  problemsIn,
  spanIn,
  type TimedRule,
  valuesOf,
  withTime,
} from '../../../src/web/console/settings/rules/timed-rule.ts';
import { changeVocabulary, timeVocabulary } from '../../../src/web/console/settings/rules/vocabulary.ts';
import { namesOfSite as names } from './rule-names.ts';

const rule = (part: Partial<TimedRule>): TimedRule => ({
  ...{ id: 1, name: 'Close', position: 1, is_active: true, match: 'all', since: 'status_changed', time: 'calendar' },
  ...{ minutes: 10_080, conditions: [], actions: [{ type: 'set_status', value: 'closed' }], broken: null },
  runs: { ran: 0, matched: 0, changed: 0, skipped: 0 },
  ...part,
});

const spans = timedTimes.flatMap((time) =>
  timedSinces.flatMap((since) =>
    [1, 59, 60, 90, 1440, 4320, mostTimedMinutes].map((minutes) => ({ since, time, minutes })),
  ),
);

describe('a timed rule in the settings', () => {
  test.each(spans)('keeps $minutes minutes of $time time since $since', (span) => {
    const values = valuesOf(rule(span));
    const body = bodyOf(values, names);
    expect(body).toMatchObject(span);
    expect(problemsIn(values, names)).toEqual({});
    expect(timedRuleInput.safeParse(body).success).toBe(true);
  });

  test('has the largest unit that fits, and no days of working time', () => {
    const unitOf = (minutes: number, time: TimedRule['time']) => spanIn(valuesOf(rule({ minutes, time })));
    expect(unitOf(4320, 'calendar')).toEqual({ amount: '3', unit: 'day', time: 'calendar' });
    expect(unitOf(4320, 'working')).toEqual({ amount: '72', unit: 'hour', time: 'working' });
    expect(unitOf(90, 'working')).toEqual({ amount: '90', unit: 'minute', time: 'working' });
    expect(withTime(spanIn(emptyTimed), 'working')).toEqual({ amount: '72', unit: 'hour', time: 'working' });
    expect(withTime({ amount: '5', unit: 'hour', time: 'working' }, 'calendar').amount).toBe('5');
  });

  test.each(['', '0', '-1', 'a day', '0.5', '367'])('refuses a time of %p days or less as the desk does', (amount) => {
    const values = { ...valuesOf(rule({})), span: JSON.stringify({ amount, unit: 'day', time: 'calendar' }) };
    const isHalf = amount === '0.5';
    expect(Object.keys(problemsIn(values, names))).toEqual(isHalf ? [] : ['minutes']);
    expect(timedRuleInput.safeParse(bodyOf(values, names)).success).toBe(isHalf);
  });

  test('asks for no change: time is none', () => {
    const all = (vocabulary: typeof timeVocabulary) =>
      vocabulary.fields(names).flatMap(({ value }) => vocabulary.operators(value, names));
    expect(all(changeVocabulary)).toContain('changed');
    expect(all(timeVocabulary).filter((one) => one.startsWith('changed'))).toEqual([]);
  });
});
