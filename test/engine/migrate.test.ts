// Migrations: from every older schema to the newest, and everything that is refused.

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { migrations } from '../../migrations/index.ts';
import type { Migration } from '../../migrations/step.ts';
import { listOfMigrations, wholeSchema } from '../../scripts/schema.ts';
import { createSeal } from '../../src/base/crypto.ts';
import { openStore, type Tx } from '../../src/engine/database.ts';
import { migrate, pendingMigrations, SchemaError } from '../../src/engine/migrate.ts';
import type { WalArchive } from '../../src/engine/wal/archive.ts';
import { caseCount } from '../support/case-count.ts';
import { startScript } from '../support/programs.ts';
import { emptyStore, migratedStore } from '../support/store.ts';

function shape({ client }: Tx): unknown[] {
  return client
    .query("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
    .all();
}

/** The rows of every table but those that are drawn, and of the search indexes, which count how often they were set. */
function rows({ client }: Tx): Record<string, unknown[]> {
  const tables = client
    .query<{ name: string }, []>("SELECT name FROM pragma_table_list WHERE type IN ('table', 'shadow')")
    .all()
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|catalogue_version)|_data$/.test(name));
  return Object.fromEntries(tables.toSorted().map((name) => [name, client.query(`SELECT * FROM ${name}`).all()]));
}

describe('what a new database begins with', () => {
  test('is what the script writes: bun scripts/schema.ts', () => {
    expect(readFileSync('migrations/index.ts', 'utf8')).toBe(listOfMigrations());
    expect(readFileSync('migrations/schema.sql', 'utf8')).toBe(wholeSchema(migrations));
  });

  test('is what each migration by itself makes', () => {
    const { store: fresh } = emptyStore();
    const { store: stepped } = emptyStore();
    expect(migrate(fresh.writing, migrations, 7)).toBe(migrations.length);
    expect(
      migrate(
        stepped.writing,
        migrations.map(({ whole: _, ...one }) => one),
        7,
      ),
    ).toBe(migrations.length);
    expect(shape(fresh.writing)).toEqual(shape(stepped.writing));
    expect(rows(fresh.writing)).toEqual(rows(stepped.writing));
    const version = (tx: Tx) =>
      tx.client.query<{ version: number }, []>('SELECT * FROM catalogue_version').get()?.version;
    expect(version(fresh.writing)).not.toBe(version(stepped.writing));
    fresh.close();
    stepped.close();
  });

  test('is followed by the migrations after it', () => {
    const { store } = emptyStore();
    const version = migrations.length + 1;
    const next = { version, name: 'next', sql: 'CREATE TABLE next (id INTEGER PRIMARY KEY) STRICT' };
    expect(migrate(store.writing, [...migrations, next], 1)).toBe(version);
    expect(store.writing.client.query('SELECT * FROM next').all()).toEqual([]);
    store.close();
  });
});

describe('the list of migrations', () => {
  test('is numbered from 1 without a gap', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, at) => at + 1));
  });

  // Each runs all of them; the newest are those that a change adds.
  const every = caseCount(10, 1);
  const chosen = Array.from({ length: migrations.length + 1 }, (_, known) => known).filter(
    (known) => known % every === 0 || known > migrations.length - 4,
  );
  for (const known of chosen) {
    test(`brings a database with ${known} of ${migrations.length} to the newest schema`, () => {
      const { store } = emptyStore();
      expect(migrate(store.writing, migrations.slice(0, known), 1)).toBe(known);
      expect(migrate(store.writing, migrations, 2)).toBe(migrations.length - known);
      expect(migrate(store.writing, migrations, 3)).toBe(0);
      expect(pendingMigrations(store.writing, migrations)).toEqual([]);
      const { store: fresh } = migratedStore();
      expect(shape(store.writing)).toEqual(shape(fresh.writing));
      expect(store.writing.client.query('PRAGMA foreign_key_check').all()).toEqual([]);
      expect(
        store.writing.client.query<{ integrity_check: string }, []>('PRAGMA integrity_check').get()?.integrity_check,
      ).toBe('ok');
      store.close();
      fresh.close();
    });
  }

  test('encrypts the addresses of webhooks, in one transaction with the schema', () => {
    const { store } = emptyStore();
    const { client } = store.writing;
    migrate(store.writing, migrations.slice(0, 48), 1);
    client.run('PRAGMA foreign_keys = OFF');
    client.run(
      "INSERT INTO channels (site_id, name, type, webhook_url, events, sort_order, signing_secret_sealed, created_at) VALUES (1, 'Hook', 'custom', 'https://hooks.example.org/SECRET', '[]', 1, 'x', 1)",
    );
    expect(() => migrate(store.writing, migrations, 2)).toThrow('without a key');
    expect(pendingMigrations(store.writing, migrations)[0]?.version).toBe(49);
    const seal = createSeal(Buffer.alloc(32, 9));
    migrate(store.writing, migrations, 2, null, seal);
    const row = client.query<{ url: string }, []>('SELECT webhook_url_sealed AS url FROM channels').get();
    expect(row?.url).not.toContain('hooks.example.org');
    expect(seal.open(row?.url ?? '')).toBe('https://hooks.example.org/SECRET');
    store.close();
  });

  test('keeps when each was applied, under its checksum', () => {
    const { store } = emptyStore();
    migrate(store.writing, migrations, 1234);
    const rows = store.writing.client
      .query<{ version: number; checksum: string; applied_at: number }, []>(
        'SELECT * FROM schema_migrations ORDER BY version',
      )
      .all();
    expect(rows.map(({ version }) => version)).toEqual(migrations.map(({ version }) => version));
    expect(rows.every(({ checksum, applied_at }) => /^[0-9a-f]{64}$/.test(checksum) && applied_at === 1234)).toBe(true);
    store.close();
  });
});

