// The database as it is now, in a file of one's own, made from the newest snapshot and the logs since: whoever reads that
// keeps no log from ending, however long it takes.

import { rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytesOf } from '../base/disk.ts';
import type { DataDirectory } from './directory.ts';
import { createDesk, type Desk } from '../desk/desk.ts';
import { openStore } from '../store/database.ts';
import { bringForward } from './moments.ts';
import { isAnchored, listSnapshots, patientPosition } from './snapshots.ts';

/**
 * Writes what the database has now to a file that is not there yet, and lets go of the database.
 * @returns whether that could be done; where not, nothing is left
 */
export async function copyFromHistory(data: DataDirectory, to: string): Promise<boolean> {
  const { store } = data.desk;
  const [folder, archive] = [join(data.path, 'backups'), join(data.path, 'wal')];
  if (store.archive === null || store.archive.unsupported !== null) return false;
  const position = await patientPosition(store);
  const newest = listSnapshots(folder).at(-1);
  if (newest === undefined || !isAnchored(folder, archive, position)) return false;
  store.rest();
  try {
    await copyFile(newest.path, to);
    if (bringForward(to, archive, newest.position, position).brokenAt === null) return true;
  } catch (error) {
    // A running desk has taken other snapshots meanwhile, and removed this one or its logs.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      rmSync(to, { force: true });
      throw error;
    }
  }
  rmSync(to, { force: true });
  return false;
}

// What is read in a second or two holds nobody up.
const smallBytes = 256 * 1024 * 1024;

/** A desk for reading at length; the running one itself where that is quick, or where there is no room for a copy. */
export async function detach(data: DataDirectory, leastBytes = smallBytes): Promise<{ desk: Desk; close(): void }> {
  const itself = { desk: data.desk, close: () => undefined };
  const { size } = statSync(join(data.path, 'helpdesk.db'), { throwIfNoEntry: false }) ?? { size: 0 };
  if (size < leastBytes || freeBytesOf(data.path) < 3 * size) return itself;
  const copy = join(data.path, `.detached-${process.pid}.db`);
  const clear = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
  };
  clear();
  if (!(await copyFromHistory(data, copy))) return itself;
  const store = openStore(copy, 'OFF');
  return {
    desk: createDesk(store, data.desk.seal, data.desk.clock),
    close() {
      store.close();
      clear();
    },
  };
}
