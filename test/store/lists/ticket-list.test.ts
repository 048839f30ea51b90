// Ticket lists: always along an index, and exactly what a check of every ticket would give.

import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ratings } from '../../../src/domain/tickets/satisfaction.ts';
import {
  directions,
  slaFilters,
  type TicketSort,
  ticketSorts,
  ticketStatuses,
} from '../../../src/domain/tickets/ticket.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import { lookUpCandidates, pageOfCandidates, plainPageOf } from '../../../src/store/lists/candidate-lookup.ts';
import { narrowest } from '../../../src/store/lists/candidates.ts';
import { createCount, sourceToCount } from '../../../src/store/lists/count.ts';
import { type TicketFilter, withImpliedBounds } from '../../../src/store/lists/filter.ts';
import { inWindows, type TicketPage, windowSize } from '../../../src/store/lists/page.ts';
import { boundsIn, sortedSource } from '../../../src/store/lists/source.ts';
import { caseCount } from '../../support/case-count.ts';
import { statementsOn } from '../../support/store.ts';
import { countTickets, listTicketIds } from '../../support/ticket-lists.ts';
import { expectedIds, knownTags, manyTickets, noFilter, now, words } from './many-tickets.ts';

const desk = manyTickets(300);
const { tx, store } = desk;
afterAll(() => store.close());

const day = 86_400_000;

/** Every filter once, by itself. */
const single: Record<string, Partial<TicketFilter>> = {
  nothing: {},
  status: { statuses: ['open'] },
  'two statuses': { statuses: ['open', 'pending'] },
  category: { categoryIds: [desk.categoryIds[0] ?? 0] },
  'two categories': { categoryIds: desk.categoryIds.slice(0, 2) },
  priority: { priorityIds: [desk.priorityIds[0] ?? 0] },
  'two priorities': { priorityIds: desk.priorityIds.slice(0, 2) },
  assignee: { assigneeIds: [desk.agentIds[0] ?? 0] },
  team: { teamIds: [desk.teamIds[0] ?? 0] },
  'two teams': { teamIds: desk.teamIds },
  'two assignees': { assigneeIds: desk.agentIds },
  'someone mentioned': { mentionedIds: [desk.agentIds[0] ?? 0] },
  'one of two mentioned': { mentionedIds: desk.agentIds },
  'with a draft': { drafterId: desk.agentIds[0] ?? 0 },
  unread: { unreadForId: desk.agentIds[0] ?? 0 },
  unassigned: { isUnassigned: true },
  assigned: { isUnassigned: false },
  snoozed: { isSnoozed: true },
  'not snoozed': { isSnoozed: false },
  'with an attachment': { hasAttachment: true },
  'without an attachment': { hasAttachment: false },
  'rated bad': { ratings: ['bad'] },
  rated: { ratings: ['good', 'bad'] },
  external_id: { externalId: 'u-2' },
  email: { email: 'person1@shop1.example.org' },
  'email of a domain': { email: '@shop1.example.org' },
  participant: { participant: 'person1@shop1.example.org' },
  'participant of a domain': { participant: '@shop2.example.org' },
  tag: { tags: ['billing'] },
  'two tags': { tags: ['billing', 'eu'] },
  created_from: { createdFrom: now - day },
  created_to: { createdTo: now - day },
  updated_from: { updatedFrom: now - day },
  updated_to: { updatedTo: now - day },
  warned: { sla: ['warned'] },
  breached: { sla: ['breached'] },
  paused: { sla: ['paused'] },
  due_soon: { sla: ['due_soon'] },
  'with tests': { includeTest: true },
  'without a site': { exceptSiteIds: desk.siteIds.slice(0, 1) },
  ids: { ids: [3, 5, 8] },
  search: { search: 'invoice' },
  'search for a part of an address': { search: 'person1@sh' },
};
const scopes: Record<string, Partial<TicketFilter>> = {
  'the desk': {},
  'no site': { sites: [] },
  'a site': { sites: desk.siteIds.slice(1, 2) },
  'two sites': { sites: desk.siteIds.slice(1, 3) },
  // More sites than are merged.
  'forty sites': { sites: [...desk.siteIds, ...Array.from({ length: 35 }, (_, at) => 1000 + at)] },
};

