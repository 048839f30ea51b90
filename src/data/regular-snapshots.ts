// Takes snapshots regularly, so that any plain copy of the directory of a running desk can be completed.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Instant, systemClock } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import { listSegments } from '../engine/wal/archive.ts';
import type { DataDirectory } from './directory.ts';
import { databaseName } from './layout.ts';
import {
  archivedBytes,
  isAnchored,
  listSnapshots,
  patientPosition,
  pruneSnapshots,
  takeSnapshot,
} from './snapshots.ts';

export interface RegularSnapshots {
  /** Takes a snapshot at once if the history since the newest one has a gap. Waits for it only if that is quick. */
  start(): Promise<void>;
  look(): Promise<void>;
  newestAt(): Instant | null;
  stop(): Promise<void>;
}

// A database up to this size is copied before the desk reports that it is ready.
const quickBytes = 64 * 1024 * 1024;
const leastLogBytes = 1024 ** 3;
const logBytesFor = (databaseBytes: number) => Math.max(leastLogBytes, databaseBytes / 2);

export function createRegularSnapshots(options: {
  data: DataDirectory;
  log: Log;
  everyMs: number;
  keep: number;
  maxLogBytes?: (databaseBytes: number) => number;
  maxSnapshotBytes?: (databaseBytes: number) => number;
}): RegularSnapshots {
  const { data, log, everyMs, keep, maxLogBytes = logBytesFor } = options;
  const { store } = data.desk;
  const folder = join(data.path, 'backups');
  const archive = join(data.path, 'wal');
  const database = join(data.path, databaseName);
  let running: Promise<void> | null = null;
  const ending = new AbortController();

  async function take(): Promise<void> {
    await store.copyMostOfLog();
    const snapshot = await takeSnapshot(store, folder, systemClock.now(), ending.signal);
    await pruneSnapshots(folder, archive, keep, options.maxSnapshotBytes);
    log.info({ bytes: snapshot.bytes }, 'snapshot taken');
  }

  function once(): Promise<void> {
    running ??= take()
      .catch((error) => {
        if (!ending.signal.aborted) throw error;
      })
      .finally(() => {
        running = null;
      });
    return running;
  }

  return {
    async start() {
      if (store.archive === null) return;
      if (!isAnchored(folder, archive, await patientPosition(store))) {
        // A desk without space for a snapshot still answers; the next check tries again.
        const taken = once().catch((error) => log.error(errorFields(error), 'the first snapshot could not be taken'));
        if (statSync(database).size <= quickBytes) await taken;
      }
      if (store.archive.unsupported !== null) {
        log.warn(
          {},
          'this file system has no hard links: a plain copy of the running desk is as old as its last snapshot',
        );
      }
    },
    async look() {
      if (store.archive === null || running !== null || ending.signal.aborted) return;
      // If the desk itself writes nothing, this ends the log of another process.
      store.tend();
      const newest = listSnapshots(folder).at(-1);
      const now = await patientPosition(store);
      // Where no logs can be kept, every position is the same.
      const hasLog = listSegments(archive).some(({ ordinal }) => ordinal === now.segment);
      const isSame = newest?.position.segment === now.segment && newest.position.frames === now.frames;
      if (hasLog && isSame) return;
      const isOld = newest === undefined || systemClock.now() - newest.takenAt >= everyMs;
      const isLong = archivedBytes(folder, archive) > maxLogBytes(statSync(database).size);
      // After an end that could not be recorded, plain copies lack everything since.
      if (isOld || isLong || !isAnchored(folder, archive, now)) await once();
    },
    newestAt: () => listSnapshots(folder).at(-1)?.takenAt ?? null,
    async stop() {
      ending.abort();
      await running?.catch(() => undefined);
    },
  };
}
