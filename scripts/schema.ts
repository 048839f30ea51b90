// Writes migrations/schema.sql: what all migrations make, with which a new database begins.

import { writeFileSync } from 'node:fs';
import { openDatabase } from '#platform/sqlite.ts';
import { migrations } from '../migrations/index.ts';
import type { Database } from '../src/platform/sqlite.ts';

// Rows set off no triggers. Within each, the order of the migrations: SQLite chooses the newer of two indexes that cost the same.
const order = ['table', 'row', 'index', 'view', 'trigger'];

/** The migrations leave other numbers there each time. */
const drawn: Record<string, Record<string, string>> = { catalogue_version: { version: 'random() >> 11' } };

/** The statements that make an empty database like `database`. */
function statementsOf(database: Database): string {
  const all = <Row>(text: string) => database.query<Row, []>(text).all();
  const shadows = new Set(
    all<{ name: string }>("SELECT name FROM pragma_table_list WHERE type = 'shadow'").map(({ name }) => name),
  );
  const made = all<{ type: string; name: string; tbl_name: string; sql: string | null }>(
    "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid",
  ).filter(({ tbl_name: table }) => !shadows.has(table));
  const statements = made.flatMap(({ type, sql }) => (sql === null ? [] : [{ type, sql }]));
  for (const { name, sql } of made.filter(({ type }) => type === 'table')) {
    const isSearch = sql?.includes('USING fts5') === true;
    const rows = isSearch ? [] : all<Record<string, string | number | null>>(`SELECT * FROM ${name}`);
    for (const row of rows) {
      const values = Object.entries(row).map(([column, value]) => drawn[name]?.[column] ?? quoted(value));
      statements.push({
        type: 'row',
        sql: `INSERT INTO ${name} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`,
      });
    }
    if (!isSearch) continue;
    for (const { k, v } of all<{ k: string; v: number }>(`SELECT k, v FROM ${name}_config WHERE k <> 'version'`))
      statements.push({ type: 'row', sql: `INSERT INTO ${name} (${name}, rank) VALUES (${quoted(k)}, ${v})` });
  }
  return statements
    .toSorted((one, other) => order.indexOf(one.type) - order.indexOf(other.type))
    .map(({ sql }) => `${sql};`)
    .join('\n');
}

function quoted(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** What schema.sql should be. */
export function wholeSchema(): string {
  const database = openDatabase(':memory:', 'create');
  for (const { sql, step } of migrations) {
    database.run(sql);
    step?.(database, null);
  }
  const { version } = migrations.at(-1)!;
  return `-- What migrations 1 to ${version} make, with which a new database begins. Written by \`bun scripts/schema.ts\`.\n\n${statementsOf(database)}\n`;
}

if (import.meta.main) writeFileSync('migrations/schema.sql', wholeSchema());
