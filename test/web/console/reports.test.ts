// Reports in the browser: the address, the dates of a period, how numbers are written, and the scale of a chart.

import { beforeAll, describe, expect, test } from 'bun:test';
import type { Cell } from '../../../src/domain/reports/metrics.ts';
import { nextPoint } from '../../../src/web/console/reports/charts/roving.ts';
import { heatLevel, labelStep, runsOf, ticksFor } from '../../../src/web/console/reports/charts/scale.ts';
import {
  behindOf,
  behindQuery,
  choiceOf,
  pathWith,
  pathWithFilter,
  queryFor,
  reportOf,
} from '../../../src/web/console/reports/choice.ts';
import { datesBefore, datesOf, daysIn, plusDays } from '../../../src/web/console/reports/dates.ts';
import { changeOf, durationText, numberOf, sizeOf, valueText } from '../../../src/web/console/reports/values.ts';
import { loadMessages } from '../../../src/web/shared/messages.ts';

const today = '2026-03-31';
const choice = (query = '', report = 'overview') => choiceOf(reportOf(report)!, new URLSearchParams(query), today);
const asked = (query = '', report = 'overview', site: number | null = null) =>
  Object.fromEntries(queryFor(choice(query, report), site));

beforeAll(async () => {
  Object.defineProperty(globalThis.navigator, 'languages', { get: () => ['en-GB'], configurable: true });
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('en');
});

describe('a period', () => {
  test.each([
    ['today', '2026-03-31', '2026-03-31'],
    ['last_7_days', '2026-03-25', '2026-03-31'],
    ['last_30_days', '2026-03-02', '2026-03-31'],
    ['this_month', '2026-03-01', '2026-03-31'],
    ['last_month', '2026-02-01', '2026-02-28'],
  ] as const)('%s is from %s to %s', (period, from, to) => {
    expect(datesOf(period, today)).toEqual({ from, to });
  });

  test('has as many days before it', () => {
    expect(datesBefore({ from: '2026-03-01', to: '2026-03-31' })).toEqual({ from: '2026-01-29', to: '2026-02-28' });
    expect(daysIn({ from: '2026-03-01', to: '2026-03-31' })).toBe(31);
    // The night in which clocks change.
    expect(plusDays('2026-03-28', 2)).toBe('2026-03-30');
  });
});

describe('the address', () => {
  test('is all that is asked, in the names of the API', () => {
    const query = 'from=2026-01-05&to=2026-01-11&time=calendar&by=cohort&compare=1&group_by=site&tag=vip&site_id=2';
    expect(asked(query)).toEqual({
      ...{ from: '2026-01-05', to: '2026-01-11', time: 'calendar', by: 'cohort', compare: '1' },
      ...{ group_by: 'site', tag: 'vip', site_id: '2' },
    });
  });

  test('without anything is the last 30 days, in working time, when it happened', () => {
    expect(asked()).toEqual({
      ...{ from: '2026-03-02', to: '2026-03-31', time: 'working', by: 'event', group_by: 'day' },
    });
    expect(asked('', 'load').group_by).toBe('hour');
    expect(asked('', 'agents').group_by).toBe('agent');
  });

  test('of the site in the rail, unless it names another', () => {
    expect(asked('', 'overview', 7).site_id).toBe('7');
    expect(asked('site_id=3', 'overview', 7).site_id).toBe('3');
  });

  test.each([
    ['period=last_365_days', 'week'],
    ['from=2020-01-01&to=2026-01-01', 'month'],
    ['from=2020-01-01&to=2026-01-01&group_by=day', 'month'],
    ['group_by=week', 'week'],
    ['group_by=field:color', 'field:color'],
    ['group_by=moon', 'day'],
  ])('%s is grouped by %s', (query, group) => {
    expect(asked(query).group_by).toBe(group);
  });

  test('keeps out what no report can be filtered by, and what is no date', () => {
    expect(asked('q=x&created_from=2026-01-01&unread=1&from=2026-02-30&to=2026-03-01&status=open')).toEqual({
      ...asked(),
      status: 'open',
    });
    expect(asked('from=2026-03-02&to=2026-03-01')).toEqual(asked());
  });

  test('changes one thing and closes the tickets', () => {
    const params = new URLSearchParams('tag=vip&metric=created&group=2026-03-01&page=2');
    expect(pathWith('sla', params, { compare: '1' })).toBe('/reports/sla?tag=vip&compare=1');
    expect(pathWith('sla', params, { tag: null })).toBe('/reports/sla');
    expect(pathWithFilter('sla', new URLSearchParams('tag=vip&time=calendar'), { status: ['open', 'pending'] })).toBe(
      '/reports/sla?time=calendar&status=open,pending',
    );
  });

  test('leads to the tickets behind a number, also of the period before and of today', () => {
    const behind = (query: string) => {
      const params = new URLSearchParams(query);
      const found = behindOf(params);
      return found && Object.fromEntries(behindQuery(choice(query), null, found, today));
    };
    const paging = { page: '1', per_page: '50' };
    expect(behind('compare=1')).toBeNull();
    expect(behind('metric=created&group=2026-03-04&compare=1')).toEqual({
      ...asked(),
      ...{ metric: 'created', group: '2026-03-04' },
      ...paging,
    });
    expect(behind('metric=created&of=before')).toMatchObject({ from: '2026-01-31', to: '2026-03-01' });
    expect(behind('metric=created&of=today&page=3')).toMatchObject({
      ...{ from: today, to: today, group_by: 'none', page: '3' },
    });
  });

  test('of no report is none', () => {
    expect(reportOf(null)).toBe('overview');
    expect(reportOf('moon')).toBeNull();
  });
});

