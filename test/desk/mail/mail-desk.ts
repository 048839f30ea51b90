// A desk that receives mail and shows what it would send, for tests of inbound mail.

import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { createSeal } from '../../../src/base/crypto.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import type { Context } from '../../../src/desk/context.ts';
import { createDesk, type Desk } from '../../../src/desk/desk.ts';
import { recordAttempt, takeDue } from '../../../src/desk/outbox/attempts.ts';
import { loadDelivery } from '../../../src/desk/outbox/content.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { ruleInput } from '../../../src/domain/input/channels.ts';
import type { AskDns } from '../../../src/domain/mail/sender-checks.ts';
import type { SpamFilter } from '../../../src/domain/mail/spam-check.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import type { Sync } from '../../../src/engine/writer.ts';
import { type Blobs, createLocalBlobs } from '../../../src/files/blobs.ts';
import { deskIdOf } from '../../../src/jobs/mail-reading.ts';
import { createMailroom, type Mailroom } from '../../../src/jobs/mailroom.ts';
import type { Judge } from '../../../src/jobs/rule-answers.ts';
import { mailOf } from '../../../src/outbox/delivery-content.ts';
import type { Reader } from '../../../src/reader/reader.ts';
import { type Event, eventsOfTicket } from '../../../src/store/events.ts';
import { type InboundMail, inboundMailById } from '../../../src/store/mail/inbound.ts';
import { type Site, siteById } from '../../../src/store/sites/sites.ts';
import { type Message, messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { type Ticket, ticketById } from '../../../src/store/tickets/tickets.ts';
import { fixedClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { inlineReader } from '../../support/inline-reader.ts';
import { migratedStore } from '../../support/store.ts';

export const minute = 60_000;
export const hour = 60 * minute;

interface Written {
  from?: string;
  to?: string;
  subject?: string;
  body?: string;
  id?: string | null;
  /** Additional header lines. */
  headers?: readonly string[];
}

let written = 0;

/** The text of a mail; each has its own Message-ID unless one is given. */
export function mail({ from, to, subject, body, id, headers = [] }: Written = {}): string {
  written += 1;
  const messageId = id === undefined ? `<m${written}@customer.example>` : id;
  return [
    `From: ${from ?? 'Mia <mia@customer.example>'}`,
    `To: ${to ?? 'support@desk.example'}`,
    `Subject: ${subject ?? 'The printer burns'}`,
    'Date: Fri, 11 Sep 2026 09:30:00 +0000',
    ...(messageId === null ? [] : [`Message-ID: ${messageId}`]),
    ...headers,
    ...(headers.some((line) => /^content-type:/i.test(line)) ? [] : ['Content-Type: text/plain; charset=utf-8']),
    '',
    body ?? 'It has been burning since nine.',
  ].join('\r\n');
}

export interface Leaving {
  event: string;
  recipient: string;
  messageId: string;
  /** To whom it is handed. */
  envelope: string[];
  raw: string;
}

export interface MailDesk {
  desk: Desk;
  clock: ReturnType<typeof fixedClock>;
  site: Site;
  blobs: Blobs;
  mailBlobs: Blobs;
  mailroom: Mailroom;
  do<T>(step: (tx: Tx, ctx: Context) => Sync<T>): Promise<T>;
  /** Receives a raw message with its SMTP envelope. */
  post(raw: string | Uint8Array, envelope?: { from?: string; to?: string }, site?: Site): Promise<InboundMail>;
  inboundLog(): InboundMail[];
  tickets(): Ticket[];
  ticket(id: number | null): Ticket;
  messages(ticketId: number | null): Message[];
  /** The newest message of a ticket. */
  last(ticketId: number | null): Message;
  events(ticketId: number | null): Event[];
  rule(input: Record<string, unknown>): Promise<number>;
  siteNamed(name: string): Promise<Site>;
  /** The queued mail as it would be sent; from then on it counts as sent. */
  leave(): Promise<Leaving[]>;
  close(): Promise<void>;
}

export async function mailDesk({
  seed = 7,
  domain = 'desk.example',
  log = silentLog,
  judge,
  reader = inlineReader,
  askDns = null,
  spamFilter = null,
}: {
  seed?: number;
  domain?: string;
  log?: Log;
  judge?: Judge;
  reader?: Reader;
  askDns?: AskDns | null;
  spamFilter?: SpamFilter | null;
} = {}): Promise<MailDesk> {
  const { store } = migratedStore();
  const clock = fixedClock(Date.UTC(2026, 8, 11, 9, 30));
  const desk = createDesk(store, createSeal(Buffer.alloc(32, seed)), clock, {
    inboundDomain: domain,
    mailFrom: `support@${domain}`,
  });
  const folder = temporaryFolder();
  const blobs = createLocalBlobs(join(folder, 'attachments'));
  const mailBlobs = createLocalBlobs(join(folder, 'inbound'));
  const mailroom = createMailroom({
    desk,
    blobs,
    mailBlobs,
    log,
    reader,
    askDns,
    answerWithinMs: null,
    spamFilter,
    fetchText: () => Promise.reject(new Error('no network in tests')),
    ...(judge === undefined ? {} : { judge }),
  });
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  const act: MailDesk['do'] = (step) => desk.write((tx) => step(tx, ctx()));
  const siteNamed = async (name: string) => (await act((tx, context) => createSite(tx, context, { name }))).site;
  const site = await siteNamed('Web shop');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const ids = (table: string) =>
    desk.read((tx) => query<{ id: number }>(tx, `SELECT id FROM ${table} ORDER BY id`).all()).map(({ id }) => id);

  const bench: MailDesk = {
    desk,
    clock,
    site,
    blobs,
    mailBlobs,
    mailroom,
    do: act,
    async post(raw, envelope = {}, to = site) {
      const bytes = typeof raw === 'string' ? new TextEncoder().encode(raw) : raw;
      const headers = {
        ...(envelope.from === undefined ? {} : { 'x-envelope-from': envelope.from }),
        ...(envelope.to === undefined ? {} : { 'x-envelope-to': envelope.to }),
      };
      const today = desk.read((tx) => siteById(tx, to.id) ?? to);
      return (await mailroom.receive(today, 'raw', headers, new Blob([new Uint8Array(bytes)]).stream())).row;
    },
    inboundLog: () => ids('inbound_mail').flatMap((id) => desk.read((tx) => inboundMailById(tx, id)) ?? []),
    tickets: () => ids('tickets').map((id) => bench.ticket(id)),
    ticket(id) {
      const found = desk.read((tx) => ticketById(tx, id ?? 0) ?? null);
      if (!found) throw new Error(`no ticket ${id}`);
      return found;
    },
    messages: (id) => desk.read((tx) => messagesOfTicket(tx, id ?? 0)),
    last(id) {
      const found = bench.messages(id).at(-1);
      if (!found) throw new Error('no message');
      return found;
    },
    events: (id) => desk.read((tx) => eventsOfTicket(tx, id ?? 0)),
    rule: async (input) =>
      (
        await act((tx, context) =>
          inboundRules.add(tx, context, String(site.id), ruleInput.parse({ name: 'Rule', conditions: [], ...input })),
        )
      ).row.id,
    siteNamed,
    async leave() {
      const leaving: Leaving[] = [];
      for (const id of ids("deliveries WHERE status = 'queued' AND recipient IS NOT NULL")) {
        // What waited behind the one before is due by now.
        await desk.write((tx) => takeDue(tx, ctx(), null, 1000, { by: 'test', ms: 0 }));
        const material = desk.read((tx) => loadDelivery(tx, ctx(), id));
        if (!material) continue;
        const forwarded = material.forwarded;
        const attachments =
          forwarded === null
            ? []
            : [
                {
                  filename: 'original.eml',
                  contentType: 'message/rfc822',
                  content: await new Response(mailBlobs.read(forwarded.ulid, 0, forwarded.size - 1)).bytes(),
                },
              ];
        const composed = await mailOf(
          material,
          {
            baseUrl: `https://${domain}`,
            inboundDomain: domain,
            from: `support@${domain}`,
            deskId: deskIdOf(desk),
            hasServer: true,
          },
          attachments,
        );
        const { message } = await transport.sendMail(composed);
        leaving.push({
          event: material.delivery.event,
          recipient: material.delivery.recipient ?? '',
          messageId: composed.messageId,
          envelope: composed.envelope.to,
          raw: String(message),
        });
        await act((tx, context) => {
          const told = { durationMs: 1, responseStatus: null, responseExcerpt: '', error: null };
          recordAttempt(tx, context, { deliveryId: id, result: { outcome: 'delivered' }, ...told });
          return null;
        });
      }
      return leaving;
    },
    async close() {
      await desk.writer.close();
      store.close();
    },
  };
  return bench;
}
