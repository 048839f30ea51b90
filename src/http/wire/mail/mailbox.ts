// Mailboxes on the wire: never with their passwords.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { type MailboxView, stateOf } from '../../../desk/mail/mailboxes.ts';
import {
  afterFilings,
  mailAuthentications,
  mailboxStates,
  mailProviders,
  tlsModes,
  trialReasons,
} from '../../../domain/mail/mailbox.ts';
import { daysLeft, expiring, mailboxAlarms } from '../../../domain/mail/mailbox-alarms.ts';
import type { Canary } from '../../../store/mail/canaries.ts';
import type { Mailbox } from '../../../store/sites/catalogue.ts';
import { presenter } from '../presenter.ts';
import { id, named, time } from '../shapes.ts';

const server = {
  host: z.string(),
  port: z.int(),
  tls: z.enum(tlsModes),
  user: z.string(),
  certificate_sha256: z.string().nullable(),
};

export const canaryShape = named(
  'Canary',
  z.object({
    sent_at: time(),
    seen_at: time().nullable(),
    seconds: z.number().nullable().meta({ description: 'How long it was under way. null: it has not come back.' }),
  }),
);

export const presentCanary = presenter(canaryShape, ({ sentAt, seenAt }: Canary) => ({
  seconds: seenAt === null ? null : (seenAt - sentAt) / 1000,
}));

export const mailboxShape = named(
  'Mailbox',
  z.object({
    id: id(),
    name: z.string(),
    address: z.string(),
    provider: z.enum(mailProviders),
    authentication: z.enum(mailAuthentications),
    incoming: z
      .object({
        type: z.literal('imap'),
        ...server,
        folder: z.string(),
        after_filing: z.enum(afterFilings),
        move_to: z.string().nullable(),
      })
      .nullable(),
    outgoing: z.object({ type: z.literal('smtp'), ...server }).nullable(),
    first_days: z.int().nullable(),
    save_sent: z.boolean(),
    has_canary: z.boolean(),
    is_paused: z.boolean(),
    state: z.enum(mailboxStates).meta({
      description:
        'waiting: not connected yet. failing: the desk tries again. refused: the password was wrong three times, and the desk waits for a person.',
    }),
    state_reason: z.string().nullable(),
    state_since: time(),
    last_look_at: time().nullable().meta({ description: 'When the server last said whether there is new mail.' }),
    last_message_at: time().nullable(),
    alarms: z
      .array(z.object({ kind: z.enum(mailboxAlarms), reason: z.string(), since: time() }))
      .meta({ description: 'What is wrong now, or ends soon. The owners were told.' }),
    expiries: z.array(z.object({ of: z.enum(expiring), at: time(), days_left: z.int() })).meta({
      description: 'What it needs and that ends: the certificates of its servers, and the secret of the app.',
    }),
    count: z.object({ at: time(), messages: z.int(), missing: z.int() }).nullable().meta({
      description:
        'The last daily comparison: how many messages of seven days were in the folder, and how many the desk had not.',
    }),
    last_canary: canaryShape.nullable().meta({ description: 'The newest that came back.' }),
    created_at: time(),
  }),
);

export const presentMailbox = presenter(
  mailboxShape,
  (row: Mailbox, { reading, alarms, expiries, checks, lastCanary, now }: MailboxView) => ({
    // Always with a user.
    outgoing: row.outgoing as z.output<typeof mailboxShape>['outgoing'],
    state: stateOf(row, reading),
    state_reason: reading.reason,
    state_since: toWire(reading.since),
    last_look_at: toWire(reading.lookedAt),
    last_message_at: toWire(reading.messageAt),
    alarms: alarms.map(({ kind, reason, since }) => ({ kind, reason, since: toWire(since) })),
    expiries: expiries.map((one) => ({ of: one.of, at: toWire(one.at), days_left: daysLeft(one, now) })),
    count:
      checks?.countedAt == null
        ? null
        : { at: toWire(checks.countedAt), messages: checks.counted ?? 0, missing: checks.missing ?? 0 },
    last_canary: lastCanary === undefined ? null : presentCanary(lastCanary),
  }),
);

const tried = z
  .object({
    is_ok: z.boolean(),
    reason: z.enum(trialReasons).nullable().meta({ description: 'Why it does not work, for programs.' }),
    message: z.string(),
  })
  .nullable();
export const mailboxTrialShape = named('MailboxTrial', z.object({ reading: tried, sending: tried }));
