// One connection to one mailbox: takes in what is new, and waits for more. Ends with an ImapFault, or when it is stopped.

import type { Desk } from '../desk/desk.ts';
import { canaryIn, noteCanaries } from '../desk/mail/canaries.ts';
import {
  beginFolder,
  countDue,
  cursorFor,
  keepMessage,
  knownAmong,
  noteCount,
  noteUnreadable,
  passBy,
  recognisedSince,
  reportReading,
  settleMessages,
} from '../desk/mail/mailbox-reading.ts';
import { DeskError } from '../domain/errors.ts';
import { mostTriesOfMessage } from '../domain/mail/mailbox.ts';
import { type DescribedMessage, type ImapConnection, ImapFault, imapLimits } from '../mail/imap/connection.ts';
import { mailLimits } from '../mail/inbound/limits.ts';
import { loggedUids, type MailboxCursor, mailboxCursor, pendingMessages, unseenUids } from '../store/mail/mailboxes.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';
import { siteById } from '../store/sites/sites.ts';
import type { Mailroom } from './mailroom.ts';

interface SessionOptions {
  desk: Desk;
  mailroom: Mailroom;
  mailbox: Mailbox;
  connection: ImapConnection;
  /** How often the connection was lost at a message, by its UID. */
  triesOf: Map<number, number>;
  waits?: typeof sessionWaits;
}

export const sessionWaits = {
  /** How long an idle connection is trusted. */
  pingMs: 40_000,
  /** How long the server's word that there is nothing new is trusted. */
  lookMs: 120_000,
};

export interface MailboxSession {
  /** Rejects when the connection is lost; resolves after `end`. */
  run(): Promise<void>;
  /** Looks for mail now. */
  look(): void;
  end(): void;
}

const contextOf = (desk: Desk) => desk.context({ kind: 'desk' }, 'mailbox');

export function createMailboxSession(options: SessionOptions): MailboxSession {
  const { desk, mailbox, connection, waits = sessionWaits } = options;
  const incoming = mailbox.incoming;
  if (incoming === null) throw new Error('this mailbox is not read');
  const { folder } = incoming;
  let hasNews = false;
  let isEnded = false;
  let wake: () => void = () => undefined;
  const rouse = () => {
    hasNews = true;
    wake();
  };
  connection.onNews(rouse);

  const write = <T>(step: Parameters<typeof desk.write<T>>[0]) => desk.write(step);
  const cursorNow = () => desk.read((tx) => mailboxCursor(tx, mailbox.id, folder) ?? null);

  async function open(): Promise<void> {
    const opened = await connection.open(folder, incoming?.after_filing === 'leave' && !mailbox.hasCanary);
    const known = await write((tx) => cursorFor(tx, contextOf(desk), mailbox, folder, opened));
    if (known !== null) return;
    const seen: DescribedMessage[] = [];
    if (mailbox.firstDays === null) {
      const uids = await connection.list(1, opened.uidNext - 1, recognisedSince(contextOf(desk)));
      for (const block of blocksOf(uids)) seen.push(...(await connection.describe(block)));
    }
    await write((tx) => beginFolder(tx, contextOf(desk), mailbox, { mailboxId: mailbox.id, folder, ...opened }, seen));
  }

  async function takeInAll(): Promise<void> {
    await settle();
    for (;;) {
      const cursor = cursorNow();
      if (cursor === null || isEnded) return;
      const isListing = cursor.lastUid < cursor.listedUntilUid;
      const uids = isListing
        ? await connection.list(cursor.lastUid + 1, cursor.listedUntilUid, cursor.since)
        : await connection.list(cursor.lastUid + 1, null, null);
      for (const block of blocksOf(uids)) {
        if (isEnded) return;
        await takeInBlock(options, cursor, block, isListing, () => isEnded);
        await settle();
      }
      if (isListing) await write((tx) => passBy(tx, cursor, cursor.listedUntilUid));
      else if (uids.length === 0) return;
    }
  }

  /** Marks as read, or moves, what is stored. Also what an earlier connection left. */
  async function settle(): Promise<void> {
    const after = incoming?.after_filing;
    const cursor = cursorNow();
    if (after === undefined || after === 'leave' || cursor === null) return;
    for (;;) {
      const rows = desk.read((tx) => pendingMessages(tx, mailbox.id, folder, cursor.uidValidity));
      if (rows.length === 0) return;
      const uids = rows.map(({ uid }) => uid);
      const isDone =
        after === 'move' && incoming?.move_to != null
          ? await connection.move(uids, incoming.move_to)
          : await connection.markRead(uids);
      if (!isDone) {
        const still = await connection.describe(uids);
        if (still.length > 0)
          throw new ImapFault(
            'other',
            after === 'move'
              ? `Stored messages cannot be moved to the folder ${incoming?.move_to}.`
              : 'Stored messages cannot be marked as read.',
          );
      }
      await write((tx) =>
        settleMessages(
          tx,
          rows.map(({ id }) => id),
        ),
      );
    }
  }

  /** What listing and cursors passed over would stay unseen for ever. */
  async function count(): Promise<void> {
    const cursor = cursorNow();
    const since = cursor && desk.read((tx) => countDue(tx, contextOf(desk), mailbox, cursor));
    if (cursor === null || since === null) return;
    const uids = await connection.list(1, cursor.lastUid, since);
    const place = [mailbox.id, folder, cursor.uidValidity] as const;
    let missing = 0;
    for (const block of blocksOf(uids)) {
      const unseen = desk.read((tx) => unseenUids(tx, ...place, block));
      if (unseen.length === 0) continue;
      await takeInBlock(options, cursor, unseen, true, () => isEnded);
      if (isEnded) return;
      missing += desk.read((tx) => loggedUids(tx, ...place, unseen))[0] ?? 0;
      await settle();
    }
    await write((tx) => noteCount(tx, contextOf(desk), mailbox, { counted: uids.length, missing }));
  }

  async function waitForNews(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, waits.pingMs);
    if (hasNews || isEnded) resolve();
    else connection.idle();
    await promise;
    clearTimeout(timer);
    wake = () => undefined;
  }

  return {
    async run() {
      await open();
      let lookedAt = Number.NEGATIVE_INFINITY;
      while (!isEnded) {
        if (connection.isClosed) throw new ImapFault('other', 'The server ended the connection.');
        if (hasNews || desk.now() - lookedAt >= waits.lookMs) {
          hasNews = false;
          await takeInAll();
          await count();
          lookedAt = desk.now();
          await write((tx) =>
            reportReading(tx, contextOf(desk), mailbox.id, { state: 'connected', reason: null, hasLooked: true }),
          );
        } else await connection.ping();
        if (!isEnded) await waitForNews();
      }
      await connection.leave();
    },
    look: rouse,
    end() {
      isEnded = true;
      wake();
    },
  };
}

