// Reads the desk's mailboxes: one connection each, kept up while this machine is the primary.

import { randomBelow } from '../base/crypto.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { reportReading } from '../desk/mail/mailbox-reading.ts';
import { readingOf } from '../desk/mail/mailboxes.ts';
import { DeskError } from '../domain/errors.ts';
import { pauseMs, waitsForPerson } from '../domain/mail/mailbox.ts';
import { type ImapConnection, ImapFault, type imapTimes } from '../mail/imap/connection.ts';
import { connectMailbox, type MailRoute } from '../outbox/mailbox-servers.ts';
import { allMailboxes, mailboxSyncs } from '../store/mail/mailboxes.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';
import type { Running } from './background.ts';
import { createMailboxSession, type MailboxSession, type sessionWaits } from './mailbox-session.ts';
import type { Mailroom } from './mailroom.ts';

interface MailboxOptions {
  desk: Desk;
  mailroom: Mailroom;
  route: MailRoute;
  log: Log;
  times?: typeof imapTimes;
  waits?: typeof sessionWaits;
  pause?: (failures: number) => number;
}

const contextOf = (desk: Desk) => desk.context({ kind: 'desk' }, 'mailbox');
const pauseWithChance = (failures: number) => pauseMs(failures, randomBelow(1000) / 1000);
const wakeAfterMs = 100;

interface Reading {
  version: number;
  look(): void;
  stop(): Promise<void>;
}

export function startMailboxes(options: MailboxOptions): Running {
  const { desk, log } = options;
  const readings = new Map<number, Reading>();
  const stopping = new Set<Promise<void>>();
  const asked = new Map<number, number>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;

  function end(id: number, reading: Reading): void {
    readings.delete(id);
    const ended = reading.stop().finally(() => stopping.delete(ended));
    stopping.add(ended);
  }

  /** Holds what runs against what is set up. */
  function compare(): void {
    const { rows, syncs } = desk.read((tx) => {
      const rows = allMailboxes(tx);
      return { rows, syncs: rows.length === 0 ? [] : mailboxSyncs(tx) };
    });
    const wanted = new Map(
      rows
        .filter((row) => row.incoming !== null && row.secretSealed !== null && !row.isPaused)
        .map((row) => [row.id, row]),
    );
    for (const [id, reading] of readings) if (wanted.get(id)?.version !== reading.version) end(id, reading);
    for (const [id, row] of wanted) if (!readings.has(id)) readings.set(id, keepMailbox(options, row));
    for (const { mailboxId, askedAt } of syncs) {
      if (asked.get(mailboxId) === askedAt) continue;
      asked.set(mailboxId, askedAt);
      readings.get(mailboxId)?.look();
    }
  }

  function wake(): void {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = null;
      try {
        compare();
      } catch (error) {
        log.error(errorFields(error), 'the list of mailboxes could not be read');
      }
    }, wakeAfterMs);
  }
  wake();

  return {
    wake,
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      for (const [id, reading] of readings) end(id, reading);
      await Promise.allSettled(stopping);
    },
  };
}

/** Connects again and again, until it is stopped or the password is refused. */
function keepMailbox(options: MailboxOptions, mailbox: Mailbox): Reading {
  const { desk, log, pause = pauseWithChance } = options;
  const triesOf = new Map<number, number>();
  let session: MailboxSession | null = null;
  let connection: ImapConnection | null = null;
  let isStopped = false;
  let resume: () => void = () => undefined;

  async function once(): Promise<void> {
    connection = await connectMailbox(options, mailbox, options.times);
    if (isStopped) return;
    session = createMailboxSession({ ...options, mailbox, connection, triesOf });
    await session.run();
  }

  /** @returns how long to wait; null for ever */
  async function noteFailure(error: unknown, failures: number): Promise<number | null> {
    const isWrongSignIn = error instanceof ImapFault && error.kind === 'credentials';
    const isConsentNeeded = error instanceof ImapFault && error.kind === 'consent';
    const reason =
      error instanceof ImapFault || error instanceof DeskError
        ? error.message
        : 'Reading failed; the log has the details.';
    log.warn(
      { mailbox: mailbox.id, reason, ...(error instanceof ImapFault ? {} : errorFields(error)) },
      'a mailbox cannot be read',
    );
    const report = { state: isConsentNeeded ? ('consent_needed' as const) : ('failing' as const), reason };
    const state = await desk
      .write((tx) => reportReading(tx, contextOf(desk), mailbox.id, report, isWrongSignIn))
      .catch(() => 'failing' as const);
    return waitsForPerson(state) ? null : pause(failures);
  }

  async function wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    resume = resolve;
    const timer = setTimeout(resolve, ms);
    if (!isStopped) await promise;
    clearTimeout(timer);
  }

  async function keepUp(): Promise<void> {
    if (waitsForPerson(desk.read((tx) => readingOf(tx, mailbox)).state)) return;
    for (let failures = 0; !isStopped; ) {
      const lookedBefore = lookedAt();
      try {
        await once();
      } catch (error) {
        if (isStopped) return;
        failures = lookedAt() === lookedBefore ? failures + 1 : 1;
        const ms = await noteFailure(error, failures);
        if (ms === null) return;
        await wait(ms);
      } finally {
        connection?.close();
        connection = null;
        session = null;
      }
    }
  }

  const lookedAt = () => desk.read((tx) => readingOf(tx, mailbox).lookedAt);
  const kept = keepUp().catch((error) =>
    log.error({ mailbox: mailbox.id, ...errorFields(error) }, 'a mailbox is no longer read'),
  );
  return {
    version: mailbox.version,
    look() {
      session?.look();
      resume();
    },
    async stop() {
      isStopped = true;
      session?.end();
      resume();
      // What is being stored is stored; a server that is slow to say goodbye is left.
      const timer = setTimeout(() => connection?.close(), 3_000);
      await kept;
      clearTimeout(timer);
    },
  };
}
