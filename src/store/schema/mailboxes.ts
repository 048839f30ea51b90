// Mailboxes that a team already has.

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Instant } from '../../base/clock.ts';
import type {
  IncomingServer,
  MailAuthentication,
  MailProvider,
  OutgoingServer,
  ReadingState,
} from '../../domain/mail/mailbox.ts';
import type { Expiring, MailboxAlarm } from '../../domain/mail/mailbox-alarms.ts';
import { createdAt, flag, id, json, siteId, version } from './columns.ts';

export const mailboxes = sqliteTable('mailboxes', {
  id: id(),
  siteId: siteId(),
  name: text('name').notNull(),
  address: text('address').notNull(),
  provider: text('provider').$type<MailProvider>().notNull(),
  authentication: text('authentication').$type<MailAuthentication>().notNull(),
  incoming: json('incoming').$type<IncomingServer | null>(),
  outgoing: json('outgoing').$type<OutgoingServer | null>(),
  secretSealed: text('secret_sealed'),
  outgoingSecretSealed: text('outgoing_secret_sealed'),
  firstDays: integer('first_days'),
  saveSent: flag('save_sent').notNull(),
  isPaused: flag('is_paused').notNull(),
  createdAt: createdAt(),
  version: version(),
  hasCanary: flag('has_canary').notNull(),
  consentFrom: integer('consent_from'),
  consentUntil: integer('consent_until'),
});

const mailboxId = () => integer('mailbox_id').notNull();

export const mailboxReadings = sqliteTable('mailbox_states', {
  mailboxId: integer('mailbox_id').primaryKey(),
  state: text('state').$type<ReadingState>().notNull(),
  reason: text('reason'),
  since: integer('since').notNull(),
  wrongSignIns: integer('wrong_sign_ins').notNull(),
  lookedAt: integer('looked_at'),
  messageAt: integer('message_at'),
  syncAskedAt: integer('sync_asked_at'),
});

export const mailboxCursors = sqliteTable(
  'mailbox_cursors',
  {
    mailboxId: mailboxId(),
    folder: text('folder').notNull(),
    uidValidity: text('uid_validity').notNull(),
    lastUid: integer('last_uid').notNull(),
    listedUntilUid: integer('listed_until_uid').notNull(),
    since: integer('since').notNull(),
    isSilent: flag('is_silent').notNull(),
    changes: integer('changes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mailboxId, table.folder] })],
);

export const mailboxMessages = sqliteTable('mailbox_messages', {
  id: id(),
  mailboxId: mailboxId(),
  folder: text('folder').notNull(),
  uidValidity: text('uid_validity').notNull(),
  uid: integer('uid').notNull(),
  mark: text('mark'),
  contentMark: text('content_mark'),
  inboundId: integer('inbound_id'),
  isPending: flag('is_pending').notNull(),
  seenAt: integer('seen_at').notNull(),
});

export const mailboxAlarms = sqliteTable(
  'mailbox_alarms',
  {
    mailboxId: mailboxId(),
    kind: text('kind').$type<MailboxAlarm>().notNull(),
    reason: text('reason').notNull(),
    step: integer('step').notNull(),
    since: integer('since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mailboxId, table.kind] })],
);

/** @property server which it was read from: `host:port` */
export interface CertificateTerm {
  of: Expiring;
  server: string;
  from: Instant;
  until: Instant;
}

export const mailboxChecks = sqliteTable('mailbox_checks', {
  mailboxId: integer('mailbox_id').primaryKey(),
  certificates: json('certificates').$type<CertificateTerm[]>().notNull(),
  certificatesAt: integer('certificates_at').notNull(),
  countedAt: integer('counted_at'),
  counted: integer('counted'),
  missing: integer('missing'),
});

export const mailboxCanaries = sqliteTable('mailbox_canaries', {
  id: id(),
  mailboxId: mailboxId(),
  ulid: text('ulid').notNull(),
  deliveryId: integer('delivery_id'),
  sentAt: integer('sent_at').notNull(),
  seenAt: integer('seen_at'),
  isTold: flag('is_told').notNull(),
});

export const mailApps = sqliteTable('mail_apps', {
  id: id(),
  provider: text('provider').$type<MailProvider>().notNull(),
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  clientSecretSealed: text('client_secret_sealed'),
  scope: text('scope').notNull(),
  secretExpiresAt: integer('secret_expires_at'),
  version: version(),
});
