// Sends new files to the virus scanner, two at a time, and waits longer and longer while it is down.

import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { markUndecided, noteVerdict } from '../desk/tickets/file-scans.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Scanner, Verdict } from '../files/clamav.ts';
import { filesToMark, filesToScan } from '../store/tickets/file-scans.ts';
import { createOutage } from './outage.ts';

interface FileScansOptions {
  desk: Desk;
  blobs: Pick<Blobs, 'size' | 'read'>;
  /** Null when files are not checked, or no longer. */
  scanner: Scanner | null;
  log: Log;
}

export interface FileScans {
  /** Begins with what is due, and does not wait for it. */
  wake(): void;
  stop(): Promise<void>;
}

const atOnce = 2;

export function createFileScans({ desk, blobs, scanner, log }: FileScansOptions): FileScans {
  const stopping = new AbortController();
  const underWay = new Set<string>();
  const outage = createOutage(desk.now, log, {
    down: 'the virus scanner is down, so files are not checked',
    up: 'the virus scanner answers again',
  });
  const workers = new Set<Promise<void>>();

  const context = () => desk.context({ kind: 'desk' }, 'file scans');
  const isOver = () => stopping.signal.aborted || outage.isResting();

  function next(): string | undefined {
    const due = desk.read((tx) => filesToScan(tx, desk.now(), atOnce));
    return due.find(({ ulid }) => !underWay.has(ulid))?.ulid;
  }

  /** Null when its bytes cannot be read now. */
  async function judge(asked: Scanner, ulid: string): Promise<Verdict | null> {
    try {
      const size = await blobs.size(ulid);
      if (size === null) return null;
      const bytes = blobs.read(ulid, 0, size - 1) as unknown as AsyncIterable<Uint8Array>;
      return await asked.scan(bytes, stopping.signal);
    } catch (error) {
      log.warn({ attachment: ulid, ...errorFields(error) }, 'a file could not be read to be checked');
      return null;
    }
  }

  async function worker(asked: Scanner): Promise<void> {
    for (let ulid = next(); ulid !== undefined && !isOver(); ulid = next()) {
      underWay.add(ulid);
      try {
        await settle(ulid, await judge(asked, ulid));
      } finally {
        underWay.delete(ulid);
      }
    }
  }

  async function settle(ulid: string, verdict: Verdict | null): Promise<void> {
    if (stopping.signal.aborted) return;
    if (verdict?.kind === 'down') await rest(verdict.why);
    if (verdict?.kind === 'down' && !verdict.hadFile) return;
    if (verdict !== null && verdict.kind !== 'down') {
      outage.answered();
    }
    if (verdict?.kind === 'infected') log.warn({ attachment: ulid, found: verdict.found }, 'a file is infected');
    if (verdict?.kind === 'unclear') log.warn({ attachment: ulid, reason: verdict.why }, 'a file could not be checked');
    await desk.write((tx) => noteVerdict(tx, context(), ulid, verdict));
  }

  async function rest(reason: string): Promise<void> {
    if (outage.failed(reason)) await markAll();
  }

  async function markAll(): Promise<void> {
    const isAny = () => desk.read((tx) => filesToMark(tx, scanner !== null, 1).length > 0);
    while (!stopping.signal.aborted && isAny()) await desk.write((tx) => markUndecided(tx, context()));
  }

  /** As many workers as can run. */
  async function work(): Promise<void> {
    if (scanner === null) return await markAll();
    const missing = isOver() ? 0 : atOnce - workers.size;
    for (let at = 0; at < missing; at += 1) {
      const working: Promise<void> = worker(scanner).finally(() => workers.delete(working));
      workers.add(working);
    }
    await Promise.all(workers);
  }

  return {
    wake() {
      work().catch((error) => log.error(errorFields(error), 'files could not be checked for viruses'));
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(workers);
    },
  };
}
