// Opens a stream of events for a token or a session, and counts how many each has.

import type { Desk } from '../../desk/desk.ts';
import { canGoOn } from '../../desk/people/sessions.ts';
import { scopeOf } from '../../domain/actor.ts';
import { DeskError } from '../../domain/errors.ts';
import type { Call } from '../operation.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import type { LiveFeed } from './live-feed.ts';
import type { Follower } from './stream.ts';

/** How many streams one token or session can have open: every commit has each stream look for news. */
const mostStreams = { token: 100, agent: 30 } as const;

/** Whether the client of a stream can still read: a stream can stay open for days. Without an answer, no. */
export function isStillWelcome({ edge, actor }: Pick<Call, 'edge' | 'actor'>): boolean {
  return edge.desk.read((tx) => canGoOn(tx, actor, edge.desk.now()));
}

interface Owner {
  key: string;
  words: string;
  most: number;
}

function ownerOf({ actor }: Call): Owner {
  if (actor.kind === 'token') return { key: `token ${actor.tokenId}`, words: 'token', most: mostStreams.token };
  if (actor.kind === 'agent') return { key: `session ${actor.sessionId}`, words: 'session', most: mostStreams.agent };
  throw new DeskError('forbidden', 'Only a team token or a session can stream events.');
}

interface OpenStreams {
  streams: EventStreams;
  /** Streams by owner. */
  count: Map<string, number>;
}

const ofFeed = new WeakMap<LiveFeed, OpenStreams>();

/** One for all streams of a desk, so that each event is read once. */
function openStreamsOf(desk: Desk, feed: LiveFeed, isStopping: () => boolean): OpenStreams {
  const known = ofFeed.get(feed);
  if (known) return known;
  const made = { streams: createEventStreams(desk, feed, isStopping), count: new Map() };
  ofFeed.set(feed, made);
  return made;
}

export function streamsOf({ edge }: Pick<Call, 'edge'>, feed: LiveFeed): EventStreams {
  return openStreamsOf(edge.desk, feed, edge.isStopping).streams;
}

/** Counts a stream until `gone` says that it has ended; 429 where its owner has too many. */
function enter(open: Map<string, number>, { key, words, most }: Owner, gone: AbortSignal): void {
  const others = open.get(key) ?? 0;
  if (others >= most)
    throw new DeskError('rate_limited', `This ${words} has ${most} event streams open. Close one, or share a stream.`, {
      reason: 'too_many_streams',
      retryAfterSeconds: 30,
    });
  open.set(key, others + 1);
  gone.addEventListener('abort', () => {
    const left = (open.get(key) ?? 1) - 1;
    if (left === 0) open.delete(key);
    else open.set(key, left);
  });
}

export function openStream(
  call: Call,
  feed: LiveFeed,
  after: number,
  more: Pick<Follower, 'hello' | 'greeting' | 'leftOut'> & {
    onOpen?(follower: Follower): void;
    onEnd?(follower: Follower): void;
  } = {},
): Response {
  const gone = new AbortController();
  const owner = ownerOf(call);
  const { streams, count } = openStreamsOf(call.edge.desk, feed, call.edge.isStopping);
  enter(count, owner, gone.signal);
  const { onOpen, onEnd, ...beginning } = more;
  const follower: Follower = {
    ...beginning,
    scope: scopeOf(call.actor),
    after,
    owner: owner.key,
    isWelcome: (tx) => canGoOn(tx, call.actor, call.edge.desk.now()),
    onEnd() {
      gone.abort();
      onEnd?.(follower);
    },
  };
  onOpen?.(follower);
  return streamAnswer(call, streams, follower);
}

export function streamAnswer(call: Call, streams: EventStreams, follower: Follower): Response {
  const { body, end } = streams.follow(follower);
  call.request.signal.addEventListener('abort', end);
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    },
  });
}

export function isStreamAsked(call: Call): boolean {
  return call.request.method === 'GET' && (call.header('accept')?.includes('text/event-stream') ?? false);
}

/** The last event that a client says it has seen. */
export function seenBy(call: Call, after: number | undefined): number | null {
  const resumed = call.header('last-event-id');
  return after ?? (resumed !== undefined && /^\d{1,15}$/.test(resumed) ? Number(resumed) : null);
}
