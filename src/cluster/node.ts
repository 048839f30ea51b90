// This machine in its cluster: its role now, as LiteFS and the other machines tell it.

import { monotonicMs } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import { askInfo, type Mount } from './litefs.ts';
import { createReach } from './reach.ts';
import { type Role, refusalOf } from './role.ts';

export interface Node {
  role(): Role;
  isPrimary(): boolean;
  /** Whether LiteFS says that this machine is the primary, whatever others say. */
  claimsPrimary(): boolean;
  /** Throws `unavailable`, with a sentence that names the primary, unless this machine may write now. */
  requirePrimary(): void;
  /** The host that is the primary as far as this machine can see; null when it sees none. */
  primaryHost(): string | null;
  /** The last host that was seen to be the primary, also when it has vanished since. */
  lastPrimaryHost(): string | null;
  /** How far this machine's database has come. */
  position(): string | null;
  /** Waits until the database has come so far; false when that takes longer than `ms` or nobody waits any more. */
  reach(position: string, ms: number, signal: AbortSignal): Promise<boolean>;
  /** How old what this machine shows may be: 0 on the primary, null where it is not known. */
  replicationLagMs(): number | null;
  /** Asks LiteFS now. */
  refresh(): Promise<Role>;
  /** Notes that another machine, known by its signature, said that it is the primary. */
  noteRival(): void;
  /** Told after every change of the role; answers how to end that. */
  onChange(listener: (role: Role) => void): () => void;
  stop(): void;
}

export interface NodeOptions {
  mount: Mount;
  /** Where LiteFS answers on this machine. */
  litefsUrl: string;
  log: Log;
  /** Asks another machine whether it takes itself for the primary; no answer is no. */
  askRival?: (host: string) => Promise<boolean>;
  pollMs?: number;
  staleMs?: number;
}

// What LiteFS said longer ago than this counts for nothing.
const staleAfterMs = 3_000;
const pollEveryMs = 500;
export function createNode(options: NodeOptions): Node {
  const { mount, litefsUrl, log, askRival, pollMs = pollEveryMs, staleMs = staleAfterMs } = options;
  let heard: { isPrimary: boolean; isContradicted: boolean; at: number } | null = null;
  let rivalSeenAt = Number.NEGATIVE_INFINITY;
  let lastHost: string | null = null;
  let told: Role = 'unknown';
  let polling: Promise<Role> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;
  const listeners = new Set<(role: Role) => void>();

  function namedPrimary(): string | null {
    const host = mount.namedPrimary();
    if (host !== null) lastHost = host;
    return host;
  }

  const isFresh = (at: number) => monotonicMs() - at <= staleMs;

  function role(): Role {
    if (heard === null || !isFresh(heard.at)) return 'unknown';
    if (!heard.isPrimary) return 'replica';
    if (heard.isContradicted || isFresh(rivalSeenAt)) return 'conflict';
    // Somebody else has become the primary since LiteFS was asked.
    return namedPrimary() === null ? 'primary' : 'replica';
  }

  async function look(): Promise<Role> {
    const before = namedPrimary();
    const at = monotonicMs();
    const info = await askInfo(litefsUrl);
    // The file on both sides of the question: one that has just come or gone is a change, not a contradiction.
    const isContradicted = info?.isPrimary === true && before !== null && namedPrimary() !== null;
    const next = info === null ? null : { ...info, isContradicted, at };
    // Whoever has just been promoted asks the one before it first, and then writes.
    const isPromoted = info?.isPrimary === true && heard?.isPrimary !== true;
    if (!isPromoted) heard = next;
    if (info?.isPrimary && lastHost !== null && askRival && (await askRival(lastHost))) rivalSeenAt = monotonicMs();
    heard = next;
    tell();
    return role();
  }

  function tell(): void {
    const now = role();
    if (now === told) return;
    log.info({ role: now, before: told, primary: namedPrimary() }, 'the role of this machine changed');
    told = now;
    for (const listener of listeners) {
      try {
        listener(now);
      } catch (error) {
        log.error(errorFields(error), 'a listener failed on a change of the role');
      }
    }
  }

  function refresh(): Promise<Role> {
    polling ??= look().finally(() => {
      polling = null;
    });
    return polling;
  }

  function poll(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      refresh()
        .catch((error) => log.error(errorFields(error), 'the role of this machine could not be checked'))
        .finally(poll);
    }, pollMs);
    timer.unref();
  }
  poll();

  return {
    role,
    isPrimary: () => role() === 'primary',
    claimsPrimary: () => heard?.isPrimary === true && isFresh(heard.at),
    requirePrimary() {
      const now = role();
      if (now !== 'primary') throw refusalOf(now, namedPrimary());
    },
    primaryHost: () => (['primary', 'conflict'].includes(role()) ? null : namedPrimary()),
    lastPrimaryHost: () => namedPrimary() ?? lastHost,
    position: () => mount.position(),
    reach: createReach(mount, () => isStopped),
    replicationLagMs: () => (role() === 'primary' ? 0 : mount.lagMs()),
    refresh,
    noteRival() {
      rivalSeenAt = monotonicMs();
      tell();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
