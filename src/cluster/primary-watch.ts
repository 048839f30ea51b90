// What a replica learns by asking the primary: which machines were it before, whether its disk is full, or it is lost
// while LiteFS has not noticed.

import { type Clock, monotonicMs, systemClock } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Contact } from './contact.ts';
import { primariesKnownTo } from './file-search.ts';
import type { Node } from './node.ts';
import { maxSkewMs, type Peers, peerPath } from './peers.ts';
import { ownWords } from './replicas.ts';

/** Below `peerPath`: a replica asks the machine that it takes for the primary. */
export const primaryPeerPath = 'primary';

export interface PrimaryWatch {
  /** @param onLost called once, when only a restart of LiteFS here lets another machine become the primary */
  start(onLost: () => void): void;
  /** Whether that machine says anything within seconds. */
  answers(host: string): Promise<boolean>;
  /** Whether the primary that LiteFS names has been silent for seconds, both LiteFS and its desk. */
  isMissing(): boolean;
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
  /** After so long without the primary, its lease is over and another machine can have it. */
  leaseMs: number;
  onFullDisk: (host: string) => Promise<void>;
  log: Log;
  clock?: Clock;
  /** Of `monotonicMs`. */
  passedMs?: () => number;
}

const askShare = 1 / 8;
const longestAskMs = 2_000;
// LiteFS sends news every second, so this is several in a row, and no answer either.
const longestMissMs = 5_000;
const missShare = 1 / 2;
// A machine that has heard nothing since it started was perhaps restarted for that, without success.
const startPatience = 30;

export function createPrimaryWatch(options: PrimaryWatchOptions): PrimaryWatch {
  const { node, peers, contact, leaseMs, onFullDisk, log, clock = systemClock, passedMs = monotonicMs } = options;
  const bornAt = passedMs();
  const everyMs = leaseMs * askShare;
  const missMs = Math.min(longestMissMs, leaseMs * missShare);
  let isStarted = false;
  let watched: string | null = null;
  /** When there was last a reason to believe in the primary that is named now. */
  let believedAt = bornAt;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;
  let clockSkewMs: number | null = null;
  let learntFrom: string | null = null;

  const areClocksApart = () => clockSkewMs !== null && Math.abs(clockSkewMs) > maxSkewMs;

  /** LiteFS has no timeouts of its own, so its silence says nothing while the primary answers another way. */
  function unheardMs(): number {
    const now = passedMs();
    return Math.min(node.replicationLagMs() ?? now - bornAt, now - believedAt);
  }

  async function ask(host: string): Promise<Told | null> {
    const askedAt = clock.now();
    try {
      const answer = await peers.ask(
        host,
        'GET',
        `${peerPath}${primaryPeerPath}?${ownWords(node.replicationLagMs())}`,
        {
          ms: Math.min(everyMs, longestAskMs),
        },
      );
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
    if (host === null || host !== watched || told?.isPrimary || areClocksApart()) believedAt = passedMs();
    watched = host;
    const longestMs = node.replicationLagMs() === null ? startPatience * leaseMs : leaseMs;
    if (unheardMs() <= longestMs || !contact.hearsConsul() || !(await mayBeAway()) || isStopped) return;
    isStopped = true;
    log.error(
      { primary: host },
      'the primary is lost, and LiteFS here has not noticed: this machine ends, so that both start again',
    );
    onLost();
  }

  function askAgain(onLost: () => void, afterMs = 0): void {
    timer = setTimeout(() => {
      look(onLost)
        .catch((error) => log.error(errorFields(error), 'the primary could not be asked'))
        .finally(() => {
          if (!isStopped) askAgain(onLost, everyMs);
        });
    }, afterMs);
    timer.unref();
  }

  return {
    start(onLost) {
      isStarted = true;
      askAgain(onLost);
    },
    isMissing: () => isStarted && node.role() === 'replica' && unheardMs() > missMs,
    clockGapMs: () => (areClocksApart() ? clockSkewMs : null),
    answers: async (host) => (await ask(host)) !== null,
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