describe('a number', () => {
  test.each([
    [{ n: 4 }, 4, 4],
    [{ n: 3, of: 4, share: 0.75 }, 0.75, 4],
    [{ n: 0, of: 0, share: null }, null, 0],
    [{ n: 2, median_minutes: 5, p90_minutes: 9 }, 5, 2],
    [{ n: 2, median: 1, p90: 3, none: 4 }, 1, 6],
  ] as [Cell, number | null, number][])('of %j is %p, about %d', (cell, value, size) => {
    expect(numberOf(cell)).toBe(value);
    expect(sizeOf(cell)).toBe(size);
  });

  test.each([
    [0.5, 'working', '30s'],
    [59.7, 'working', '1h'],
    [125, 'working', '2h 5m'],
    [45 * 60, 'working', '45h'],
    [45 * 60, 'calendar', '45h'],
    [50 * 60, 'calendar', '2d 2h'],
    [71.8 * 60, 'calendar', '3d'],
    [15 * 24 * 60, 'calendar', '15d'],
  ] as const)('%d minutes of %s time are %s', (minutes, time, text) => {
    expect(durationText(minutes, time)).toBe(text);
  });

  test('that is nearly all is not told as all', () => {
    expect(valueText('one_touch', 0.9999, 'working')).toBe('99.9%');
    expect(valueText('one_touch', 1, 'working')).toBe('100%');
    expect(valueText('one_touch', 0.29, 'working')).toBe('29%');
    expect(valueText('created', null, 'working')).toBe('–');
  });

  test.each([
    ['created', { n: 6 }, { n: 4 }, '+50%', null],
    ['created', { n: 6 }, { n: 0 }, undefined, undefined],
    [
      'resolution',
      { n: 1, median_minutes: 30, p90_minutes: 30 },
      { n: 1, median_minutes: 60, p90_minutes: 60 },
      '−50%',
      true,
    ],
    ['one_touch', { n: 1, of: 2, share: 0.5 }, { n: 3, of: 4, share: 0.75 }, '−25', false],
    ['reopened', { n: 1, of: 2, share: 0.5 }, { n: 3, of: 4, share: 0.75 }, '−25', true],
  ] as const)('of %s is compared', (metric, cell, before, text, isBetter) => {
    const change = changeOf(metric, cell, before);
    expect(change?.text).toBe(text as string);
    expect(change?.isBetter).toBe(isBetter as boolean);
  });
});

describe('a chart', () => {
  test.each([
    [0, 'number', [0, 1]],
    [3, 'number', [0, 1, 2, 3]],
    [18, 'number', [0, 5, 10, 15, 20]],
    [1000, 'number', [0, 500, 1000]],
    [130, 'minutes', [0, 60, 120, 180]],
    [0.4, 'share', [0, 0.25, 0.5, 0.75, 1]],
  ] as const)('up to %d %s has the lines %j', (greatest, of, ticks) => {
    expect(ticksFor(greatest, of)).toEqual([...ticks]);
  });

  test('writes as many labels as fit, and no line through what was not measured', () => {
    expect(labelStep(30, 300, 60)).toBe(6);
    expect(labelStep(3, 10, 60)).toBe(3);
    expect(runsOf([1, 2, null, 3, null, null, 4, 5])).toEqual([[1, 2], [3], [4, 5]]);
    expect([null, 0, 1, 50, 100].map((value) => heatLevel(value, 100))).toEqual([0, 0, 1, 3, 5]);
  });

  test('is walked with the arrow keys, up to its edges', () => {
    const size = { rows: 2, columns: 3 };
    const from = (key: string) => nextPoint(key, { row: 0, column: 1 }, size);
    expect(from('ArrowRight')).toEqual({ row: 0, column: 2 });
    expect(from('ArrowUp')).toEqual({ row: 0, column: 1 });
    expect(from('End')).toEqual({ row: 0, column: 2 });
    expect(from('Home')).toEqual({ row: 0, column: 0 });
    expect(from('x')).toBeNull();
  });
});
