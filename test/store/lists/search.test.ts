// What a person's words find, in any script, and that no words can break the search.

import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newUlid } from '../../../src/base/ids.ts';
import type { TicketStatus } from '../../../src/domain/tickets/ticket.ts';
import { query } from '../../../src/engine/database.ts';
import { insertAuthor, updateAuthor } from '../../../src/store/customers/authors.ts';
import { createCount } from '../../../src/store/lists/count.ts';
import { writeDocument, writeWaiting } from '../../../src/store/lists/documents.ts';
import type { TicketFilter } from '../../../src/store/lists/filter.ts';
import { parseSearch } from '../../../src/store/lists/full-text.ts';
import { maxFound } from '../../../src/store/lists/search.ts';
import { insertMessage } from '../../../src/store/tickets/messages.ts';
import { insertTicket } from '../../../src/store/tickets/tickets.ts';
import { caseCount } from '../../support/case-count.ts';
import { countTickets, listTicketIds } from '../../support/ticket-lists.ts';
import { manyTickets, noFilter, now, plainTicket } from './many-tickets.ts';

const desk = manyTickets(0);
const tx = desk.store.writing;
afterAll(() => desk.store.close());

function add(
  siteAt: number,
  author: { name: string | null; email: string },
  subject: string,
  ...bodies: string[]
): number {
  const siteId = desk.siteIds[siteAt] ?? 0;
  const made = insertAuthor(tx, {
    siteId,
    externalId: `${subject} ${author.email}`,
    email: author.email,
    name: author.name,
    isVerified: true,
    anonymisedAt: null,
    erasedExternalId: null,
    erasedEmail: null,
    createdAt: now,
  });
  const ticket = insertTicket(
    tx,
    plainTicket(now, { siteId, authorId: made.id, priorityId: desk.priorityIds[0] ?? 0, subject }),
  );
  for (const body of bodies) {
    insertMessage(tx, {
      ulid: newUlid(now),
      ticketId: ticket.id,
      authorId: made.id,
      agentId: null,
      agentName: null,
      authorName: null,
      body,
      bodyFormat: 'text',
      isInternal: false,
      isAutomated: false,
      isAgent: false,
      source: 'api',
      senderVerified: null,
      delivery: null,
      html: null,
      wholeBody: null,
      createdAt: now,
    });
  }
  writeDocument(tx, 'ticket_search', ticket.id);
  writeWaiting(tx);
  return ticket.id;
}

const french = add(
  0,
  { name: 'Zoë Müller', email: 'zoe.mueller@example.org' },
  'Crème brûlée BRÛLÉE',
  'The oven is TOO hot',
  'and the dish broke',
);
const chinese = add(0, { name: '王小明', email: 'wang@example.cn' }, '无法登录我的账户', '我的密码已经过期了');
const japanese = add(
  0,
  { name: '山田', email: 'yamada@example.jp' },
  'ログインできません',
  'パスワードを忘れました。手順を教えて',
);
const korean = add(0, { name: '김철수', email: 'kim@example.kr' }, '로그인할 수 없습니다', '비밀번호를 잊어버렸습니다');
const thai = add(0, { name: null, email: 'somchai@example.co.th' }, 'เข้าสู่ระบบไม่ได้', 'ลืมรหัสผ่าน');
const elsewhere = add(1, { name: 'Zoë Müller', email: 'zoe@other.example' }, 'Crème', 'another site');
const filler = Array.from({ length: 120 }, (_, at) =>
  add(2, { name: 'Filler', email: `filler${at}@filler.example` }, 'Filling', 'x'),
);

function find(search: string, siteAt: number | null = null): number[] {
  const filter = { ...noFilter, search, sites: siteAt === null ? 'all' : [desk.siteIds[siteAt] ?? 0] } as const;
  const page = { sort: 'created_at', direction: 'asc', limit: 500, from: { offset: 0 } } as const;
  const ids = listTicketIds(tx, filter, page, now).map(({ id }) => id);
  expect(countTickets(tx, filter, now)).toBe(ids.length);
  return ids;
}

