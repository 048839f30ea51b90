// What the console needs while it is open: one stream, and presence (docs/spec/console.md#live).

import * as z from 'zod';
import { authorise, findTicket } from '../../desk/access.ts';
import { markTicket } from '../../desk/tickets/read-marks.ts';
import { presenceStates } from '../../domain/tickets/presence.ts';
import { answered, type Operation, operation } from '../operation.ts';
import { ownActor } from '../session-call.ts';
import type { LiveFeed } from '../streams/live-feed.ts';
import { liveStreamsOf } from '../streams/live-streams.ts';
import { isStreamAsked, seenBy } from '../streams/open-stream.ts';
import { viewCountsShape } from '../wire/lists/view-counts.ts';
import { number } from '../wire/queries.ts';
import { emptyReply, jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { presentShape, ticketPresenceShape } from '../wire/tickets/presence.ts';
import { ticketName } from './parameters.ts';

const tag = 'Live';

const lookShape = shapes.one(
  z.object({
    newest_seq: z.int(),
    version: z.string(),
    agent_id: shapes.id(),
    presence: z.array(ticketPresenceShape),
    counts: viewCountsShape,
  }),
);

export function liveOperations(feed: LiveFeed): readonly Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/api/v1/live',
      id: 'followLive',
      tag,
      summary: 'Follow what happens at the desk',
      description:
        'With Accept: text/event-stream, one stream with the events of /events in your scope, from after or Last-Event-ID on, or from now on. It begins with hello; present, presence, delivery and counts are not numbered. After more than 500 missed events, is_behind is true and the stream begins at the newest. Otherwise one look at the same. A session can have 30 streams open.',
      access: 'session',
      ability: 'read',
      query: z.object({
        after: number().optional().meta({ type: 'integer', description: 'The last seq that you have seen.' }),
      }),
      answer: answered(200, 'The desk now', lookShape, { orText: 'text/event-stream' }),
      async handle(call) {
        authorise(call.ctx, 'read');
        const live = liveStreamsOf(call, feed);
        if (isStreamAsked(call)) return live.open(call, seenBy(call, call.query.after));
        return jsonReply(200, { data: await live.look(call) });
      },
    }),
    operation({
      method: 'POST',
      path: '/api/v1/tickets/{ticket}/presence',
      id: 'tellPresence',
      isCountedApart: true,
      tag,
      summary: 'Say that you have a ticket open',
      description:
        'Repeat it every few seconds: after ten seconds without a word you have left. It is not stored. The answer names the others.',
      access: 'session',
      ability: 'read',
      body: z.object({
        state: z.enum([...presenceStates, 'gone']).meta({ examples: ['viewing'] }),
        left: shapes.ulid().optional().meta({ description: 'The ticket that you had open instead of this one.' }),
        read: z.boolean().optional().meta({ description: 'Marks it as read too, as PUT /tickets/{ticket}/read does.' }),
      }),
      answer: answered(
        200,
        'The others who have it open',
        z.object({
          data: z.array(z.object({ agent: presentShape.omit({ state: true }), state: presentShape.shape.state })),
        }),
      ),
      errors: [404],
      async handle(call) {
        const own = ownActor(call);
        const { agentId, name, sessionId } = own;
        const { presence, desk } = call.edge;
        const { id, ulid, siteId } = desk.read((tx) => findTicket(tx, call.ctx, ticketName(call)));
        if (call.body.left !== undefined) presence.leave(sessionId, call.body.left);
        presence.note(sessionId, { id: agentId, name }, { ticketId: id, ulid, siteId }, call.body.state);
        if (call.body.read === true)
          await call.commit((tx) => {
            markTicket(tx, call.ctx, own, ulid, 'read');
            return emptyReply(204);
          });
        const others = presence.of(id).filter((one) => one.id !== agentId);
        return jsonReply(200, { data: others.map(({ state, ...agent }) => ({ agent, state })) });
      },
    }),
  ];
}
