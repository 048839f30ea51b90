// Filters in URL, view and query; rows in a window; the selection; columns, and what belongs into a list.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ListFilter } from '../../../src/domain/tickets/filters.ts';
import { nothingSelected, toggled, without, withRange } from '../../../src/web/console/list/bulk/selection.ts';
import {
  changedFilter,
  changesOf,
  filterOfParams,
  filterOfView,
  orderOf,
  queryOf,
} from '../../../src/web/console/list/filters/filter.ts';
import { matches } from '../../../src/web/console/list/filters/matches.ts';
import {
  columnsThatFit,
  impliedColumns,
  knownColumns,
  movedColumn,
  toggledColumn,
  tracksOf,
  usualColumns,
} from '../../../src/web/console/list/rows/columns.ts';
import {
  contentHeight,
  rowsInView,
  scrollTopFor,
  scrollTopOf,
} from '../../../src/web/console/list/rows/virtual-rows.ts';
import type { Ticket } from '../../../src/web/console/wire.ts';

const params = (text: string) => new URLSearchParams(text);

describe('the filter in the URL', () => {
  test('has the names of the query to the desk', () => {
    const filter = filterOfParams(
      params(
        'status=open,pending&assigned_to=me,7&tag=vip&tag=refund&unassigned=1&q=two words&site_id=3&mentions=me&mentions=7&satisfaction=bad',
      ),
    );
    expect(filter).toEqual({
      status: ['open', 'pending'],
      assigned_to: ['me', 7],
      tag: ['vip', 'refund'],
      unassigned: true,
      q: 'two words',
      site_id: 3,
      mentions: ['me', 7],
      satisfaction: ['bad'],
    });
    expect(String(queryOf(filter))).toBe(
      'site_id=3&status=open%2Cpending&assigned_to=me%2C7&unassigned=1&mentions=me%2C7&tag=vip%2Crefund&q=two+words&satisfaction=bad',
    );
  });

  test('leaves out what is unknown, doubled or too much', () => {
    const many = Array.from({ length: 500 }, (_, at) => at + 1).join();
    const filter = filterOfParams(
      params(
        `status=open,open,sold&category_id=${many}&priority_id=0,-1,1e9,x&tag=TWO WORDS&created_from=soon&q=${'a'.repeat(501)}&__proto__=x&snoozed=maybe`,
      ),
    );
    expect(filter.status).toEqual(['open']);
    expect(filter.category_id?.length).toBe(100);
    expect(Object.keys(filter).sort()).toEqual(['category_id', 'status']);
  });

  test('changes the filter of the view, and takes away what is empty', () => {
    const view = filterOfView({ status: ['open'], assigned_to: ['me'], unknown: 1, tag: 'vip' });
    expect(view).toEqual({ status: ['open'], assigned_to: ['me'], tag: ['vip'] });
    expect(changedFilter(view, params('status=closed&assigned_to=&priority_id=2'))).toEqual({
      status: ['closed'],
      tag: ['vip'],
      priority_id: [2],
    });
  });

  test('leads back to the same filter, whatever view it changes', () => {
    const filters = fc.record(
      {
        status: fc.uniqueArray(fc.constantFrom('open', 'pending', 'resolved', 'closed'), { minLength: 1 }),
        assigned_to: fc.uniqueArray(fc.oneof(fc.constant('me'), fc.integer({ min: 1, max: 9 })), { minLength: 1 }),
        tag: fc.uniqueArray(fc.constantFrom('vip', 'refund', 'a-b'), { minLength: 1 }),
        unassigned: fc.boolean(),
        q: fc.string({ minLength: 1 }),
        site_id: fc.integer({ min: 1, max: 99 }),
        snoozed: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(filters, filters, (view, filter) => {
        const [from, to] = [filterOfView(view), filterOfView(filter)];
        expect(changedFilter(from, params(String(changesOf(from, to))))).toEqual(to);
        expect([...changesOf(from, from).keys()]).toEqual([]);
      }),
    );
  });

  test('has an order, from the view unless it says otherwise', () => {
    const usual = { sort: 'next_due_at', direction: 'asc' } as const;
    expect(orderOf(params(''), usual)).toEqual(usual);
    expect(orderOf(params('direction=desc'), usual)).toEqual({ sort: 'next_due_at', direction: 'desc' });
    expect(orderOf(params('sort=updated_at'), usual)).toEqual({ sort: 'updated_at', direction: 'desc' });
    expect(orderOf(params('sort=subject&direction=up'), usual)).toEqual(usual);
  });
});

describe('rows in a window', () => {
  const measures = { total: 1000, rowHeight: 36, viewHeight: 720 };

  test('begin where the list is scrolled to', () => {
    expect(contentHeight(measures)).toBe(36_000);
    expect(rowsInView(measures, 0)).toEqual({ first: 0, end: 20, offset: 0 });
    expect(rowsInView(measures, 90)).toEqual({ first: 2, end: 23, offset: 72 });
    expect(rowsInView(measures, 36_000 - 720)).toEqual({ first: 980, end: 1000, offset: 35_280 });
    expect(rowsInView({ ...measures, total: 3 }, 0)).toEqual({ first: 0, end: 3, offset: 0 });
    expect(rowsInView({ ...measures, total: 0 }, 0)).toEqual({ first: 0, end: 0, offset: 0 });
  });

  test('of a list that is taller than browsers allow are all reached', () => {
    const long = { ...measures, total: 3_000_000 };
    expect(contentHeight(long)).toBeLessThan(10_000_000);
    const last = rowsInView(long, contentHeight(long) - long.viewHeight);
    expect([last.first, last.end]).toEqual([2_999_980, 3_000_000]);
    fc.assert(
      fc.property(fc.nat(2_999_999), fc.double({ min: 0, max: 1, noNaN: true }), (row, part) => {
        const top = scrollTopFor(long, part * (contentHeight(long) - long.viewHeight), row);
        const { first, end } = rowsInView(long, top);
        expect(first <= row + 1 && row - 1 < end).toBe(true);
      }),
    );
  });

  test('come back to the row that was first, whatever their height', () => {
    for (const total of [1000, 3_000_000]) {
      const taller = { ...measures, total, rowHeight: 58 };
      expect(Math.abs(rowsInView(taller, scrollTopOf(taller, 500)).first - 500)).toBeLessThanOrEqual(1);
    }
  });

  test('scroll only when the wanted one is not in view', () => {
    expect(scrollTopFor(measures, 90, 5)).toBe(90);
    expect(scrollTopFor(measures, 90, 1)).toBe(36);
    expect(scrollTopFor(measures, 0, 30)).toBe(31 * 36 - 720);
  });
});

describe('the selection', () => {
  test('is toggled one by one, and remembers where Shift begins', () => {
    const one = toggled(nothingSelected, 'A', 3);
    expect([[...one.ulids], one.anchor]).toEqual([['A'], 3]);
    expect([...toggled(one, 'A', 3).ulids]).toEqual([]);
  });

  test('grows by a range and keeps its anchor', () => {
    const range = withRange(toggled(nothingSelected, 'A', 3), 3, ['A', 'B', 'C']);
    expect([[...range.ulids], range.anchor]).toEqual([['A', 'B', 'C'], 3]);
  });

  test('of everything becomes one of single tickets when one is taken out', () => {
    const all = { ...nothingSelected, isAll: true };
    expect(toggled(all, 'A', 0).isAll).toBe(false);
  });

  test('forgets what left the list', () => {
    const two = withRange(nothingSelected, 0, ['A', 'B']);
    expect([...without(two, ['B', 'C']).ulids]).toEqual(['A']);
    expect(without(two, ['C'])).toBe(two);
  });
});

describe('columns', () => {
  test('that the filter implies are not shown', () => {
    expect(impliedColumns({ unassigned: true })).toEqual(['assignee']);
    expect(impliedColumns({ assigned_to: ['me'], priority_id: [3], category_id: [1, 2] })).toEqual([
      'assignee',
      'priority',
    ]);
    expect(impliedColumns({ assigned_to: ['me', 7], status: ['open'] })).toEqual([]);
  });

  test('are those that were chosen, as far as they fit, and always the subject', () => {
    expect(columnsThatFit(usualColumns, 1600, true)).toEqual([...usualColumns]);
    expect(columnsThatFit(usualColumns, 1600, false)).not.toContain('site');
    const narrow = columnsThatFit(usualColumns, 700, true);
    expect(narrow).toContain('subject');
    expect(narrow).toContain('due');
    expect(narrow).not.toContain('category');
    expect(columnsThatFit(['age', 'subject'], 100, true)).toEqual(['subject']);
    for (let width = 300; width < 2600; width += 7) {
      const fewer = columnsThatFit(usualColumns, width, true);
      expect(columnsThatFit(usualColumns, width + 7, true)).toEqual(expect.arrayContaining(fewer));
    }
  });

  test('that were remembered by another version are taken as far as they are known', () => {
    expect(knownColumns(['age', 'smell', 'age', 7, null])).toEqual(['subject', 'age']);
  });

  test('are moved, taken out and put back', () => {
    expect(movedColumn(['status', 'subject', 'age'], 'age', -2)).toEqual(['age', 'status', 'subject']);
    expect(movedColumn(['status', 'subject', 'age'], 'age', 5)).toEqual(['status', 'subject', 'age']);
    const without = toggledColumn(usualColumns, 'author');
    expect(without).not.toContain('author');
    expect(toggledColumn(without, 'author')).toEqual([...usualColumns]);
    expect(toggledColumn(usualColumns, 'subject')).toEqual([...usualColumns]);
  });

  test('have a track each', () => {
    expect(tracksOf(['status', 'subject'])).toBe('20px minmax(0, 1fr)');
  });
});

describe('a changed ticket', () => {
  const ticket = {
    status: 'open',
    category: { id: 1 },
    priority: { id: 2 },
    assignee: { id: 3 },
    tags: ['vip', 'refund'],
    site_id: 4,
    snoozed_until: null,
    is_spam: false,
    merged_into: null,
  } as unknown as Ticket;
  const rows: [ListFilter, Partial<Ticket>, boolean][] = [
    [{}, {}, true],
    [{ status: ['open', 'pending'] }, {}, true],
    [{ status: ['open'] }, { status: 'resolved' }, false],
    [{ assigned_to: ['me'] }, {}, true],
    [{ assigned_to: [9] }, {}, false],
    [{ assigned_to: ['me'] }, { assignee: null }, false],
    [{ unassigned: true }, {}, false],
    [{ unassigned: true }, { assignee: null }, true],
    [{ tag: ['vip'] }, {}, true],
    [{ tag: ['vip', 'other'] }, {}, false],
    [{ category_id: [1] }, { category: null }, false],
    [{ priority_id: [2] }, {}, true],
    [{ site_id: 5 }, {}, false],
    [{ snoozed: true }, {}, false],
    [{ snoozed: true }, { snoozed_until: '2026-12-01T00:00:00Z' }, true],
    [{ satisfaction: ['bad'] }, { satisfaction: { rating: 'bad', comment: null, at: '2026-12-01T00:00:00Z' } }, true],
    [{ satisfaction: ['good'] }, {}, false],
    [{}, { is_spam: true }, false],
    [{ is_spam: true }, { is_spam: true }, true],
    // The desk lists it too, as closed.
    [{}, { merged_into: '01K4VJ8Q4N7RM2ZC6B0T3XWYDE' }, true],
    [{ q: 'anything', sla: ['breached'], created_from: '2030-01-01' }, {}, true],
  ];

  test.each(rows)('in a list of %p, changed by %p, belongs there: %p', (filter, change, isThere) => {
    expect(matches(filter, { ...ticket, ...change }, 3)).toBe(isThere);
  });
});
