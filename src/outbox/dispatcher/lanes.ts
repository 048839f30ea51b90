// The lanes of the outbox, one for each channel, mailbox and the desk's mail server: how many deliveries each can send now, and how it is doing.

import { monotonicMs } from '../../base/clock.ts';
import { isMailLane, type Lane } from '../../store/outbox/lane.ts';

/** What an attempt occupies: a lane's first place, counted separately for failing lanes, or an extra one. */
export type Place = 'first' | 'firstOfFailing' | 'extra' | 'mail';

// A slow or dead channel or mailbox delays no other. Only hundreds of busy channels reach these limits; then the places rotate.
const limits: Record<Place, number> = { first: 512, firstOfFailing: 256, extra: 64, mail: 4 };
const healthyLaneSize = 8;
// Exchange Online takes no more connections of one mailbox.
const mailboxLaneSize = 3;
const fastMs = 250;

interface LaneReport {
  isDelivered: boolean;
  durationMs: number;
  /** The lane then sends nothing for this long: other deliveries would fail the same way. */
  restMs: number;
}

export type Lanes = ReturnType<typeof createLanes>;

export function createLanes(mailsAtOnce: number) {
  const inFlight = new Map<Lane, number>();
  const isHealthy = new Map<Lane, boolean>();
  const lastTurn = new Map<Lane, number>();
  const restsUntil = new Map<Lane, number>();
  const lastDurationMs = new Map<Lane, number>();
  const taken: Record<Place, number> = { first: 0, firstOfFailing: 0, extra: 0, mail: 0 };
  let turns = 0;

  const free = (place: Place) => Math.max(0, limits[place] - taken[place]);
  const repeat = (place: Place, count: number) => Array<Place>(Math.max(0, count)).fill(place);

  return {
    /** A lane waits for a first place, so no other lane keeps its place for a second delivery. */
    isCrowded: false,
    freePlaces(lane: Lane): Place[] {
      if (lane === null) return repeat('mail', Math.min(free('mail'), mailsAtOnce - taken.mail));
      const busy = inFlight.get(lane) ?? 0;
      const firstPlace = isHealthy.get(lane) === false ? 'firstOfFailing' : 'first';
      const first = repeat(firstPlace, busy > 0 ? 0 : Math.min(1, free(firstPlace)));
      if (!isHealthy.get(lane) || busy + first.length === 0) return first;
      const size = isMailLane(lane) ? mailboxLaneSize : healthyLaneSize;
      return [...first, ...repeat('extra', Math.min(size - busy - first.length, free('extra')))];
    },
    occupy(places: readonly Place[]): void {
      for (const place of places) taken[place] += 1;
    },
    vacate(places: readonly Place[]): void {
      for (const place of places) taken[place] -= 1;
    },
    enter(lane: Lane): void {
      inFlight.set(lane, (inFlight.get(lane) ?? 0) + 1);
    },
    leave(lane: Lane): void {
      const busy = (inFlight.get(lane) ?? 1) - 1;
      if (busy > 0) inFlight.set(lane, busy);
      else inFlight.delete(lane);
    },
    isBusy: (lane: Lane) => inFlight.has(lane),
    isFailing: (lane: Lane) => isHealthy.get(lane) === false,
    isFast: (lane: Lane) => (lastDurationMs.get(lane) ?? fastMs) < fastMs,
    takeTurn(lane: Lane): void {
      turns += 1;
      lastTurn.set(lane, turns);
    },
    longestWaitingFirst: (lanes: readonly Lane[]) =>
      lanes.toSorted((a, b) => (lastTurn.get(a) ?? 0) - (lastTurn.get(b) ?? 0)),
    restLeftMs: (lane: Lane) => Math.max(0, (restsUntil.get(lane) ?? 0) - monotonicMs()),
    report(lane: Lane, { isDelivered, durationMs, restMs }: LaneReport): void {
      lastDurationMs.set(lane, durationMs);
      if (lane === null) return;
      isHealthy.set(lane, isDelivered);
      restsUntil.set(lane, monotonicMs() + restMs);
    },
  };
}
