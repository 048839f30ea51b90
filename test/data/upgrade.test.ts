// Upgrades that undo themselves, and disks on which they fail (docs/spec/behaviour.md#data-directory).

import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrations } from '../../migrations/index.ts';
import type { Migration } from '../../migrations/step.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { checkDatabase } from '../../src/engine/check-database.ts';
import { appliedVersion } from '../../src/engine/migrate.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startScript } from '../support/programs.ts';
import { busyDesk, configFor, subjectsIn } from './copying.ts';

const newest = migrations.at(-1)?.version ?? 0;

function withMigrations(...sql: string[]): Migration[] {
  return [...migrations, ...sql.map((text, at) => ({ version: newest + 1 + at, name: `later_${at}`, sql: text }))];
}

async function deskDirectory(): Promise<string> {
  const path = join(temporaryFolder(), 'data');
  const desk = await busyDesk(path);
  await desk.open('one');
  await desk.data.close();
  return path;
}

async function versionOf(path: string, known = migrations): Promise<number> {
  const data = openDataDirectory(configFor(path), null, known);
  const version = appliedVersion(data.desk.store.reading);
  expect([...subjectsIn(data)]).toEqual(['one']);
  await data.close();
  return version;
}

describe('an upgrade', () => {
  test('keeps a copy of what was, and says where', async () => {
    const path = await deskDirectory();
    const known = withMigrations('CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;');
    const data = openDataDirectory(configFor(path), null, known);
    expect(data.recovered).toContain(`from schema ${newest} to ${newest + 1}`);
    await data.close();
    const copy = readdirSync(join(path, 'backups')).find((name) => name.startsWith('before-schema-'));
    expect(checkDatabase(join(path, 'backups', copy ?? ''))).toBeNull();
    expect(await versionOf(path, known)).toBe(newest + 1);
    // The previous executable refuses a schema that it does not know.
    expect(() => openDataDirectory(configFor(path))).toThrow(/newer helpdesk/);
  });

  for (const [what, sql] of [
    ['fails at once', ['THIS IS NO SQL;']],
    [
      'fails after another has gone through',
      ['CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;', 'DROP TABLE nothing;'],
    ],
    ['loses rows', ['PRAGMA defer_foreign_keys = ON; DELETE FROM tickets;']],
    [
      'leaves rows that refer to nothing',
      [
        'CREATE TABLE child (a INTEGER REFERENCES sites (id)) STRICT; PRAGMA defer_foreign_keys = ON; INSERT INTO child VALUES (1);',
        'UPDATE child SET a = 99;',
      ],
    ],
  ] as const) {
    test(`that ${what} is put back as it was`, async () => {
      const path = await deskDirectory();
      const known = withMigrations(...sql);
      expect(() => openDataDirectory(configFor(path), null, known)).toThrow(
        /failed: .*as it was before, and nothing was lost/s,
      );
      expect(await versionOf(path)).toBe(newest);
      expect(checkDatabase(join(path, 'helpdesk.db'))).toBeNull();
      expect(existsSync(join(path, '.helpdesk.db.rebuilt'))).toBe(false);
      // Another try fails the same way, and does no harm.
      expect(() => openDataDirectory(configFor(path), null, known)).toThrow(/failed/);
      expect(await versionOf(path)).toBe(newest);
    });
  }

  test('waits until no other helpdesk has the database open', async () => {
    const path = await deskDirectory();
    const child = startScript(
      `const { openDataDirectory } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/data/directory.ts'))});
         const { configFor } = await import(${JSON.stringify(join(import.meta.dirname, 'copying.ts'))});
         globalThis.kept = openDataDirectory(configFor(${JSON.stringify(path)}));
         kept.desk.read(() => null);
         console.log('open');
         setTimeout(() => process.exit(), 20_000);`,
    );
    const known = withMigrations('CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;');
    try {
      await child.begun;
      // The log must not be empty, so that the other process keeps it.
      const desk = openDataDirectory(configFor(path));
      await desk.desk.write((tx) => {
        tx.client.run("UPDATE sites SET name = 'Shop 2'");
        return null;
      });
      await desk.close();
      expect(() => openDataDirectory(configFor(path), null, known)).toThrow(/Stop that one first/);
    } finally {
      child.kill('SIGKILL');
      await child.ended;
    }
    expect(await versionOf(path, known)).toBe(newest + 1);
  });

  test('that is killed anywhere leaves a desk that opens', async () => {
    const path = await deskDirectory();
    const script = `
      const { openDataDirectory } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/data/directory.ts'))});
      const { migrations } = await import(${JSON.stringify(join(import.meta.dirname, '../../migrations/index.ts'))});
      const { configFor } = await import(${JSON.stringify(join(import.meta.dirname, 'copying.ts'))});
      const newest = migrations.at(-1).version;
      const slow = 'CREATE TABLE later_# (a INTEGER) STRICT; WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 60000) INSERT INTO later_# SELECT x FROM n;';
      const known = [...migrations, ...[1, 2, 3].map((at) => ({ version: newest + at, name: 'later_' + at, sql: slow.replaceAll('#', at) }))];
      console.log('begins');
      openDataDirectory(configFor(${JSON.stringify(path)}), null, known);
    `;
    const slow = (at: number) =>
      'CREATE TABLE later_# (a INTEGER) STRICT; WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 60000) INSERT INTO later_# SELECT x FROM n;'.replaceAll(
        '#',
        String(at),
      );
    const known = withMigrations(slow(1), slow(2), slow(3)).map((one, at) =>
      at < migrations.length ? one : { ...one, name: `later_${one.version - newest}` },
    );
    for (const delay of [5, 15, 30, 45, 60, 80]) {
      const child = startScript(script);
      await child.begun;
      await sleep(delay);
      child.kill('SIGKILL');
      await child.ended;
    }
    expect(await versionOf(path, known)).toBe(newest + 3);
    expect(checkDatabase(join(path, 'helpdesk.db'))).toBeNull();
  }, 30_000);
});
