// Makes a data directory ready to open: created, restored, repaired after a crash or a copy, and known to be a desk's.

import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { settleDirectory } from './check-log.ts';
import { requireOwnFiles } from './check-names.ts';
import { originOf, recoverCopy } from './copied-directory.ts';
import { expectErasures, requireErasures } from './erasures.ts';
import { DataDirectoryError } from './errors.ts';
import { finishRestore } from './finish-restore.ts';
import { databaseName, databasePathOf, ownNames } from './layout.ts';
import { databaseFaults } from './open-database.ts';
import type { OtherMachines } from './other-machines.ts';

interface PreparedDirectory {
  path: string;
  isNew: boolean;
  notes: string[];
}

export function prepareDirectory(config: Config, membership: OtherMachines | null): PreparedDirectory {
  if (config.HELPDESK_LITEFS_DIR !== null && membership === null) {
    throw new DataDirectoryError(
      'This command works on the data directory of one machine, not on a database in HELPDESK_LITEFS_DIR (docs/cluster.md).',
    );
  }
  const path = resolve(config.HELPDESK_DATA);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataDirectoryError(
      `The data directory ${path} cannot be created: ${error instanceof Error ? error.message : 'unknown error'}`,
    );
  }
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new DataDirectoryError(`${path} ${databaseFaults[code] ?? databaseFaults.READONLY}`);
  }
  requireOwnFiles(path);
  const isLocal = membership === null;
  const database = databasePathOf(config);
  const restored = finishRestore(path, systemClock.now());
  const origin = isLocal ? originOf(path) : 'same';
  const isSynced = ['FULL', 'EXTRA'].includes(config.HELPDESK_SYNCHRONOUS);
  requireErasures(path);
  if (origin !== 'same' && existsSync(database)) expectErasures(path);
  // Before the log of the previous database is removed.
  if (origin === 'database replaced') settleDirectory(path, isSynced, systemClock.now());
  const recovered = isLocal ? recoverCopy(path, systemClock.now()) : null;
  const settled = isLocal ? settleDirectory(path, isSynced, systemClock.now()) : null;
  const isNew = (statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0;
  const foreign = readdirSync(path).filter(
    (name) => ![...ownNames, 'lost+found'].includes(name) && !name.startsWith('.') && !name.startsWith(databaseName),
  );
  if (isLocal && isNew && foreign.length > 0) {
    throw new DataDirectoryError(
      `${path} is not a data directory of a helpdesk: it contains ${foreign[0]}. Name an empty directory with --data.`,
    );
  }
  const notes = [
    restored === null
      ? null
      : `A restore that had been interrupted was completed; the previous contents are in ${restored}.`,
    recovered,
    settled,
  ].filter((note) => note !== null);
  return { path, isNew, notes };
}
