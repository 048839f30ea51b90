// What a replica learns by asking the primary: whether it still is the primary, or is lost while LiteFS has not noticed.

import { monotonicMs, systemClock } from '../base/clock.ts';
import { randomBelow } from '../base/crypto.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Contact } from './contact.ts';
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
  clockSkewMs: number | null;
}

interface PrimaryWatchOptions {
  node: Pick<Node, 'role' | 'primaryHost' | 'replicationLagMs'>;
  peers: Pick<Peers, 'ask'>;
  contact: Pick<Contact, 'hearsConsul'>;
  maxLagMs: number;
  log: Log;
  random?: () => number;
}

// Shares of the longest lag. With 30 s, a replica asks every 5 s and ends 5 to 20 s after it first missed the primary,
// so that not all replicas are away at once.
const askShare = 1 / 6;
const patienceShares = { least: 1 / 6, most: 2 / 3 };
// A machine that has heard nothing since it started was perhaps restarted for that, without success.
const startPatience = 10;
const longestAskMs = 3_000;

const randomShare = () => randomBelow(1_000) / 1_000;

export function createPrimaryWatch(options: PrimaryWatchOptions): PrimaryWatch {
  const { node, peers, contact, maxLagMs, log, random = randomShare } = options;
  const bornAt = monotonicMs();
  const everyMs = maxLagMs * askShare;
  let endsAt: number | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;
  let clockSkewMs: number | null = null;

  const areClocksApart = () => clockSkewMs !== null && Math.abs(clockSkewMs) > maxSkewMs;

  /** LiteFS has no timeouts of its own, so its silence says nothing while the primary answers another way. */
  function isSilent(): boolean {
    const lagMs = node.replicationLagMs();
    return lagMs === null ? monotonicMs() - bornAt > startPatience * maxLagMs : lagMs > maxLagMs;
  }

  async function ask(host: string): Promise<Told | null> {
    const askedAt = systemClock.now();
    try {
      const answer = await peers.ask(host, 'GET', peerPath + primaryPeerPath, { ms: Math.min(everyMs, longestAskMs) });
      const told: unknown = answer.ok ? await answer.json() : null;
      const date = Date.parse(answer.headers.get('date') ?? '');
      return {
        isPrimary: typeof told === 'object' && told !== null && 'is_primary' in told && told.is_primary === true,
        clockSkewMs: Number.isNaN(date) ? null : date - askedAt,
      };
    } catch {
      // Unreachable, which is what was asked.
      return null;
    }
  }

  async function look(onLost: () => void): Promise<void> {
    const host = node.role() === 'replica' ? node.primaryHost() : null;
    const told = host === null ? null : await ask(host);
    clockSkewMs = told?.clockSkewMs ?? null;
    // With clocks that differ, the primary refuses the question, and is no less the primary.
    const isLost =
      host !== null && told?.isPrimary !== true && !areClocksApart() && isSilent() && contact.hearsConsul();
    if (!isLost) {
      endsAt = null;
      return;
    }
    const { least, most } = patienceShares;
    endsAt ??= monotonicMs() + maxLagMs * (least + random() * (most - least));
    if (monotonicMs() < endsAt || isStopped) return;
    isStopped = true;
    log.error(
      { primary: host },
      'the primary is lost, and LiteFS here has not noticed: this machine ends, so that both start again',
    );
    onLost();
  }

  function start(onLost: () => void): void {
    timer = setTimeout(() => {
      look(onLost)
        .catch((error) => log.error(errorFields(error), 'the primary could not be asked'))
        .finally(() => {
          if (!isStopped) start(onLost);
        });
    }, everyMs);
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
