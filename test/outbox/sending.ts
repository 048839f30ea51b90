// A desk whose outbox really sends: verbs by name, its dispatchers, and what became of each delivery.

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createSeal } from '../../src/base/crypto.ts';
import { silentLog } from '../../src/base/log.ts';
import { createDesk, type Desk } from '../../src/desk/desk.ts';
import { addChannel, channels } from '../../src/desk/outbox/channels.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { replyAsAgent, replyAsCustomer, type Written } from '../../src/desk/tickets/replies.ts';
import { openTicket } from '../../src/desk/tickets/tickets.ts';
import { type WebhookEvent, webhookEvents } from '../../src/domain/event.ts';
import { openStore, query, type Store } from '../../src/engine/database.ts';
import { type Blobs, createLocalBlobs } from '../../src/files/blobs.ts';
import { mailedNumbers } from '../../src/http/wire/reports/mailed-report.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../../src/outbox/dispatcher.ts';
import { fileTransport, type MailTransport } from '../../src/outbox/mail-transport.ts';
import { authorById } from '../../src/store/customers/authors.ts';
import type { Channel } from '../../src/store/sites/catalogue.ts';
import { type Site, siteById } from '../../src/store/sites/sites.ts';
import { type Ticket, ticketById } from '../../src/store/tickets/tickets.ts';
import { temporaryFolder } from '../support/folders.ts';
import { inlineReader } from '../support/inline-reader.ts';
import { migratedStore } from '../support/store.ts';

interface Sent {
  id: number;
  ulid: string;
  event: string;
  status: 'queued' | 'delivered' | 'failed';
  channel_id: number | null;
  ticket_id: number | null;
  recipient: string | null;
  attempts: number;
  next_at: number | null;
  last_error: string | null;
}

export interface Settings {
  clock?: Clock;
  retryDelaysMs?: number[];
  timeoutMs?: number;
  allow?: string;
  transport?: MailTransport;
}

export interface SendingDesk {
  desk: Desk;
  site: Site;
  /** Where .eml files are written if no other transport is given. */
  mailFolder: string;
  blobs: Blobs;
  options: DispatcherOptions;
  /** A dispatcher that no one wakes; it is stopped with the desk. */
  dispatcher(changes?: Partial<DispatcherOptions>): Dispatcher;
  channel(
    url: string,
    events?: readonly WebhookEvent[],
    type?: Channel['type'],
  ): Promise<{ id: number; secret: string }>;
  enable(id: number, isActive?: boolean): Promise<Channel>;
  open(subject?: string, email?: string, name?: string | null): Promise<Ticket>;
  reply(ticket: Ticket, body?: string): Promise<void>;
  answer(ticket: Ticket, input?: Partial<Written>): Promise<number>;
  sent(where?: string): Sent[];
  channelRow(id: number): Record<string, unknown>;
  /** The same database with its own connections and writer, like another process. */
  secondDesk(): Desk;
  close(): Promise<void>;
}

export async function sendingDesk(settings: Settings = {}): Promise<SendingDesk> {
  const { store, path } = migratedStore();
  const deskOn = (on: Store) =>
    createDesk(on, createSeal(Buffer.alloc(32, 7)), settings.clock ?? systemClock, {
      inboundDomain: 'desk.example',
      mailFrom: 'helpdesk@desk.example',
    });
  const desk = deskOn(store);
  const stores = [store];
  const folder = temporaryFolder();
  const mailFolder = `${folder}/mail`;
  const blobs = createLocalBlobs(`${folder}/attachments`);
  const running: Dispatcher[] = [];
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  const options: DispatcherOptions = {
    desk,
    blobs,
    scanner: null,
    mailBlobs: createLocalBlobs(`${folder}/inbound`),
    log: silentLog,
    reader: inlineReader,
    guard: { allow: parseAllowList(settings.allow ?? '127.0.0.1'), timeoutMs: settings.timeoutMs ?? 30_000 },
    transport: settings.transport ?? fileTransport(mailFolder),
    mail: {
      baseUrl: 'https://desk.example',
      inboundDomain: 'in.desk.example',
      from: 'support@desk.example',
      deskId: 'desk-1',
      hasServer: true,
    },
    readReport: (report) => mailedNumbers(desk, report),
    retryDelaysMs: settings.retryDelaysMs ?? [20, 40, 60],
  };
  const { site } = await desk.write((tx) => createSite(tx, ctx(), { name: 'Web shop' }));
  return {
    desk,
    site,
    mailFolder,
    blobs,
    options,
    dispatcher(changes = {}) {
      const dispatcher = createDispatcher({ ...options, ...changes });
      running.push(dispatcher);
      return dispatcher;
    },
    async channel(url, events = webhookEvents, type = 'custom') {
      const { channel, signingSecret } = await desk.write((tx) =>
        addChannel(tx, ctx(), 'web-shop', { name: 'Hook', type, webhook_url: url, events: [...events] }),
      );
      return { id: channel.id, secret: signingSecret };
    },
    enable: async (id, isActive = true) =>
      (await desk.write((tx) => channels.change(tx, ctx(), 'web-shop', id, { is_active: isActive }, null))).row,
    open: async (subject = 'Cannot save my settings', email = 'mia@example.org', name: string | null = 'Mia Jansen') =>
      (
        await desk.write((tx) =>
          openTicket(
            tx,
            desk.context({ kind: 'application', siteId: site.id }, 'test'),
            siteById(tx, site.id) ?? site,
            {
              email,
              name,
              subject,
              message: 'The button does nothing.',
            },
          ),
        )
      ).ticket,
    async reply(ticket, body = 'Still broken.') {
      await desk.write((tx) => {
        const author = authorById(tx, ticket.authorId);
        if (!author) throw new Error('no author');
        replyAsCustomer(tx, ctx(), ticketById(tx, ticket.id) ?? ticket, author, { body });
        return null;
      });
    },
    answer: async (ticket, input = {}) =>
      (await desk.write((tx) => replyAsAgent(tx, ctx(), ticket.id, { body: 'Try again.', ...input }))).message.id,
    sent: (where = 'channel_id IS NOT NULL') =>
      desk.read((tx) => query<Sent>(tx, `SELECT * FROM deliveries WHERE ${where} ORDER BY id`).all()),
    secondDesk() {
      const second = openStore(path, 'OFF');
      stores.push(second);
      return deskOn(second);
    },
    channelRow: (id) =>
      desk.read((tx) => query<Record<string, unknown>>(tx, 'SELECT * FROM channels WHERE id = ?').get(id) ?? {}),
    async close() {
      await Promise.all(running.map((dispatcher) => dispatcher.stop()));
      await desk.writer.close();
      for (const each of stores) each.close();
    },
  };
}

/** Waits until something is true; otherwise the test times out. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}
