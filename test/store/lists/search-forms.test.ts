// What looks the same is found, whichever way it was written, also in documents of an older desk once they are written again.

import { afterAll, describe, expect, test } from 'bun:test';
import { migrations } from '../../../migrations/index.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import { migrate } from '../../../src/engine/migrate.ts';
import { insertAuthor } from '../../../src/store/customers/authors.ts';
import { writeDocument, writeWaiting } from '../../../src/store/lists/documents.ts';
import { hasRebuilds, rebuildSome } from '../../../src/store/lists/search-rebuild.ts';
import { indexLater, newestWaiting } from '../../../src/store/lists/search-waiting.ts';
import { insertTicket } from '../../../src/store/tickets/tickets.ts';
import { emptyStore } from '../../support/store.ts';
import { listTicketIds } from '../../support/ticket-lists.ts';
import { manyTickets, noFilter, now, plainTicket } from './many-tickets.ts';

const desk = manyTickets(0);
const tx = desk.store.writing;
afterAll(() => desk.store.close());

let people = 0;
function add(subject: string, name: string | null = null): number {
  people += 1;
  const siteId = desk.siteIds[0] ?? 0;
  const author = insertAuthor(tx, {
    siteId,
    externalId: null,
    email: `p${people}@example.org`,
    name,
    isVerified: false,
    anonymisedAt: null,
    erasedExternalId: null,
    erasedEmail: null,
    createdAt: now,
  });
  const priorityId = desk.priorityIds[0] ?? 0;
  const { id } = insertTicket(tx, plainTicket(now, { siteId, authorId: author.id, priorityId, subject }));
  indexLater(tx, 'ticket_search', id);
  return id;
}

function find(search: string): number[] {
  const page = { sort: 'created_at', direction: 'asc', limit: 5000, from: { offset: 0 } } as const;
  return listTicketIds(tx, { ...noFilter, search }, page, now).map(({ id }) => id);
}

const forms = [
  ['ΠΡΟΒΛΗΜΑ ΜΕ ΤΗΝ ΟΘΟΝΗ', 'οθόνη'],
  ['Ηλεκτρονικός λογαριασμός', 'ΛΟΓΑΡΙΑΣΜΟΣ'],
  ['Не рабо́тает ещё один экран', 'работает еще'],
  ['배송 지연 문의'.normalize('NFD'), '배송'],
  ['배송 조회', '조회'.normalize('NFD')],
  ['バグの報告'.normalize('NFD'), 'バグ'],
  ['ﾊﾞｯﾃﾘｰの交換', 'バッテリー'],
  ['Versand\u00adkosten zu hoch', 'Versandkosten'],
  ['Liefer\u200badresse falsch', '"Lieferadresse falsch"'],
  ['Bestellbestätigung', 'Bestell\u00adbestätigung'],
  ['كِتَابٌ مَفْقُودٌ', 'كتاب مفقود'],
  ['فاتورة', 'فاتُورَة'],
  ['סֵפֶר חָסֵר', 'ספר'],
  ['मेरी किताब खो गई', 'किताब'],
  ['ฉันสั่งไก่ทอด', 'ไก่'],
  ['Đơn hàng bị trễ', 'don hang bi tre'],
  ['don hang khac', 'đơn hàng khác'],
  ['Große Rechnung', 'GROSSE'],
  ['Ｉｎｖｏｉｃｅ ４２', 'invoice 42'],
  ['Gerät™ defekt', 'Gerät'],
  ['Teil №AX17', 'AX17'],
] as const;

test.each(forms)('%p is found by %p', (subject, search) => {
  const id = add(subject);
  writeWaiting(tx);
  expect(find(search)).toContain(id);
  expect(find(subject)).toContain(id);
});

test.each([
  ['का', 'की'],
  ['ขาว', 'ข้าว'],
  ['ไก', 'ไก่'],
  ['カラス', 'ガラス'],
  ['मे', 'में'],
])('%p is not found by %p', (subject, search) => {
  const id = add(subject);
  writeWaiting(tx);
  expect(find(search)).not.toContain(id);
  expect(find(subject)).toContain(id);
});

test('a part of a name is found in every form too', () => {
  const id = add('x', 'Γιώργος Παπαδόπουλος');
  while (newestWaiting(tx) !== null) writeWaiting(tx);
  expect(find('ΠΑΔΟΠΟΥΛ')).toContain(id);
});

