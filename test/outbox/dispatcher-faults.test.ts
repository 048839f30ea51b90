// Faults around a delivery: mail servers that hang or drop, disks that fail, stops in the middle; and what the log then
// says.

import { afterEach, describe, expect, test } from 'bun:test';
import { createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import type { Log } from '../../src/base/log.ts';
import type { Desk } from '../../src/desk/desk.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { smtpTransport } from '../../src/outbox/mail-transport.ts';
import { insertAttachment, messageById } from '../../src/store/tickets/messages.ts';
import { fixedClock } from '../support/clock.ts';
import { startRawReceiver, startReceiver } from './receiver.ts';
import { type SendingDesk, type Settings, sendingDesk, until } from './sending.ts';

const start = Date.UTC(2026, 8, 11, 9, 30);
const minute = 60_000;
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function sending(settings: Settings = {}): Promise<SendingDesk> {
  const made = await sendingDesk(settings);
  open.push(made.close);
  return made;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

const messageIdOf = (raw: string) => /^Message-ID: (<[^>]+>)/im.exec(raw)?.[1] ?? '';

/** A hand-written mail server; after the message, `finish` does what it likes with the connection. */
async function brokenServer(finish: (socket: Socket, raw: string) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let text = '';
    let raw: string | null = null;
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      text += chunk;
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (raw !== null && line !== '.') raw += `${line}\n`;
        else if (raw !== null) {
          finish(socket, raw);
          raw = null;
        } else if (line === 'DATA') {
          raw = '';
          socket.write('354 go on\r\n');
        } else socket.write('250 fine\r\n');
      }
    });
  });
  const port = await listening(server);
  open.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(resolve);
      }),
  );
  return { url: `smtp://127.0.0.1:${port}`, openSockets: () => sockets.size };
}

/** Patience with servers that answer. */
const limits = { connectionTimeout: 30_000, greetingTimeout: 30_000, socketTimeout: 30_000, wholeTimeout: 30_000 };

describe('a mail server', () => {
  test('that takes the mail and then drops the line has taken it: it is sent once', async () => {
    const taken: string[] = [];
    const server = await brokenServer((socket, raw) => {
      taken.push(messageIdOf(raw));
      socket.end('250 queued\r\n', () => socket.destroy());
    });
    const clock = fixedClock(start);
    const made = await sending({ clock, transport: smtpTransport(server.url, limits) });
    const messageId = await made.answer(await made.open());
    const dispatcher = made.dispatcher();
    await dispatcher.runDue();
    clock.advance(24 * 60 * minute);
    await dispatcher.runDue();
    expect(taken).toHaveLength(2);
    expect(new Set(taken).size).toBe(2);
    expect(made.desk.read((tx) => messageById(tx, messageId)?.delivery)).toMatchObject({ status: 'sent' });
  });

  test('that drops the line without a word about the mail gets it again, under the same Message-ID', async () => {
    const taken: string[] = [];
    const server = await brokenServer((socket, raw) => {
      taken.push(messageIdOf(raw));
      if (taken.length === 1) socket.destroy();
      else socket.write('250 queued\r\n');
    });
    const clock = fixedClock(start);
    const made = await sending({ clock, transport: smtpTransport(server.url, limits) });
    await made.open();
    const dispatcher = made.dispatcher();
    await dispatcher.runDue();
    expect(made.sent('channel_id IS NULL')).toMatchObject([{ status: 'queued', attempts: 1 }]);
    clock.advance(2 * minute);
    await dispatcher.runDue();
    expect(taken).toHaveLength(2);
    expect(new Set(taken).size).toBe(1);
    expect(made.sent('channel_id IS NULL')).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test('that never answers the mail is given up in time, its line closed, and the mail kept', async () => {
    const server = await brokenServer(() => undefined);
    const transport = smtpTransport(server.url, { ...limits, wholeTimeout: 150 });
    const made = await sending({ transport });
    const messageId = await made.answer(await made.open());
    await made.dispatcher().runDue();
    expect(made.sent('channel_id IS NULL').map(({ status, attempts }) => [status, attempts])).toEqual([
      ['queued', 1],
      ['queued', 0],
    ]);
    expect(made.desk.read((tx) => messageById(tx, messageId)?.delivery)).toMatchObject({ status: 'queued' });
    await until(() => server.openSockets() === 0);
  });
});

test('clean stops in a row while a slow mail server works: every mail arrives once', async () => {
  const arrived: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        // The server has the mail but answers later: a stop in between must not forget it.
        arrived.push(messageIdOf(String(Buffer.concat(chunks))));
        setTimeout(done, 5 + (arrived.length % 5) * 8);
      });
    },
  });
  server.on('error', () => undefined);
  const port = await listening(server.server as Server);
  open.push(() => new Promise((resolve) => server.close(() => resolve(null))));
  const made = await sending();
  for (let turn = 0; turn < 40; turn += 1) await made.open(`Ticket ${turn}`, `mia-${turn}@example.org`);
  for (let round = 0; made.sent("status = 'queued'").length > 0; round += 1) {
    const dispatcher = made.dispatcher({ transport: smtpTransport(`smtp://127.0.0.1:${port}`) });
    dispatcher.wake();
    await new Promise((resolve) => setTimeout(resolve, 10 + round * 3));
    await dispatcher.stop();
    expect(made.sent('claimed_until > 0')).toEqual([]);
  }
  expect(made.sent("status <> 'delivered'")).toEqual([]);
  expect(arrived).toHaveLength(40);
  expect(new Set(arrived).size).toBe(40);
}, 60_000);