const statementsOf = (run: (tx: Tx) => unknown) => statementsOn(tx, run);

/** Asks SQLite once for each statement: orders, pages and filters share most of theirs. */
function once<T>(ask: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const answer = known.get(text) ?? ask(text);
    known.set(text, answer);
    return answer;
  };
}

const planOf = once((text): string[] =>
  query<{ detail: string }>(tx, `EXPLAIN QUERY PLAN ${text}`)
    .all()
    .map(({ detail }) => detail),
);

const faultsOf = (texts: readonly string[]) =>
  texts.flatMap((text) =>
    planOf(text).filter(
      (line) => /^SCAN (?:tickets|ticket_tags|authors|messages)\b/.test(line) || /AUTOMATIC/.test(line),
    ),
  );

/** Whether a statement ever reads a row of a table, and not only the index. */
const readsTable = once((text): boolean => {
  const program = query<{ opcode: string; p1: number; p4: string | number | null }>(tx, `EXPLAIN ${text}`).all();
  // An index is opened with its key comparison, a table with its number of columns.
  const tables = program.filter(({ opcode, p4 }) => opcode === 'OpenRead' && !String(p4).startsWith('k('));
  return program.some(({ opcode, p1 }) => opcode === 'Column' && tables.some((table) => table.p1 === p1));
});

/** Every order, from the first page, from deep inside and after a cursor. */
const pages: TicketPage[] = ticketSorts.flatMap((sort) =>
  directions.flatMap((direction) =>
    [{ offset: 0 }, { offset: 2000 }, { after: sort === 'priority' ? [1, now, 1] : [now, 1] }].map((from) => ({
      sort,
      direction,
      limit: 16,
      from,
    })),
  ),
);

