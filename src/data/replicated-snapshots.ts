// Snapshots of a replicated database: made with VACUUM INTO, in the data directory outside the mount.

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startVacuumCopy } from '#platform/vacuum-copy.ts';
import { type Instant, systemClock, toWire } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import type { RunningCopy } from '../platform/vacuum-copy.ts';
import type { RegularSnapshots } from './regular-snapshots.ts';

const namePattern = /^replicated-(\d{8}T\d{9}Z)\.db$/;
const longestMs = 30 * 60 * 1000;

function instantOf(text: string): Instant {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z'));
}

export function replicatedSnapshots(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => namePattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}

export function createReplicatedSnapshots(options: {
  database: string;
  folder: string;
  log: Log;
  everyMs: number;
  keep: number;
  mayRun: () => boolean;
}): RegularSnapshots {
  const { database, folder, log, everyMs, keep, mayRun } = options;
  let running: Promise<void> | null = null;
  let child: RunningCopy | null = null;
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  function taken(): { name: string; at: Instant }[] {
    return replicatedSnapshots(folder).flatMap((path) => {
      const name = basename(path);
      const time = namePattern.exec(name)?.[1];
      return time === undefined ? [] : [{ name, at: instantOf(time) }];
    });
  }

  async function take(): Promise<void> {
    const name = `replicated-${toWire(systemClock.now()).replaceAll(/[-:.]/g, '')}.db`;
    const partial = join(folder, `.${name}.part`);
    try {
      child = startVacuumCopy(database, partial, { folder, timeoutMs: longestMs });
      const code = await child.exited;
      if (code !== 0) throw new Error('the copy of the database is incomplete');
      await rename(partial, join(folder, name));
      syncFolderNow(folder);
    } finally {
      child = null;
      for (const end of ['', '-journal', '-wal', '-shm']) await rm(partial + end, { force: true });
    }
    for (const old of taken().slice(0, -keep)) await rm(join(folder, old.name), { force: true });
    log.info({ name }, 'snapshot taken');
  }

  return {
    newestAt: () => taken().at(-1)?.at ?? null,
    start: () => Promise.resolve(),
    async look() {
      const newest = taken().at(-1);
      if (running !== null || !mayRun() || (newest && systemClock.now() - newest.at < everyMs)) return;
      running = take().finally(() => {
        running = null;
      });
      await running;
    },
    async stop() {
      child?.kill();
      await running?.catch((error) => log.warn(errorFields(error), 'a snapshot was cancelled'));
    },
  };
}
