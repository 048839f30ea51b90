// Full-text documents wait in a table, are written many together, and are then those of what is stored.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { query, type Store, type Tx } from '../../../src/engine/database.ts';
import { createWriter, type Writer } from '../../../src/engine/writer.ts';
import { type Author, authorById, insertAuthor, updateAuthor } from '../../../src/store/customers/authors.ts';
import { writeWaiting } from '../../../src/store/lists/documents.ts';
import { isWaitingUpTo, newestWaiting } from '../../../src/store/lists/search-waiting.ts';
import { caseCount } from '../../support/case-count.ts';
import { manyTickets } from './many-tickets.ts';

let store: Store;
let writer: Writer;
beforeAll(() => {
  ({ store } = manyTickets(0));
  writer = createWriter(store);
});
afterAll(() => store.close());

let added = 0;
function add(tx: Tx, name: string): Author {
  added += 1;
  return insertAuthor(tx, {
    siteId: 1,
    externalId: null,
    email: `author${added}@example.org`,
    name,
    isVerified: false,
    anonymisedAt: null,
    erasedExternalId: null,
    erasedEmail: null,
    createdAt: 0,
  });
}

function found(word: string): number[] {
  return query<{ id: number }>(
    store.reading,
    'SELECT rowid AS id FROM author_search WHERE author_search MATCH ? ORDER BY rowid',
  )
    .all(`"${word}"`)
    .map(({ id }) => id);
}

const count = (text: string) => query<{ n: number }>(store.writing, text).get()?.n ?? 0;

async function writeAll(): Promise<void> {
  while (await writer.write(writeWaiting));
}

describe('the documents of authors', () => {
  test('wait in the transaction of the change, and are found once they are written', async () => {
    const { id } = await writer.write((tx) => add(tx, 'walrus'));
    expect(found('walrus')).toEqual([]);
    expect(newestWaiting(store.reading)).not.toBeNull();
    await writeAll();
    expect(found('walrus')).toEqual([id]);
    expect(newestWaiting(store.reading)).toBeNull();
  });

  test('of a step that fails do not wait', async () => {
    await expect(
      writer.write((tx) => {
        add(tx, 'spoilt');
        throw Error('not this one');
      }),
    ).rejects.toThrow('not this one');
    expect(newestWaiting(store.reading)).toBeNull();
  });

  test('are those of what is stored when they are written, once for several changes', async () => {
    const made = await writer.write((tx) => add(tx, 'first name'));
    for (const name of ['second', 'third', 'fourth'])
      await writer.write((tx) => updateAuthor(tx, authorById(tx, made.id) ?? made, { name }));
    await writeAll();
    expect([found('first name'), found('second'), found('third'), found('fourth')]).toEqual([[], [], [], [made.id]]);
  });

  test('go when their rows have gone', async () => {
    const { id } = await writer.write((tx) => add(tx, 'leaving'));
    await writeAll();
    await writer.write((tx) => {
      updateAuthor(tx, authorById(tx, id) as Author, { name: 'leaving soon' });
      tx.client.run('DELETE FROM authors WHERE id = ?', [id]);
    });
    await writeAll();
    expect(found('leaving')).toEqual([]);
  });

  test('are written in the order in which they came, in parts of some milliseconds', async () => {
    const long = Array.from({ length: 4000 }, (_, at) => `w${at}`).join(' ');
    await writer.write((tx) => Array.from({ length: 8 }, () => add(tx, long)));
    const last = newestWaiting(store.reading) ?? 0;
    expect(long.length * 3).toBeGreaterThan(60_000);
    expect(await writer.write(writeWaiting)).toBe(true);
    expect([isWaitingUpTo(store.reading, last - 7), isWaitingUpTo(store.reading, last)]).toEqual([false, true]);
    await writeAll();
    expect(isWaitingUpTo(store.reading, last)).toBe(false);
    expect(found('w3999')).toHaveLength(8);
  });

  test('that are many and short are written 500 at a time', async () => {
    await writer.write((tx) => Array.from({ length: 501 }, () => add(tx, 'x')));
    expect(await writer.write(writeWaiting)).toBe(true);
    expect(count('SELECT count(*) AS n FROM search_waiting')).toBe(1);
    expect(await writer.write(writeWaiting)).toBe(false);
  });

  test('are the same as if each had been written at once', async () => {
    const step = fc.record({
      kind: fc.constantFrom('add', 'rename', 'remove', 'write'),
      which: fc.nat(5),
      word: fc.constantFrom('alpha', 'bravo', 'delta'),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await writer.write((tx) => {
          tx.client.run('DELETE FROM authors');
          tx.client.run('DELETE FROM search_waiting');
          return query(tx, "INSERT INTO author_search (author_search) VALUES ('delete-all')").run();
        });
        const model: { id: number; word: string }[] = [];
        for (const { kind, which, word, fails } of steps) {
          if (kind === 'write') {
            await writer.write(writeWaiting);
            continue;
          }
          const one = model[which % Math.max(1, model.length)];
          const made = await writer
            .write((tx) => {
              const id = kind === 'add' ? add(tx, word).id : 0;
              if (kind === 'rename' && one) updateAuthor(tx, authorById(tx, one.id) as Author, { name: word });
              if (kind === 'remove' && one) {
                updateAuthor(tx, authorById(tx, one.id) as Author, { name: 'gone' });
                tx.client.run('DELETE FROM authors WHERE id = ?', [one.id]);
              }
              if (fails) throw Error('not this one');
              return id;
            })
            .catch(() => null);
          if (made === null) continue;
          if (kind === 'add') model.push({ id: made, word });
          else if (one && kind === 'rename') one.word = word;
          else if (one) model.splice(model.indexOf(one), 1);
        }
        await writeAll();
        for (const word of ['alpha', 'bravo', 'delta', 'gone'])
          expect(found(word)).toEqual(model.filter((one) => one.word === word).map(({ id }) => id));
      }),
      { numRuns: caseCount(30, 200) },
    );
  });
});

test('long documents are merged into few segments, with some pages at each commit and never many together', async () => {
  await writer.write((tx) => query(tx, "INSERT INTO author_search (author_search) VALUES ('delete-all')").run());
  const words = Array.from({ length: 2000 }, (_, at) => (at * 7919).toString(36));
  let most = 0;
  for (let at = 0; at < 60; at += 1) {
    await writer.write((tx) => add(tx, words.map((word) => `${word}${at}`).join(' ')));
    const before = count('SELECT total_changes() AS n');
    await writeAll();
    most = Math.max(most, count('SELECT total_changes() AS n') - before);
  }
  expect(count('SELECT count(DISTINCT segid) AS n FROM author_search_idx')).toBeLessThan(30);
  expect(most).toBeLessThan(600);
});