describe('the plan of a list', () => {
  for (const [turn, [scope, site]] of Object.entries(scopes).entries()) {
    for (const [at, [name, filter]] of Object.entries(single).entries()) {
      // SQLite plans the part of each site by itself, as in two sites; 200 parts take it 50 ms.
      const every = scope === 'forty sites' ? caseCount(pages.length, 3) : caseCount(5, 1);
      // Each scope asks for others: five has no factor in common with the orders, directions and beginnings.
      const asked = pages.filter((_, number) => (number + at + turn) % every === 0);
      test(`walks an index: ${name}, in ${scope}, in ${every > 1 ? 'some' : 'every'} order`, () => {
        expect(asked).not.toEqual([]);
        const whole = { ...noFilter, ...site, ...filter };
        for (const page of asked) {
          expect(faultsOf(statementsOf((own) => listTicketIds(own, whole, page, now)))).toEqual([]);
          const source = sortedSource(whole, page.sort, page.direction, now);
          expect(faultsOf(statementsOf((own) => void windows(own, source, page)))).toEqual([]);
        }
        expect(faultsOf(statementsOf((own) => countTickets(own, whole, now)))).toEqual([]);
      });
    }
  }

  describe('reads only entries of the index for what people filter by', () => {
    const bare = [
      'snoozed',
      'not snoozed',
      'with an attachment',
      'without an attachment',
      'external_id',
      'email',
      'email of a domain',
      'participant',
      'participant of a domain',
      'unread',
      'tag',
      'two tags',
      'team',
      'two teams',
      'rated',
      'rated bad',
      'updated_from',
      'updated_to',
      'due_soon',
      'ids',
    ];
    for (const [name, filter] of Object.entries(single)) {
      if (bare.includes(name) || name.startsWith('search')) continue;
      test(name, () => {
        for (const site of Object.values(scopes)) {
          for (const sort of ticketSorts) {
            const source = sortedSource({ ...noFilter, ...site, ...filter }, sort, 'desc', now);
            const texts = statementsOf((own) => {
              source.endOf(own, [1, 1, 1].slice(sort === 'priority' ? 0 : 1), 9);
              source.count(own, null, null);
              source.rows(own, null, null, 16, 0);
            });
            expect(texts.filter((text) => text.includes('tickets') && readsTable(text))).toEqual([]);
          }
        }
      });
    }
  });

  test('counts what was updated in a range from an index that holds the times', () => {
    const ranges = ['created_from', 'created_to', 'updated_from', 'updated_to'].map((name) => single[name]);
    for (const one of ranges)
      for (const other of ranges)
        for (const site of Object.values(scopes)) {
          const source = sourceToCount({ ...noFilter, ...site, ...one, ...other }, now);
          const texts = statementsOf((own) => {
            source.endOf(own, [1, 1], 9);
            source.count(own, null, null);
          });
          expect(texts.filter((text) => text.includes('tickets') && readsTable(text))).toEqual([]);
        }
  });

  test('continues after a cursor by id too, however many tickets have the same time', () => {
    for (const sort of ticketSorts) {
      for (const direction of directions) {
        const source = sortedSource({ ...noFilter, statuses: ['open'] }, sort, direction, now);
        const [after, end] =
          sort === 'priority'
            ? [
                [2, now, 7],
                [2, now - 1, 3],
              ]
            : [
                [now, 7],
                [now - 1, 3],
              ];
        for (const window of [
          [after, end],
          [end, after],
        ] as const) {
          const [from, to] = direction === 'desc' ? window : [...window].reverse();
          const texts = statementsOf((own) => {
            source.endOf(own, from ?? null, 9);
            source.rows(own, from ?? null, to ?? null, 16, 0);
          });
          const plans = texts.flatMap(planOf).filter((line) => line.includes('SEARCH tickets'));
          expect(plans.length).toBeGreaterThan(3);
          // Whole keys are compared by no more than their front.
          expect(texts.filter((text) => /\(tickets\.[^)]*tickets\.id\)/.test(text))).toEqual([]);
          expect(plans.filter((line) => /AND id[<>]\?\)/.test(line)).length).toBeGreaterThan(1);
        }
      }
    }
  });

  test('by priority begins at the levels that the filter names, unless they are changing', () => {
    const ids = desk.priorityIds.slice(0, 2);
    const bounds = (priorityIds: number[]) => boundsIn(store.writing, { ...noFilter, priorityIds }, 'priority');
    expect(bounds(ids)).toEqual([1, 3]);
    expect(bounds(ids.slice(1))).toEqual([3, 3]);
    store.writing.client.run('BEGIN');
    store.writing.client.run('INSERT INTO priority_levels VALUES (?, 0)', [ids[1] ?? 0]);
    expect(bounds(ids)).toEqual([null, null]);
    expect(bounds(ids.slice(0, 1))).toEqual([1, 1]);
    store.writing.client.run('ROLLBACK');
  });

  test('uses a filter on one time to bound an order by the other', () => {
    const asked = { ...noFilter, createdFrom: now - 2 * day, updatedTo: now - day };
    expect(withImpliedBounds(asked).createdTo).toBe(now - day);
    expect(withImpliedBounds({ ...asked, createdTo: now - 3 * day }).createdTo).toBe(now - 3 * day);
    expect(boundsIn(tx, asked, 'updated_at')).toEqual([now - 2 * day, now - day]);
    expect(boundsIn(tx, { ...asked, updatedFrom: now - 1.5 * day }, 'updated_at')).toEqual([
      now - 1.5 * day,
      now - day,
    ]);
  });

  test('looks up named tickets by their ids, and walks no index', () => {
    const named = { ...noFilter, ids: [3, 5] };
    for (const sort of ticketSorts) {
      const page: TicketPage = { sort, direction: 'desc', limit: 16, from: { offset: 0 } };
      const texts = statementsOf((own) => void [listTicketIds(own, named, page, now), countTickets(own, named, now)]);
      const plans = texts.flatMap(planOf).filter((line) => /^(?:SEARCH|SCAN) tickets\b/.test(line));
      expect([...new Set(plans)]).toEqual(['SEARCH tickets USING INTEGER PRIMARY KEY (rowid=?)']);
    }
  });

  test('sorts only the heads of four short lists', () => {
    for (const sort of ticketSorts) {
      const filter: TicketFilter = { ...noFilter, sites: desk.siteIds.slice(0, 1), statuses: ['open'] };
      const source = sortedSource(filter, sort, 'desc', now);
      const texts = statementsOf((own) => source.rows(own, null, null, 16, 0));
      const rows = texts.flatMap((text) =>
        query<{ detail: string; parent: number }>(tx, `EXPLAIN QUERY PLAN ${text}`).all(),
      );
      const inner = rows.filter(({ detail, parent }) => detail.includes('TEMP B-TREE') && parent !== 0);
      expect(inner).toEqual([]);
    }
  });

  test('walks an index for pairs of filters too', () => {
    const filters = Object.values(single);
    const orders: [Partial<TicketFilter>, TicketSort][] = [
      [{}, 'created_at'],
      [{ sites: desk.siteIds.slice(0, 1) }, 'updated_at'],
      [{ sites: desk.siteIds.slice(0, 2) }, 'created_at'],
      [{}, 'priority'],
    ];
    for (const [at, one] of filters.entries()) {
      for (const [behind, other] of filters.slice(at + 1).entries()) {
        const asked = orders.filter((_, number) => (number + at + behind) % caseCount(orders.length, 1) === 0);
        for (const [scope, sort] of asked) {
          const whole = { ...noFilter, ...scope, ...one, ...other };
          const page: TicketPage = { sort, direction: 'desc', limit: 16, from: { offset: 0 } };
          expect(faultsOf(statementsOf((own) => listTicketIds(own, whole, page, now)))).toEqual([]);
          expect(faultsOf(statementsOf((own) => countTickets(own, whole, now)))).toEqual([]);
        }
      }
    }
  });

  test('counts a plain list without looking at tickets at all', () => {
    for (const filter of [{}, { statuses: ['open'] as const }, ...Object.values(scopes)]) {
      const texts = statementsOf((own) => countTickets(own, { ...noFilter, ...filter }, now));
      expect(texts.flatMap(planOf).join()).not.toContain('tickets');
    }
  });
});