test('stored answers keep their keys and tickets when they get ids', () => {
  const { store } = emptyStore();
  const { client } = store.writing;
  const before = migrations.findIndex(({ name }) => name === 'fewer_pages');
  expect(migrate(store.writing, migrations.slice(0, before), 1)).toBe(before);
  const answers = [
    ['site:1', 'b', 'print 1', 201, 'sealed 1', 20],
    ['site:1', 'a', 'print 2', 201, 'sealed 2', 10],
    ['site:2', 'a', 'print 3', 409, 'sealed 3', 30],
  ] as const;
  for (const answer of answers) client.query('INSERT INTO idempotency_keys VALUES (?, ?, ?, ?, ?, ?)').run(...answer);
  client.run("INSERT INTO idempotency_tickets VALUES (7, 'site:1', 'a'), (7, 'site:1', 'b'), (8, 'site:2', 'a')");
  migrate(store.writing, migrations, 2);

  const columns = 'credential, key, fingerprint, status, answer_sealed, created_at';
  const kept = client.query(`SELECT ${columns} FROM idempotency_keys ORDER BY fingerprint`).values();
  expect(kept).toEqual(answers.map((answer) => [...answer]));
  const about = () =>
    client
      .query('SELECT ticket_id, credential, key FROM idempotency_tickets JOIN idempotency_keys ON id = key_id')
      .values();
  expect(about()).toEqual([
    [7, 'site:1', 'a'],
    [7, 'site:1', 'b'],
    [8, 'site:2', 'a'],
  ]);
  client.run("DELETE FROM idempotency_keys WHERE credential = 'site:1'");
  expect(about()).toEqual([[8, 'site:2', 'a']]);
  store.close();
});

test('stored actors get their new names, and a recomputation under way gets its sites', () => {
  const { store } = emptyStore();
  const { client } = store.writing;
  const before = migrations.findIndex(({ name }) => name === 'actor_types');
  migrate(store.writing, migrations.slice(0, before), 1);
  client.run('PRAGMA foreign_keys = OFF');
  const stored = (type: string, id: number | null, name: string | null) => JSON.stringify({ type, id, name });
  const told = [
    stored('agent', 7, 'agent "operator"'),
    stored('operator', null, null),
    stored('author', 9, null),
    stored('rule', 2, 'operator'),
  ];
  for (const actor of told)
    client.run("INSERT INTO events (kind, site_id, actor, data, created_at) VALUES ('ticket.updated', 1, ?, '{}', 1)", [
      actor,
    ]);
  const team = { kind: 'token', tokenId: 7, name: 'CI', abilities: ['read'] };
  for (const actor of [{ kind: 'operator' }, { ...team, siteId: null }, { ...team, siteId: 3 }])
    client.run('INSERT INTO sla_recomputes (site_id, actor, stepped_at) VALUES (1, ?, 1)', [JSON.stringify(actor)]);
  migrate(store.writing, migrations, 2);
  const actors = (table: string) =>
    client
      .query<{ actor: string }, []>(`SELECT actor FROM ${table}`)
      .all()
      .map(({ actor }) => JSON.parse(actor));
  expect(actors('events')).toEqual([
    { type: 'token', id: 7, name: 'agent "operator"' },
    { type: 'command_line', id: null, name: null },
    { type: 'author', id: 9, name: null },
    { type: 'rule', id: 2, name: 'operator' },
  ]);
  expect(actors('sla_recomputes')).toEqual([
    { kind: 'command_line' },
    { ...team, scope: 'all' },
    { ...team, scope: [3] },
  ]);
  store.close();
});

