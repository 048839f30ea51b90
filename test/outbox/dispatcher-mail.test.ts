// Mail from the outbox through a real SMTP server, and as files: what arrives, how it threads, what becomes of
// refusals.

import { afterEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { newUlid } from '../../src/base/ids.ts';
import { addAgent } from '../../src/desk/people/agents.ts';
import { changeSite } from '../../src/desk/sites/sites.ts';
import { changeTicket } from '../../src/desk/tickets/change-ticket.ts';
import { minuteMs } from '../../src/domain/instant.ts';
import { inOnePiece } from '../../src/files/clamav.ts';
import { renderMarkdown } from '../../src/mail/markdown.ts';
import { type MailTransport, smtpTransport } from '../../src/outbox/mail-transport.ts';
import { setScan } from '../../src/store/tickets/file-scans.ts';
import { insertAttachment, messageById, updateAttachment } from '../../src/store/tickets/messages.ts';
import { fixedClock } from '../support/clock.ts';
import { startReceiver } from './receiver.ts';
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

/** A mail server; `refuse` returns its answer to a recipient, or null to accept the mail. */
async function mailServer(refuse: (address: string) => [number, string] | null = () => null) {
  const taken: Buffer[] = [];
  const asked: string[] = [];
  const options: SMTPServerOptions = {
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onRcptTo({ address }, _session, done) {
      asked.push(address);
      const refusal = refuse(address);
      done(refusal && Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }));
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        taken.push(Buffer.concat(chunks));
        done();
      });
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => new Promise((resolve) => server.close(() => resolve(null))));
  const { port } = server.server.address() as AddressInfo;
  const transport = () => smtpTransport(`smtp://127.0.0.1:${port}`);
  return { transport, asked, mails: () => Promise.all(taken.map((raw) => simpleParser(raw))) };
}

const commandLine = (made: SendingDesk) => made.desk.context({ kind: 'command_line' }, 'test');
const stored = (made: SendingDesk) =>
  made.sent('mail_message_id IS NOT NULL') as unknown as { mail_message_id: string }[];
const deliveryOf = (made: SendingDesk, messageId: number) =>
  made.desk.read((tx) => messageById(tx, messageId)?.delivery ?? null);
const listed = (references: ParsedMail['references']) => [references ?? []].flat();

test('mails that are sent fast share the commits that claim them and record their results', async () => {
  const made = await sending();
  for (let at = 0; at < 40; at += 1) await made.open(`Ticket ${at}`, `author${at}@example.org`);
  const before = made.desk.writer.batches.commits;
  await made.dispatcher().runDue();
  expect(readdirSync(made.mailFolder).length).toBe(40);
  expect(made.sent("status = 'delivered' AND attempts = 1 AND claimed_until = 0").length).toBe(40);
  // It was 41 when each had its own. How many share one follows the machine's speed.
  expect(made.desk.writer.batches.commits - before).toBeLessThan(40);
});

