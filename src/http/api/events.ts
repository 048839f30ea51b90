// The desk's numbered events: read on from a number, waiting for the next, or as a stream (docs/spec/api.md#events).

import * as z from 'zod';
import { monotonicMs, untilMs } from '../../base/clock.ts';
import { authorise } from '../../desk/access.ts';
import { canGoOn } from '../../desk/sessions.ts';
import { scopeOf } from '../../domain/actor.ts';
import { DeskError } from '../../domain/errors.ts';
import { eventsAfter, newestEventSeq } from '../../store/events.ts';
import { createEventStreams, type EventStreams } from '../event-streams/event-streams.ts';
import type { LiveFeed } from '../event-streams/live-feed.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { eventShape, presentEvent } from '../wire/event.ts';
import { createLookups } from '../wire/lookups.ts';
import { number } from '../wire/queries.ts';
import { jsonReply } from '../wire/respond.ts';

const maxWaitSeconds = 30;
const pageSize = 100;

const eventsQuery = z.object({
  after: number().optional().meta({
    type: 'integer',
    description: 'The last seq that you have seen. 0, the default, starts at the first event.',
  }),
  wait: z
    .string()
    .regex(/^\d{1,4}$/, { error: 'must be a whole number of seconds.' })
    .transform((text) => Math.min(Number(text), maxWaitSeconds))
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: maxWaitSeconds,
      description: 'Seconds to wait for the next event if there is none yet.',
    }),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, { error: 'must be a whole number from 1.' })
    .transform((text) => Math.min(Number(text), 500))
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 500 }),
});

function read(call: Call, after: number, limit: number) {
  return call.edge.desk.read((tx) => {
    const look = createLookups(tx);
    const scope = scopeOf(call.actor);
    const rows = eventsAfter(tx, scope, after, limit);
    return { events: rows.map((row) => presentEvent(row, look)), newest: newestEventSeq(tx, scope) };
  });
}

/** Whether the client of a stream can still read: a stream can stay open for days. Without an answer, no. */
export function isStillWelcome({ edge, actor }: Pick<Call, 'edge' | 'actor'>): boolean {
  return edge.desk.read((tx) => canGoOn(tx, actor, edge.desk.now()));
}

/** How many streams one token or session can have open: every commit has each stream look for news. */
const mostStreams = { token: 100, agent: 30 } as const;

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

function createTurnstile() {
  const open = new Map<string, number>();
  return {
    /** Counts a stream until `gone` says that it has ended; 429 where its owner has too many. */
    enter({ key, words, most }: Owner, gone: AbortSignal): void {
      const others = open.get(key) ?? 0;
      if (others >= most)
        throw new DeskError(
          'rate_limited',
          `This ${words} has ${most} event streams open. Close one, or share a stream.`,
          { reason: 'too_many_streams', retryAfterSeconds: 30 },
        );
      open.set(key, others + 1);
      gone.addEventListener('abort', () => {
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      });
    },
  };
}
type Turnstile = ReturnType<typeof createTurnstile>;

function stream(call: Call, streams: EventStreams, turnstile: Turnstile, after: number): Response {
  const gone = new AbortController();
  const owner = ownerOf(call);
  turnstile.enter(owner, gone.signal);
  const { body, end } = streams.follow({
    scope: scopeOf(call.actor),
    after,
    owner: owner.key,
    isWelcome: () => isStillWelcome(call),
    onEnd: () => gone.abort(),
  });
  call.request.signal.addEventListener('abort', end);
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    },
  });
}

const ofFeed = new WeakMap<LiveFeed, EventStreams>();

function streamsOf({ edge }: Call, feed: LiveFeed): EventStreams {
  const known = ofFeed.get(feed);
  if (known) return known;
  const made = createEventStreams(edge.desk, feed, edge.isStopping);
  ofFeed.set(feed, made);
  return made;
}

export function eventOperations(feed: LiveFeed): readonly Operation[] {
  const turnstile = createTurnstile();
  return [
    operation({
      method: 'GET',
      path: '/api/v1/events',
      id: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      description:
        'Events are in commit order, and their numbers rise without gaps over the whole desk. A token that is limited to sites gets only their events. For the next events, send after with the last seq. With Accept: text/event-stream the desk streams events, and Last-Event-ID works like after. A token can have 100 streams open, a session 30.',
      access: 'team',
      ability: 'read',
      query: eventsQuery,
      answer: {
        status: 200,
        description: 'The events after that number, oldest first',
        schema: z.object({
          data: z.array(eventShape),
          meta: z.object({ after: z.int(), last_seq: z.int(), newest_seq: z.int(), has_more: z.boolean() }),
        }),
      },
      async handle(call) {
        authorise(call.ctx, 'read');
        const query = call.query;
        const resumed = call.header('last-event-id');
        const after = query.after ?? (resumed !== undefined && /^\d{1,15}$/.test(resumed) ? Number(resumed) : 0);
        const isStreamed = call.header('accept')?.includes('text/event-stream') && call.request.method === 'GET';
        if (isStreamed) return stream(call, streamsOf(call, feed), turnstile, after);
        const limit = query.limit ?? pageSize;
        const until = monotonicMs() + (query.wait ?? 0) * 1000;
        let found = read(call, after, limit + 1);
        while (
          found.events.length === 0 &&
          monotonicMs() < until &&
          !call.request.signal.aborted &&
          !call.edge.isStopping()
        ) {
          await feed.next(untilMs(until), call.request.signal);
          if (!isStillWelcome(call)) break;
          found = read(call, after, limit + 1);
        }
        const data = found.events.slice(0, limit);
        return jsonReply(200, {
          data,
          meta: {
            after,
            last_seq: data.at(-1)?.seq ?? after,
            newest_seq: found.newest,
            has_more: found.events.length > limit,
          },
        });
      },
    }),
  ];
}
