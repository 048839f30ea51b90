// The cached catalogue is what is in the database, no matter who changed it and what was undone.

import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { openStore, query, type Tx } from '../../../src/engine/database.ts';
import { createWriter } from '../../../src/engine/writer.ts';
import { anyCategory, categoryRows } from '../../../src/store/sites/catalogue.ts';
import { remembered } from '../../../src/store/sites/catalogue-cache.ts';
import { siteById } from '../../../src/store/sites/sites.ts';
import { manyTickets } from '../lists/many-tickets.ts';

const desk = manyTickets(0);
const { store } = desk;
const writer = createWriter(store);
const siteId = desk.siteIds[0] ?? 0;
const path = query<{ file: string }>(store.reading, 'PRAGMA database_list').get()?.file ?? '';
const other = openStore(path, 'OFF');
afterAll(() => {
  other.close();
  store.close();
});

const failing = Error('not this one');
const rename = (tx: Tx, name: string) => query(tx, 'UPDATE sites SET name = ? WHERE id = ?').run(name, siteId);
const nameOf = (tx: Tx) => siteById(tx, siteId)?.name;

describe('what is remembered', () => {
  test('is not read again while nothing has changed', () => {
    let reads = 0;
    const ask = () => remembered(store.reading, 'a question', () => ({ reads: ++reads }));
    expect([ask(), ask(), ask()]).toEqual([{ reads: 1 }, { reads: 1 }, { reads: 1 }]);
    expect(siteById(store.reading, siteId)).toBe(siteById(store.reading, siteId));
  });

  test('is read again after a write of this process and after one of another', async () => {
    await writer.write((tx) => rename(tx, 'Ours'));
    expect(nameOf(store.reading)).toBe('Ours');
    rename(other.writing, 'Theirs');
    expect(nameOf(store.reading)).toBe('Theirs');
    expect(await writer.write(nameOf)).toBe('Theirs');
  });

  test('is forgotten when the step that changed it fails', async () => {
    await writer.write((tx) => rename(tx, 'Kept'));
    const seen: unknown[] = [];
    const steps = [
      writer.write((tx) => {
        rename(tx, 'Undone');
        seen.push(nameOf(tx));
        throw failing;
      }),
      writer.write((tx) => seen.push(nameOf(tx))),
      writer.write((tx) => {
        rename(tx, 'Next');
        seen.push(nameOf(tx));
      }),
    ];
    await Promise.allSettled(steps);
    expect(seen).toEqual(['Undone', 'Kept', 'Next']);
    expect(nameOf(store.reading)).toBe('Next');
  });

  test('cannot be changed by its readers', () => {
    const rows = categoryRows.list(store.reading, siteId);
    expect(() => (rows as unknown[]).reverse()).toThrow(TypeError);
    expect(() => Object.assign(siteById(store.reading, siteId)?.settings ?? {}, { locale: 'xx' })).toThrow(TypeError);
  });

  test('has a limited size', () => {
    for (let id = 0; id < 25_000; id += 1) remembered(store.reading, `question ${id}`, () => id);
    expect(remembered(store.reading, 'question 24999', () => -1)).toBe(24_999);
    expect(remembered(store.reading, 'question 0', () => -1)).toBe(-1);
  });

  test('depends on a version that advances with every change of these tables', () => {
    const version = (tx: Tx) => query<{ version: number }>(tx, 'SELECT version FROM catalogue_version').get()?.version;
    const triggers = query<{ tbl_name: string; sql: string }>(
      store.reading,
      "SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%UPDATE catalogue_version%'",
    ).all();
    const ofSites = ['sites', 'categories', 'priorities', 'custom_fields', 'channels', 'inbound_rules'];
    for (const table of [...ofSites, 'agents', 'agent_sites', 'desk_settings']) {
      const told = triggers.filter(({ tbl_name }) => tbl_name === table).map(({ sql }) => /AFTER (\w+)/.exec(sql)?.[1]);
      expect(told.sort()).toEqual(['DELETE', 'INSERT', 'UPDATE']);
    }
    const seen = new Set([version(store.writing)]);
    const change = (text: string) => {
      query(store.writing, text).run();
      expect(seen.has(version(store.writing))).toBe(false);
      seen.add(version(store.writing));
    };
    change("INSERT INTO categories (site_id, name, slug, color, sort_order) VALUES (1, 'New', 'new', '#000000', 9)");
    change("UPDATE categories SET name = 'Newer' WHERE slug = 'new'");
    change("DELETE FROM categories WHERE slug = 'new'");
    change("UPDATE desk_settings SET name = 'Other'");
  });

  test('agrees with the database after any changes by two processes', async () => {
    const categoryId = desk.categoryIds[0] ?? 0;
    const change = fc.record({
      by: fc.constantFrom('us', 'them'),
      name: fc.constantFrom('A', 'B', 'C'),
      fails: fc.boolean(),
    });
    const stored = (tx: Tx) =>
      query<{ name: string }>(tx, 'SELECT name FROM categories WHERE id = ?').get(categoryId)?.name;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        for (const { by, name, fails } of changes) {
          const step = (tx: Tx) => {
            query(tx, 'UPDATE categories SET name = ? WHERE id = ?').run(name, categoryId);
            expect(anyCategory(tx, categoryId)?.name).toBe(name);
            if (fails) throw failing;
          };
          if (by === 'us') await writer.write(step).catch((error) => expect(error).toBe(failing));
          else if (!fails) step(other.writing);
          for (const tx of [store.reading, store.writing, other.reading]) {
            expect(anyCategory(tx, categoryId)?.name).toBe(stored(tx) ?? '');
            expect(categoryRows.get(tx, siteId, categoryId)?.name).toBe(stored(tx) ?? '');
          }
        }
      }),
    );
  });
});
