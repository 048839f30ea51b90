// All streams of the desk, to programs, consoles and customers' pages: each event is read and encoded once, however many there are.

import { monotonicMs } from '../../base/clock.ts';
import type { Desk } from '../../desk/desk.ts';
import { newestEventSeq } from '../../store/events.ts';
import { rounds } from '../rounds.ts';
import { joined, opening, pageSize, readPage } from './event-pages.ts';
import { createFlood, skipFlood } from './flood.ts';
import type { LiveFeed } from './live-feed.ts';
import {
  breakOff,
  type Follower,
  keepOpen,
  type Stream,
  send,
  sendNews,
  sendPage,
  streamTo,
  tellLive,
  untilResumed,
  unwelcome,
} from './stream.ts';

export interface EventStreams {
  follow(follower: Follower): { body: ReadableStream<Uint8Array>; end(): void };
  /** Sends what is not an event, so that it is not sent again later: a reader without room is greeted when it has some. */
  tell(bytesFor: (follower: Follower) => Uint8Array | null): void;
}

interface StreamLimits {
  keepAliveMs: number;
  /** A reader that takes nothing for this long has gone, or is too slow. */
  stuckMs: number;
  /** The least time between two looks for what is not an event. */
  newsMs: number;
}
const usualLimits: StreamLimits = { keepAliveMs: 15_000, stuckMs: 60_000, newsMs: 500 };

// The limit for one reader, in pages; all share the bytes. Beyond it the reader continues at its own pace.
const mostWaiting = 8;
// Writing to many streams takes long, so the more there are, the less often it is done.
const msPerStream = 0.25;
const longestPaceMs = 250;
// Without an event for this long, a flood is over.
const calmMs = 500;

export function createEventStreams(
  desk: Desk,
  feed: LiveFeed,
  isStopping: () => boolean,
  given: Partial<StreamLimits> = {},
  flood = createFlood(),
): EventStreams {
  const limits = { ...usualLimits, ...given };
  const streams = new Set<Stream>();
  let isRunning = false;
  let at = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Something was committed too soon after the last look for news. */
  let isNewsDue = false;

  function end(stream: Stream): void {
    if (!streams.delete(stream)) return;
    stream.resume();
    try {
      stream.controller.close();
    } catch {
      // The reader has gone.
    }
    stream.follower.onEnd();
  }

  /** Sends what is new to every stream that has everything before it. */
  function fanOut(): void {
    const now = monotonicMs();
    for (const stream of isStopping() ? streams : desk.read((tx) => unwelcome(tx, streams, now - limits.stuckMs)))
      end(stream);
    at = skipFlood(flood, streams, at, desk.read(newestEventSeq), now);
    for (let isFull = true; isFull; ) {
      const { events } = readPage(desk, 'all', at);
      isFull = events.length === pageSize;
      sendPage(streams, events);
      at = events.at(-1)?.seq ?? at;
    }
    isNewsDue = now - lookedAt < limits.newsMs;
    if (!isNewsDue) {
      lookedAt = now;
      for (const stream of desk.read((tx) => sendNews(tx, streams))) end(stream);
    }
    keepOpen(streams, now, limits.keepAliveMs);
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    const always = new AbortController().signal;
    while (streams.size > 0) {
      const isAnyLeftOut = [...streams].some(({ leftOutAt }) => leftOutAt !== null);
      const waits = [limits.keepAliveMs, ...(isAnyLeftOut ? [calmMs] : []), ...(isNewsDue ? [limits.newsMs] : [])];
      await feed.next(Math.min(...waits), always);
      const paceMs = Math.min(longestPaceMs, streams.size * msPerStream);
      if (paceMs >= 1 && !isStopping()) await new Promise((resolve) => setTimeout(resolve, paceMs));
      try {
        fanOut();
      } catch (error) {
        // Nothing can be read now. The readers ask again and get the reason.
        for (const stream of [...streams]) {
          streams.delete(stream);
          breakOff(stream, error);
        }
      }
    }
    isRunning = false;
  }

  /** Sends what a stream has not seen yet, a page at a time; the last page makes it live. */
  function catchUp(stream: Stream): void {
    const { scope, after } = stream.follower;
    const { events, newest } = readPage(desk, scope, after);
    const last = events.at(-1);
    if (last !== undefined) {
      send(stream, joined(events), last.seq);
      return;
    }
    // No stream was live, so the first one knows everything up to now.
    if (![...streams].some(({ isLive }) => isLive)) at = newest;
    stream.isLive = true;
    const greeting = stream.follower.greeting?.() ?? null;
    if (greeting !== null) send(stream, greeting, after);
  }

  function catchUpIfWelcome(stream: Stream): Promise<void> | void {
    if (!streams.has(stream)) return;
    if (!desk.read(stream.follower.isWelcome)) return end(stream);
    catchUp(stream);
    if (stream.isLive) return untilResumed(stream);
  }

  return {
    tell: (bytesFor) => tellLive(streams, bytesFor),
    follow(follower) {
      let stream: Stream | null = null;
      const leave = () => {
        if (stream !== null) end(stream);
      };
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            stream = streamTo(follower, controller);
            streams.add(stream);
            // The headers leave with the first byte, and readers wait for them before they call the stream open.
            controller.enqueue(opening);
            if (follower.hello) controller.enqueue(follower.hello);
            void run();
          },
          pull() {
            const own = stream;
            if (own === null || !streams.has(own)) return;
            own.roomAt = monotonicMs();
            if (isStopping()) return end(own);
            return own.isLive ? untilResumed(own) : rounds.run(() => catchUpIfWelcome(own));
          },
          cancel: leave,
        },
        new CountQueuingStrategy({ highWaterMark: mostWaiting }),
      );
      return { body, end: leave };
    },
  };
}