describe('a search', () => {
  const rows: [what: string, search: string, found: number[]][] = [
    ['a word', 'oven', [french]],
    ['in any case', 'OvEn', [french]],
    ['without its accents', 'creme brulee', [french, elsewhere].slice(0, 1)],
    ['with accents that are not there', 'övèn', [french]],
    ['the name of the author', 'muller', [french, elsewhere]],
    ['words of several messages', 'dish oven', [french]],
    ['subject and message together', 'brulee oven', [french]],
    ['all words, not any', 'oven nowhere', []],
    ['words next to each other', '"oven is too"', [french]],
    ['no words that stand apart, as a phrase', '"oven hot"', []],
    ['a phrase and a word', 'brulee "too hot"', [french]],
    ['a word without another', 'muller -oven', [elsewhere]],
    ['a word without a phrase', 'muller -"another site"', [french]],
    ['nothing by what it leaves out alone', '-oven', []],
    ['the words behind a quote without an end', '"oven hot', [french]],
    ['a quoted name of an author', '"Zoë Müller"', [french, elsewhere]],
    ['a Chinese word inside a sentence', '登录', [chinese]],
    ['a Chinese word of a message', '密码', [chinese]],
    ['one Chinese character', '码', [chinese]],
    ['a Japanese word inside a sentence', 'ログイン', [japanese]],
    ['Japanese in two scripts', '手順を', [japanese]],
    ['a Korean stem without its ending', '로그인', [korean]],
    ['the middle of a Korean word', '밀번호', [korean]],
    ['Thai, written without spaces', 'รหัส', [thai]],
    ['characters in another order', '录登', []],
    ['a whole address', 'zoe.mueller@example.org', [french]],
    ['the beginning of an address', 'zoe.mue', [french]],
    ['the middle of an address', 'ueller@exam', [french]],
    ['a part of a domain', 'example.c', [chinese, thai]],
    ['a part of a name', 'ülle', [french, elsewhere]],
    ['a number exactly', '#2', [chinese]],
    ['a number of two digits exactly', `${filler[10]}`, [filler[10] ?? 0]],
    ['three digits of a number', `${filler[115]}`, [filler[115] ?? 0]],
  ];
  for (const [what, search, found] of rows) {
    test(`finds ${what}: ${search}`, () => {
      expect(find(search)).toEqual(found);
    });
  }

  test('keeps to its site', () => {
    expect(find('creme', 0)).toEqual([french]);
    expect(find('creme', 1)).toEqual([elsewhere]);
    expect(find('zoe', 1)).toEqual([elsewhere]);
    expect(find('mueller@ex', 1)).toEqual([]);
    // The word that keeps a site's documents apart cannot be searched for.
    expect(find(`site${desk.siteIds[0]}`)).toEqual([]);
  });

  test('finds three digits anywhere in a number', () => {
    const long = insertTicket(tx, {
      ...plainTicket(now, {
        siteId: desk.siteIds[0] ?? 0,
        authorId: 1,
        priorityId: desk.priorityIds[0] ?? 0,
        subject: 'long',
      }),
    });
    tx.client.run('UPDATE tickets SET id = 9041377 WHERE id = ?', [long.id]);
    writeDocument(tx, 'ticket_search', 9041377);
    for (const part of ['904', '413', '1377', '#9041377', '377']) expect(find(part)).toContain(9041377);
    expect(find('13')).not.toContain(9041377);
    expect(find('914')).not.toContain(9041377);
    tx.client.run('DELETE FROM ticket_search WHERE rowid = 9041377');
    tx.client.run('DELETE FROM tickets WHERE id = 9041377');
  });

  test('finds changed text, and no longer the old text', () => {
    const id = add(0, { name: 'Before', email: 'before@example.org' }, 'oldsubject', 'oldbody');
    tx.client.run("UPDATE tickets SET subject = 'newsubject' WHERE id = ?", [id]);
    writeDocument(tx, 'ticket_search', id);
    expect(find('newsubject')).toEqual([id]);
    expect(find('oldsubject')).toEqual([]);
    expect(find('oldbody')).toEqual([id]);
    const author = insertAuthor(tx, {
      siteId: desk.siteIds[0] ?? 0,
      externalId: null,
      email: 'early@example.org',
      name: 'Early',
      isVerified: false,
      anonymisedAt: null,
      erasedExternalId: null,
      erasedEmail: null,
      createdAt: now,
    });
    tx.client.run('UPDATE tickets SET author_id = ? WHERE id = ?', [author.id, id]);
    writeWaiting(tx);
    expect(find('early@ex')).toEqual([id]);
    updateAuthor(tx, author, { email: 'later@example.org' });
    writeWaiting(tx);
    expect(find('early@ex')).toEqual([]);
    expect(find('later@ex')).toEqual([id]);
  });
});

