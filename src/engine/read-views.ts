// The transactions in which reads happen.

import type { Tx } from './handles.ts';

interface Views {
  read<T>(tx: Tx, read: (tx: Tx) => T): T;
  end(): void;
}

interface Frame {
  tx: Tx;
  begin(): void;
  commit(): void;
}

/** @param isShared the reads of one turn of the event loop share a transaction: on LiteFS, its locks are two calls through FUSE */
export function createViews(isShared: boolean): Views {
  const frames = new WeakMap<Tx, Frame>();
  let kept: Frame | null = null;

  function frameOf(tx: Tx): Frame {
    const known = frames.get(tx);
    if (known !== undefined) return known;
    const [begin, commit] = [tx.client.prepare('BEGIN'), tx.client.prepare('COMMIT')];
    const made = { tx, begin: () => void begin.run(), commit: () => void commit.run() };
    frames.set(tx, made);
    return made;
  }

  function end(): void {
    const ended = kept;
    kept = null;
    if (ended?.tx.client.inTransaction) ended.commit();
  }

  function readAlone<T>(frame: Frame, read: (tx: Tx) => T): T {
    frame.begin();
    try {
      return read(frame.tx);
    } finally {
      frame.commit();
    }
  }

  function readTogether<T>(frame: Frame, read: (tx: Tx) => T): T {
    if (kept !== frame) {
      end();
      frame.begin();
      kept = frame;
      setImmediate(endLater);
    }
    return read(frame.tx);
  }

  function endLater(): void {
    try {
      end();
    } catch {
      // The file has gone or failed, which the next read reports to someone who can be told.
    }
  }

  return {
    read: (tx, read) => (isShared ? readTogether(frameOf(tx), read) : readAlone(frameOf(tx), read)),
    end,
  };
}
