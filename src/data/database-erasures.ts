// The tombstones in a desk's own database: a restore asks it too, for erasures.jsonl can be lost.

import { constants, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isForWantOfRoom } from '../base/disk.ts';
import { type Erasure, erasuresAfter } from '../desk/customers/erasure.ts';
import { openFileToRead, openForInspection, type Tx } from '../engine/database.ts';
import { listSegments } from '../engine/wal/archive.ts';
import { neededLog } from '../engine/wal/needed-log.ts';
import { databaseName } from './layout.ts';
import { bringForward, historyOf } from './moments.ts';
import { listSnapshots } from './snapshots.ts';

const atATime = 500;

/** Only those by which someone could be recognised. In the order of their authors. */
export function* ownErasures(tx: Tx): Generator<Erasure> {
  for (let after: number | null = 0; after !== null; ) {
    const some: Erasure[] = erasuresAfter(tx, after, atATime);
    for (const one of some) if (one.email !== null || one.externalId !== null) yield one;
    after = some.length === atATime ? (some.at(-1)?.authorId ?? null) : null;
  }
}

/**
 * Reads copies, so that nothing changes: the database with its log, and if that cannot be read, the newest snapshot and the logs
 * since. Nothing if none of them can.
 * @param place where the copies are made and removed again
 */
export function erasuresIn(data: string, place: string): Erasure[] {
  const database = join(data, databaseName);
  const copy = join(place, databaseName);
  const history = historyOf(data);
  const attempts = [
    () => (existsSync(database) ? readDatabase(data, copy) : null),
    ...listSnapshots(history.snapshots)
      .toReversed()
      .map((snapshot) => () => {
        copyFileSync(snapshot.path, copy, constants.COPYFILE_FICLONE);
        bringForward(copy, history.archive, snapshot.position);
        return reading(openForInspection(copy));
      }),
  ];
  for (const attempt of attempts) {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    try {
      const found = attempt();
      if (found !== null) return found;
    } catch (error) {
      // A restore is for what cannot be read, and goes on.
      if (isForWantOfRoom(error, place)) throw error;
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
  return [];
}

function readDatabase(data: string, copy: string): Erasure[] {
  const database = join(data, databaseName);
  const log = `${database}-wal`;
  const hasLog = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const last = hasLog ? log : listSegments(join(data, 'wal')).at(-1)?.path;
  if (last === undefined || (!hasLog && neededLog(database) === 0)) return reading(openFileToRead(database));
  copyFileSync(database, copy, constants.COPYFILE_FICLONE);
  copyFileSync(last, `${copy}-wal`, constants.COPYFILE_FICLONE);
  return reading(openForInspection(copy));
}

function reading(tx: Tx & { close(): void }): Erasure[] {
  try {
    return [...ownErasures(tx)];
  } finally {
    tx.close();
  }
}