function blocksOf(uids: readonly number[]): number[][] {
  const blocks: number[][] = [];
  for (let at = 0; at < uids.length; at += imapLimits.describedAtOnce)
    blocks.push(uids.slice(at, at + imapLimits.describedAtOnce));
  return blocks;
}

async function takeInBlock(
  options: SessionOptions,
  cursor: MailboxCursor,
  uids: readonly number[],
  isListing: boolean,
  isEnded: () => boolean,
): Promise<void> {
  const { desk, mailroom, mailbox, connection } = options;
  const described = new Map((await connection.describe(uids)).map((message) => [message.uid, message]));
  const canaries = await takeCanaries(options, [...described.values()]);
  const known = new Set(
    desk.read((tx) => [...knownAmong(tx, contextOf(desk), mailbox.id, [...described.values()], isListing)]),
  );
  let passed = 0;
  try {
    for (const uid of uids) {
      if (isEnded()) break;
      const message = described.get(uid);
      if (canaries.has(uid) || (message !== undefined && known.has(message))) passed = uid;
      else if (message !== undefined) {
        const isStored = await takeIn(options, cursor, message, isListing);
        if (!isStored) passed = uid;
      } else if ((await connection.list(uid, uid, null)).length === 0) passed = uid;
      else
        await keepUnreadable(
          options,
          cursor,
          { uid, size: 0, date: 0, messageId: null, canary: null },
          'The server lists this message but does not describe it.',
        );
    }
  } finally {
    await mailroom.filedFrom(mailbox.id);
  }
  if (passed > 0) await desk.write((tx) => passBy(tx, cursor, passed));
}

