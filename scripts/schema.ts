// Writes migrations/index.ts, the list of migrations, and migrations/schema.sql: what all of them make, with which a new database begins.

import { readdirSync, writeFileSync } from 'node:fs';
import { openDatabase } from '#platform/sqlite.ts';
import type { Migration } from '../migrations/step.ts';
import { columnName } from '../src/domain/column-names.ts';
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

/** What index.ts should be: the files of the folder in order, each with its step where it has one. */
export function listOfMigrations(): string {
  const files = readdirSync('migrations').filter((file) => /^\d/.test(file));
  const sources = files.filter((file) => file.endsWith('.sql')).sort();
  const imports: string[] = [];
  const rows: string[] = [];
  for (const source of sources) {
    const [, version = '', name = ''] = /^0*(\d+)_(\w+)\.sql$/.exec(source) ?? [];
    const [sql, code] = [columnName(name), source.replace('.sql', '.ts')];
    imports.push(`import ${sql} from './${source}' with { type: 'text' };`);
    if (files.includes(code)) imports.push(`import { step as ${sql}Step } from './${code}';`);
    const more = [files.includes(code) && `step: ${sql}Step`, source === sources.at(-1) && 'whole: schema'];
    rows.push(
      `  { ${[`version: ${version}`, `name: '${name}'`, `sql: ${sql}`, ...more.filter(Boolean)].join(', ')} },`,
    );
  }
  return `// The ordered list of migrations: frozen SQL, embedded into the executable. Written by \`bun scripts/schema.ts\`.

${imports.join('\n')}
import schema from './schema.sql' with { type: 'text' };
import type { Migration } from './step.ts';

export const migrations: readonly Migration[] = [
${rows.join('\n')}
];
`;
}

/** What schema.sql should be. */
export function wholeSchema(migrations: readonly Migration[]): string {
  const database = openDatabase(':memory:', 'create');
  for (const { sql, step } of migrations) {
    database.run(sql);
    step?.(database, null);
  }
  const { version } = migrations.at(-1)!;
  return `-- What migrations 1 to ${version} make, with which a new database begins. Written by \`bun scripts/schema.ts\`.\n\n${statementsOf(database)}\n`;
}

if (import.meta.main) {
  writeFileSync('migrations/index.ts', listOfMigrations());
  const { migrations } = await import('../migrations/index.ts');
  writeFileSync('migrations/schema.sql', wholeSchema(migrations));
}