describe('words meant to break it', () => {
  const hostile = [
    '"',
    '""',
    '"""',
    "'",
    '*',
    '**',
    'a*',
    '^a',
    'NEAR',
    'NEAR(a b)',
    'NEAR(oven, 5)',
    'oven AND',
    'AND',
    'OR',
    'NOT',
    'oven OR dish',
    'NOT oven',
    '-oven',
    '- oven',
    '(',
    ')',
    '((oven)',
    '{subject}: oven',
    'subject : oven',
    'scope:site1',
    '{',
    '}',
    ':',
    '+',
    'a + b',
    '\\',
    '\\"',
    '%',
    '_',
    ';',
    "'; DROP TABLE tickets; --",
    '\0',
    'oven\0',
    '"oven\0',
    '#',
    '##',
    '#0',
    '#99999999999999999999',
    '-1',
    '٤١',
    '𝟜𝟙',
    '\u202e',
    '\ud800',
    'a\ud800b',
    '﷽',
    '🙂',
    '👩‍👩‍👧',
    'ﬀ',
    'x'.repeat(10_000),
    '"'.repeat(10_000),
    'a '.repeat(5_000),
    '登'.repeat(3_000),
    `${'('.repeat(500)}oven${')'.repeat(500)}`,
  ];
  for (const [at, text] of hostile.entries()) {
    test(`${at}: ${JSON.stringify(text.slice(0, 30))}`, () => {
      expect(find(text)).toBeArray();
      expect(find(text, 0)).toBeArray();
      expect(find(`oven ${text}`)).toBeArray();
    });
  }

  test('whatever they are', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('"', ' OR ', '*', '(', 'oven', '登录', '#41', '\0'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (parts) => {
        find(parts.join(''));
      }),
      { numRuns: caseCount(60, 500), seed: 41 },
    );
  });

  const many = (text: string, pattern: RegExp) => parseSearch(text, 'all')?.words.match(pattern)?.length ?? 0;
  const han = (count: number, from = 0) =>
    String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x4e00 + from + at));

  test('are cut to 24 terms', () => {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `x${letter}`);
    expect(many(han(200), /\p{Script=Han}/gu)).toBe(24);
    expect(many(letters.join('.'), /\bx[a-z]\b/g)).toBe(24);
    expect(many(Array.from({ length: 16 }, (_, at) => han(12, 12 * at)).join(' '), /\p{Script=Han}/gu)).toBe(24);
    expect(many('one two three', /one|two|three/g)).toBe(3);
  });

  test('ask for one word at most five times', () => {
    expect(many('漢'.repeat(200), /漢/g)).toBe(5);
    expect(many(`"${'the '.repeat(24)}"`, /the/g)).toBe(5);
    expect(many('"the The THE tHe oven the THÉ tHe"', /th[eé]/gi)).toBe(5);
    expect(many('the THE The thE', /the/gi)).toBe(1);
    const phrases = Array.from({ length: 16 }, (_, at) => `"the x${at}"`).join(' ');
    expect(many(phrases, /the/g)).toBe(5);
    expect(many(phrases, /x\d/g)).toBeGreaterThan(5);
    expect(many('the. the, the! the? the: the; the', /the/g)).toBe(5);
    expect(many('"to be or not to be" "to be"', /\b(?:to|be|or|not)\b/g)).toBe(8);
  });

  test('find words with the same beginning, however long they are', () => {
    const poem = '床前明月光疑是地上霜举头望明月低头思故乡静夜思李白唐代诗人作品';
    const id = add(0, { name: 'Li', email: 'li@poems.example' }, 'Poem', `x ${poem} y`);
    expect(find(poem)).toEqual([id]);
    expect(find(poem.slice(0, 10))).toEqual([id]);
    expect(find(`${poem} 床前`)).toEqual([id]);
    expect(find(poem.replace('明', '光'))).toEqual([]);
  });

  test('cannot reach another site', () => {
    for (const text of ['oven OR another', '") OR (scope : "site2"', 'scope : site2', '* OR site2'])
      expect(find(text, 0)).not.toContain(elsewhere);
  });
});

