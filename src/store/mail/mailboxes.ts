// What is known of mailboxes: how reading goes, up to where, and which messages the desk has.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { isAttached } from '../detachments.ts';
import { mailboxCursors, mailboxes, mailboxMessages, mailboxReadings } from '../schema/mailboxes.ts';
import type { Mailbox } from '../sites/catalogue.ts';
import { remembered } from '../sites/catalogue-cache.ts';

export type MailboxReading = InferSelectModel<typeof mailboxReadings>;
export type MailboxCursor = InferSelectModel<typeof mailboxCursors>;

const everyMailbox = selectFrom(
  mailboxes,
  `WHERE ${isAttached('mailboxes')} AND site_id NOT IN (SELECT site_id FROM site_removals) ORDER BY id`,
);

/** Of every site. */
export const allMailboxes = (tx: Tx): readonly Mailbox[] => remembered(tx, 'mailboxes', () => everyMailbox.all(tx));

/** Through whose servers mail can leave. */
export const sendingMailboxes = (tx: Tx) =>
  allMailboxes(tx).filter(({ outgoing, secretSealed }) => outgoing !== null && secretSealed !== null);

export const mailboxReading = selectFrom(mailboxReadings, 'WHERE mailbox_id = ?').get<[mailboxId: number]>;

export const mailboxSyncs = statement(
  'SELECT mailbox_id AS mailboxId, sync_asked_at AS askedAt FROM mailbox_states WHERE sync_asked_at IS NOT NULL',
).all<{ mailboxId: number; askedAt: Instant }>;

export function putMailboxReading(tx: Tx, row: MailboxReading): void {
  query(tx, 'INSERT OR REPLACE INTO mailbox_states VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
    ...[
      row.mailboxId,
      row.state,
      row.reason,
      row.since,
      row.wrongSignIns,
      row.lookedAt,
      row.messageAt,
      row.syncAskedAt,
    ],
  );
}

export const mailboxCursor = selectFrom(mailboxCursors, 'WHERE mailbox_id = ? AND folder = ?').get<
  [mailboxId: number, folder: string]
>;

export function putMailboxCursor(tx: Tx, row: MailboxCursor): void {
  query(tx, 'INSERT OR REPLACE INTO mailbox_cursors VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
    ...[row.mailboxId, row.folder, row.uidValidity, row.lastUid, row.listedUntilUid, row.since, row.isSilent ? 1 : 0],
    row.changes,
  );
}

export const insertMailboxMessage = insertInto(mailboxMessages);

/** Those of the marks that the desk knows. @param isSeen only of messages that it saw and did not read */
export function knownMarks(tx: Tx, mailboxId: number, marks: readonly string[], isSeen: boolean): Set<string> {
  const known = query<{ mark: string }>(
    tx,
    `SELECT mark FROM mailbox_messages WHERE mailbox_id = ? AND mark IN (SELECT value FROM json_each(?))
       ${isSeen ? 'AND content_mark IS NULL' : ''}`,
  ).all(mailboxId, JSON.stringify(marks));
  return new Set(known.map(({ mark }) => mark));
}

export const hasMailboxContent = statement(
  'SELECT 1 FROM mailbox_messages WHERE mailbox_id = ? AND content_mark = ? LIMIT 1',
).has<[mailboxId: number, contentMark: string]>;

export const pendingMessages = statement(
  `SELECT id, uid FROM mailbox_messages WHERE mailbox_id = ? AND is_pending = 1 AND folder = ? AND uid_validity = ?
   ORDER BY id LIMIT 50`,
).all<{ id: number; uid: number }, [mailboxId: number, folder: string, uidValidity: string]>;

export const settleMessage = statement('UPDATE mailbox_messages SET is_pending = 0 WHERE id = ?').run<[id: number]>;

/** Of those that are to be read. */
export function readMailboxes(tx: Tx): { mailbox: Mailbox; reading: MailboxReading | undefined }[] {
  const read = allMailboxes(tx).filter(({ incoming, isPaused }) => incoming !== null && !isPaused);
  return read.map((mailbox) => ({ mailbox, reading: mailboxReading(tx, mailbox.id) }));
}

const knownUids = `SELECT 1 FROM mailbox_messages INDEXED BY mailbox_messages_by_uid
  WHERE mailbox_id = ?1 AND uid = asked.value AND folder = ?2 AND uid_validity = ?3`;
type AskedUids = [mailboxId: number, folder: string, uidValidity: string, uids: readonly number[]];

/** Those of the UIDs that the desk has not seen. */
export const unseenUids = statement(`SELECT asked.value FROM json_each(?4) AS asked WHERE NOT EXISTS (${knownUids})`)
  .column<number, AskedUids>;

/** How many of the UIDs are in the inbound log. */
export const loggedUids = statement(
  `SELECT count(*) FROM json_each(?4) AS asked WHERE EXISTS (${knownUids} AND inbound_id IS NOT NULL)`,
).column<number, AskedUids>;

// Messages that were there before the first connection have no content mark.
const read =
  'FROM mailbox_messages INDEXED BY mailbox_messages_by_time WHERE mailbox_id = ?1 AND content_mark IS NOT NULL';

/** Of the pauses between messages that were partly in this time, the longest. Null if nothing is known of before it. */
export const longestPause = statement(
  `SELECT max(seen_at - previous) FROM (
     SELECT seen_at, lag(seen_at) OVER (ORDER BY seen_at) AS previous ${read}
     AND seen_at BETWEEN (SELECT max(seen_at) ${read} AND seen_at <= ?2)
       AND coalesce((SELECT min(seen_at) ${read} AND seen_at >= ?3), ?3))`,
).column<number | null, [mailboxId: number, from: Instant, until: Instant]>;
