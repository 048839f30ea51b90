// One reader's stream, and how a page of events goes to many of them.

import { monotonicMs } from '../../base/clock.ts';
import { includesSite, type Scope } from '../../domain/actor.ts';
import type { Tx } from '../../engine/database.ts';
import { type EncodedEvent, joined, keepAlive } from './event-pages.ts';

export interface Follower {
  scope: Scope;
  after: number;
  /** Streams of one owner are checked once. */
  owner: string;
  /** Whether the owner can still read: a stream can stay open for days. */
  isWelcome(tx: Tx): boolean;
  onEnd(): void;
  /** What the stream begins with. */
  hello?: Uint8Array;
  /** What the reader must know besides events: sent when it has all of them, also after it fell behind. */
  greeting?(): Uint8Array | null;
  /** For readers that can do without some events: what they get instead of many together. */
  leftOut?(): Uint8Array;
  /** What is new for a reader of something else than events; asked now and then after a commit. 'ended' ends the stream. */
  news?(tx: Tx): Uint8Array | 'ended' | null;
}

export interface Stream {
  follower: Follower;
  controller: ReadableStreamDefaultController<Uint8Array>;
  isLive: boolean;
  sentAt: number;
  roomAt: number;
  /** Since when events were left out that the reader was not told of; null for none. */
  leftOutAt: number | null;
  resume(): void;
}

export function streamTo(follower: Follower, controller: Stream['controller']): Stream {
  const now = monotonicMs();
  return { follower, controller, isLive: false, sentAt: now, roomAt: now, leftOutAt: null, resume: () => undefined };
}

export const hasRoom = ({ controller }: Stream) => (controller.desiredSize ?? 0) > 0;

export function send(stream: Stream, bytes: Uint8Array, last: number): void {
  stream.controller.enqueue(bytes);
  stream.follower.after = last;
  stream.sentAt = monotonicMs();
  if (hasRoom(stream)) stream.roomAt = stream.sentAt;
  stream.resume();
}

export function breakOff({ controller, resume, follower }: Stream, error: unknown): void {
  controller.error(error);
  resume();
  follower.onEnd();
}

export function untilResumed(stream: Stream): Promise<void> {
  return new Promise((resolve) => {
    stream.resume = () => {
      stream.resume = () => undefined;
      resolve();
    };
  });
}

export function keepOpen(streams: Iterable<Stream>, now: number, afterMs: number): void {
  for (const stream of streams) {
    if (!stream.isLive || now - stream.sentAt < afterMs) continue;
    if (hasRoom(stream)) send(stream, keepAlive, stream.follower.after);
  }
}

/** It continues at its own pace as soon as it has room. */
function fallBehind(stream: Stream): void {
  stream.isLive = false;
  stream.resume();
}

/**
 * Those whose owner may no longer read, and those that have had no room since then. Owners are asked once, and in one
 * transaction: with hundreds of agents, beginning one for each would cost more than asking.
 */
export function unwelcome(tx: Tx, streams: Iterable<Stream>, stuckSince: number): Stream[] {
  const welcome = new Map<string, boolean>();
  return [...streams].filter((stream) => {
    const { owner, isWelcome } = stream.follower;
    const may = welcome.get(owner) ?? isWelcome(tx);
    welcome.set(owner, may);
    return !may || (!hasRoom(stream) && stream.roomAt < stuckSince);
  });
}

export function tellLive(streams: Iterable<Stream>, bytesFor: (follower: Follower) => Uint8Array | null): void {
  for (const stream of streams) {
    if (!stream.isLive) continue;
    const bytes = bytesFor(stream.follower);
    if (bytes === null) continue;
    if (hasRoom(stream)) send(stream, bytes, stream.follower.after);
    else fallBehind(stream);
  }
}

/** @returns the streams that have ended */
export function sendNews(tx: Tx, streams: Iterable<Stream>): Stream[] {
  return [...streams].filter((stream) => {
    const news = stream.isLive && hasRoom(stream) ? stream.follower.news?.(tx) : null;
    if (news && news !== 'ended') send(stream, news, stream.follower.after);
    return news === 'ended';
  });
}

/** Sends a page of events to all live streams. What several of them get is filtered and joined once. */
export function sendPage(streams: Iterable<Stream>, events: readonly EncodedEvent[]): void {
  const parts = new Map<string, EncodedEvent[]>();
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
    if (!hasRoom(stream)) {
      fallBehind(stream);
      continue;
    }
    const isBehindNone = (part[0]?.seq ?? 0) > after;
    const own = isBehindNone ? part : part.filter(({ seq }) => seq > after);
    if (own.length === 0) continue;
    const shared = isBehindNone ? (bytes.get(name) ?? joined(own)) : joined(own);
    if (isBehindNone) bytes.set(name, shared);
    send(stream, shared, own.at(-1)?.seq ?? after);
  }
}
