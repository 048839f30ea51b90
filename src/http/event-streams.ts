// Streams of events: each event is read and put into bytes once for all who follow, however many they are.

import { monotonicMs } from '../base/clock.ts';
import type { Desk } from '../desk/desk.ts';
import { includesSite, type Scope } from '../domain/actor.ts';
import { eventsAfter, newestEventSeq } from '../store/events.ts';
import { presentEvent } from './wire/event.ts';
import { createLookups } from './wire/lookups.ts';

/** Wakes those who wait for a commit, of this process or of another one. */
export interface LiveFeed {
  /** Resolves at the next commit, or after `ms`, or when the signal says that nobody waits any more. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Follower {
  scope: Scope;
  /** The last number that it has seen. */
  after: number;
  /** Who it is, so that all of one are asked about once. */
  owner: string;
  /** Whether it may still follow: a stream outlives its first look by days. */
  isWelcome(): boolean;
  /** Told when it has ended, for whatever reason. */
  onEnd(): void;
}

export interface EventStreams {
  follow(follower: Follower): { body: ReadableStream<Uint8Array>; end(): void };
}

interface StreamLimits {
  keepAliveMs: number;
  /** One that takes nothing for so long has gone, or is too slow to be of use. */
  stuckMs: number;
}
const usualLimits: StreamLimits = { keepAliveMs: 15_000, stuckMs: 60_000 };

const pageSize = 100;
// What waits in memory for one reader at most; the bytes are shared by all. Beyond it he reads on at his own pace.
const mostWaiting = 8;
// Writing to many takes long, so that it is done the less often the more there are.
const msPerStream = 0.25;
const longestPaceMs = 250;

interface Stream {
  follower: Follower;
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** Has all that there was, and is sent what comes. */
  isLive: boolean;
  sentAt: number;
  /** When it last had room for more. */
  roomAt: number;
  resume(): void;
}

interface Encoded {
  seq: number;
  siteId: number;
  bytes: Uint8Array;
}

const encoder = new TextEncoder();
const comment = (text: string) => encoder.encode(`: ${text}\n\n`);
const opening = comment('events follow');
const keepAlive = comment('still here');

function joined(events: readonly Encoded[]): Uint8Array {
  return events.length === 1 && events[0] ? events[0].bytes : Buffer.concat(events.map(({ bytes }) => bytes));
}

