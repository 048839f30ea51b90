// This machine in its cluster: its current role, from LiteFS and the other machines.

import { monotonicMs } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import { askInfo, hasReached, type Mount } from './litefs.ts';
import { type Role, refusalOf } from './role.ts';

export interface Node {
  role(): Role;
  isPrimary(): boolean;
  /** Asks LiteFS now: the last answer can be as old as the time between two questions. */
  claimsPrimary(): Promise<boolean>;
  requirePrimary(): void;
  primaryHost(): string | null;
  /** Every machine that is known to have been the primary; first those that this one has seen, the newest first. */
  formerPrimaries(): readonly string[];
  /** Remembers what another machine knows of them. */
  learnPrimaries(hosts: readonly string[]): void;
  position(): string | null;
  /** Waits until the database has reached a position; false after `ms` or when `signal` aborts. */
  reach(position: string, ms: number, signal: AbortSignal): Promise<boolean>;
  replicationLagMs(): number | null;
  refresh(): Promise<Role>;
  noteRival(): void;
  onChange(listener: (role: Role) => void): () => void;
  stop(): void;
}

export interface NodeOptions {
  mount: Mount;
  litefsUrl: string;
  log: Log;
  /** Whether that machine takes itself for the primary; null without an answer. */
  askRival?: (host: string) => Promise<boolean | null>;
  pollMs?: number;
  staleMs?: number | undefined;
}

const staleAfterMs = 3_000;
const pollEveryMs = 200;
// Names come from LiteFS. A cluster has a handful of machines.
const mostPrimaries = 16;

export function createNode(options: NodeOptions): Node {
  const { mount, litefsUrl, log, askRival, pollMs = pollEveryMs, staleMs = staleAfterMs } = options;
  let heard: { isPrimary: boolean; isContradicted: boolean; at: number } | null = null;
  let rivalSeenAt = Number.NEGATIVE_INFINITY;
  let told: Role = 'unknown';
  let polling: Promise<Role> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;
  const listeners = new Set<(role: Role) => void>();

  const { namedPrimary, formerPrimaries, learnPrimaries } = rememberPrimaries(mount);
  const isFresh = (at: number) => monotonicMs() - at <= staleMs;

  function role(): Role {
    if (heard === null || !isFresh(heard.at)) return 'unknown';
    if (!heard.isPrimary) return 'replica';
    if (heard.isContradicted || isFresh(rivalSeenAt)) return 'conflict';
    // Another machine has become the primary since LiteFS was asked.
    return namedPrimary() === null ? 'primary' : 'replica';
  }

  async function look(): Promise<Role> {
    const before = namedPrimary();
    const at = monotonicMs();
    const info = await askInfo(litefsUrl);
    // A busy machine: what was heard before counts until it is stale.
    if (info === 'late') {
      tell();
      return role();
    }
    // The file before and after the question: if it has just changed, there is no contradiction.
    const isContradicted = info?.isPrimary === true && before !== null && namedPrimary() !== null;
    const next = info === null ? null : { ...info, isContradicted, at };
    // A machine that was just promoted asks the previous primary before it writes.
    const isPromoted = info?.isPrimary === true && heard?.isPrimary !== true;
    if (!isPromoted) heard = next;
    const [last] = formerPrimaries();
    if (info?.isPrimary && last !== undefined && askRival) noteAnswer(await askRival(last));
    heard = next;
    tell();
    return role();
  }

  function noteAnswer(isRival: boolean | null): void {
    if (isRival !== null) rivalSeenAt = isRival ? monotonicMs() : Number.NEGATIVE_INFINITY;
  }

  async function claimsPrimary(): Promise<boolean> {
    const at = monotonicMs();
    const info = await askInfo(litefsUrl);
    if (info === null || info === 'late') return heard?.isPrimary === true && isFresh(heard.at);
    if (!info.isPrimary) {
      heard = { ...info, isContradicted: false, at };
      tell();
    }
    return info.isPrimary;
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
    claimsPrimary,
    requirePrimary() {
      // Before a transaction; the position that is read after it must be a new one, too.
      mount.forgetReads();
      const now = role();
      if (now !== 'primary') throw refusalOf(now, namedPrimary());
    },
    primaryHost: () => (['primary', 'conflict'].includes(role()) ? null : namedPrimary()),
    formerPrimaries,
    learnPrimaries,
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

function rememberPrimaries(mount: Pick<Mount, 'namedPrimary'>) {
  let primaries: readonly string[] = [];
  const remember = (hosts: readonly string[]) => {
    primaries = [...new Set(hosts)].slice(0, mostPrimaries);
  };
  function namedPrimary(): string | null {
    const host = mount.namedPrimary();
    if (host !== null && host !== primaries[0]) remember([host, ...primaries]);
    return host;
  }
  function formerPrimaries(): readonly string[] {
    namedPrimary();
    return primaries;
  }
  return {
    namedPrimary,
    formerPrimaries,
    learnPrimaries: (hosts: readonly string[]) => remember([...formerPrimaries(), ...hosts]),
  };
}

// Waits until the database of this machine has reached the position that a request needs.
const lookEveryMs = 20;
// Anyone can make up positions that never come. This many wait at the same time; the others go to the primary.
const maxWaiting = 256;

function createReach(mount: Mount, isStopped: () => boolean) {
  let waiting = 0;
  return async (position: string, ms: number, signal: AbortSignal): Promise<boolean> => {
    const until = monotonicMs() + ms;
    const isThere = () => {
      const here = mount.position();
      return here !== null && hasReached(here, position);
    };
    if (isThere()) return true;
    if (waiting >= maxWaiting) return false;
    waiting += 1;
    try {
      while (monotonicMs() < until && !signal.aborted && !isStopped()) {
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
        if (isThere()) return true;
      }
      return false;
    } finally {
      waiting -= 1;
    }
  };
}
