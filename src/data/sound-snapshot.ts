// Says, with commands, what can be restored when the database of a data directory is missing or damaged.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, toWire } from '../base/clock.ts';
import { checkDatabase } from '../engine/check-database.ts';
import { listSegments } from '../engine/wal/archive.ts';
import { historyOf, newestReadableTime } from './moments.ts';
import { listSnapshots } from './snapshots.ts';

export function hasHistory(data: string): boolean {
  return listSnapshots(join(data, 'backups')).length > 0 || listSegments(join(data, 'wal')).length > 0;
}

export function checkSnapshot(path: string): string | null {
  const fault = checkDatabase(path);
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return fault;
}

export function quoted(path: string): string {
  return /^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

export function offerOf(data: string): string {
  const damaged: string[] = [];
  for (const snapshot of listSnapshots(join(data, 'backups')).toReversed()) {
    const { path, takenAt } = snapshot;
    if (checkSnapshot(path) !== null) {
      damaged.push(path);
      continue;
    }
    const upTo = newestReadableTime(historyOf(data), snapshot, systemClock.now());
    return [
      ...damaged.map((one) => `${one} is damaged too.`),
      `The newest sound snapshot was taken at ${toWire(takenAt)}.`,
      upTo === null
        ? 'Nothing later can be read in wal/.'
        : `To restore it with the readable part of the logs since: helpdesk restore --at ${toWire(upTo)} --data ${quoted(data)} --force.`,
      `To restore only the snapshot: helpdesk restore ${quoted(path)} --data ${quoted(data)} --force.`,
      'The current contents will be kept under backups/.',
    ].join(' ');
  }
  return [
    ...damaged.map((one) => `${one} is damaged too.`),
    'There is no sound snapshot in backups/; restore a backup with `helpdesk restore`.',
  ].join(' ');
}
