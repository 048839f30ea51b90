// Copies write-ahead logs into their databases on another thread, so that nothing else in this process waits for that.

import { Worker } from 'node:worker_threads';
import { databaseInThread } from '#platform/thread-database.ts';

const [ended, asked, begun] = [0, 1, 2];

// The log gets the time of the copy: if the database were newer, its writer would seem to be another program (src/data/check-log.ts).
const script = `
${databaseInThread}
const { fsyncSync, statSync, utimesSync } = process.getBuiltinModule('node:fs');
const { parentPort } = process.getBuiltinModule('node:worker_threads');
parentPort.on('message', ({ number, path, synchronous, file, shared }) => {
  const state = new Int32Array(shared);
  let fault = null;
  if (Atomics.compareExchange(state, 0, ${asked}, ${begun}) === ${asked}) {
    try {
      const database = open(path);
      try {
        database.run('PRAGMA synchronous = ' + synchronous);
        database.run('PRAGMA wal_checkpoint(PASSIVE)');
        const written = Math.floor(statSync(path).mtimeMs) + 1;
        if (statSync(path + '-wal').mtimeMs < written) utimesSync(path + '-wal', written / 1000, written / 1000);
        if (file !== null) fsyncSync(file);
      } finally {
        database.close();
      }
    } catch (error) {
      fault = { message: error.message, code: error.code };
    }
    Atomics.store(state, 0, ${ended});
    Atomics.notify(state, 0);
  }
  parentPort.postMessage({ number, fault });
});
`;

interface Outcome {
  number: number;
  fault: { message: string; code: string | undefined } | null;
}

export interface Checkpoint {
  /** Blocks until the thread has closed its handle; a checkpoint that has not begun is cancelled. */
  finish(): void;
  ended: Promise<Error | null>;
}

let thread: Worker | null = null;
let newest = 0;
const waiting = new Map<number, (fault: Error | null) => void>();

function settle(number: number, fault: Error | null): void {
  waiting.get(number)?.(fault);
  waiting.delete(number);
  // An idle thread does not keep the process running.
  if (waiting.size === 0) thread?.unref();
}

function startThread(): Worker {
  const started = new Worker(script, { eval: true });
  started.on('message', ({ number, fault }: Outcome) =>
    settle(
      number,
      fault &&
        Object.assign(new Error(fault.message), { name: fault.code ? 'SQLiteError' : 'Error', code: fault.code }),
    ),
  );
  started.on('error', (error: Error) => {
    thread = null;
    for (const number of [...waiting.keys()]) settle(number, error);
  });
  return started;
}

/** @param file a descriptor to sync after the copy, because SQLite syncs only a completely copied log; or null */
export function startCheckpoint(path: string, synchronous: string, file: number | null): Checkpoint {
  thread ??= startThread();
  thread.ref();
  newest += 1;
  const number = newest;
  const shared = new SharedArrayBuffer(4);
  const state = new Int32Array(shared);
  Atomics.store(state, 0, asked);
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  waiting.set(number, resolve);
  thread.postMessage({ number, path, synchronous, file, shared });
  return {
    finish() {
      Atomics.compareExchange(state, 0, asked, ended);
      while (Atomics.load(state, 0) === begun) Atomics.wait(state, 0, begun);
    },
    ended: promise,
  };
}
