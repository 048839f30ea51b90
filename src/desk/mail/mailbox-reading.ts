// What reading a mailbox leaves: up to where, which messages are known, and how it goes.

import type { Instant } from '../../base/clock.ts';
import { dayMs } from '../../domain/instant.ts';
import { mostRenumberings, mostWrongSignIns, type ReadingState, waitsForPerson } from '../../domain/mail/mailbox.ts';
import { countEveryMs, countedMs, failingToldMs, readingAlarms } from '../../domain/mail/mailbox-alarms.ts';
import { truncate } from '../../domain/text.ts';
import type { Tx } from '../../engine/database.ts';
import { updateInboundMail } from '../../store/mail/inbound.ts';
import { mailboxChecksOf, putCount } from '../../store/mail/mailbox-alarms.ts';
import {
  allMailboxes,
  hasMailboxContent,
  insertMailboxMessage,
  knownMarks,
  type MailboxCursor,
  mailboxCursor,
  putMailboxCursor,
  putMailboxReading,
  settleMessage,
} from '../../store/mail/mailboxes.ts';
import type { Mailbox } from '../../store/sites/catalogue.ts';
import type { Context } from '../context.ts';
import { failMail } from './filing.ts';
import { endAlarms, raiseAlarm } from './mailbox-alarms.ts';
import { readingOf } from './mailboxes.ts';

/** A message as the server lists it. */
interface ListedMessage {
  uid: number;
  size: number;
  date: Instant;
  messageId: string | null;
}

type Ctx = Pick<Context, 'seal' | 'now'>;

// What the server shows of the last days, so that it is recognised under another number.
const recognisedMs = dayMs;
// A server that numbers its messages again and again is asked for this much each time.
const fallbackMs = 30 * dayMs;

/** Recognises a message under any number. Null without a Message-ID: then only its content says what it is. */
function markOf({ seal }: Pick<Context, 'seal'>, { messageId, date, size }: ListedMessage): string | null {
  if (messageId === null) return null;
  return seal.fingerprint('mailbox-message', `${messageId}\n${Math.floor(date / 1000)}\n${size}`);
}

const contentMarkOf = ({ seal }: Ctx, sha256: string) => seal.fingerprint('mailbox-content', sha256);

interface Folder {
  mailboxId: number;
  folder: string;
  uidValidity: string;
}

interface Numbering {
  uidValidity: string;
  uidNext: number;
}

/**
 * Where reading this folder goes on. Up to `listedUntilUid`, what came since `since` is listed and compared with what is known.
 * Null for a folder that was never read: `beginFolder` is to be called.
 */
export function cursorFor(
  tx: Tx,
  ctx: Ctx,
  mailbox: Pick<Mailbox, 'id'>,
  folder: string,
  now: Numbering,
): MailboxCursor | null {
  const before = mailboxCursor(tx, mailbox.id, folder);
  if (before === undefined) return null;
  const isSame = before.uidValidity === now.uidValidity && now.uidNext > before.lastUid;
  if (isSame && before.changes < mostRenumberings) return before;
  const cursor: MailboxCursor = {
    ...before,
    uidValidity: now.uidValidity,
    lastUid: 0,
    listedUntilUid: now.uidNext - 1,
    changes: before.changes + (isSame ? 0 : 1),
    isSilent: before.isSilent && before.lastUid < before.listedUntilUid,
    since: before.changes < mostRenumberings ? before.since : Math.max(before.since, ctx.now - fallbackMs),
  };
  putMailboxCursor(tx, cursor);
  return cursor;
}

/** From when what the server has must be recognised. */
export const recognisedSince = (ctx: Ctx): Instant => ctx.now - 2 * recognisedMs;

/** @param seen what came shortly before, which is not read when reading begins now */
export function beginFolder(
  tx: Tx,
  ctx: Ctx,
  mailbox: Mailbox,
  { uidNext, ...place }: Folder & Pick<Numbering, 'uidNext'>,
  seen: readonly ListedMessage[],
): MailboxCursor {
  for (const message of seen) remember(tx, ctx, place, message, {});
  const isFromNow = mailbox.firstDays === null;
  const cursor: MailboxCursor = {
    ...place,
    lastUid: isFromNow ? uidNext - 1 : 0,
    listedUntilUid: uidNext - 1,
    since: ctx.now - (mailbox.firstDays === null ? recognisedMs : mailbox.firstDays * dayMs),
    isSilent: !isFromNow,
    changes: 0,
  };
  putMailboxCursor(tx, cursor);
  return cursor;
}

function remember(
  tx: Tx,
  ctx: Ctx,
  { mailboxId, folder, uidValidity }: Folder,
  message: ListedMessage,
  kept: { sha256?: string; inboundId?: number; isPending?: boolean },
): void {
  insertMailboxMessage(tx, {
    mailboxId,
    folder,
    uidValidity,
    uid: message.uid,
    mark: markOf(ctx, message),
    contentMark: kept.sha256 === undefined ? null : contentMarkOf(ctx, kept.sha256),
    inboundId: kept.inboundId ?? null,
    isPending: kept.isPending ?? false,
    seenAt: ctx.now,
  });
}

