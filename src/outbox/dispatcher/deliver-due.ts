// One round: finds the lanes with due deliveries and free places, claims a delivery for each place and starts it.

import { errorFields, type Log } from '../../base/log.ts';
import type { Desk } from '../../desk/desk.ts';
import type { Lane } from '../../store/outbox/lane.ts';
import { deliveriesDue, lanesAhead } from '../../store/outbox/lanes.ts';
import type { Claims, Wanted } from './claims.ts';
import type { Lanes, Place } from './lanes.ts';

interface RoundOptions {
  desk: Desk;
  log: Log;
  lanes: Lanes;
  claims: Claims;
  start: (lane: Lane, id: number, place: Place) => void;
  runIn: (ms: number) => void;
  ignoresRests: () => boolean;
  stopping: AbortSignal;
}

const longestSleepMs = 60_000;
const sleepAfterFaultMs = 5_000;

export function createDeliverDue(options: RoundOptions): () => Promise<void> {
  const { desk, log, lanes, claims, start, runIn, ignoresRests, stopping } = options;

  function wantedPlaces(dueLanes: readonly Lane[], now: number): Wanted[] {
    const wanted: Wanted[] = [];
    lanes.isCrowded = false;
    try {
      for (const lane of lanes.longestWaitingFirst(dueLanes)) {
        const places = placesFor(lane, now);
        lanes.occupy(places);
        if (places.length > 0) wanted.push({ lane, places });
      }
      return wanted;
    } catch (error) {
      lanes.vacate(wanted.flatMap(({ places }) => places));
      throw error;
    }
  }

  function placesFor(lane: Lane, now: number): Place[] {
    const restLeftMs = ignoresRests() ? 0 : lanes.restLeftMs(lane);
    if (restLeftMs > 0) {
      runIn(restLeftMs);
      return [];
    }
    const places = lanes.freePlaces(lane);
    if (places.length === 0) {
      lanes.isCrowded ||= !lanes.isBusy(lane);
      return [];
    }
    // A read first: deliveries that another process has claimed need no transaction here.
    return desk.read((tx) => deliveriesDue(tx, lane, now, 1)).length === 0 ? [] : places;
  }

  async function claimAndStart(wanted: readonly Wanted[]): Promise<void> {
    const unused = wanted.map(({ places }) => [...places]);
    try {
      const claimed = await claims.claim(wanted);
      if (stopping.aborted) return await claims.release(claimed.flat());
      for (const [at, { lane }] of wanted.entries()) {
        for (const id of claimed[at] ?? []) start(lane, id, unused[at]?.shift() ?? 'first');
      }
    } finally {
      lanes.vacate(unused.flat());
    }
  }

  return async () => {
    const now = desk.now();
    try {
      const outlook = desk.read((tx) => lanesAhead(tx, now));
      const due = outlook.filter(({ isDue }) => isDue).map(({ lane }) => lane);
      const wanted = wantedPlaces(due, now);
      if (wanted.length > 0) await claimAndStart(wanted);
      const nextAt = Math.min(...outlook.map(({ nextAt }) => nextAt ?? Number.POSITIVE_INFINITY));
      runIn(Math.min(nextAt - desk.now(), longestSleepMs));
    } catch (error) {
      log.error(errorFields(error), 'the outbox could not be read');
      runIn(sleepAfterFaultMs);
    }
  };
}
