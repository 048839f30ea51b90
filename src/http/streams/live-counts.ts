// The counts of views for agents with an open console: counted once per agent, in a small share of the time.

import { type Instant, monotonicMs } from '../../base/clock.ts';
import type { Desk } from '../../desk/desk.ts';
import type { AgentActor } from '../../domain/actor.ts';
import { countViews } from '../wire/lists/view-counts.ts';
import { encodeEvent } from './event-pages.ts';
import type { LiveFeed } from './live-feed.ts';

interface LiveCountsOptions {
  desk: Desk;
  feed: LiveFeed;
  isStopping(): boolean;
  tell(agentId: number, bytes: Uint8Array): void;
  limits?: CountLimits;
  views?: typeof countViews;
  /** Of `monotonicMs`. */
  passedMs?: () => number;
}

interface LiveCounts {
  follow(actor: AgentActor): void;
  leave(agentId: number): void;
  /** What the agent was told last. */
  last(agentId: number): Uint8Array | null;
}

interface CountLimits {
  /** At most this often for an agent. */
  everyMs: number;
  /** What is due soon or breached changes without a commit. */
  idleMs: number;
  /** After counting for a while, other work gets this many times as long. More agents hear of changes later. */
  rest: number;
}
const usualLimits: CountLimits = { everyMs: 1000, idleMs: 60_000, rest: 25 };

interface Counted {
  actor: AgentActor;
  streams: number;
  text: string | null;
  bytes: Uint8Array | null;
  generation: string | null;
  at: number;
  /** When the desk can count what it had kept, or not counted to the end. */
  again: Instant | null;
}

export function createLiveCounts({
  desk,
  feed,
  isStopping,
  tell,
  limits = usualLimits,
  views = countViews,
  passedMs = monotonicMs,
}: LiveCountsOptions): LiveCounts {
  const agents = new Map<number, Counted>();
  let isRunning = false;
  let wake: AbortController | null = null;

  async function count(own: Counted): Promise<void> {
    const startedAt = passedMs();
    own.at = startedAt;
    own.generation = '';
    own.again = null;
    own.generation = desk.generation();
    const counting = views(desk, desk.context(own.actor, 'live counts'), null);
    const spentMs = passedMs() - startedAt;
    const { counts, again } = await counting;
    own.again = again;
    const text = JSON.stringify(counts);
    if (text !== own.text) {
      own.text = text;
      own.bytes = encodeEvent('counts', counts);
      tell(own.actor.agentId, own.bytes);
    }
    await new Promise((resolve) => setTimeout(resolve, spentMs * limits.rest));
  }

  function isDue({ generation, at, again }: Counted): boolean {
    if (generation === null) return true;
    const ageMs = passedMs() - at;
    const isOld = generation !== desk.generation() || (again !== null && again <= desk.now());
    return ageMs >= limits.idleMs || (ageMs >= limits.everyMs && isOld);
  }

  function idleMs(): number {
    const next = Math.min(...[...agents.values()].map(({ again }) => again ?? Number.POSITIVE_INFINITY));
    return Math.max(0, Math.min(limits.idleMs, next - desk.now()));
  }

  async function round(): Promise<void> {
    for (const own of [...agents.values()]) {
      if (isStopping()) return;
      try {
        if (agents.get(own.actor.agentId) === own && isDue(own)) await count(own);
      } catch {
        // A right that ended, or a disk that cannot be read: the stream ends for that reason, or the next round counts.
      }
    }
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (agents.size > 0 && !isStopping()) {
      do await round();
      while ([...agents.values()].some(({ generation }) => generation === null) && !isStopping());
      // Between changes that come faster, and at a change that comes later.
      await pause(limits.everyMs);
      const waiting = [...agents.values()].some(isDue);
      if (!waiting && agents.size > 0 && !isStopping()) {
        wake = new AbortController();
        await feed.next(idleMs(), wake.signal);
      }
    }
    isRunning = false;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      wake = new AbortController();
      const timer = setTimeout(resolve, ms);
      wake.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  return {
    follow(actor) {
      const known = agents.get(actor.agentId);
      if (known !== undefined) {
        known.streams += 1;
        return;
      }
      agents.set(actor.agentId, { actor, streams: 1, text: null, bytes: null, generation: null, at: 0, again: null });
      wake?.abort();
      void run();
    },
    leave(agentId) {
      const known = agents.get(agentId);
      if (known === undefined) return;
      known.streams -= 1;
      if (known.streams > 0) return;
      agents.delete(agentId);
      if (agents.size === 0) wake?.abort();
    },
    last: (agentId) => agents.get(agentId)?.bytes ?? null,
  };
}
