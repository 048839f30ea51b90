// A desk that reads a mailbox: what it filed, how reading goes, and another process on the same data.

import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createSeal } from '../../src/base/crypto.ts';
import { silentLog } from '../../src/base/log.ts';
import { createDesk, type Desk } from '../../src/desk/desk.ts';
import { saveMailApp } from '../../src/desk/mail/mail-apps.ts';
import { addMailbox, mailboxes, readingOf } from '../../src/desk/mail/mailboxes.ts';
import { addAgent } from '../../src/desk/people/agents.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { type MailAppInput, mailboxChangeInput, mailboxInput } from '../../src/domain/input/mailboxes.ts';
import { query } from '../../src/engine/database.ts';
import { createLocalBlobs } from '../../src/files/blobs.ts';
import type { Running } from '../../src/jobs/background.ts';
import type { sessionWaits } from '../../src/jobs/mailbox-session.ts';
import { startMailboxes } from '../../src/jobs/mailboxes.ts';
import { createMailroom } from '../../src/jobs/mailroom.ts';
import type { imapTimes } from '../../src/mail/imap/connection.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { createMailHosts } from '../../src/net/mail-hosts.ts';
import type { MailRoute } from '../../src/outbox/mailbox-servers.ts';
import { accessTokens } from '../../src/outbox/mailbox-tokens.ts';
import type { MailboxReading } from '../../src/store/mail/mailboxes.ts';
import { type Mailbox, mailboxRows } from '../../src/store/sites/catalogue.ts';
import type { Site } from '../../src/store/sites/sites.ts';
import { temporaryFolder } from '../support/folders.ts';
import { inlineReader } from '../support/inline-reader.ts';
import { migratedStore } from '../support/store.ts';

interface Logged {
  outcome: string;
  reason: string;
  sender: string | null;
  subject: string | null;
}

export interface ReadingDesk {
  desk: Desk;
  site: Site;
  /** The servers of tests are on this machine, at whatever name. */
  route: MailRoute;
  mailboxId: number;
  start(): Running;
  stop(): Promise<void>;
  /** Files what is stored, as a machine does when it becomes the primary. */
  recover(): Promise<number>;
  change(change: object): Promise<void>;
  mailbox(): Mailbox;
  reading(): MailboxReading;
  /** The inbound log, oldest first. */
  log(): Logged[];
  subjects(): (string | null)[];
  rows<Row>(text: string): Row[];
  close(): Promise<void>;
}

/** Waits until it holds; fails with what it was instead. */
export async function until(holds: () => boolean, what: () => unknown = () => '', ms = 50_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`it did not come to that: ${JSON.stringify(what())}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const quick: typeof imapTimes = { connectMs: 5_000, silentMs: 400, commandMs: 5_000, pingMs: 400 };

interface Settings {
  clock?: Clock;
  times?: typeof imapTimes;
  waits?: typeof sessionWaits;
  pause?: (failures: number) => number;
  /** At which the desk is registered, for a mailbox with OAuth. */
  app?: MailAppInput;
}

export async function readingDesk(input: object, settings: Settings = {}): Promise<ReadingDesk> {
  const { store } = migratedStore();
  const desk = createDesk(store, createSeal(Buffer.alloc(32, 7)), settings.clock ?? systemClock, {
    inboundDomain: 'desk.example',
    mailFrom: 'helpdesk@desk.example',
  });
  const folder = temporaryFolder();
  const mailroom = createMailroom({
    desk,
    blobs: createLocalBlobs(join(folder, 'attachments')),
    mailBlobs: createLocalBlobs(join(folder, 'inbound')),
    log: silentLog,
    reader: inlineReader,
    answerWithinMs: null,
    fetchText: () => Promise.reject(new Error('no network in tests')),
  });
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  const { site } = await desk.write((tx) => createSite(tx, ctx(), { name: 'Web shop' }));
  await desk.write((tx) => addAgent(tx, ctx(), { email: 'owner@desk.example', name: 'Olga', role: 'owner' }));
  const { app } = settings;
  if (app !== undefined) await desk.write((tx) => saveMailApp(tx, ctx(), 'other', app));
  const whole = mailboxInput.parse({
    name: 'Support',
    address: 'help@shop.example',
    password: 'correct horse',
    first_days: 30,
    ...input,
  });
  const { row } = await desk.write((tx) => addMailbox(tx, ctx(), site.slug, whole));
  const allow = parseAllowList('127.0.0.0/8, ::1');
  const accessToken = accessTokens({ allow, timeoutMs: 2000, clock: settings.clock ?? systemClock });
  const route = { ...createMailHosts(allow, async () => [{ address: '127.0.0.1', family: 4 }]), accessToken };
  let running: Running | null = null;
  const made: ReadingDesk = {
    desk,
    site,
    route,
    mailboxId: row.id,
    start() {
      const { pause = () => 30, times = quick, waits = { pingMs: 150, lookMs: 300 } } = settings;
      running = startMailboxes({ desk, mailroom, log: silentLog, route, pause, times, waits });
      desk.writer.onCommit(running.wake);
      return running;
    },
    async stop() {
      await running?.stop();
      running = null;
    },
    recover: () => mailroom.recover('all'),
    async change(change) {
      const parsed = mailboxChangeInput.parse(change);
      await desk.write((tx) => mailboxes.change(tx, ctx(), site.slug, row.id, parsed, null));
    },
    mailbox: () => desk.read((tx) => mailboxRows.get(tx, site.id, row.id) as Mailbox),
    reading: () => desk.read((tx) => readingOf(tx, row)),
    log: () => made.rows<Logged>('SELECT outcome, reason, sender, subject FROM inbound_mail ORDER BY id'),
    subjects: () => made.rows<{ subject: string }>('SELECT subject FROM tickets ORDER BY id').map((one) => one.subject),
    rows: <Row>(text: string) => desk.read((tx) => query<Row>(tx, text).all() as never) as Row[],
    async close() {
      await made.stop();
      await mailroom.stop();
      await desk.writer.close();
      store.close();
    },
  };
  return made;
}

let written = 0;

/** A mail to the mailbox; each has its own sender and Message-ID. */
export function letter(
  subject: string,
  { from, id, body = 'It burns.', headers = [] as string[] } = {} as Partial<{
    from: string;
    id: string | null;
    body: string;
    headers: string[];
  }>,
): string {
  written += 1;
  return [
    `From: ${from ?? `Mia <mia${written}@customer.example>`}`,
    'To: help@shop.example',
    `Subject: ${subject}`,
    'Date: Fri, 11 Sep 2026 09:30:00 +0000',
    ...(id === null ? [] : [`Message-ID: ${id ?? `<r${written}@customer.example>`}`]),
    ...headers,
    '',
    body,
    '',
  ].join('\r\n');
}