export function createEventStreams(
  desk: Desk,
  feed: LiveFeed,
  isStopping: () => boolean,
  limits: StreamLimits = usualLimits,
): EventStreams {
  const streams = new Set<Stream>();
  let isRunning = false;
  let at = 0;

  function read(scope: Scope, after: number): { events: Encoded[]; newest: number } {
    return desk.read((tx) => {
      const look = createLookups(tx);
      const events = eventsAfter(tx, scope, after, pageSize).map((row) => {
        const event = presentEvent(row, look);
        const text = `id: ${event.seq}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
        return { seq: row.seq, siteId: row.siteId, bytes: encoder.encode(text) };
      });
      return { events, newest: newestEventSeq(tx) };
    });
  }

  function end(stream: Stream): void {
    if (!streams.delete(stream)) return;
    stream.resume();
    try {
      stream.controller.close();
    } catch {
      // The reader has gone, and his stream with him.
    }
    stream.follower.onEnd();
  }

  function send(stream: Stream, bytes: Uint8Array, last: number): void {
    stream.controller.enqueue(bytes);
    stream.follower.after = last;
    stream.sentAt = monotonicMs();
    if ((stream.controller.desiredSize ?? 0) > 0) stream.roomAt = stream.sentAt;
    stream.resume();
  }

  /** Sends what has come since the last time to all who have everything before it. */
  function fanOut(): void {
    const now = monotonicMs();
    const welcome = new Map<string, boolean>();
    for (const stream of streams) {
      const { owner, isWelcome } = stream.follower;
      const may = welcome.get(owner) ?? isWelcome();
      welcome.set(owner, may);
      const isStuck = (stream.controller.desiredSize ?? 0) <= 0 && now - stream.roomAt > limits.stuckMs;
      if (isStopping() || !may || isStuck) end(stream);
    }
    for (let isFull = true; isFull; ) {
      const { events } = read('all', at);
      isFull = events.length === pageSize;
      const last = events.at(-1)?.seq ?? at;
      const parts = new Map<string, Encoded[]>();
      const partOf = (scope: Scope, name: string) => {
        const part = parts.get(name) ?? events.filter(({ siteId }) => includesSite(scope, siteId));
        parts.set(name, part);
        return part;
      };
      const bytes = new Map<string, Uint8Array>();
      for (const stream of streams) {
        if (!stream.isLive) continue;
        const { scope, after } = stream.follower;
        const name = String(scope);
        const part = partOf(scope, name);
        if (part.length === 0) continue;
        if ((stream.controller.desiredSize ?? 0) <= 0) {
          // It reads on by itself, from where it is, as soon as it has room.
          stream.isLive = false;
          stream.resume();
          continue;
        }
        const isBehindNone = (part[0]?.seq ?? 0) > after;
        const own = isBehindNone ? part : part.filter(({ seq }) => seq > after);
        if (own.length === 0) continue;
        const shared = isBehindNone ? (bytes.get(name) ?? joined(own)) : joined(own);
        if (isBehindNone) bytes.set(name, shared);
        send(stream, shared, own.at(-1)?.seq ?? after);
      }
      at = last;
    }
    for (const stream of streams) {
      if (!stream.isLive || now - stream.sentAt < limits.keepAliveMs) continue;
      if ((stream.controller.desiredSize ?? 0) > 0) send(stream, keepAlive, stream.follower.after);
    }
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    const always = new AbortController().signal;
    while (streams.size > 0) {
      await feed.next(limits.keepAliveMs, always);
      const paceMs = Math.min(longestPaceMs, streams.size * msPerStream);
      if (paceMs >= 1 && !isStopping()) await new Promise((resolve) => setTimeout(resolve, paceMs));
      try {
        fanOut();
      } catch (error) {
        // Nothing can be read just now: whoever follows asks again, and is told what is the matter.
        for (const stream of [...streams]) {
          streams.delete(stream);
          stream.controller.error(error);
          stream.resume();
          stream.follower.onEnd();
        }
      }
    }
    isRunning = false;
  }

  /** What a stream has not seen yet, a page at a time; the last page makes it live. */
  function catchUp(stream: Stream): void {
    const { scope, after } = stream.follower;
    const { events, newest } = read(scope, after);
    const last = events.at(-1);
    if (last !== undefined) {
      send(stream, joined(events), last.seq);
      return;
    }
    // Nobody was live: what there is now is known to the first who is.
    if (![...streams].some(({ isLive }) => isLive)) at = newest;
    stream.isLive = true;
  }

  return {
    follow(follower) {
      let stream: Stream | null = null;
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const now = monotonicMs();
            stream = { follower, controller, isLive: false, sentAt: now, roomAt: now, resume: () => undefined };
            streams.add(stream);
            // The head of the answer is sent with its first byte, and a reader waits for it before he calls the stream open.
            controller.enqueue(opening);
            void run();
          },
          pull() {
            const own = stream;
            if (own === null || !streams.has(own)) return;
            own.roomAt = monotonicMs();
            if (!follower.isWelcome() || isStopping()) return end(own);
            if (!own.isLive) catchUp(own);
            if (!own.isLive) return;
            return new Promise<void>((resolve) => {
              own.resume = () => {
                own.resume = () => undefined;
                resolve();
              };
            });
          },
          cancel() {
            if (stream !== null) end(stream);
          },
        },
        new CountQueuingStrategy({ highWaterMark: mostWaiting }),
      );
      return {
        body,
        end() {
          if (stream !== null) end(stream);
        },
      };
    },
  };
}