/** A page as it is built when a filter has many tickets, in small windows. */
function windows(own: Tx, source: ReturnType<typeof sortedSource>, page: TicketPage) {
  const steps = inWindows(source, page, 3);
  while (!steps.step(own));
  return steps.rows();
}

const some = <T>(list: readonly T[], max = 2) => fc.subarray([...list], { maxLength: max });
const orNot = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const moment = fc.integer({ min: 0, max: 70 }).map((hours) => now - hours * 3_600_000);

/** A handful of filters together, as people combine them. */
const anyFilter: fc.Arbitrary<TicketFilter> = fc
  .record({
    sites: orNot(fc.oneof(some([...desk.siteIds, 999], 6), fc.constant(scopes['forty sites']?.sites ?? 'all'))),
    exceptSiteIds: orNot(some(desk.siteIds)),
    statuses: orNot(some(ticketStatuses, 3)),
    categoryIds: orNot(some(desk.categoryIds)),
    priorityIds: orNot(some(desk.priorityIds)),
    assigneeIds: orNot(some(desk.agentIds)),
    teamIds: orNot(some(desk.teamIds)),
    mentionedIds: orNot(some(desk.agentIds)),
    isUnassigned: orNot(fc.boolean()),
    externalId: orNot(fc.constantFrom('u-0', 'u-2', 'u-9')),
    email: orNot(
      fc.constantFrom('person1@shop1.example.org', 'nobody@example.org', '@shop2.example.org', '@example.org'),
    ),
    tags: orNot(some([...knownTags, 'never'])),
    search: orNot(
      fc.constantFrom(...words.filter((word) => word !== 'Straße'), 'invoice printer', 'cafe', 'person1', '太郎'),
    ),
    createdFrom: orNot(moment),
    createdTo: orNot(moment),
    updatedFrom: orNot(moment),
    updatedTo: orNot(moment),
    sla: orNot(some(slaFilters)),
    isSnoozed: orNot(fc.boolean()),
    drafterId: orNot(fc.constantFrom(...desk.agentIds)),
    unreadForId: orNot(fc.constantFrom(...desk.agentIds)),
    hasAttachment: orNot(fc.boolean()),
    ratings: orNot(some(ratings)),
    includeTest: orNot(fc.boolean()),
    ids: orNot(fc.uniqueArray(fc.integer({ min: 1, max: 310 }), { maxLength: 40 })),
  })
  .chain((all) =>
    fc.subarray(Object.keys(all) as (keyof typeof all)[], { maxLength: 4 }).map((kept) => {
      const given = Object.fromEntries(kept.filter((key) => all[key] !== undefined).map((key) => [key, all[key]]));
      return { ...noFilter, ...given } as TicketFilter;
    }),
  );

