// The query language of search: words, phrases and filters to a query, problems where they are, and what could come next.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { longestSearch } from '../../../src/web/console/search/address.ts';
import { completed, completionsAt } from '../../../src/web/console/search/completion.ts';
import { parseSearch, type SearchNames } from '../../../src/web/console/search/language.ts';
import { momentOf } from '../../../src/web/console/search/moment.ts';
import { termsOf } from '../../../src/web/console/search/terms.ts';
import { caseCount } from '../../support/case-count.ts';

const names: SearchNames = {
  agents: [
    { id: 1, name: 'Ana Lee', email: 'ana@desk.example' },
    { id: 2, name: 'Andrés Ruiz', email: 'andres@desk.example' },
    { id: 3, name: 'Kim', email: 'kim@desk.example' },
  ],
  teams: [
    { id: 51, name: 'First level' },
    { id: 52, name: 'Second level' },
  ],
  categories: [
    { id: 11, name: 'Billing', slug: 'billing' },
    { id: 12, name: 'Technical help', slug: 'technical' },
    { id: 21, name: 'Billing', slug: 'billing' },
  ],
  priorities: [
    { id: 31, name: 'High', slug: 'high' },
    { id: 32, name: 'Urgent', slug: 'urgent' },
  ],
  sites: [
    { id: 41, name: 'Demo Shop', slug: 'demo-shop' },
    { id: 42, name: 'Demo Garden', slug: 'demo-garden' },
  ],
};
const now = new Date(2026, 10, 22, 13, 30).getTime();
const parsed = (text: string) => parseSearch(text, names, now);
const local = (...date: [number, number, number]) => new Date(date[0], date[1] - 1, date[2]).getTime();

describe('a search becomes a filter', () => {
  test.each([
    ['invoice missing', { q: 'invoice missing' }],
    ['"charged twice" refund', { q: '"charged twice" refund' }],
    ['“charged twice”', { q: '"charged twice"' }],
    ['#41', { q: '#41' }],
    ['invoice -refund', { q: 'invoice -refund' }],
    ['"error:404"', { q: '"error:404"' }],
    ['https://shop.example/a:b Re:invoice 12:30', { q: 'https://shop.example/a:b Re:invoice 12:30' }],
    ['status:open', { status: ['open'] }],
    ['STATUS:Open,pending status:closed', { status: ['open', 'pending', 'closed'] }],
    ['status:pend', { status: ['pending'] }],
    ['assignee:me', { assigned_to: ['me'] }],
    ['assignee:none', { unassigned: true }],
    ['assignee:"Ana Lee",kim', { assigned_to: [1, 3] }],
    ['assignee:andres@desk.example', { assigned_to: [2] }],
    ['assignee:andres', { assigned_to: [2] }],
    ['assignee:an', { assigned_to: [1, 2] }],
    ['tag:vip tag:#Refund', { tag: ['vip', 'refund'] }],
    ['priority:urgent', { priority_id: [32] }],
    ['category:billing', { category_id: [11, 21] }],
    ['category:help', { category_id: [12] }],
    ['site:demo-garden invoice', { site_id: 42, q: 'invoice' }],
    ['from:mia@example.org', { email: 'mia@example.org' }],
    ['from:@Example.org', { email: '@Example.org' }],
    ['cc:mia@example.org from:@example.net', { participant: 'mia@example.org', email: '@example.net' }],
    ['is:unread invoice', { unread: true, q: 'invoice' }],
    ['has:attachment', { has_attachment: true }],
    ['is:breached is:due-soon', { sla: ['breached', 'due_soon'] }],
    ['is:snoozed is:spam is:open', { snoozed: true, is_spam: true, status: ['open'] }],
    ['after:2026-11-01', { created_from: new Date(local(2026, 11, 1)).toISOString() }],
    ['before:2026-11-01', { created_to: new Date(local(2026, 11, 1) - 1).toISOString() }],
    ['', {}],
    ['  \t ', {}],
    ['""', {}],
  ])('%p', (text, filter) => {
    expect(parsed(text)).toEqual({ filter, problems: [] } as never);
  });
});

describe('a problem is named where it is', () => {
  test.each([
    ['status:', 'value_missing', 'status:', ''],
    ['refund status:opne', 'value_unknown', 'opne', 'open'],
    ['status:open,nothing', 'value_unknown', 'nothing', ''],
    ['assignee:zoe', 'value_unknown', 'zoe', ''],
    ['priority:urgnt', 'value_unknown', 'urgnt', 'Urgent'],
    ['stauts:open', 'key_unknown', 'stauts', 'status'],
    ['colour:red', 'key_unknown', 'colour', ''],
    ['-refund', 'only_excluded', '-refund', ''],
    ['is:breachd', 'value_unknown', 'breachd', 'breached'],
    ['has:dog', 'value_unknown', 'dog', ''],
    ['tag:"two words"', 'not_a_tag', '"two words"', ''],
    ['from:mia', 'not_an_address', 'mia', ''],
    ['from:a@b.example from:c@d.example', 'only_once', 'from:c@d.example', ''],
    ['site:demo', 'several_match', 'demo', ''],
    ['before:soon', 'not_a_date', 'soon', ''],
    ['after:2026-02-31', 'not_a_date', '2026-02-31', ''],
    ['assignee:none,me', 'assignee_and_none', 'assignee:none,me', ''],
    ['-status:closed', 'no_exclusion', '-status:closed', ''],
  ])('%p: %s', (text, code, where, meant) => {
    const { problems } = parsed(text);
    expect(problems.map((problem) => problem.code)).toEqual([code] as never);
    const [problem] = problems;
    expect(text.slice(problem?.from, problem?.to)).toBe(where);
    expect(problem?.meant).toBe(meant);
  });

  test('with what would be right', () => {
    const good = (text: string) => parsed(text).problems[0]?.good;
    expect(good('colour:red')).toContain('assignee');
    expect(good('status:opne')).toEqual(['open', 'pending', 'resolved', 'closed']);
    expect(good('priority:low')).toEqual(['High', 'Urgent']);
    expect(good('is:red')).toContain('breached');
  });

  test('and a text beyond the limit is cut there', () => {
    const { filter, problems } = parsed('a'.repeat(100_000));
    expect(problems).toEqual([
      { code: 'too_long', from: longestSearch, to: 100_000, key: '', value: '', meant: '', good: [] },
    ]);
    expect(filter.q?.length).toBe(longestSearch);
  });
});