test('rules get their counts and tickets of the last 30 days from the inbound log', () => {
  const { store } = emptyStore();
  const { client } = store.writing;
  const before = migrations.findIndex(({ name }) => name === 'rule_counts');
  migrate(store.writing, migrations.slice(0, before), 1);
  client.run('PRAGMA foreign_keys = OFF');
  for (const id of [1, 2])
    client.run("INSERT INTO inbound_rules VALUES (?, 1, 'A rule', 1, 1, 'all', '[]', '[]', 0, 1, 1)", [id]);
  const now = Date.now();
  const trace = JSON.stringify([
    { ruleId: 1, outcome: 'matched' },
    { ruleId: 2, outcome: 'not_matched' },
    { ruleId: 3, outcome: 'matched' },
  ]);
  for (const [ulid, at, ticket] of [
    ['A', now, 7],
    ['B', now, null],
    ['C', now - 40 * 86_400_000, 8],
  ] as const)
    client.run(
      `INSERT INTO inbound_mail (ulid, site_id, provider, headers, size, status, ticket_id, is_reopening, matched_rules, trace,
        attempts, received_at, processed_at) VALUES (?1, 1, 'raw', '{}', 1, 'done', ?3, 0, '[{"id":1},{"id":3}]', ?4, 1, ?2, ?2)`,
      [ulid, at, ticket, trace],
    );
  migrate(store.writing, migrations, 2);
  const rows = (text: string) => client.query(text).values();
  expect(rows('SELECT rule_id, runs, matches FROM rule_days ORDER BY 1')).toEqual([
    [1, 2, 2],
    [2, 2, 0],
  ]);
  expect(rows('SELECT rule_id, at, ticket_id FROM rule_tickets')).toEqual([[1, now, 7]]);
  store.close();
});

describe('refused, with the database left as it was', () => {
  function refused(tx: Tx, list: readonly Migration[], message: RegExp) {
    const before = shape(tx);
    expect(() => migrate(tx, list, 9)).toThrow(message);
    expect(shape(tx)).toEqual(before);
    expect(tx.client.inTransaction).toBe(false);
  }

  test('a migration whose text was changed after it had run', () => {
    const { store } = migratedStore();
    const changed = migrations.map((one, at) => (at === 0 ? { ...one, sql: `${one.sql}\n-- changed` } : one));
    refused(store.writing, changed, /Migration 1 \(desk\) differs from the one/);
    expect(() => migrate(store.writing, changed, 9)).toThrow(SchemaError);
    store.close();
  });

  test('a schema that is newer than the executable', () => {
    const { store } = emptyStore();
    const newer = [
      ...migrations,
      { version: migrations.length + 1, name: 'later', sql: 'CREATE TABLE later (a) STRICT' },
    ];
    migrate(
      store.writing,
      newer.map((one) => (one.name === 'later' ? { ...one, sql: 'CREATE TABLE later (a INTEGER) STRICT' } : one)),
      1,
    );
    refused(store.writing, migrations, /written by a newer helpdesk/);
    store.close();
  });

  test('the database of another program', () => {
    const { store } = emptyStore();
    store.writing.client.run('CREATE TABLE recipes (name TEXT)');
    refused(store.writing, migrations, /another program/);
    store.close();
  });

  test('a migration that fails half-way, and keeps only the ones before it', () => {
    const { store } = migratedStore();
    const next = migrations.length + 1;
    refused(
      store.writing,
      [
        ...migrations,
        {
          version: next,
          name: 'broken',
          sql: 'CREATE TABLE half (a INTEGER) STRICT; CREATE TABLE half (a INTEGER) STRICT;',
        },
      ],
      /already exists/,
    );
    // And the fixed one goes in.
    expect(
      migrate(
        store.writing,
        [...migrations, { version: next, name: 'fixed', sql: 'CREATE TABLE half (a INTEGER) STRICT' }],
        9,
      ),
    ).toBe(1);
    store.close();
  });

  test('a first migration that fails leaves an empty database', () => {
    const { store } = emptyStore();
    refused(
      store.writing,
      [{ version: 1, name: 'broken', sql: 'CREATE TABLE a (b INTEGER) STRICT; INSERT INTO nowhere VALUES (1);' }],
      /nowhere/,
    );
    expect(shape(store.writing)).toEqual([]);
    store.close();
  });
});

test('a new database waits for the disk once, an older one after each migration', () => {
  let commits = 0;
  const archive = {
    enter() {
      commits += 1;
    },
  } as unknown as WalArchive;
  for (const [known, expected] of [
    [0, 1],
    [migrations.length - 3, 3],
  ] as const) {
    const { store } = emptyStore();
    migrate(store.writing, migrations.slice(0, known), 1);
    commits = 0;
    migrate(store.writing, migrations, 2, archive);
    expect(commits).toBe(expected);
    store.close();
  }
});

test('two processes that start at the same moment migrate once', async () => {
  const { store, path } = emptyStore();
  store.close();
  const script = `
    import { openStore } from ${JSON.stringify(new URL('../../src/engine/database.ts', import.meta.url).pathname)};
    import { migrate } from ${JSON.stringify(new URL('../../src/engine/migrate.ts', import.meta.url).pathname)};
    import { migrations } from ${JSON.stringify(new URL('../../migrations/index.ts', import.meta.url).pathname)};
    const store = openStore(process.argv[1], 'OFF');
    migrate(store.writing, migrations, 1);
    store.close();`;
  const both = [0, 1].map(() => startScript(script, path));
  expect(await Promise.all(both.map(({ errors }) => errors))).toEqual(['', '']);
  expect(await Promise.all(both.map(({ ended }) => ended))).toEqual(Array(2).fill({ code: 0, signal: null }));
  const opened = openStore(path, 'OFF');
  expect(pendingMigrations(opened.reading, migrations)).toEqual([]);
  opened.close();
});
