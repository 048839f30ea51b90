// The queue of mail to be filed: a few at a time, sites in turn, with only a list of ids in memory.

import { DeskError } from '../domain/errors.ts';

export interface Place {
  /** Null if the queue was stopped meanwhile. */
  add<T>(siteId: number, file: () => Promise<T>): Promise<T> | null;
  giveBack(): void;
}

export interface FilingQueue {
  add<T>(siteId: number, file: () => Promise<T>): Promise<T> | null;
  /** Keeps a place while the mail is being stored; null if the queue is full. */
  reserve(): Place | null;
  stop(): Promise<void>;
}

interface FilingQueueOptions {
  atOnce: number;
  most: number;
  onDrained?: () => void;
}

export function createFilingQueue({ atOnce, most, onDrained }: FilingQueueOptions): FilingQueue {
  // A site moves to the end of the map when one of its mails begins.
  const bySite = new Map<number, { begin: () => Promise<void>; refuse: (error: DeskError) => void }[]>();
  const running = new Set<Promise<void>>();
  let waiting = 0;
  let isStopped = false;

  function pump(): void {
    while (!isStopped && running.size < atOnce) {
      const [first] = bySite;
      if (first === undefined) return;
      const [siteId, files] = first;
      bySite.delete(siteId);
      const entry = files.shift();
      if (files.length > 0) bySite.set(siteId, files);
      if (entry === undefined) continue;
      waiting -= 1;
      const run = entry.begin().finally(() => {
        running.delete(run);
        pump();
        if (waiting === 0 && running.size === 0) onDrained?.();
      });
      running.add(run);
    }
  }

  function reserve(): Place | null {
    if (isStopped || waiting + running.size >= most + atOnce) return null;
    waiting += 1;
    return {
      add<T>(siteId: number, file: () => Promise<T>) {
        if (isStopped) return null;
        const { promise, resolve, reject } = Promise.withResolvers<T>();
        const entries = bySite.get(siteId) ?? [];
        entries.push({ begin: () => file().then(resolve, reject), refuse: reject });
        bySite.set(siteId, entries);
        pump();
        return promise;
      },
      giveBack() {
        waiting -= 1;
      },
    };
  }

  return {
    reserve,
    add: (siteId, file) => reserve()?.add(siteId, file) ?? null,
    async stop() {
      isStopped = true;
      for (const entries of bySite.values())
        for (const { refuse } of entries)
          refuse(new DeskError('unavailable', 'The desk is stopping.', { retryAfterSeconds: 5 }));
      bySite.clear();
      await Promise.all(running);
    },
  };
}
