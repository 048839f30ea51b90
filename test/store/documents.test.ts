// The full-text documents of a batch are written at its end, with the same result as if each had been written at once.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { query, type Store, type Tx } from '../../src/store/database.ts';
import { flushDocuments, putDocument } from '../../src/store/documents.ts';
import { createWriter, type Writer } from '../../src/store/writer.ts';
import { caseCount } from '../support/case-count.ts';
import { migratedStore } from '../support/store.ts';

let store: Store;
let writer: Writer;
beforeAll(() => {
  store = migratedStore().store;
  writer = createWriter(store);
});
afterAll(() => store.close());

const put = (tx: Tx, id: number, word: string | null, isNew = false) =>
  putDocument(tx, 'author_search', id, word === null ? null : [word, ''], isNew);

function found(tx: Tx, word: string): number[] {
  return query<{ id: number }>(tx, 'SELECT rowid AS id FROM author_search WHERE author_search MATCH ? ORDER BY rowid')
    .all(`"${word}"`)
    .map(({ id }) => id);
}

function everyId(tx: Tx): number[] {
  return query<{ id: number }>(tx, 'SELECT id FROM author_search_docsize ORDER BY id')
    .all()
    .map(({ id }) => id);
}

const clear = () =>
  writer.write((tx) => query(tx, "INSERT INTO author_search (author_search) VALUES ('delete-all')").run());
const failing = Error('not this one');

describe('the documents of a batch', () => {
  test('are found once it is committed', async () => {
    await clear();
    await Promise.all([1, 2, 3].map((id) => writer.write((tx) => put(tx, id, `word${id}x`, true))));
    expect(found(store.reading, 'word2x')).toEqual([2]);
    expect(everyId(store.reading)).toEqual([1, 2, 3]);
  });

  test('end it when they are long, because writing them takes its time at the end', async () => {
    await clear();
    const long = Array.from({ length: 4000 }, (_, at) => `w${at}`).join(' ');
    const before = writer.batches.commits;
    await Promise.all(
      Array.from({ length: 16 }, (_, id) =>
        writer.write((tx) => putDocument(tx, 'author_search', id, [long, ''], true)),
      ),
    );
    expect(long.length * 3).toBeGreaterThan(60_000);
    expect(writer.batches.commits - before).toBeGreaterThanOrEqual(5);
    expect(everyId(store.reading)).toHaveLength(16);
  });

  test('are merged into few segments, with some pages at each commit and never many at once', async () => {
    await clear();
    const count = (text: string) => query<{ n: number }>(store.writing, text).get()?.n ?? 0;
    const changes = () => count('SELECT total_changes() AS n');
    const words = Array.from({ length: 4000 }, (_, at) => (at * 7919).toString(36));
    let most = 0;
    for (let id = 1; id <= 120; id += 1) {
      const before = changes();
      const long = words.map((word) => `${word}${id}`).join(' ');
      await writer.write((tx) => putDocument(tx, 'ticket_search', id, ['site1', '', '', '', long], true));
      most = Math.max(most, changes() - before);
    }
    // SQLite changes 1232 rows at once here, if it merges by itself.
    expect(most).toBeLessThan(1150);
    expect(count('SELECT count(DISTINCT segid) AS n FROM ticket_search_idx')).toBeLessThan(40);
    for (const id of [1, 60, 120])
      expect(
        query<{ id: number }>(store.reading, 'SELECT rowid AS id FROM ticket_search WHERE ticket_search MATCH ?').all(
          `"${words[5]}${id}"`,
        ),
      ).toEqual([{ id }]);
  });

  test('are merged as fast as they are written, also where each commit writes megabytes', async () => {
    await clear();
    await writer.write((tx) => query(tx, "INSERT INTO ticket_search (ticket_search) VALUES ('delete-all')").run());
    for (let commit = 0; commit < 16; commit += 1) {
      await writer.write((tx) => {
        for (let id = commit * 4; id < commit * 4 + 4; id += 1) {
          const long = Array.from({ length: 40_000 }, (_, at) => `w${(at * 7919 + id) % 60_000}`).join(' ');
          putDocument(tx, 'ticket_search', id + 1, ['site1', '', '', '', long], true);
        }
      });
    }
    const segments = query<{ n: number }>(
      store.writing,
      'SELECT count(DISTINCT segid) AS n FROM ticket_search_idx',
    ).get();
    expect(segments?.n).toBeLessThan(30);
  });

  test('of a failed step are not written, but those before and after it are', async () => {
    await clear();
    const outcomes = await Promise.allSettled([
      writer.write((tx) => put(tx, 1, 'before', true)),
      writer.write((tx) => {
        put(tx, 1, 'spoilt');
        put(tx, 2, 'spoilt', true);
        throw failing;
      }),
      writer.write((tx) => put(tx, 3, 'after', true)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(found(store.reading, 'spoilt')).toEqual([]);
    expect(found(store.reading, 'before')).toEqual([1]);
    expect(everyId(store.reading)).toEqual([1, 3]);
  });

  test('that a failed step had written early are written all the same', async () => {
    await clear();
    const outcomes = await Promise.allSettled([
      writer.write((tx) => put(tx, 1, 'before', true)),
      writer.write((tx) => {
        put(tx, 2, 'spoilt', true);
        flushDocuments(tx);
        expect(found(tx, 'before')).toEqual([1]);
        throw failing;
      }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(found(store.reading, 'before')).toEqual([1]);
    expect(everyId(store.reading)).toEqual([1]);
  });

  test('are written at once outside a batch', async () => {
    await clear();
    put(store.writing, 7, 'directly', true);
    expect(found(store.reading, 'directly')).toEqual([7]);
  });

  test('are dropped with a batch that could not be committed', async () => {
    await clear();
    await expect(
      writer.write((tx) => {
        put(tx, 1, 'lost', true);
        // The transaction ends early, as on a full disk.
        tx.client.run('ROLLBACK');
      }),
    ).rejects.toThrow();
    await writer.write((tx) => put(tx, 2, 'kept', true));
    expect(everyId(store.reading)).toEqual([2]);
  });

  test('are the same as if each had been written at once', async () => {
    const words = ['alpha', 'bravo', 'delta', null] as const;
    const change = fc.record({ id: fc.integer({ min: 1, max: 4 }), word: fc.constantFrom(...words) });
    const step = fc.record({
      changes: fc.array(change, { maxLength: 4 }),
      flushesAfter: fc.option(fc.nat(3)),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        await clear();
        const model = new Map<number, string>();
        for (const { changes, fails } of steps) {
          if (fails) continue;
          for (const { id, word } of changes) {
            if (word === null) model.delete(id);
            else model.set(id, word);
          }
        }
        const known = new Set<number>();
        await Promise.allSettled(
          steps.map(({ changes, flushesAfter, fails }) =>
            writer.write((tx) => {
              const before = new Set(known);
              for (const [at, { id, word }] of changes.entries()) {
                put(tx, id, word, !known.has(id));
                if (word === null) known.delete(id);
                else known.add(id);
                if (at === flushesAfter) flushDocuments(tx);
              }
              if (!fails) return;
              known.clear();
              for (const id of before) known.add(id);
              throw failing;
            }),
          ),
        );
        expect(everyId(store.reading)).toEqual([...model.keys()].sort((a, b) => a - b));
        for (const word of ['alpha', 'bravo', 'delta'])
          expect(found(store.reading, word)).toEqual(
            [...model]
              .filter(([, has]) => has === word)
              .map(([id]) => id)
              .sort((a, b) => a - b),
          );
      }),
      { numRuns: caseCount(30, 200) },
    );
  });
});