test('acknowledgement, reply and reply again make one thread, with the attachments as they were', async () => {
  const server = await mailServer();
  const made = await sending({ transport: server.transport() });
  const ticket = await made.open();
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256);
  const staged = await made.blobs.stage(
    (async function* () {
      yield bytes;
    })(),
    1_000_000,
  );
  await staged.keep('01J8ZQ4T5M7N8P9Q0R1S2T3V4W');
  const file = await made.desk.write((tx) =>
    insertAttachment(tx, {
      ulid: '01J8ZQ4T5M7N8P9Q0R1S2T3V4W',
      siteId: ticket.siteId,
      ticketId: ticket.id,
      messageId: null,
      filename: 'Anleitung – größer.pdf',
      contentType: 'application/pdf',
      size: bytes.length,
      sha256: staged.sha256,
      isInternal: false,
      isAgent: true,
      createdAt: ticket.createdAt,
    }),
  );
  const first = await made.answer(ticket, { body: 'Try <b>this</b>.', attachment_ids: [file.id] });
  await made.answer(ticket, { body: 'Did it help?' });
  await made.dispatcher().runDue();
  const [acknowledgement, reply, again] = await server.mails();
  const ids = stored(made).map((row) => row.mail_message_id);
  expect([acknowledgement, reply, again].map((mail) => mail?.messageId)).toEqual(ids);
  expect(ids.every((id) => /^<[0-9A-Z]{26}@desk\.example>$/.test(id))).toBe(true);
  expect([acknowledgement, reply, again].map((mail) => mail?.inReplyTo)).toEqual([undefined, ids[0], ids[1]]);
  expect(listed(again?.references)).toEqual(ids.slice(0, 2));
  expect(acknowledgement?.headers.get('auto-submitted')).toBe('auto-generated');
  expect(reply?.headers.has('auto-submitted')).toBe(false);
  expect(reply?.replyTo?.value[0]?.address).toBe(`ticket+${ticket.ulid}@in.desk.example`);
  expect(reply?.from?.value[0]).toEqual({ address: 'support@desk.example', name: 'Web shop' });
  expect(reply?.text).toContain('Try <b>this</b>.');
  expect(reply?.html).not.toContain('<b>this</b>');
  expect(reply?.attachments).toHaveLength(1);
  expect(reply?.attachments[0]?.filename).toBe('Anleitung – größer.pdf');
  expect(new Uint8Array(reply?.attachments[0]?.content ?? [])).toEqual(bytes);
  expect(again?.attachments).toEqual([]);
  expect(deliveryOf(made, first)).toMatchObject({ status: 'sent', error: null });
});

test('a reply in German quotes a customer without a name by their address', async () => {
  const server = await mailServer();
  const made = await sending({ transport: server.transport() });
  const ticket = await made.open('Drucker', 'nameless@example.org', null);
  await made.desk.write((tx) => changeSite(tx, commandLine(made), 'web-shop', { settings: { locale: 'de' } }, null));
  await made.answer(ticket, { body: 'Bitte neu starten.' });
  await made.dispatcher().runDue();
  const mails = await server.mails();
  expect(mails.at(-1)?.text).toMatch(/^Am .+ schrieb nameless@example\.org:$/m);
});

test("a site's own sender is used, and an assigned agent reads what the ticket is about", async () => {
  const server = await mailServer();
  const clock = fixedClock(start);
  const made = await sending({ clock, transport: server.transport() });
  const ticket = await made.open();
  await made.desk.write((tx) => {
    const ctx = commandLine(made);
    changeSite(
      tx,
      ctx,
      'web-shop',
      { settings: { mail_from_name: 'Shop, the', mail_from_address: 'help@shop.example' } },
      null,
    );
    const { id } = addAgent(tx, ctx, { email: 'eve@desk.example', name: 'Eve' });
    changeTicket(tx, ctx, ticket.id, { assigned_to: id }, null);
    return null;
  });
  clock.advance(2 * minuteMs);
  await made.dispatcher().runDue();
  const mail = (await server.mails()).find(({ subject }) => subject?.includes('Assigned to you'));
  expect(mail?.from?.value[0]).toEqual({ address: 'help@shop.example', name: 'Shop, the' });
  expect(mail?.text).toContain('The button does nothing.');
  expect(mail?.text).toContain(`https://desk.example/tickets/${ticket.ulid}`);
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
});

test('a refusal for good is shown on the message and never tried again', async () => {
  const server = await mailServer(() => [550, 'no such mailbox']);
  const clock = fixedClock(start);
  const made = await sending({ clock, transport: server.transport() });
  const messageId = await made.answer(await made.open());
  const dispatcher = made.dispatcher();
  await dispatcher.runDue();
  expect(deliveryOf(made, messageId)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('no such mailbox'),
  });
  expect(server.asked).toHaveLength(2);
  clock.advance(48 * 60 * minute);
  expect(await dispatcher.runDue()).toBe(0);
});

