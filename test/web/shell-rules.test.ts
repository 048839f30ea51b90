// What the shell decides by rule: addresses, the order of views, what fits in the palette, initials.

import { describe, expect, test } from 'bun:test';
import { ticketQuery } from '../../src/web/console/palette/found.ts';
import { fitOf, ranked } from '../../src/web/console/palette/ranking.ts';
import { routeOf } from '../../src/web/console/route-of.ts';
import { initials, viewMark } from '../../src/web/console/shell/initials.ts';
import { inOrder, moved } from '../../src/web/console/views/order.ts';

const ulid = '01K4VJ8Q4N7RM2ZC6B0T3XWYDE';

describe('the address', () => {
  test.each([
    ['/inbox/mine', { name: 'inbox', view: 'mine' }],
    ['/inbox', { name: 'inbox', view: 'mine' }],
    ['/inbox/7?status=open', { name: 'inbox', view: '7' }],
    ['/inbox/a%20b', { name: 'inbox', view: 'a b' }],
    [`/tickets/${ulid.toLowerCase()}`, { name: 'ticket', ticket: ulid, message: null }],
    [`/tickets/${ulid}?message=${ulid}`, { name: 'ticket', ticket: ulid, message: ulid }],
    ['/search?q=a+b', { name: 'search' }],
    ['/customers', { name: 'customers' }],
    ['/customers/12', { name: 'customer', customer: 12 }],
    ['/reports/created', { name: 'reports', report: 'created' }],
    ['/settings/macros/3', { name: 'settings', section: 'macros', id: '3' }],
    ['/profile#preferences', { name: 'profile' }],
    ['/', { name: 'unknown' }],
    ['/tickets', { name: 'unknown' }],
    ['/tickets/', { name: 'unknown' }],
    ['/customers/0', { name: 'unknown' }],
    ['/customers/x', { name: 'unknown' }],
    ['/inbox/mine/x', { name: 'unknown' }],
    ['/profile/x', { name: 'unknown' }],
    ['/inbox/%', { name: 'inbox', view: '%' }],
  ])('%s', (path, place) => {
    const { path: same, query, ...found } = routeOf(path);
    expect(found as object).toEqual(place);
    expect(same).toBe(path);
    expect(query).toBeInstanceOf(URLSearchParams);
  });

  test('keeps what the query says', () => {
    expect(routeOf('/search?q=a+b').query.get('q')).toBe('a b');
  });
});

describe('saved views', () => {
  test('stay behind those of the desk, in the order of the agent', () => {
    const views = [{ id: null }, { id: 1 }, { id: 2 }, { id: 3 }];
    expect(inOrder(views, [3, 1, 2]).map(({ id }) => id)).toEqual([null, 3, 1, 2]);
  });

  test.each([
    [[1, 2, 3], 3, 0, [3, 1, 2]],
    [[1, 2, 3], 1, 2, [2, 3, 1]],
    [[1, 2, 3], 2, 1, [1, 2, 3]],
    [[1, 2, 3], 1, 9, [2, 3, 1]],
    [[1, 2, 3], 3, -1, [3, 1, 2]],
  ])('%j with %d at %d', (ids, id, to, order) => {
    expect(moved(ids, id, to)).toEqual(order);
  });
});

describe('what fits', () => {
  test.each([
    ['Assign to me', 'ass', 5],
    ['Assign to me', 'me as', 4],
    ['Go to Unassigned', 'assign', 3],
    ['Go to Unassigned', 'gtu', 2],
    ['Go to Unassigned', 'xyz', 0],
    ['Überfällig', 'uber', 5],
    ['Anything', '', 1],
    ['Anything', ' ', 1],
    ['Resolve', 'z', 0],
    ['Danger zone', 'zoe', 0],
    ['Danger zone', 'dz', 2],
  ])('"%s" for "%s"', (title, typed, fit) => {
    expect(fitOf(title, typed)).toBe(fit);
  });

  test('comes first, and equals keep their order', () => {
    const entries = ['Go to Open', 'Open', 'Reopen', 'Close'].map((title) => ({ title }));
    expect(ranked(entries, 'open').map(({ title }) => title)).toEqual(['Open', 'Go to Open', 'Reopen']);
    expect(ranked(entries, '')).toEqual(entries);
    const known = { title: 'Tickets of Bo Lindqvist', otherName: 'bo@demo.example' };
    expect(ranked([...entries, known], 'bo@demo')).toEqual([known]);
  });
});

test.each([
  ['#41', null, '/tickets?q=%2341&per_page=8'],
  [' lost parcel ', 2, '/tickets?q=lost+parcel&site_id=2&per_page=8'],
  ['ana@example.org', null, '/tickets?email=ana%40example.org&per_page=8'],
  ['@ana', null, '/tickets?q=%40ana&per_page=8'],
])('tickets are found by "%s"', (typed, site, path) => {
  expect(ticketQuery(typed, site)).toBe(path);
});

test.each([
  ['Noor Visser', 'NV'],
  ['Ana María de la Cruz', 'AC'],
  ['kim', 'K'],
  ['mia@example.org', 'MO'],
  ['山田 太郎', '山太'],
  ['', ''],
  ['42', '4'],
])('the initials of "%s" are %s', (name, letters) => {
  expect(initials(name)).toBe(letters);
});

test.each([
  ['Parcels', 'Pa'],
  ['payments', 'Pa'],
  ['Important people', 'IP'],
  ['7', '7'],
  ['📦 Parcels', '📦p'],
])('the view "%s" is marked %s where there is no room for its name', (name, mark) => {
  expect(viewMark(name)).toBe(mark);
});
