// What is wrong with mailboxes, and what the desk found out about them beside reading.

import type { InferSelectModel } from 'drizzle-orm';
import type { MailboxAlarm } from '../../domain/mail/mailbox-alarms.ts';
import { query, type Tx } from '../../engine/database.ts';
import { selectFrom, statement } from '../../engine/statements.ts';
import { mailboxAlarms, mailboxChecks } from '../schema/mailboxes.ts';

export type Alarm = InferSelectModel<typeof mailboxAlarms>;
export type MailboxChecks = InferSelectModel<typeof mailboxChecks>;

export const alarmsOfMailbox = selectFrom(mailboxAlarms, 'WHERE mailbox_id = ? ORDER BY since, kind').all<
  [mailboxId: number]
>;

export function putAlarm(tx: Tx, { mailboxId, kind, reason, step, since }: Alarm): void {
  query(tx, 'INSERT OR REPLACE INTO mailbox_alarms VALUES (?, ?, ?, ?, ?)').run(mailboxId, kind, reason, step, since);
}

export const removeAlarm = statement('DELETE FROM mailbox_alarms WHERE mailbox_id = ? AND kind = ?').run<
  [mailboxId: number, kind: MailboxAlarm]
>;

export const mailboxChecksOf = selectFrom(mailboxChecks, 'WHERE mailbox_id = ?').get<[mailboxId: number]>;

export function putCertificates(
  tx: Tx,
  mailboxId: number,
  certificates: MailboxChecks['certificates'],
  at: number,
): void {
  query(
    tx,
    `INSERT INTO mailbox_checks (mailbox_id, certificates, certificates_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (mailbox_id) DO UPDATE SET certificates = ?2, certificates_at = ?3`,
  ).run(mailboxId, JSON.stringify(certificates), at);
}

export function putCount(tx: Tx, mailboxId: number, at: number, counted: number, missing: number): void {
  query(
    tx,
    `INSERT INTO mailbox_checks VALUES (?1, '[]', 0, ?2, ?3, ?4)
     ON CONFLICT (mailbox_id) DO UPDATE SET counted_at = ?2, counted = ?3, missing = ?4`,
  ).run(mailboxId, at, counted, missing);
}
