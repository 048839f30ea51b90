// drizzle's tables are those that the migrations make.

import { describe, expect, test } from 'bun:test';
import { getTableColumns, is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { allTables } from '../../src/store/schema/all-tables.ts';
import { migratedStore } from '../support/store.ts';

interface ColumnInfo {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  hidden: number;
  dflt_value: string | null;
}

const { store } = migratedStore();
const { client } = store.reading;
const tables = Object.values(allTables).filter((value) => is(value, SQLiteTable)) as SQLiteTable[];
const names = client
  .query<{ name: string; sql: string }, []>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%_search%'",
  )
  .all();

/** Tables that are only used in hand-written SQL. */
const withoutModel = [
  'audit_sweeps',
  'schema_migrations',
  'ticket_counts',
  'ticket_faults',
  'sla_recomputes',
  'priority_levels',
  'site_removals',
  'clock_jumps',
  'detachments',
  'channel_catch_ups',
  'imports',
  'import_rows',
  'catalogue_version',
  'idempotency_tickets',
  'erased_letters',
  'erasures_under_way',
  'search_purges',
  'search_waiting',
  'search_rebuilds',
  'read_marks',
  'view_positions',
  'spent_proofs',
  'form_tickets',
  'rule_days',
  'rule_tickets',
  'storage_days',
  'versions_run',
  'report_facts_due',
  'automation_days',
  'automation_replies',
  'timed_rule_progress',
  'ticket_moments',
  'moment_gatherings',
];

describe('the schema', () => {
  test('has every table', () => {
    expect(tables.map((table) => getTableConfig(table).name).sort()).toEqual(
      names
        .map(({ name }) => name)
        .filter((name) => !withoutModel.includes(name))
        .sort(),
    );
  });

  for (const table of tables) {
    const { name } = getTableConfig(table);
    test(`agrees on ${name}`, () => {
      const columns = client.query<ColumnInfo, []>(`PRAGMA table_xinfo(${name})`).all();
      const made = columns
        .filter(({ hidden }) => hidden === 0)
        .map((column) => ({ name: column.name, type: column.type, isRequired: column.notnull === 1 || column.pk > 0 }));
      const seen = Object.values(getTableColumns(table)).map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        isRequired:
          column.notNull ||
          column.primary ||
          getTableConfig(table).primaryKeys.some((key) => key.columns.includes(column)),
      }));
      const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
      expect(seen.sort(byName)).toEqual(made.sort(byName));
    });
  }

  test('is STRICT everywhere', () => {
    const loose = names
      .filter(({ sql }) => !/\)\s*STRICT(?:\s*,\s*WITHOUT ROWID)?\s*$/.test(sql))
      .map(({ name }) => name);
    expect(loose).toEqual([]);
  });

  test('has an index behind every foreign key, so that removing a row never scans', () => {
    const bare: string[] = [];
    for (const { name } of names) {
      const keys = client.query<{ from: string }, []>(`PRAGMA foreign_key_list(${name})`).all();
      const columns = client.query<ColumnInfo, []>(`PRAGMA table_info(${name})`).all();
      const leading = client
        .query<{ name: string }, []>(`PRAGMA index_list(${name})`)
        .all()
        .map((index) => client.query<{ name: string }, []>(`PRAGMA index_info(${index.name})`).all()[0]?.name);
      for (const { from } of keys) {
        const isKey = columns.some((column) => column.name === from && column.pk === 1);
        if (!isKey && !leading.includes(from)) bare.push(`${name}.${from}`);
      }
    }
    // A desk has few sites and agents: these are searched on the rare removal of a site's parts.
    expect(bare).toEqual(['sites.sla_policy_id', 'sites.default_priority_id']);
  });
});