function byPages(filter: TicketFilter, sort: TicketSort, direction: 'asc' | 'desc', limit: number): number[] {
  const ids: number[] = [];
  for (let offset = 0; ; offset += limit) {
    const rows = listTicketIds(tx, filter, { sort, direction, limit, from: { offset } }, now);
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < limit) return ids;
  }
}

function byCursor(filter: TicketFilter, sort: TicketSort, direction: 'asc' | 'desc', limit: number): number[] {
  const ids: number[] = [];
  let from: TicketPage['from'] = { offset: 0 };
  for (;;) {
    const rows = listTicketIds(tx, filter, { sort, direction, limit, from }, now);
    ids.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (rows.length < limit || !last) return ids;
    from = { after: [...last.key] };
  }
}

function bySlices(filter: TicketFilter, size: number): { total: number; slices: number } {
  const count = createCount(filter, now, { firstSize: size });
  let slices = 1;
  while (!count.step(tx)) slices += 1;
  return { total: count.total(), slices };
}

describe('a count with a limit', () => {
  const viewed: Record<string, Partial<TicketFilter>> = {
    ...single,
    mine: { assigneeIds: desk.agentIds.slice(0, 1), statuses: ['open', 'pending'], isSnoozed: false },
    'unassigned view': { isUnassigned: true, statuses: ['open', 'pending'], isSnoozed: false },
    'pending view': { statuses: ['pending'], isSnoozed: false },
    'breached view': { sla: ['breached'], statuses: ['open', 'pending'] },
    'breached and mine': { sla: ['breached'], assigneeIds: desk.agentIds.slice(0, 1) },
  };
  const countOf = (own: Tx, filter: TicketFilter, most: number) => {
    const count = createCount(filter, now, { most });
    while (!count.step(own));
    return { total: count.total(), isCapped: count.isCapped() };
  };

  for (const [scope, site] of Object.entries(scopes)) {
    test(`is right and walks an index, for every filter, in ${scope}`, () => {
      for (const [name, filter] of Object.entries(viewed)) {
        const whole = { ...noFilter, ...site, ...filter };
        const expected = expectedIds(desk, whole, 'created_at', 'asc').length;
        for (const most of [0, 3, expected, 1000]) {
          const counted = { total: Math.min(most, expected), isCapped: expected > most };
          expect(countOf(tx, whole, most), `${name} to ${most}`).toEqual(counted);
        }
        expect(faultsOf(statementsOf((own) => countOf(own, whole, 3)))).toEqual([]);
      }
    });
  }

  test('reads only the index for the built-in views', () => {
    for (const name of ['mine', 'unassigned view', 'breached view']) {
      for (const site of Object.values(scopes)) {
        const whole = { ...noFilter, ...site, ...viewed[name] };
        expect(statementsOf((own) => countOf(own, whole, 1000)).filter(readsTable), name).toEqual([]);
      }
    }
  });
});

