// Detects bursts of more events than is worth sending to everyone, such as an import.

import { hasRoom, type Stream, send } from './stream.ts';

interface Flood {
  /**
   * Whether these events are too many to send now.
   * @param readers how many would get each of them
   */
  isOn(events: number, readers: number, now: number): boolean;
}

interface FloodLimits {
  bytesPerSecond: number;
  /** What may be sent in one burst after a quiet time. */
  mostBytes: number;
}
const usualLimits: FloodLimits = { bytesPerSecond: 10_000_000, mostBytes: 20_000_000 };

const eventBytes = 500;

export function createFlood({ bytesPerSecond, mostBytes }: FloodLimits = usualLimits): Flood {
  let left = mostBytes;
  let at: number | null = null;
  let isFlooded = false;
  return {
    isOn(events, readers, now) {
      const earned = ((now - (at ?? now)) * bytesPerSecond) / 1000;
      at = now;
      left = Math.min(mostBytes, left + earned);
      const cost = events * readers * eventBytes;
      // It ends when what comes fits into the time in which it came.
      isFlooded = cost > (isFlooded ? Math.min(left, earned) : left);
      if (!isFlooded) left -= cost;
      return isFlooded;
    },
  };
}

const tellLeftOutMs = 5000;

/** Readers get a summary now and then during a burst, and at its end. */
function leaveOut(streams: Iterable<Stream>, isFlood: boolean, newest: number, now: number): void {
  for (const stream of streams) {
    const { leftOut } = stream.follower;
    if (leftOut === undefined) continue;
    if (isFlood) {
      stream.leftOutAt ??= now;
      stream.follower.after = newest;
    }
    if (stream.leftOutAt === null || (isFlood && now - stream.leftOutAt < tellLeftOutMs)) continue;
    if (!hasRoom(stream)) continue;
    stream.leftOutAt = null;
    send(stream, leftOut(), stream.follower.after);
  }
}

/**
 * Holds a flood of events back from the streams that can do without.
 * @returns the event after which the other streams go on
 */
export function skipFlood(flood: Flood, streams: ReadonlySet<Stream>, at: number, newest: number, now: number): number {
  const live = [...streams].filter(({ isLive, follower }) => isLive && follower.news === undefined);
  const able = live.filter(({ follower }) => follower.leftOut !== undefined);
  const isFlood = flood.isOn(newest - at, able.length, now);
  leaveOut(able, isFlood, newest, now);
  return isFlood && able.length === live.length ? newest : at;
}
