// What LiteFS reports about this machine: its local API, and files in its mount beside the database.

import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface Info {
  isPrimary: boolean;
}

const infoTimeoutMs = 2_000;
const maxInfoCharacters = 64_000;

/** Null without an answer that can be read; `late` after the time to answer, which is silence and says nothing. */
export async function askInfo(address: string): Promise<Info | 'late' | null> {
  try {
    const answer = await fetch(`${address}/info`, {
      redirect: 'error',
      keepalive: false,
      signal: AbortSignal.timeout(infoTimeoutMs),
    });
    const text = await answer.text();
    if (!answer.ok || text.length > maxInfoCharacters) return null;
    const info: unknown = JSON.parse(text);
    if (typeof info !== 'object' || info === null || !('isPrimary' in info)) return null;
    return typeof info.isPrimary === 'boolean' ? { isPrimary: info.isPrimary } : null;
  } catch (error) {
    // Not running or not JSON: no permission to write.
    return error instanceof Error && error.name === 'TimeoutError' ? 'late' : null;
  }
}

const promoteTimeoutMs = 10_000;

/** Has LiteFS on this machine take the lease from the primary. Null, or why it did not. */
export async function promote(address: string): Promise<string | null> {
  try {
    const answer = await fetch(`${address}/promote`, {
      method: 'POST',
      redirect: 'error',
      keepalive: false,
      signal: AbortSignal.timeout(promoteTimeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok ? null : `LiteFS refused with status ${answer.status}.`;
  } catch {
    return 'LiteFS does not answer on this machine.';
  }
}

export interface Mount {
  /** The host in the file `.primary`; null without that file, which proves nothing. */
  namedPrimary(): string | null;
  position(): string | null;
  lagMs(): number | null;
  /** Differs for each mount of LiteFS; null without one. */
  identity(): string | null;
  /** Forgets what was read in this turn of the event loop. */
  forgetReads(): void;
}

const hostPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._:-]{0,252})$/;
const positionPattern = /^[0-9a-f]{16}\/[0-9a-f]{16}$/;
// LiteFS writes this until it first hears from a primary.
const neverHeardMs = 2 ** 31 - 1;

export function openMount(database: string): Mount {
  // Each read passes through FUSE three times, and many requests that arrive together ask for the same.
  const readThisTurn = new Map<string, string | null>();
  const beside = (name: string) => {
    const known = readThisTurn.get(name);
    if (known !== undefined) return known;
    if (readThisTurn.size === 0) setImmediate(() => readThisTurn.clear());
    const text = contentOf(join(database, '..', name));
    readThisTurn.set(name, text);
    return text;
  };
  return {
    forgetReads: () => readThisTurn.clear(),
    namedPrimary() {
      const host = beside('.primary');
      return host !== null && hostPattern.test(host) ? host : null;
    },
    position() {
      const position = beside(`${basename(database)}-pos`);
      return position !== null && isPosition(position) ? position : null;
    },
    lagMs() {
      const text = beside('.lag');
      if (text === null || !/^[+-]?\d{1,15}$/.test(text)) return null;
      const ms = Number(text);
      return ms >= neverHeardMs ? null : Math.max(0, ms);
    },
    identity() {
      // The file `.lag` is in every mount of LiteFS, on every machine.
      if (beside('.lag') === null) return null;
      try {
        return String(statSync(dirname(database)).dev);
      } catch {
        return null;
      }
    },
  };
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1').trim();
  } catch {
    return null;
  }
}

const lookEveryMs = 250;

/** Calls `onLost` once, when a mount that was there has gone or was made again: open handles are then of no use, and dangerous. */
export function watchMount(mount: Pick<Mount, 'identity'>, onLost: () => void, everyMs = lookEveryMs): () => void {
  let held = mount.identity();
  const timer = setInterval(() => {
    const now = mount.identity();
    if (now === held) return;
    const wasThere = held !== null;
    held = now;
    if (!wasThere) return;
    clearInterval(timer);
    onLost();
  }, everyMs);
  return () => clearInterval(timer);
}

export function databaseBytes(path: string): number {
  return [path, `${path}-wal`].reduce((sum, one) => {
    try {
      return sum + statSync(one).size;
    } catch {
      return sum;
    }
  }, 0);
}

export function isPosition(text: string): boolean {
  return positionPattern.test(text);
}

/** Whether a database at `here` contains one at `there`: transaction numbers are hexadecimal. */
export function hasReached(here: string, there: string): boolean {
  return here.slice(0, 16) >= there.slice(0, 16);
}
