// What a person's words find, in whatever script, and that no words can break the search.

import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newUlid } from '../../src/base/ids.ts';
import { query } from '../../src/store/database.ts';
import { insertMessage, messagesOfTicket } from '../../src/store/messages.ts';
import { insertAuthor, updateAuthor } from '../../src/store/people.ts';
import { indexTicket } from '../../src/store/search.ts';
import { countTickets, listTicketIds, maxFound } from '../../src/store/ticket-list.ts';
import { insertTicket } from '../../src/store/tickets.ts';
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
  indexTicket(tx, ticket, { subject, authorName: made.name, authorEmail: made.email, bodies }, true);
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
  const filter = { ...noFilter, search, siteId: siteAt === null ? null : (desk.siteIds[siteAt] ?? 0) };
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
    // The word by which a site's documents are kept is not one that people can search for.
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
    indexTicket(
      tx,
      { id: 9041377, siteId: long.siteId },
      { subject: 'long', authorName: null, authorEmail: 'a@b.example', bodies: [] },
      true,
    );
    for (const part of ['904', '413', '1377', '#9041377', '377']) expect(find(part)).toContain(9041377);
    expect(find('13')).not.toContain(9041377);
    expect(find('914')).not.toContain(9041377);
    tx.client.run('DELETE FROM ticket_search WHERE rowid = 9041377');
    tx.client.run('DELETE FROM tickets WHERE id = 9041377');
  });

  test('follows what changes, and forgets what it was', () => {
    const id = add(0, { name: 'Before', email: 'before@example.org' }, 'oldsubject', 'oldbody');
    const bodies = messagesOfTicket(tx, id).map(({ body }) => body);
    indexTicket(
      tx,
      { id, siteId: desk.siteIds[0] ?? 0 },
      { subject: 'newsubject', authorName: 'After', authorEmail: 'after@example.org', bodies },
      false,
    );
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
    expect(find('early@ex')).toEqual([id]);
    updateAuthor(tx, author, { email: 'later@example.org' });
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
      { numRuns: 500, seed: 41 },
    );
  });

  test('cannot reach another site', () => {
    for (const text of ['oven OR another', '") OR (scope : "site2"', 'scope : site2', '* OR site2'])
      expect(find(text, 0)).not.toContain(elsewhere);
  });
});

test('a word that is in every ticket costs a bounded search, and the newest are found all the same', () => {
  const crowd = manyTickets(1);
  const writing = crowd.store.writing;
  const copies = maxFound + 50;
  const columns = query<{ name: string }>(writing, 'PRAGMA table_info(tickets)')
    .all()
    .map(({ name }) => name)
    .filter((name) => !['id', 'ulid'].includes(name));
  writing.client.run('BEGIN');
  writing.client.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies + 1})
     INSERT INTO tickets (id, ulid, ${columns.join(', ')}) SELECT n, 'copy' || n, ${columns.join(', ')} FROM numbers, tickets WHERE tickets.id = 1`,
  );
  writing.client.run("UPDATE tickets SET is_test = 0, status = CASE WHEN id < 20 THEN 'closed' ELSE 'open' END");
  writing.client.run(
    "INSERT INTO ticket_search (rowid, scope, reference, subject, author, body) SELECT id, 'site1', '', 'everywhere', '', '' FROM tickets WHERE id > 1",
  );
  writing.client.run('COMMIT');
  const filter = { ...noFilter, search: 'everywhere' };
  const page = (sort: 'created_at' | 'updated_at', from: { offset: number }, direction: 'asc' | 'desc' = 'desc') =>
    listTicketIds(writing, filter, { sort, direction, limit: 2, from }, now).map(({ id }) => id);
  expect(countTickets(writing, filter, now)).toBe(maxFound);
  expect(page('created_at', { offset: 0 })).toEqual([copies + 1, copies]);
  expect(page('created_at', { offset: copies - 2 })).toEqual([3, 2]);
  expect(page('created_at', { offset: 0 }, 'asc')).toEqual([2, 3]);
  expect(page('updated_at', { offset: 0 })).toEqual([copies + 1, copies]);
  expect(page('updated_at', { offset: maxFound })).toEqual([]);
  // What is sifted is the newest that was found.
  expect(countTickets(writing, { ...filter, statuses: ['closed'] }, now)).toBe(0);
  crowd.store.close();
});
