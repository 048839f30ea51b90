// A temporary database for a test, in a folder that is removed with it.

import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import { openStore, type Store, type Synchronous, type Tx } from '../../src/engine/database.ts';
import { migrate } from '../../src/engine/migrate.ts';
import type { Statement } from '../../src/platform/sqlite.ts';
import { temporaryFolder } from './folders.ts';

/** Of a file that a desk makes: a page, and a page with its head in the log. */
export const pageBytes = 2048;
export const frameBytes = pageBytes + 24;

export function emptyStore(synchronous: Synchronous = 'OFF'): { store: Store; path: string } {
  const path = join(temporaryFolder(), 'helpdesk.db');
  return { store: openStore(path, synchronous), path };
}

let migratedPath: string | null = null;

/** Where the tests of this file have an empty desk, which each copies. */
function migratedFile(): string {
  if (migratedPath !== null && existsSync(migratedPath)) return migratedPath;
  const { store, path } = emptyStore();
  migrate(store.writing, migrations, 0);
  store.close();
  migratedPath = path;
  return path;
}

/** A database at the newest schema. */
export function migratedStore(synchronous: Synchronous = 'OFF'): { store: Store; path: string } {
  const path = join(temporaryFolder(), 'helpdesk.db');
  copyFileSync(migratedFile(), path);
  return { store: openStore(path, synchronous), path };
}

/** The statements that a function makes SQLite prepare, which end with it. */
export function statementsOn(tx: Tx, run: (tx: Tx) => unknown): string[] {
  const texts: string[] = [];
  const made: Statement[] = [];
  const prepare = (text: string) => {
    texts.push(text);
    const statement = tx.client.prepare(text);
    made.push(statement);
    return statement;
  };
  run({
    client: new Proxy(tx.client, { get: (on, name) => (name === 'prepare' ? prepare : Reflect.get(on, name)) }),
  });
  for (const statement of made) statement.finalize();
  return texts;
}
