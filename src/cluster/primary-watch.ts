// What a replica learns by asking the primary: which machines were it before, whether its disk is full, or it is lost
// while LiteFS has not noticed.

import { type Clock, monotonicMs, systemClock } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Contact } from './contact.ts';
import { primariesKnownTo } from './file-search.ts';
import type { Node } from './node.ts';
import { maxSkewMs, type Peers, peerPath } from './peers.ts';

/** Below `peerPath`: a replica asks the machine that it takes for the primary. */
export const primaryPeerPath = 'primary';

export interface PrimaryWatch {
  /** @param onLost called once, when only a restart of LiteFS here lets another machine become the primary */
  start(onLost: () => void): void;
  /** Whether that machine says anything within seconds. */
  answers(host: string): Promise<boolean>;
  /** How far the primary's clock is from this one's, if that is too far for signatures. */
  clockGapMs(): number | null;
  stop(): void;
}

interface Told {
  isPrimary: boolean;
  isFull: boolean;
  clockSkewMs: number | null;
}

interface PrimaryWatchOptions {
  node: Pick<Node, 'role' | 'primaryHost' | 'replicationLagMs' | 'learnPrimaries'>;
  peers: Pick<Peers, 'ask'>;
  contact: Pick<Contact, 'hearsConsul' | 'takesTurn'>;
  maxLagMs: number;
  onFullDisk: (host: string) => Promise<void>;
  log: Log;
  clock?: Clock;
  /** Of `monotonicMs`. */
  passedMs?: () => number;
}

// Shares of the longest lag. With 30 s, a replica asks every 5 s, and may end 5 s after it first missed the primary.
const askShare = 1 / 6;
const patienceShare = 1 / 6;
// A machine that has heard nothing since it started was perhaps restarted for that, without success.
const startPatience = 10;
const longestAskMs = 3_000;

export function createPrimaryWatch(options: PrimaryWatchOptions): PrimaryWatch {
  const { node, peers, contact, maxLagMs, onFullDisk, log, clock = systemClock, passedMs = monotonicMs } = options;
  const bornAt = passedMs();
  const everyMs = maxLagMs * askShare;
  let endsAt: number | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;
  let clockSkewMs: number | null = null;
  let learntFrom: string | null = null;

  const areClocksApart = () => clockSkewMs !== null && Math.abs(clockSkewMs) > maxSkewMs;

  /** LiteFS has no timeouts of its own, so its silence says nothing while the primary answers another way. */
  function isSilent(): boolean {
    const lagMs = node.replicationLagMs();
    return lagMs === null ? passedMs() - bornAt > startPatience * maxLagMs : lagMs > maxLagMs;
  }

  async function ask(host: string): Promise<Told | null> {
    const askedAt = clock.now();
    try {
      const answer = await peers.ask(host, 'GET', peerPath + primaryPeerPath, { ms: Math.min(everyMs, longestAskMs) });
      const told: unknown = answer.ok ? await answer.json() : null;
      const date = Date.parse(answer.headers.get('date') ?? '');
      const has = (name: string, value: boolean) =>
        typeof told === 'object' && told !== null && Reflect.get(told, name) === value;
      return {
        isPrimary: has('is_primary', true),
        isFull: has('has_room', false),
        clockSkewMs: Number.isNaN(date) ? null : date - askedAt,
      };
    } catch {
      // Unreachable, which is what was asked.
      return null;
    }
  }

  /** The replicas end one after another; without Consul's leave to write its keys, better together than never. */
  async function mayBeAway(): Promise<boolean> {
    try {
      return await contact.takesTurn();
    } catch (error) {
      log.warn(errorFields(error), 'Consul does not say whether another replica is away');
      return contact.hearsConsul();
    }
  }

  async function look(onLost: () => void): Promise<void> {
    const host = node.role() === 'replica' ? node.primaryHost() : null;
    const told = host === null ? null : await ask(host);
    clockSkewMs = told?.clockSkewMs ?? null;
    if (host !== null && told?.isPrimary && host !== learntFrom) {
      // So that the names outlive the machines that have seen them, which may all be started again in turn.
      node.learnPrimaries(await primariesKnownTo(host, peers));
      learntFrom = host;
    }
    if (host !== null && told?.isPrimary && told.isFull) await onFullDisk(host);
    // With clocks that differ, the primary refuses the question, and is no less the primary.
    const isLost =
      host !== null && told?.isPrimary !== true && !areClocksApart() && isSilent() && contact.hearsConsul();
    if (!isLost) {
      endsAt = null;
      return;
    }
    endsAt ??= passedMs() + maxLagMs * patienceShare;
    if (passedMs() < endsAt || !(await mayBeAway()) || isStopped) return;
    isStopped = true;
    log.error(
      { primary: host },
      'the primary is lost, and LiteFS here has not noticed: this machine ends, so that both start again',
    );
    onLost();
  }

  function start(onLost: () => void, afterMs = 0): void {
    timer = setTimeout(() => {
      look(onLost)
        .catch((error) => log.error(errorFields(error), 'the primary could not be asked'))
        .finally(() => {
          if (!isStopped) start(onLost, everyMs);
        });
    }, afterMs);
    timer.unref();
  }

  return {
    start,
    clockGapMs: () => (areClocksApart() ? clockSkewMs : null),
    answers: async (host) => (await ask(host)) !== null,
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
