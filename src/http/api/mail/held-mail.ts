// Mail that waits for a decision, many in one request (docs/spec/api.md#held-mail).

import * as z from 'zod';
import { countHeld, decideHeld, holdMails, mostDecided } from '../../../desk/mail/log.ts';
import { type Operation, operation } from '../../operation.ts';
import { heldCountsShape, heldFor } from '../../wire/mail/inbound-mail.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { siteName } from '../parameters.ts';

const base = '/api/v1/sites/{site}/held-mail';

const choice = z
  .strictObject({
    held_for: z
      .array(heldFor)
      .min(1)
      .max(10)
      .optional()
      .meta({ examples: [['spam']], description: 'Without it, all held mail of the site.' }),
    up_to: shapes
      .id()
      .meta({ description: 'The id of the newest mail that is meant: newest_id of the counts.', examples: [812] }),
    count: z
      .int()
      .min(0)
      .meta({
        description: 'How many you were told that there are. If there are others by now, nothing happens (409).',
        examples: [2],
      }),
  })
  .meta({ id: 'HeldMailChoice' });

const decided = z.object({
  ids: z.array(shapes.id()).meta({ description: 'What was decided about.' }),
  left: z.int().meta({ description: 'How many are left: ask again with this count.' }),
});

export const heldMailOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: base,
    id: 'countHeldMail',
    tag: 'Inbound mail',
    summary: 'Count held mail',
    description: 'How much mail of the site waits for a decision, by reason.',
    access: 'team',
    ability: 'read',
    answer: {
      status: 200,
      description: 'The counts',
      schema: shapes.one(heldCountsShape),
    },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => {
        const counts = countHeld(tx, call.ctx, siteName(call));
        const newest = Math.max(...counts.map(({ newestId }) => newestId));
        const reasons = counts.map((each) => ({ held_for: each.heldFor, count: each.count }));
        return jsonReply(200, { data: { newest_id: counts.length === 0 ? null : newest, reasons } });
      }),
  }),
  decision(
    'release',
    'Release held mail',
    'Files all held mail of some reasons as ordinary mail. It is answered once the decision is stored; the mail is filed right after, the oldest first.',
  ),
  decision('discard', 'Discard held mail', 'Discards all held mail of some reasons.'),
  operation({
    method: 'POST',
    path: `${base}/hold`,
    id: 'holdDiscardedMail',
    tag: 'Inbound mail',
    summary: 'Hold discarded mail',
    description: 'Takes back what was discarded: it waits for a decision again. Other mail is left as it is.',
    access: 'team',
    ability: 'manage',
    body: z.strictObject({
      ids: z
        .array(shapes.id())
        .min(1)
        .max(mostDecided)
        .meta({ examples: [[811, 812]] }),
    }),
    answer: { status: 200, description: 'What is held again', schema: shapes.one(decided.pick({ ids: true })) },
    errors: [404],
    handle: (call) =>
      call.commit((tx) => jsonReply(200, { data: { ids: holdMails(tx, call.ctx, siteName(call), call.body.ids) } })),
  }),
];

function decision(verb: 'release' | 'discard', summary: string, description: string): Operation {
  return operation({
    method: 'POST',
    path: `${base}/${verb}`,
    id: `${verb}HeldMail`,
    tag: 'Inbound mail',
    summary,
    description: `${description} At most ${mostDecided} in one request, all of them or none.`,
    access: 'team',
    ability: 'manage',
    body: choice,
    answer: { status: 200, description: 'What was decided', schema: shapes.one(decided) },
    errors: [404, 409],
    async handle(call) {
      const { held_for: heldFor = [], up_to: upTo, count } = call.body;
      const reply = await call.commit((tx) =>
        jsonReply(200, { data: decideHeld(tx, call.ctx, siteName(call), { heldFor, upTo, count }, verb) }),
      );
      if (verb === 'release') call.edge.mailroom.wake();
      return reply;
    },
  });
}