/** Those that the desk sent to this mailbox itself: they are noted and deleted. */
async function takeCanaries(
  { desk, mailbox, connection }: SessionOptions,
  messages: readonly DescribedMessage[],
): Promise<Set<number>> {
  const found = messages.flatMap(({ uid, canary }) => {
    const ulid = canaryIn(desk, mailbox.id, canary);
    return ulid === null ? [] : [{ uid, ulid }];
  });
  const uids = found.map(({ uid }) => uid);
  if (found.length > 0) {
    const ulids = found.map(({ ulid }) => ulid);
    await desk.write((tx) => noteCanaries(tx, contextOf(desk), mailbox.id, ulids));
    if (mailbox.hasCanary) await connection.remove(uids);
  }
  return new Set(uids);
}

/** False if there was nothing to store. */
async function takeIn(
  options: SessionOptions,
  cursor: MailboxCursor,
  message: DescribedMessage,
  isListing: boolean,
): Promise<boolean> {
  const { desk, mailroom, mailbox, connection, triesOf } = options;
  const { uid, size } = message;
  const megabytes = Math.floor(mailLimits.messageBytes / 1024 / 1024);
  const tooLarge = `The message is larger than ${megabytes} MB. Only its headers are stored; it is still in the mailbox.`;
  if (size > mailLimits.messageBytes) return await keepUnreadable(options, cursor, message, tooLarge);
  const tries = triesOf.get(uid) ?? 0;
  if (tries >= mostTriesOfMessage)
    return await keepUnreadable(
      options,
      cursor,
      message,
      `The connection was lost ${tries} times while this message was read. It is still in the mailbox.`,
    );
  triesOf.set(uid, tries + 1);
  const site = desk.read((tx) => siteById(tx, mailbox.siteId) ?? null);
  if (site === null) throw new ImapFault('other', 'The site of this mailbox no longer exists.');
  try {
    await mailroom.receiveFrom(
      {
        id: mailbox.id,
        silentDate: isListing && cursor.isSilent && uid <= cursor.listedUntilUid ? message.date : null,
        keep: (tx, sha256, store) => keepMessage(tx, contextOf(desk), mailbox, cursor, message, sha256, store),
      },
      site,
      { 'x-envelope-to': mailbox.address },
      connection.content(message),
    );
  } catch (error) {
    if (error instanceof ImapFault && error.kind === 'message') {
      if ((await connection.list(uid, uid, null)).length === 0) return false;
      return await keepUnreadable(options, cursor, message, `${error.message} It is still in the mailbox.`);
    }
    if (error instanceof DeskError && error.code === 'too_large')
      return await keepUnreadable(options, cursor, message, tooLarge);
    // The desk's own trouble is not the message's.
    if (!(error instanceof ImapFault)) triesOf.set(uid, tries);
    throw error;
  }
  triesOf.delete(uid);
  return true;
}

/** What can be had of it is stored, and the rest goes on. */
async function keepUnreadable(
  { desk, mailroom, mailbox, connection, triesOf }: SessionOptions,
  cursor: MailboxCursor,
  message: DescribedMessage,
  reason: string,
): Promise<boolean> {
  const tries = triesOf.get(message.uid) ?? 0;
  // The headers may be what breaks the connection.
  const mayAsk = tries <= mostTriesOfMessage;
  triesOf.set(message.uid, tries + 1);
  const headers = mayAsk ? await connection.headers(message.uid).catch(() => rethrowIfLost(connection)) : null;
  const site = desk.read((tx) => siteById(tx, mailbox.siteId) ?? null);
  if (site === null) throw new ImapFault('other', 'The site of this mailbox no longer exists.');
  await mailroom.keepFailed(
    {
      id: mailbox.id,
      silentDate: null,
      keep: (tx, _sha256, store) => {
        const ctx = contextOf(desk);
        // Headers do not say whether the content is known.
        const own = `unreadable ${cursor.uidValidity} ${message.uid}`;
        const id = keepMessage(tx, ctx, leftAlone(mailbox), cursor, message, own, store);
        if (id !== null) noteUnreadable(tx, ctx, id, reason, headers ?? { from: null, subject: null });
        return id;
      },
    },
    site,
    headers?.bytes ?? new Uint8Array(),
  );
  triesOf.delete(message.uid);
  return true;
}

function rethrowIfLost(connection: ImapConnection): null {
  if (connection.isClosed) throw new ImapFault('other', 'The server ended the connection.');
  return null;
}

const leftAlone = (mailbox: Mailbox): Mailbox =>
  mailbox.incoming === null ? mailbox : { ...mailbox, incoming: { ...mailbox.incoming, after_filing: 'leave' } };
