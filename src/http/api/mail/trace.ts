// The agent surface: what became of a mail (docs/spec/mailboxes.md#trace).

import * as z from 'zod';
import { traceMail } from '../../../desk/mail/trace.ts';
import { type Operation, operation } from '../../operation.ts';
import { presentTrace, tracedMailShape } from '../../wire/mail/trace.ts';
import { jsonReply } from '../../wire/respond.ts';

export const traceQuery = z.object({
  q: z
    .string()
    .trim()
    .min(3)
    .max(320)
    .meta({
      description: 'An address, a Message-ID, or a part of these or of a subject.',
      examples: ['mia@example.org'],
    }),
  site: z.string().optional().meta({ description: 'Id or slug: only its mail.' }),
});

export const traceOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/mail/trace',
    id: 'traceMail',
    tag: 'Inbound mail',
    summary: 'Trace a mail',
    description:
      'What became of each mail that came or left: at most 50, newest first. Addresses of senders and Message-IDs are found in the whole log, words among the newest 5,000 mails of each direction.',
    access: 'team',
    ability: 'read',
    query: traceQuery,
    answer: {
      status: 200,
      description: 'The mails',
      schema: z.object({ data: z.array(tracedMailShape), meta: z.object({ is_cut: z.boolean() }) }),
    },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => {
        const { q, site } = call.query;
        const { mails, isCut } = traceMail(tx, call.ctx, site ?? null, q);
        return jsonReply(200, { data: mails.map(presentTrace), meta: { is_cut: isCut } });
      }),
  }),
];
