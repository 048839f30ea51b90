// What LiteFS tells of this machine: its API on the loopback, and the few files that its mount shows beside the database.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** `GET /info`, as far as the desk needs it. */
interface Info {
  isPrimary: boolean;
}

const infoTimeoutMs = 2_000;
const maxInfoCharacters = 64_000;

/** Asks LiteFS whether this machine is the primary; null when it gives no answer that can be relied on. */
export async function askInfo(address: string): Promise<Info | null> {
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
  } catch {
    // Not there, too slow or no JSON: whoever asks takes no answer for no permission to write.
    return null;
  }
}

export interface Mount {
  /** The host that `.primary` names; null when there is no such file, which proves nothing. */
  namedPrimary(): string | null;
  /** How far the database has come, `{transaction}/{checksum}`; null where that cannot be read. */
  position(): string | null;
  /** How old the newest news from the primary is; null where LiteFS does not tell. */
  lagMs(): number | null;
}

const hostPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._:-]{0,252})$/;
const positionPattern = /^[0-9a-f]{16}\/[0-9a-f]{16}$/;
// What LiteFS writes while it has never heard from a primary.
const neverHeardMs = 2 ** 31 - 1;

/** @param database the path of the database in the mount */
export function openMount(database: string): Mount {
  const beside = (name: string) => {
    try {
      return readFileSync(join(database, '..', name), 'latin1').trim();
    } catch {
      return null;
    }
  };
  return {
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
  };
}

export function isPosition(text: string): boolean {
  return positionPattern.test(text);
}

/** Whether a database that has come to `here` holds what one at `there` held: transactions are numbered in hexadecimal. */
export function hasReached(here: string, there: string): boolean {
  return here.slice(0, 16) >= there.slice(0, 16);
}
