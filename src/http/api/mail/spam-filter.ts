// The agent surface: whether the spam filter is set and answers (docs/operations/mail.md#spam-filter).

import * as z from 'zod';
import { authorise } from '../../../desk/access.ts';
import type { SpamFilter } from '../../../domain/mail/spam-check.ts';
import { type Operation, operation } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';

const spamFilterShape = shapes.named(
  'SpamFilter',
  z.object({
    is_set: z.boolean().meta({ description: 'Whether HELPDESK_RSPAMD_URL names one.' }),
    is_up: z.boolean().nullable().meta({ description: 'Whether it gave a score to a harmless message just now.' }),
    score: z.number().nullable(),
    milliseconds: z.int().nullable(),
    message: z.string().nullable().meta({ description: 'Why there is no score.' }),
  }),
);

const harmless = new TextEncoder().encode(
  [
    'From: Helpdesk <helpdesk@example.org>',
    'To: Helpdesk <helpdesk@example.org>',
    'Subject: Test of the spam filter',
    'Message-ID: <test-of-the-spam-filter@example.org>',
    'Date: Thu, 01 Jan 2026 12:00:00 +0000',
    '',
    'The desk asks for a score of this message.',
    '',
  ].join('\r\n'),
);

async function tried(filter: SpamFilter | null): Promise<z.output<typeof spamFilterShape>> {
  if (filter === null) return { is_set: false, is_up: null, score: null, milliseconds: null, message: null };
  const began = performance.now();
  const said = await filter.check(harmless, { from: null, to: null, client: null });
  const milliseconds = Math.round(performance.now() - began);
  const score = said.kind === 'answered' ? said.check.score : null;
  const message = said.kind === 'answered' ? said.check.why : said.why;
  return { is_set: true, is_up: score !== null, score, milliseconds, message };
}

export const spamFilterOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/mail/spam-filter',
    id: 'readSpamFilter',
    tag: 'Inbound mail',
    summary: 'Try the spam filter',
    description: 'Has a harmless message scored, and says whether that works. It waits ten seconds at most.',
    access: 'team',
    ability: 'manage',
    answer: { status: 200, description: 'What happened', schema: z.object({ data: spamFilterShape }) },
    async handle(call) {
      authorise(call.ctx, 'manage');
      return jsonReply(200, { data: await tried(call.edge.spamFilter) });
    },
  }),
];