/** Those of the messages that need not be fetched. Of a new one, only its content can say that the desk has it. */
export function knownAmong(
  tx: Tx,
  ctx: Ctx,
  mailboxId: number,
  messages: readonly ListedMessage[],
  isListing: boolean,
): readonly ListedMessage[] {
  const marks = new Map(messages.map((message) => [message, markOf(ctx, message)]));
  const asked = [...marks.values()].filter((mark) => mark !== null);
  const known = knownMarks(tx, mailboxId, asked, !isListing);
  return messages.filter((message) => known.has(marks.get(message) ?? ''));
}

/** Moves the cursor past what needs no storing. */
export function passBy(tx: Tx, cursor: MailboxCursor, lastUid: number): null {
  const now = mailboxCursor(tx, cursor.mailboxId, cursor.folder);
  if (now && now.uidValidity === cursor.uidValidity && lastUid > now.lastUid) putMailboxCursor(tx, { ...now, lastUid });
  return null;
}

/** In the commit that stores the message's row. Null if the desk has its content. */
export function keepMessage(
  tx: Tx,
  ctx: Ctx,
  mailbox: Mailbox,
  cursor: MailboxCursor,
  message: ListedMessage,
  sha256: string,
  store: () => number,
): number | null {
  const isKnown = hasMailboxContent(tx, mailbox.id, contentMarkOf(ctx, sha256));
  const inboundId = isKnown ? null : store();
  const isPending = inboundId !== null && mailbox.incoming?.after_filing !== 'leave';
  remember(tx, ctx, cursor, message, { sha256, isPending, ...(inboundId === null ? {} : { inboundId }) });
  passBy(tx, cursor, message.uid);
  if (inboundId !== null) {
    putMailboxReading(tx, { ...readingOf(tx, mailbox), messageAt: ctx.now });
    endAlarms(tx, mailbox, ['quiet']);
  }
  return inboundId;
}

/** Of a message that could not be fetched whole: what is known of it stays in the inbound log. */
export function noteUnreadable(
  tx: Tx,
  ctx: Context,
  inboundId: number,
  reason: string,
  { from, subject }: { from: string | null; subject: string | null },
): void {
  failMail(tx, ctx, inboundId, 'failed', reason);
  updateInboundMail(tx, inboundId, {
    sender: from === null ? null : truncate(from, 320),
    subject: subject === null ? null : truncate(subject, 255),
  });
}

export function settleMessages(tx: Tx, ids: readonly number[]): null {
  for (const id of ids) settleMessage(tx, id);
  return null;
}

interface Report {
  state: ReadingState;
  reason: string | null;
  /** Whether the server has just been asked for new messages. */
  hasLooked?: boolean;
}

/** How reading goes. A third wrong password in a row is the last. The owners hear of that, and when it fails for hours. */
export function reportReading(
  tx: Tx,
  ctx: Context,
  id: number,
  { state, reason, hasLooked = false }: Report,
  isWrongSignIn = false,
): ReadingState {
  const row = allMailboxes(tx).find((one) => one.id === id);
  if (!row) return state;
  const before = readingOf(tx, row);
  const wrongSignIns = isWrongSignIn ? before.wrongSignIns + 1 : state === 'connected' ? 0 : before.wrongSignIns;
  const now = isWrongSignIn && wrongSignIns >= mostWrongSignIns ? 'refused' : state;
  const since = before.state === now ? before.since : ctx.now;
  putMailboxReading(tx, {
    ...before,
    state: now,
    reason: reason === null ? null : truncate(reason, 500),
    since,
    wrongSignIns,
    lookedAt: hasLooked ? ctx.now : before.lookedAt,
    syncAskedAt: hasLooked ? null : before.syncAskedAt,
  });
  const isFailingLong = now === 'failing' && ctx.now - since >= failingToldMs;
  const kind = waitsForPerson(now) || isFailingLong ? (now as (typeof readingAlarms)[number]) : null;
  endAlarms(
    tx,
    row,
    readingAlarms.filter((one) => one !== kind),
  );
  if (kind !== null) raiseAlarm(tx, ctx, row, { kind, reason: reason ?? '' });
  return now;
}

/** Since when the folder is to be compared with what the desk has. Null while it is too early. */
export function countDue(tx: Tx, ctx: Ctx, mailbox: Mailbox, cursor: MailboxCursor): Instant | null {
  if (cursor.lastUid < cursor.listedUntilUid) return null;
  const last = mailboxChecksOf(tx, mailbox.id)?.countedAt ?? mailbox.createdAt;
  return ctx.now - last < countEveryMs ? null : Math.max(ctx.now - countedMs, cursor.since);
}

/** @param missing how many the desk did not have, and has now */
export function noteCount(
  tx: Tx,
  ctx: Context,
  mailbox: Mailbox,
  { counted, missing }: { counted: number; missing: number },
): null {
  putCount(tx, mailbox.id, ctx.now, counted, missing);
  if (missing === 0) endAlarms(tx, mailbox, ['missing_mail']);
  else {
    const messages = missing === 1 ? '1 message' : `${missing} messages`;
    const reason = `${messages} of the last seven days in the folder ${mailbox.incoming?.folder} had not come to the desk. They are fetched now.`;
    raiseAlarm(tx, ctx, mailbox, { kind: 'missing_mail', reason, step: Math.floor(ctx.now / dayMs) });
  }
  return null;
}