test('a temporary refusal is tried again with growing gaps, for a day; what comes after it waits its turn', async () => {
  const server = await mailServer(() => [451, 'come back later']);
  const clock = fixedClock(start);
  const made = await sending({ clock, transport: server.transport() });
  const ticket = await made.open();
  const messageId = await made.answer(ticket);
  const dispatcher = made.dispatcher();
  const gaps: number[] = [];
  for (;;) {
    const tries = await dispatcher.runDue();
    const [acknowledgement] = made.sent('channel_id IS NULL');
    if (acknowledgement?.status !== 'queued') break;
    expect(tries).toBe(1);
    expect(deliveryOf(made, messageId)?.status).toBe('queued');
    gaps.push((acknowledgement.next_at ?? 0) - clock.now());
    clock.set(acknowledgement.next_at ?? 0);
    if (gaps.length > 50) break;
  }
  expect(clock.now()).toBe(start + 24 * 60 * minute);
  expect(gaps.length).toBeGreaterThan(6);
  expect(gaps.length).toBeLessThan(15);
  expect(gaps[0]).toBeLessThan(1.3 * minute);
  for (const [at, gap] of gaps.slice(1, -2).entries()) expect(gap).toBeGreaterThan(gaps[at] ?? 0);
  expect(made.sent('channel_id IS NULL').map(({ status }) => status)).toEqual(['failed', 'queued']);
}, 20_000);

test('a server that is away is waited for, and nothing is sent twice', async () => {
  let isAway = true;
  const server = await mailServer(() => (isAway ? [451, 'not now'] : null));
  const clock = fixedClock(start);
  const made = await sending({ clock, transport: server.transport() });
  const messageId = await made.answer(await made.open());
  const dispatcher = made.dispatcher();
  await dispatcher.runDue();
  isAway = false;
  clock.advance(2 * minute);
  await dispatcher.runDue();
  await dispatcher.runDue();
  const mails = await server.mails();
  expect(mails.map(({ messageId: id }) => id)).toEqual(stored(made).map((row) => row.mail_message_id));
  expect(deliveryOf(made, messageId)?.status).toBe('sent');
});

test('who manages the site, and no one else, reads that a channel was disabled, why, and how to enable it', async () => {
  const server = await mailServer();
  const receiver = await startReceiver();
  open.push(receiver.close);
  const made = await sending({ transport: server.transport() });
  for (const role of ['owner', 'admin', 'member'] as const)
    await made.desk.write((tx) =>
      addAgent(tx, commandLine(made), { email: `${role}@agents.example`, name: role, role, sites: [] }),
    );
  const { id } = await made.channel(receiver.url('/410'), ['ticket.created']);
  await made.open();
  await made.dispatcher().runDue();
  const mails = (await server.mails()).filter(({ subject }) => subject?.startsWith('Channel disabled'));
  expect(mails.map(({ to }) => [to].flat()[0]?.text)).toEqual([
    '"owner" <owner@agents.example>',
    '"admin" <admin@agents.example>',
  ]);
  const [mail] = mails;
  expect(mail?.subject).toBe('Channel disabled: Hook (Web shop)');
  expect(mail?.text).toContain('> The receiver answered 410 Gone.');
  expect(mail?.text).toContain(`When the receiver works again, run: helpdesk channel enable ${id} --site web-shop\n`);
  expect(mail?.text).toContain(`https://desk.example/api/v1/sites/web-shop/webhook-channels/${id}\n`);
  expect(mail?.text).not.toContain(receiver.url(''));
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
  expect(JSON.stringify(mail?.headers.get('list'))).toContain('https://desk.example/api/v1/unsubscribe/');
});

