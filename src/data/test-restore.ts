// helpdesk restore --test: unpacks a backup beside the desk, checks all of it, and takes it away again.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { monotonicMs, systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { openForInspection } from '../engine/database.ts';
import type { Description } from './backup-format.ts';
import { asBackupError, BackupError } from './errors.ts';
import { noteRestoreTest } from './last-backup.ts';
import { databaseName } from './layout.ts';
import { readOrCreateKey, requireOwnKey } from './secret-key.ts';
import { type OnProgress, unpack } from './unpack.ts';

interface TestedRestore {
  description: Description;
  seconds: number;
}

/** Every file with its sum, the database with its rows, and whether the key opens its secrets. */
export async function testRestore(
  config: Config,
  from: string,
  newestSchema: number,
  onProgress: OnProgress = () => undefined,
): Promise<TestedRestore> {
  const startedAt = monotonicMs();
  const source = resolve(from);
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-restore-test-'));
  try {
    const { description } = await unpack(source, folder, { newestSchema }, onProgress);
    if (description === null) throw new BackupError(`${basename(source)} is not a backup of a helpdesk.`);
    const seal = readOrCreateKey(folder, config.HELPDESK_SECRET_KEY);
    const copy = openForInspection(join(folder, databaseName));
    try {
      requireOwnKey(copy, seal, folder, config);
    } finally {
      copy.close();
    }
    const seconds = Math.round(monotonicMs() - startedAt) / 1000;
    const tickets = description.rows.tickets ?? 0;
    noteRestoreTest(resolve(config.HELPDESK_DATA), {
      ...{ at: systemClock.now(), path: source, created_at: Date.parse(description.created_at), tickets, seconds },
    });
    return { description, seconds };
  } catch (error) {
    throw asBackupError(error, folder, 'the desk was not touched');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
