// Migrates a database to the newest schema: each migration in one transaction, with its checksum. A new database begins with what they all make.

import type { Migration } from '../../migrations/step.ts';
import type { Instant } from '../base/clock.ts';
import { type Seal, sha256Hex } from '../base/crypto.ts';
import type { Tx } from './database.ts';
import type { WalArchive } from './wal/archive.ts';

/** The database and this executable do not belong together; the message says what to do. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}

interface Applied {
  version: number;
  name: string;
  checksum: string;
}

function appliedMigrations({ client }: Tx): Applied[] {
  const known = client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE name = 'schema_migrations'")
    .get();
  if (known) {
    return client.query<Applied, []>('SELECT version, name, checksum FROM schema_migrations ORDER BY version').all();
  }
  const foreign = client.query<{ total: number }, []>('SELECT count(*) AS total FROM sqlite_schema').get();
  if (foreign && foreign.total > 0)
    throw new SchemaError('This file is a database of another program; it was not changed.');
  return [];
}

export function appliedVersion(tx: Tx): number {
  return appliedMigrations(tx).at(-1)?.version ?? 0;
}

/** Refuses a schema newer than this executable, and a migration that was changed after it ran. */
export function pendingMigrations(tx: Tx, migrations: readonly Migration[]): Migration[] {
  const applied = appliedMigrations(tx);
  const newest = migrations.at(-1)?.version ?? 0;
  const ahead = applied.find(({ version }) => version > newest);
  if (ahead) {
    throw new SchemaError(
      `The data directory has schema ${ahead.version}, but this executable only knows schemas up to ${newest}: it was written by a newer helpdesk. Start that version, or restore a backup made before the upgrade.`,
    );
  }
  for (const [at, { version, name, checksum }] of applied.entries()) {
    const expected = migrations[at];
    if (expected?.version !== version || sha256Hex(expected.sql) !== checksum) {
      throw new SchemaError(
        `Migration ${version} (${name}) differs from the one that this database was built with. Nothing was changed.`,
      );
    }
  }
  return migrations.slice(applied.length);
}

export function schemaState(tx: Tx, migrations: readonly Migration[]): 'missing' | 'older' | 'current' {
  const pending = pendingMigrations(tx, migrations);
  if (pending.length === 0) return 'current';
  return pending.length === migrations.length ? 'missing' : 'older';
}

const hasWhole = (one: Migration): one is Migration & { whole: string } => one.whole !== undefined;

/** Returns how many. @param archive names the write-ahead log before it is written to, if logs are kept */
export function migrate(
  tx: Tx,
  migrations: readonly Migration[],
  now: Instant,
  archive: WalArchive | null = null,
  seal: Seal | null = null,
): number {
  const pending = pendingMigrations(tx, migrations);
  // An empty database has nothing to keep between two of them, and each commit waits for the disk.
  const isNew = pending.length === migrations.length;
  const whole = isNew ? pending.findLast(hasWhole) : undefined;
  for (const together of isNew ? [pending] : pending.map((migration) => [migration])) {
    tx.client.run('BEGIN IMMEDIATE');
    try {
      archive?.enter();
      tx.client.run(
        'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
      );
      for (const migration of together) {
        const { version, name, sql, step } = migration;
        // Another process may have started at the same moment and migrated first.
        const done = tx.client
          .query<{ version: number }, [number]>('SELECT version FROM schema_migrations WHERE version = ?')
          .get(version);
        if (done) continue;
        if (migration === whole) tx.client.run(whole.whole);
        else if (whole === undefined || version > whole.version) {
          tx.client.run(sql);
          step?.(tx.client, seal);
        }
        tx.client.run('INSERT INTO schema_migrations VALUES (?, ?, ?, ?)', [version, name, sha256Hex(sql), now]);
      }
      tx.client.run('COMMIT');
    } catch (error) {
      if (tx.client.inTransaction) tx.client.run('ROLLBACK');
      throw error;
    }
  }
  return pending.length;
}
