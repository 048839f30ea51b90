// The desk's numbered events: read on from a number, waiting for the next, or as a stream (docs/spec/api.md#events).

import * as z from 'zod';
import { monotonicMs, untilMs } from '../../base/clock.ts';
import { authorise } from '../../desk/access.ts';
import { scopeOf } from '../../domain/actor.ts';
import { eventsAfter, newestEventSeq } from '../../store/events.ts';
import { answered, type Call, type Operation, operation } from '../operation.ts';
import type { LiveFeed } from '../streams/live-feed.ts';
import { isStillWelcome, isStreamAsked, openStream, seenBy } from '../streams/open-stream.ts';
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

export function eventOperations(feed: LiveFeed): readonly Operation[] {
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
      answer: answered(
        200,
        'The events after that number, oldest first',
        z.object({
          data: z.array(eventShape),
          meta: z.object({ after: z.int(), last_seq: z.int(), newest_seq: z.int(), has_more: z.boolean() }),
        }),
      ),
      async handle(call) {
        authorise(call.ctx, 'read');
        const query = call.query;
        const after = seenBy(call, query.after) ?? 0;
        if (isStreamAsked(call)) return openStream(call, feed, after);
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