describe('a disk', () => {
  /** The same desk, whose writes fail while `isFull` says so. */
  function withFullDisk(desk: Desk, isFull: () => boolean): Desk {
    return {
      ...desk,
      write: (step) =>
        isFull() ? Promise.reject(new DeskError('unavailable', 'The disk is full.')) : desk.write(step),
    };
  }

  test('that is full when a mail was taken makes no one send it again', async () => {
    let isFull = false;
    const taken: string[] = [];
    const server = await brokenServer((socket, raw) => {
      taken.push(messageIdOf(raw));
      isFull = true;
      socket.write('250 queued\r\n');
    });
    const clock = fixedClock(start);
    const made = await sending({ clock, transport: smtpTransport(server.url, limits) });
    await made.open();
    const dispatcher = made.dispatcher({ desk: withFullDisk(made.desk, () => isFull) });
    const run = dispatcher.runDue();
    await until(() => taken.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(made.sent('channel_id IS NULL')).toMatchObject([{ status: 'queued' }]);
    isFull = false;
    await run;
    expect(made.sent('channel_id IS NULL')).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    clock.advance(60 * minute);
    await dispatcher.runDue();
    expect(taken).toHaveLength(1);
  });

  test('that cannot be read when a delivery is to be composed loses nothing', async () => {
    const receiver = await startReceiver();
    open.push(receiver.close);
    const clock = fixedClock(start);
    const made = await sending({ clock });
    await made.channel(receiver.url('/ok'), ['ticket.created']);
    await made.open();
    let faults = 0;
    const read: Desk['read'] = (reading) => {
      // Only while something is claimed: composing fails, not the check for due deliveries.
      if (faults < 2 && made.sent('claimed_until > 0').length > 0) {
        faults += 1;
        throw Object.assign(new Error('disk I/O error'), { name: 'SQLiteError', code: 'SQLITE_IOERR_READ' });
      }
      return made.desk.read(reading);
    };
    const dispatcher = made.dispatcher({ desk: { ...made.desk, read } });
    await dispatcher.runDue();
    expect(faults).toBe(2);
    expect(made.sent("status = 'failed'")).toEqual([]);
    faults = 2;
    clock.advance(16 * minute);
    await dispatcher.runDue();
    expect(made.sent('1').map(({ status, attempts }) => [status, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
    ]);
  });

  test('that stays full does not keep a stop waiting', async () => {
    let isFull = false;
    const receiver = await startReceiver();
    open.push(receiver.close);
    const made = await sending();
    await made.channel(receiver.url('/ok'), ['ticket.created']);
    await made.open();
    const dispatcher = made.dispatcher({
      desk: withFullDisk(made.desk, () => {
        isFull ||= receiver.received.length > 0;
        return isFull;
      }),
    });
    dispatcher.wake();
    await until(() => isFull);
    await dispatcher.stop();
  });

  test('that cannot read an attachment for a moment delays the reply, and loses it not', async () => {
    const taken: string[] = [];
    const server = await brokenServer((socket, raw) => {
      taken.push(raw);
      socket.write('250 queued\r\n');
    });
    const clock = fixedClock(start);
    const made = await sending({ clock, transport: smtpTransport(server.url, limits) });
    const ticket = await made.open();
    const ulid = '01J8ZQ4T5M7N8P9Q0R1S2T3V4W';
    const staged = await made.blobs.stage(
      (async function* () {
        yield new TextEncoder().encode('how to');
      })(),
      1_000,
    );
    await staged.keep(ulid);
    const file = await made.desk.write((tx) =>
      insertAttachment(tx, {
        ulid,
        siteId: ticket.siteId,
        ticketId: ticket.id,
        messageId: null,
        filename: 'how-to.txt',
        contentType: 'text/plain',
        size: 6,
        sha256: staged.sha256,
        isInternal: false,
        isAgent: true,
        createdAt: ticket.createdAt,
      }),
    );
    const messageId = await made.answer(ticket, { attachment_ids: [file.id] });
    let isFailing = true;
    const blobs = {
      ...made.blobs,
      size: (name: string) =>
        isFailing
          ? Promise.reject(Object.assign(new Error('input/output error'), { code: 'EIO' }))
          : made.blobs.size(name),
    };
    const dispatcher = made.dispatcher({ blobs });
    await dispatcher.runDue();
    expect(made.desk.read((tx) => messageById(tx, messageId)?.delivery)).toMatchObject({ status: 'queued' });
    isFailing = false;
    clock.advance(2 * minute);
    await dispatcher.runDue();
    expect(made.desk.read((tx) => messageById(tx, messageId)?.delivery)).toMatchObject({ status: 'sent' });
    expect(taken.at(-1)).toContain('how-to.txt');
  });
});

test('the log tells that something was not delivered, and never to whom, what, or by which secret', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  const log: Log = {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => done(new Error(`${username} and ${password} are unknown`)),
  });
  server.on('error', () => undefined);
  const port = await listening(server.server as Server);
  open.push(() => new Promise((resolve) => server.close(() => resolve(null))));
  const receiver = await startReceiver();
  const rude = await startRawReceiver((socket) => socket.end('grepme-answer\r\n\r\n'));
  open.push(receiver.close, rude.close);
  const made = await sending({
    transport: smtpTransport(`smtp://grepme-user:grepme-password@127.0.0.1:${port}`),
    retryDelaysMs: [],
  });
  const urls = ['/ok', '/500', '/410', '/hang-up'].map((path) => receiver.url(`${path}?key=grepme-key`));
  urls.push(`${rude.url}grepme-path`, 'https://grepme-host.invalid/', 'http://10.0.0.1/grepme-refused');
  urls.push(`https://127.0.0.1:${receiver.port}/grepme-tls`);
  const channels = await Promise.all(urls.map((url) => made.channel(url, ['ticket.created'])));
  const broken = await made.channel(receiver.url('/grepme-broken'), ['ticket.created']);
  await made.desk.write((tx) => {
    tx.client.run("UPDATE channels SET signing_secret_sealed = 'grepme-sealed' WHERE id = ?", [broken.id]);
    return null;
  });
  await made.open('Grepme-subject');
  await made.dispatcher({ log }).runDue();
  expect(made.sent().map(({ status }) => status)).toEqual(['delivered', ...Array(8).fill('failed')]);
  expect(made.sent('channel_id IS NULL')).toMatchObject([{ status: 'queued', attempts: 1 }]);
  const text = lines.join('');
  expect(text.match(/"msg":"not delivered"/g)).toHaveLength(9);
  expect(text.match(/"msg":"delivered"/g)).toHaveLength(1);
  expect(text).not.toMatch(/grepme|mia|127\.0\.0\.1|10\.0\.0\.1|button does nothing/i);
  for (const { secret } of [...channels, broken]) expect(text).not.toContain(secret);
});
