// What became of a mail, on the wire.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { TracedMail } from '../../../desk/mail/trace.ts';
import { traceStepKinds } from '../../../domain/mail/trace.ts';
import { id, named, time } from '../shapes.ts';

export const tracedMailShape = named(
  'TracedMail',
  z.object({
    direction: z.enum(['in', 'out']),
    id: id().meta({ description: 'Of the inbound log, or of the outbox.' }),
    site_id: id().nullable(),
    site_slug: z.string().nullable(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    subject: z.string().nullable(),
    message_id: z.string().nullable(),
    ticket: z.string().nullable(),
    kind: z.string().meta({ description: 'How it came, such as imap or raw; or what left, such as mail.agent_reply.' }),
    at: time(),
    steps: z.array(z.object({ at: time(), kind: z.enum(traceStepKinds), detail: z.string().nullable() })),
  }),
);

export const presentTrace = ({ siteId, siteSlug, messageId, at, steps, ...mail }: TracedMail) => ({
  ...mail,
  site_id: siteId,
  site_slug: siteSlug,
  message_id: messageId,
  at: toWire(at),
  steps: steps.map((step) => ({ ...step, at: toWire(step.at) })),
});
