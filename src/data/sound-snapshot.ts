// What can be put back when the database of a data directory is gone or damaged, as a sentence with the commands.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Instant, systemClock, toWire } from '../base/clock.ts';
import { checkDatabase } from '../store/check.ts';
import { listSegments } from '../store/wal/archive.ts';
import { listSnapshots } from './snapshots.ts';

/** Whether there was a desk here, whatever became of its database. */
export function hasHistory(data: string): boolean {
  return listSnapshots(join(data, 'backups')).length > 0 || listSegments(join(data, 'wal')).length > 0;
}

/** What is wrong with a snapshot; null when it is sound. A snapshot has no log beside it, and is left without one. */
export function checkSnapshot(path: string): string | null {
  const fault = checkDatabase(path);
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return fault;
}

function quoted(path: string): string {
  return /^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** What to do. Looks through the snapshots, the newest first, until one is sound. */
export function offerOf(data: string, upTo: Instant = systemClock.now()): string {
  const damaged: string[] = [];
  for (const { path, takenAt } of listSnapshots(join(data, 'backups')).toReversed()) {
    if (checkSnapshot(path) !== null) {
      damaged.push(path);
      continue;
    }
    return [
      ...damaged.map((one) => `${one} is damaged too.`),
      `The newest sound snapshot is of ${toWire(takenAt)}.`,
      `With what can be read of the logs since: helpdesk restore --at ${toWire(upTo)} --data ${quoted(data)} --force.`,
      `The snapshot alone: helpdesk restore ${quoted(path)} --data ${quoted(data)} --force.`,
      'What lies there now is kept under backups/.',
    ].join(' ');
  }
  return [
    ...damaged.map((one) => `${one} is damaged too.`),
    'There is no sound snapshot in backups/; restore a backup with `helpdesk restore`.',
  ].join(' ');
}