describe('whatever is typed', () => {
  const pieces = fc.constantFrom(
    ...['status:', 'assignee:', 'tag:', '"', ',', ' ', ':', '-', 'open', 'me', '“', '”', '__proto__:', 'constructor:x'],
    ...[
      'before:',
      '2026-13-99',
      'has:',
      'is:constructor',
      'is:__proto__',
      '\ud800',
      '\u0000',
      '\u202e',
      '🦊',
      'ß',
      'site:',
    ],
  );
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
  );

  test('is cut into terms in order, within the text and without loss of words', () => {
    fc.assert(
      fc.property(typed, (text) => {
        let end = 0;
        for (const term of termsOf(text)) {
          expect(term.from).toBeGreaterThanOrEqual(end);
          expect(term.to).toBeGreaterThan(term.from);
          expect(text.slice(end, term.from).trim()).toBe('');
          end = term.to;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
      { numRuns: caseCount(200, 2000) },
    );
  });

  test('gives a filter of known names and problems inside the text', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const { filter, problems } = parsed(text);
        for (const key of Object.keys(filter)) expect(key).toMatch(/^[a-z_]+$/);
        for (const { from, to } of problems) expect(from <= to && to <= text.length).toBe(true);
      }),
      { numRuns: caseCount(200, 2000) },
    );
  });

  test('can be completed at every caret', () => {
    fc.assert(
      fc.property(typed, fc.nat(80), (text, at) => {
        const caret = Math.min(at, text.length);
        for (const one of completionsAt(text, caret, names)) {
          const after = completed(text, one);
          expect(after.text.slice(0, after.caret).endsWith(one.insert)).toBe(true);
          expect(after.text).toContain(text.slice(0, one.from));
        }
      }),
      { numRuns: caseCount(100, 1000) },
    );
  });

  test('is read to its end, however long it is', () => {
    const hostile = ['status:"', 'a,', '"', '-', 'status:,', 'x:'].map((piece) => piece.repeat(50_000));
    for (const text of hostile) expect(termsOf(text)).toBeArray();
  });
});

describe('completion', () => {
  const offered = (text: string, caret = text.length) => completionsAt(text, caret, names).map(({ insert }) => insert);

  test.each([
    [
      '',
      [
        'status:',
        'assignee:',
        'team:',
        'tag:',
        'priority:',
        'category:',
        'site:',
        'from:',
        'cc:',
        'before:',
        'after:',
        'has:',
        'is:',
      ],
    ],
    ['a', ['assignee:', 'after:']],
    ['refund st', ['status:']],
    ['zzz', []],
    ['"quoted', []],
    ['status:', ['open ', 'pending ', 'resolved ', 'closed ']],
    ['status:open,', ['pending ', 'resolved ', 'closed ']],
    ['status:re', ['resolved ']],
    ['assignee:an', ['"Ana Lee" ', '"Andrés Ruiz" ']],
    ['assignee:ruiz', ['"Andrés Ruiz" ']],
    ['category:', ['Billing ', '"Technical help" ']],
    ['has:', ['attachment ']],
    ['tag:', []],
    ['-status:', []],
  ])('of %p', (text, values) => {
    expect(offered(text)).toEqual(values);
  });

  test('replaces the word under the caret and leaves the rest', () => {
    const [one] = completionsAt('status:op refund', 9, names);
    expect(one && completed('status:op refund', one)).toEqual({ text: 'status:open refund', caret: 12 });
  });
});

describe('a date', () => {
  test.each([
    ['today', local(2026, 11, 22)],
    ['yesterday', local(2026, 11, 21)],
    ['7d', local(2026, 11, 15)],
    ['2w', local(2026, 11, 8)],
    ['3m', local(2026, 8, 22)],
    ['9m', local(2026, 2, 22)],
    ['1y', local(2025, 11, 22)],
    ['2026-09-11', local(2026, 9, 11)],
    ['2026/9/1', local(2026, 9, 1)],
    ['2026-09', local(2026, 9, 1)],
    ['2025', local(2025, 1, 1)],
    ['2026-02-30', null],
    ['2026-00-01', null],
    ['2026-13', null],
    ['0001-01-01', null],
    ['9999d', null],
    ['-1d', null],
    ['now', null],
  ])('%p', (text, at) => {
    expect(momentOf(text, now)).toBe(at as never);
  });

  test('a month before the 31st is the last day of a shorter month', () => {
    expect(momentOf('1m', new Date(2026, 2, 31).getTime())).toBe(local(2026, 2, 28));
  });
});