describe('after an upgrade', () => {
  /** As versions before this form wrote it. */
  const unspaced = /[\p{Script=Hangul}\p{Script=Thai}]/gu;
  const asBefore = (id: number, subject: string) => {
    query(tx, 'DELETE FROM ticket_search WHERE rowid = ?').run(id);
    query(
      tx,
      "INSERT INTO ticket_search (rowid, scope, reference, subject, author, body) VALUES (?, ?, '', ?, '', '')",
    ).run(id, `site${desk.siteIds[0]}`, subject.replace(unspaced, ' $& '));
  };
  const begin = () =>
    query(
      tx,
      "INSERT INTO search_rebuilds SELECT 'ticket_search', max(id) FROM tickets UNION ALL SELECT 'author_search', max(id) FROM authors",
    ).run();

  test('all documents are written again in steps, and new ones do not wait for them', () => {
    const subject = 'Αναβάθμιση';
    const old = Array.from({ length: 1200 }, () => add(subject));
    while (newestWaiting(tx) !== null) writeWaiting(tx);
    for (const id of old) asBefore(id, subject);
    expect(find('αναβαθμιση')).toEqual([]);
    begin();
    expect(find('αναβάθμιση')).toEqual(old);
    rebuildSome(tx);
    expect(hasRebuilds(tx)).toBe(true);
    const some = find('αναβαθμιση');
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(old.length);
    expect(some).toEqual(old.slice(-some.length));
    const fresh = add(subject);
    writeWaiting(tx);
    expect(find('αναβαθμιση')).toEqual([...some, fresh]);
    // Meanwhile as it is written, in every ticket.
    expect(find(subject)).toEqual([...old, fresh]);
    while (hasRebuilds(tx)) rebuildSome(tx);
    expect(find('αναβαθμιση')).toEqual([...old, fresh]);
    expect(find('Αναβάθμιση')).toHaveLength(old.length + 1);
  });

  test.each(['Straße', 'फ़िल्म की', 'ไก่', 'أحمد', 'Łódź', '배송'])(
    'what was found of %p before is found meanwhile too',
    (subject) => {
      const id = add(`${subject} x`);
      const other = add(`${subject} y`);
      writeWaiting(tx);
      asBefore(id, `${subject} x`);
      asBefore(other, `${subject} y`);
      begin();
      expect(find(subject)).toEqual(expect.arrayContaining([id, other]));
      expect(find(`x -${subject}`)).not.toContain(id);
      writeDocument(tx, 'ticket_search', id);
      expect(find(subject)).toEqual(expect.arrayContaining([id, other]));
      while (hasRebuilds(tx)) rebuildSome(tx);
      expect(find(subject)).toEqual(expect.arrayContaining([id, other]));
      expect(find(`${subject} -x`)).toContain(other);
      expect(find(`${subject} -x`)).not.toContain(id);
    },
  );

  test('what was removed meanwhile stays removed', () => {
    const id = add('Διαγραφή');
    writeWaiting(tx);
    begin();
    tx.client.run('DELETE FROM ticket_search WHERE rowid = ?', [id]);
    tx.client.run('DELETE FROM tickets WHERE id = ?', [id]);
    while (hasRebuilds(tx)) rebuildSome(tx);
    expect(find('διαγραφη')).toEqual([]);
  });

  test('a desk has its tickets and customers to write again, an empty one nothing', () => {
    const upgraded = (fill: (tx: Tx) => void) => {
      const { store } = emptyStore();
      migrate(store.writing, migrations.slice(0, 100), 1);
      store.writing.client.run('PRAGMA foreign_keys = OFF');
      fill(store.writing);
      migrate(store.writing, migrations, 2);
      const rows = query(store.writing, 'SELECT * FROM search_rebuilds ORDER BY name').all();
      store.close();
      return rows;
    };
    expect(upgraded(() => undefined)).toEqual([]);
    const author =
      "INSERT INTO authors (id, site_id, email, is_verified, created_at) VALUES (7, 1, 'a@b.example', 0, 1)";
    expect(upgraded(({ client }) => client.run(author))).toEqual([{ name: 'author_search', next_id: 7 }]);
  });
});
