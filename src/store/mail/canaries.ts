// The canaries of mailboxes: when each was sent, and when it came back.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { mailboxCanaries } from '../schema/mailboxes.ts';

export type Canary = InferSelectModel<typeof mailboxCanaries>;

export const insertCanary = insertInto(mailboxCanaries);

const ofMailbox = 'WHERE mailbox_id = ?';
export const canariesOf = selectFrom(mailboxCanaries, `${ofMailbox} ORDER BY sent_at, id`).all<[mailboxId: number]>;
export const newestCanary = selectFrom(mailboxCanaries, `${ofMailbox} ORDER BY sent_at DESC, id DESC LIMIT 1`).get<
  [mailboxId: number]
>;
export const newestSeenCanary = selectFrom(
  mailboxCanaries,
  `${ofMailbox} AND seen_at IS NOT NULL ORDER BY sent_at DESC, id DESC LIMIT 1`,
).get<[mailboxId: number]>;
export const canaryByUlid = selectFrom(mailboxCanaries, `${ofMailbox} AND ulid = ?`).get<
  [mailboxId: number, ulid: string]
>;
export const lateCanaries = selectFrom(
  mailboxCanaries,
  `${ofMailbox} AND seen_at IS NULL AND is_told = 0 AND sent_at <= ? ORDER BY sent_at, id`,
).all<[mailboxId: number, sentUntil: Instant]>;

export const seenInOutbox = statement(
  `SELECT delivery_id FROM mailbox_canaries ${ofMailbox} AND seen_at IS NOT NULL AND delivery_id IS NOT NULL`,
).column<number, [mailboxId: number]>;

export const seeCanary = statement('UPDATE mailbox_canaries SET seen_at = ?2 WHERE id = ?1').run<
  [id: number, at: Instant]
>;
export const tellCanary = statement('UPDATE mailbox_canaries SET is_told = 1 WHERE id = ?').run<[id: number]>;

export function forgetCanaries(tx: Tx, mailboxId: number, sentBefore: Instant): void {
  statement('DELETE FROM mailbox_canaries WHERE mailbox_id = ? AND sent_at < ?').run<[number, Instant]>(
    tx,
    mailboxId,
    sentBefore,
  );
}
