// Claims on deliveries, so that no other process sends them too. A fast lane claims some ahead.

import { monotonicMs } from '../../base/clock.ts';
import { processName } from '../../base/process.ts';
import type { Context } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { letGo, takeDue } from '../../desk/outbox/attempts.ts';
import { isMailLane, type Lane } from '../../store/outbox/lane.ts';
import type { Lanes, Place } from './lanes.ts';
import type { Gathering } from './recorder.ts';

export interface Wanted {
  lane: Lane;
  places: Place[];
}

interface ClaimsOptions {
  desk: Desk;
  context: () => Context;
  lanes: Lanes;
  gathering: Gathering;
  webhookClaimMs: number;
}

// Longer than any attempt: only the claims of a dead process expire.
const mailClaimMs = 15 * 60_000;
const claimedAhead = 24;

export type Claims = ReturnType<typeof createClaims>;

export function createClaims({ desk, context, lanes, gathering, webhookClaimMs }: ClaimsOptions) {
  const ahead = new Map<Lane, { id: number; startBefore: number }[]>();
  const refills = new Map<Lane, { waiting: number; done: Promise<void> }>();

  const lifetimeMs = (lane: Lane) => (isMailLane(lane) ? mailClaimMs : webhookClaimMs);
  const claimOf = (lane: Lane) => ({ by: processName, ms: lifetimeMs(lane) });

  async function release(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await desk.write((tx) => letGo(tx, ids));
  }

  async function claimMore(lane: Lane): Promise<void> {
    await gathering.claims();
    const waiting = refills.get(lane)?.waiting ?? 1;
    refills.delete(lane);
    const startBefore = monotonicMs() + lifetimeMs(lane) / 2;
    const count = lanes.isFast(lane) ? Math.max(waiting, claimedAhead) : waiting;
    const ids = await desk.write((tx) => takeDue(tx, context(), lane, count, claimOf(lane)), true);
    ahead.set(lane, [...(ahead.get(lane) ?? []), ...ids.map((id) => ({ id, startBefore }))]);
  }

  return {
    lifetimeMs,
    release,
    claim: (wanted: readonly Wanted[]) =>
      desk.write((tx) => wanted.map(({ lane, places }) => takeDue(tx, context(), lane, places.length, claimOf(lane)))),
    /** Claims for every place of the lane that asks before the next commit, which also records what they delivered. */
    refill(lane: Lane): Promise<void> {
      const pending = refills.get(lane);
      if (pending) {
        pending.waiting += 1;
        return pending.done;
      }
      const refilling = { waiting: 1, done: claimMore(lane) };
      refills.set(lane, refilling);
      return refilling.done;
    },
    next(lane: Lane): number | undefined {
      const claimed = ahead.get(lane) ?? [];
      while (claimed.length > 0) {
        const one = claimed.shift();
        if (one && one.startBefore > monotonicMs()) return one.id;
      }
      return undefined;
    },
    async releaseAhead(lane: Lane): Promise<void> {
      const claimed = ahead.get(lane) ?? [];
      ahead.delete(lane);
      await release(claimed.map(({ id }) => id));
    },
  };
}