describe('a word that every ticket contains', () => {
  const crowd = manyTickets(1);
  afterAll(() => crowd.store.close());
  const writing = crowd.store.writing;
  const copies = 2 * maxFound;
  const columns = query<{ name: string }>(writing, 'PRAGMA table_info(tickets)')
    .all()
    .map(({ name }) => name)
    .filter((name) => !['id', 'ulid'].includes(name));
  writing.client.run('BEGIN');
  writing.client.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies + 1})
     INSERT INTO tickets (id, ulid, ${columns.join(', ')}) SELECT n, 'copy' || n, ${columns.join(', ')} FROM numbers, tickets WHERE tickets.id = 1`,
  );
  // What is closed, of the category or tagged 'early' is the oldest: a search of only the newest finds none of it.
  writing.client.run(
    `UPDATE tickets SET is_test = id % 1000 = 7, status = CASE WHEN id < 20 THEN 'closed' ELSE 'open' END, category_id = NULL,
       updated_at = id + id * 7919 % 20011, created_at = id`,
  );
  writing.client.run('UPDATE tickets SET category_id = ? WHERE id < 3000', [crowd.categoryIds[0] ?? 0]);
  writing.client.run("INSERT INTO ticket_tags SELECT 'rare', id FROM tickets WHERE id % 300 = 5");
  writing.client.run("INSERT INTO ticket_tags SELECT 'early', id FROM tickets WHERE id < 2500");
  writing.client.run(
    "INSERT INTO ticket_search (rowid, scope, reference, subject, author, body) SELECT id, 'site1', '', 'everywhere', '', '' FROM tickets WHERE id > 1",
  );
  // An author whose name contains the words, which are in none of their tickets.
  const author = insertAuthor(writing, {
    siteId: crowd.siteIds[0] ?? 0,
    externalId: null,
    email: 'neverywhereabouts@example.org',
    name: null,
    isVerified: false,
    anonymisedAt: null,
    erasedExternalId: null,
    erasedEmail: null,
    createdAt: now,
  });
  while (writeWaiting(writing));
  writing.client.run('UPDATE tickets SET author_id = ? WHERE id IN (1, 5000)', [author.id]);
  writing.client.run('DELETE FROM ticket_search WHERE rowid = 5000');
  writing.client.run('COMMIT');
  const rows = query<{
    id: number;
    status: TicketStatus;
    is_test: number;
    category_id: number | null;
    created_at: number;
    updated_at: number;
  }>(writing, 'SELECT * FROM tickets').all();
  const tagged = (tag: string) =>
    new Set(
      query<{ id: number }>(writing, 'SELECT ticket_id AS id FROM ticket_tags WHERE tag = ?')
        .all(tag)
        .map(({ id }) => id),
    );
  const tags: Record<string, Set<number>> = { rare: tagged('rare'), early: tagged('early') };
  const filters: Record<string, Partial<TicketFilter>> = {
    nothing: {},
    'a status of the oldest': { statuses: ['closed'] },
    'a tag of few': { tags: ['rare'] },
    'a tag of many of the oldest': { tags: ['early'] },
    'a category of the oldest': { categoryIds: crowd.categoryIds.slice(0, 1) },
    'both tags, tests among them': { tags: ['rare', 'early'], includeTest: true },
    'a stretch of time': { createdFrom: 100, createdTo: 4000 },
    'a change in a stretch of time': { updatedFrom: 10_000, updatedTo: 10_400 },
  };
  const fits = (row: (typeof rows)[number], filter: TicketFilter) =>
    (filter.includeTest || row.is_test === 0) &&
    (filter.statuses.length === 0 || filter.statuses.includes(row.status)) &&
    (filter.categoryIds.length === 0 || filter.categoryIds.includes(row.category_id ?? 0)) &&
    filter.tags.every((tag) => tags[tag]?.has(row.id)) &&
    row.created_at >= (filter.createdFrom ?? 0) &&
    row.created_at <= (filter.createdTo ?? now) &&
    row.updated_at >= (filter.updatedFrom ?? 0) &&
    row.updated_at <= (filter.updatedTo ?? now);

  for (const [name, some] of Object.entries(filters)) {
    test(`is found together with ${name}, in every order, by pages and by cursor`, () => {
      const filter = { ...noFilter, search: 'everywhere', ...some };
      const found = rows.filter((row) => fits(row, filter));
      expect(found.length).toBeGreaterThan(0);
      const count = createCount(filter, now);
      while (!count.step(writing));
      // A total is exact, or marked as a bound.
      if (count.isCapped()) expect(count.total()).toBeGreaterThanOrEqual(maxFound);
      else expect(count.total()).toBe(found.length);
      expect(count.isCapped()).toBe(name === 'nothing');
      for (const sort of ['created_at', 'updated_at'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const sign = direction === 'asc' ? 1 : -1;
          const expected = found.toSorted((a, b) => sign * (a[sort] - b[sort] || a.id - b.id)).map(({ id }) => id);
          for (const offset of [0, 3, Math.max(0, expected.length - 2)]) {
            const page = listTicketIds(writing, filter, { sort, direction, limit: 4, from: { offset } }, now);
            expect(page.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 4));
            const last = page.at(-1);
            if (!last) continue;
            const from = { after: last.key };
            const next = listTicketIds(writing, filter, { sort, direction, limit: 4, from }, now);
            expect(next.map(({ id }) => id)).toEqual(expected.slice(offset + 4, offset + 8));
          }
        }
      }
    });
  }
});