test('a reply that waits for another try says why', async () => {
  let isAway = false;
  const server = await mailServer(() => (isAway ? [451, 'greylisted'] : null));
  const clock = fixedClock(start);
  const made = await sending({ clock, transport: server.transport() });
  const ticket = await made.open();
  const dispatcher = made.dispatcher();
  await dispatcher.runDue();
  isAway = true;
  const messageId = await made.answer(ticket);
  expect(deliveryOf(made, messageId)).toMatchObject({ status: 'queued', error: null });
  await dispatcher.runDue();
  expect(deliveryOf(made, messageId)).toEqual({
    status: 'queued',
    at: '2026-09-11T09:30:00.000Z',
    error: expect.stringContaining('451 greylisted'),
  });
  isAway = false;
  clock.advance(2 * minute);
  await dispatcher.runDue();
  expect(deliveryOf(made, messageId)).toMatchObject({ status: 'sent', error: null });
});

test('a mail server that never greets holds up no webhook', async () => {
  const { createServer } = await import('node:net');
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const { port } = mute.address() as AddressInfo;
  const limits = { connectionTimeout: 3000, greetingTimeout: 3000, socketTimeout: 3000, wholeTimeout: 6000 };
  const made = await sending({ transport: smtpTransport(`smtp://127.0.0.1:${port}`, limits) });
  const receiver = await startReceiver();
  open.push(receiver.close, () => new Promise((resolve) => mute.close(() => resolve(null))));
  await made.channel(receiver.url('/ok'), ['ticket.created']);
  const dispatcher = made.dispatcher();
  const run = (async () => {
    for (let turn = 0; turn < 20; turn += 1) await made.open(`Ticket ${turn}`);
    return await dispatcher.runDue();
  })();
  await until(() => receiver.received.length === 20);
  expect(made.sent('channel_id IS NULL').every(({ attempts }) => attempts === 0)).toBe(true);
  await run;
  expect(made.sent('channel_id IS NULL').every(({ status, attempts }) => status === 'queued' && attempts === 1)).toBe(
    true,
  );
});

test('a stop does not wait for ever; the next start takes up what was left', async () => {
  const answered = Promise.withResolvers<void>();
  const mute: MailTransport = {
    atOnce: 1,
    async send() {
      await answered.promise;
      return { ended: { kind: 'unreachable' }, response: null, error: 'it hung' };
    },
    giveUp: () => undefined,
    close: () => undefined,
  };
  const made = await sending({ transport: mute });
  await made.open();
  const dispatcher = made.dispatcher({ drainMs: 50 });
  const run = dispatcher.runDue();
  await until(() => made.sent('claimed_until > 0').length === 1);
  await dispatcher.stop();
  expect(made.sent('channel_id IS NULL')).toMatchObject([{ status: 'queued', attempts: 0 }]);
  answered.resolve();
  await run;
});

test('a mail that no server was handed before a stop was no try, and is due at the next start', async () => {
  const stopped = Promise.withResolvers<null>();
  const silent: MailTransport = {
    atOnce: 1,
    send: () => stopped.promise,
    giveUp: () => stopped.resolve(null),
    close: () => undefined,
  };
  const made = await sending({ transport: silent });
  await made.open();
  const dispatcher = made.dispatcher();
  const run = dispatcher.runDue();
  await until(() => made.sent('claimed_until > 0').length === 1);
  await dispatcher.stop();
  await run;
  expect(made.sent('channel_id IS NULL')).toMatchObject([{ status: 'queued', attempts: 0 }]);
  expect(made.sent('claimed_until > 0')).toEqual([]);
});