describe('a list', () => {
  for (const [name, filter] of Object.entries(single)) {
    if (name.startsWith('search')) continue;
    test(`shows what a look at every ticket would: ${name}`, () => {
      for (const sort of ticketSorts) {
        for (const direction of directions) {
          const whole = { ...noFilter, ...filter };
          const expected = expectedIds(desk, whole, sort, direction);
          expect(byPages(whole, sort, direction, 400)).toEqual(expected);
          expect(byCursor(whole, sort, direction, 50)).toEqual(expected);
          expect(countTickets(tx, whole, now)).toBe(expected.length);
        }
      }
      const whole = { ...noFilter, ...filter };
      for (const size of [1, 7, 300]) {
        const { total, slices } = bySlices(whole, size);
        expect(total).toBe(expectedIds(desk, whole, 'created_at', 'asc').length);
        if (size === 300) expect(slices).toBe(1);
      }
      expect(expectedIds(desk, { ...noFilter, ...filter }, 'created_at', 'asc').length).toBeGreaterThan(0);
    });
  }

  test('shows the same for any combination of filters, by pages and by cursor', () => {
    fc.assert(
      fc.property(
        anyFilter,
        fc.constantFrom(...ticketSorts),
        fc.constantFrom(...directions),
        fc.integer({ min: 7, max: 60 }),
        fc.integer({ min: 1, max: 120 }),
        (filter, sort, direction, limit, size) => {
          const expected = expectedIds(desk, filter, sort, direction);
          expect(byPages(filter, sort, direction, limit)).toEqual(expected);
          expect(byCursor(filter, sort, direction, limit)).toEqual(expected);
          expect(countTickets(tx, filter, now)).toBe(expected.length);
          expect(bySlices(filter, size).total).toBe(expected.length);
          if (filter.search !== null) return;
          const candidates = narrowest(tx, filter, now);
          for (const from of [{ offset: size }, { offset: 0 }]) {
            if (candidates === null) continue;
            const page: TicketPage = { sort, direction, limit, from };
            const lookup = pageOfCandidates(lookUpCandidates(filter, candidates, sort, now), plainPageOf(page));
            while (!lookup.step(tx));
            expect(lookup.rows().map(({ id }) => id)).toEqual(expected.slice(from.offset, from.offset + limit));
          }
          const source = sortedSource(filter, sort, direction, now);
          const all: TicketPage = { sort, direction, limit: 400, from: { offset: 0 } };
          expect(windows(tx, source, all).map(({ id }) => id)).toEqual(expected);
          const some: TicketPage = { sort, direction, limit, from: { offset: size } };
          expect(windows(tx, source, some).map(({ id }) => id)).toEqual(expected.slice(size, size + limit));
        },
      ),
      { numRuns: caseCount(60, 400), seed: 20260911 },
    );
  }, 60_000);

  test('has right counts after tickets change status and are removed', () => {
    const writing = store.writing;
    writing.client.run('BEGIN');
    const total = (status: 'open' | 'closed') =>
      countTickets(writing, { ...noFilter, statuses: [status], includeTest: true }, now);
    const counted = (status: string) =>
      query<{ n: number }>(writing, 'SELECT count(*) AS n FROM tickets WHERE is_spam = 0 AND status = ?').get(status)
        ?.n ?? -1;
    writing.client.run("UPDATE tickets SET status = 'closed' WHERE status = 'open' AND id % 2 = 0");
    expect([total('open'), total('closed')]).toEqual([counted('open'), counted('closed')]);
    writing.client.run('DELETE FROM tickets WHERE id % 3 = 0');
    expect([total('open'), total('closed')]).toEqual([counted('open'), counted('closed')]);
    writing.client.run('ROLLBACK');
  });

  test('that can match nothing is empty', () => {
    for (const filter of [
      { ids: [] },
      { search: '' },
      { search: '"*"' },
      { sites: [999] },
      { sites: [] },
      { tags: ['never'] },
    ]) {
      const whole = { ...noFilter, ...filter };
      expect(byPages(whole, 'created_at', 'desc', 10)).toEqual([]);
      expect(countTickets(tx, whole, now)).toBe(0);
    }
  });
});

describe('a step stays small however quick the last ones were, because the next rows may wait for the disk', () => {
  test('in a window of an index', () => {
    const window = windowSize(500);
    for (let step = 0; step < 30; step += 1) window.took(0);
    expect(window.size()).toBe(4096);
  });

  test('among the rows of a candidates', () => {
    const twentyTimes = 'WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 20)';
    const all = { text: '1', values: [] };
    const from = { text: `(${twentyTimes} SELECT tickets.id FROM tickets, n) AS tickets`, values: [] };
    const lookup = lookUpCandidates(noFilter, { from, where: all, counted: all, isFew: false }, 'updated_at', now);
    const found = [0];
    for (let isOver = false; !isOver; found.push(lookup.found.length)) isOver = lookup.step(tx);
    expect(found.at(-1)).toBeGreaterThan(2000);
    expect(Math.max(...found.slice(1).map((count, at) => count - (found[at] ?? 0)))).toBeLessThanOrEqual(256);
  });
});