describe('without a mail server', () => {
  test('mails are files, one for each row, complete', async () => {
    const made = await sending();
    const ticket = await made.open();
    await made.answer(ticket);
    const dispatcher = made.dispatcher();
    await dispatcher.runDue();
    await dispatcher.runDue();
    const files = readdirSync(made.mailFolder).sort();
    expect(files).toHaveLength(2);
    const mails = await Promise.all(files.map((name) => simpleParser(readFileSync(join(made.mailFolder, name)))));
    expect(mails.map((mail) => mail.messageId)).toEqual(stored(made).map((row) => row.mail_message_id));
    expect(mails.every((mail) => mail.to && !Array.isArray(mail.to) && mail.to.text.includes('mia@example.org'))).toBe(
      true,
    );
  });

  test('a reply in Markdown has its words as text, and its result as HTML', async () => {
    const made = await sending();
    const body = '**Try** [again](https://a.example/)';
    await made.answer(await made.open(), { body, body_format: 'markdown', html: renderMarkdown(body) });
    await made.dispatcher().runDue();
    const files = readdirSync(made.mailFolder).map((name) => readFileSync(join(made.mailFolder, name)));
    const mails = await Promise.all(files.map((raw) => simpleParser(raw)));
    const reply = mails.find(({ html }) => html !== false && html.includes('<strong>Try</strong>'));
    expect(reply?.text).toStartWith('Try again (https://a.example/)\n');
  });

  test('an address that is none fails at once and is shown', async () => {
    const made = await sending();
    const ticket = await made.open();
    await made.desk.write((tx) => {
      tx.client.run("UPDATE authors SET email = 'not an address'");
      return null;
    });
    const messageId = await made.answer(ticket);
    await made.dispatcher().runDue();
    expect(deliveryOf(made, messageId)).toMatchObject({ status: 'failed' });
  });
});

test('a mail waits while its files are checked for viruses, and one with an infected file never leaves', async () => {
  const clock = fixedClock(Date.UTC(2026, 8, 11));
  const server = await mailServer();
  const made = await sending({ clock });
  const ticket = await made.open();
  const ulid = newUlid(clock.now());
  const staged = await made.blobs.stage(inOnePiece(Buffer.from('a file')), 100);
  await staged.keep(ulid);
  const { id } = await made.desk.write((tx) =>
    insertAttachment(tx, {
      ulid,
      siteId: ticket.siteId,
      ticketId: ticket.id,
      messageId: null,
      filename: 'plan.txt',
      contentType: 'text/plain',
      size: staged.size,
      sha256: staged.sha256,
      isInternal: false,
      isAgent: true,
      createdAt: ticket.createdAt,
      scanStatus: 'waiting',
      scanNextAt: ticket.createdAt,
    }),
  );
  const scanned = (scanStatus: 'waiting' | 'clean' | 'infected', scanFound: string | null = null) =>
    made.desk.write((tx) => {
      setScan(tx, ulid, { scanStatus, scanFound, scanNextAt: null });
      return null;
    });
  // A dispatcher that still ran would look at the outbox once more a moment after its last delivery.
  const runDue = async () => {
    const dispatcher = made.dispatcher({ transport: server.transport() });
    await dispatcher.runDue();
    await dispatcher.stop();
  };
  const first = await made.answer(ticket, { body: 'The plan', attachment_ids: [id] });
  await runDue();
  expect((await server.mails()).length).toBe(1);
  expect(made.sent("event = 'mail.agent_reply'")).toMatchObject([
    { status: 'queued', last_error: 'Its files are being checked for viruses.' },
  ]);
  await scanned('clean');
  clock.advance(2001);
  await runDue();
  expect((await server.mails())[1]?.attachments.map(({ filename }) => filename)).toEqual(['plan.txt']);
  expect(deliveryOf(made, first)).toMatchObject({ status: 'sent' });

  await scanned('waiting');
  const other = await made.answer(ticket, { body: 'Once more' });
  await made.desk.write((tx) => updateAttachment(tx, id, { messageId: other }) ?? null);
  await scanned('infected', 'Test.Virus');
  await runDue();
  expect((await server.mails()).length).toBe(2);
  expect(deliveryOf(made, other)).toMatchObject({ status: 'failed', error: 'plan.txt is infected: Test.Virus.' });
});
