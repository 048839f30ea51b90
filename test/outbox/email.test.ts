// Mail handed to a real SMTP server on loopback, and written as files.

import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { composeMail } from '../../src/mail/outgoing/compose.ts';
import { fileTransport, mailTimeouts, smtpTransport } from '../../src/outbox/mail-transport.ts';
import { frame } from '../mail/frame.ts';

const pdf = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 255, 13, 10, 46, 13, 10]);
const mail = composeMail(frame(), {
  kind: 'agent_reply',
  isAutomated: false,
  isProven: true,
  agentName: 'Grace',
  body: 'Try this.\n.\nA line with a dot alone, and a smile 👋',
  html: null,
  attachments: [{ filename: 'Anleitung – größer.pdf', contentType: 'application/pdf', content: pdf }],
  answered: null,
});

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A mail server that keeps its mail; an option says when it refuses. */
async function startMailServer(options: Partial<SMTPServerOptions> = {}) {
  const taken: { from: string; to: string[]; raw: Buffer }[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : (mailFrom?.address ?? '');
        taken.push({ from, to: rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: (credentials = '') => `smtp://${credentials}127.0.0.1:${port}`, taken };
}

async function sendTo(url: string, timeouts = mailTimeouts) {
  const transport = smtpTransport(url, timeouts);
  open.push(() => transport.close());
  return (await transport.send(mail))!;
}

function refusal(code: number, text: string) {
  return Object.assign(new Error(text), { responseCode: code });
}

describe('over SMTP', () => {
  test('a mail arrives as it was composed', async () => {
    const server = await startMailServer();
    expect((await sendTo(server.url())).ended).toEqual({ kind: 'accepted' });
    const [got] = server.taken;
    expect(got).toMatchObject({ from: 'support@acme.example', to: ['ada@customer.example'] });
    const parsed = await simpleParser(got!.raw);
    expect(parsed.subject).toBe('[#41] Cannot save my settings');
    expect(parsed.messageId).toBe(mail.messageId);
    expect(parsed.text?.trim()).toBe(mail.text.trim());
    expect(parsed.html).toBe(mail.html);
    expect(parsed.attachments).toHaveLength(1);
    expect(parsed.attachments[0]).toMatchObject({
      filename: 'Anleitung – größer.pdf',
      contentType: 'application/pdf',
      contentDisposition: 'attachment',
    });
    expect(new Uint8Array(parsed.attachments[0]!.content)).toEqual(pdf);
  });

  test.each([
    ['the sender', 'onMailFrom', 550],
    ['the recipient', 'onRcptTo', 550],
    ['the recipient for now', 'onRcptTo', 450],
  ] as const)('%s may be refused', async (_, at, code) => {
    const server = await startMailServer({
      [at]: (_address: unknown, _session: unknown, done: (error: Error) => void) => done(refusal(code, 'no such user')),
    });
    const sent = await sendTo(server.url());
    expect(sent.ended).toEqual({ kind: 'rejected', code });
    expect(sent.response).toContain(`${code}`);
    expect(sent.error).toContain('no such user');
  });

  test.each([552, 451])('the message may be refused with %d', async (code) => {
    const server = await startMailServer({
      onData: (stream, _session, done) => {
        stream.resume();
        stream.on('end', () => done(refusal(code, 'not this one')));
      },
    });
    expect((await sendTo(server.url())).ended).toEqual({ kind: 'rejected', code });
  });

  test('a refused sign-in, or one that is missing, says nothing of the mail', async () => {
    const server = await startMailServer({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(refusal(535, 'wrong password')),
    });
    expect(await sendTo(server.url('desk:wrong@'))).toMatchObject({
      ended: { kind: 'unreachable' },
      error: expect.stringContaining('wrong password'),
    });
    expect((await sendTo(server.url())).ended).toEqual({ kind: 'unreachable' });
  });

  test('credentials in the URL are used', async () => {
    const seen: unknown[] = [];
    const server = await startMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        seen.push(username, password);
        done(null, { user: username });
      },
    });
    expect((await sendTo(server.url('desk%40acme.example:p%40ss@'))).ended).toEqual({ kind: 'accepted' });
    expect(seen).toEqual(['desk@acme.example', 'p@ss']);
  });

  test('an offer of TLS is taken, and a certificate that no one vouches for stops the mail, unless the URL says otherwise', async () => {
    const wasSecure: boolean[] = [];
    const [key, cert] = ['key', 'cert'].map((what) =>
      readFileSync(join(import.meta.dirname, `../net/fixtures/hooks.example.test.${what}.pem`), 'utf8'),
    );
    const server = await startMailServer({
      disabledCommands: [],
      key,
      cert,
      onData: (stream, session, done) => {
        wasSecure.push(session.secure);
        stream.resume();
        stream.on('end', done);
      },
    });
    for (const flags of ['', '?requireTLS=true'])
      expect(await sendTo(`${server.url()}${flags}`)).toMatchObject({
        ended: { kind: 'unreachable' },
        error: expect.stringMatching(/certificate/),
      });
    expect(wasSecure).toEqual([]);
    expect((await sendTo(`${server.url()}?ignoreTLS=true`)).ended).toEqual({ kind: 'accepted' });
    expect((await sendTo(`${server.url()}?tls.rejectUnauthorized=false`)).ended).toEqual({ kind: 'accepted' });
    expect(wasSecure).toEqual([false, true]);
  });

  test('a server that turns the desk away, is silent, hangs up or is not there is unreachable', async () => {
    const rude = await startMailServer({ onConnect: (_session, done) => done(refusal(554, 'go away')) });
    expect((await sendTo(rude.url())).ended).toEqual({ kind: 'unreachable' });
    const silent = await startSocketServer(() => undefined);
    const quick = { ...mailTimeouts, greetingTimeout: 100 };
    expect((await sendTo(silent, quick)).ended).toEqual({ kind: 'unreachable' });
    const dripping = await startSocketServer((socket) => {
      const drip = setInterval(() => socket.write('220-wait\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect((await sendTo(dripping, { ...mailTimeouts, wholeTimeout: 150 })).ended).toEqual({ kind: 'unreachable' });
    const gone = await startSocketServer((socket) => socket.destroy());
    expect((await sendTo(gone)).ended).toEqual({ kind: 'unreachable' });
    await open.pop()?.();
    await open.pop()?.();
    expect((await sendTo(gone)).ended).toEqual({ kind: 'unreachable' });
  });

  test.each(['http://mail.example', 'mail.example:25', 'smtp:', 'smtp://'])('%s is no mail server', (url) => {
    expect(() => smtpTransport(url)).toThrow('smtp://user:password@host:587');
  });
});

describe('given up', () => {
  test.each([
    ['is silent from the start', ''],
    ['is silent after its greeting', '220 desk\r\n'],
  ])('a mail to a server that %s ends at once, as no try', async (_what, greeting) => {
    const connected = Promise.withResolvers<void>();
    const sockets: Socket[] = [];
    const silent = createServer((socket) => {
      sockets.push(socket);
      socket.write(greeting);
      if (greeting === '') connected.resolve();
      else socket.once('data', () => connected.resolve());
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    open.push(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const transport = smtpTransport(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const sent = transport.send(mail);
    await connected.promise;
    transport.giveUp();
    expect(await sent).toBeNull();
    expect(await transport.send(mail)).toBeNull();
  });

  test('a mail that the server has taken and thinks about is waited for', async () => {
    const thinking = Promise.withResolvers<() => void>();
    const server = await startMailServer({
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => thinking.resolve(() => done()));
      },
    });
    const transport = smtpTransport(server.url());
    const sent = transport.send(mail);
    const answer = await thinking.promise;
    transport.giveUp();
    await sleep(50);
    answer();
    expect((await sent)?.ended).toEqual({ kind: 'accepted' });
  });

  test('a name that no one resolves is not waited for', async () => {
    const transport = smtpTransport('smtp://mail.example', mailTimeouts, () => new Promise(() => undefined));
    const sent = transport.send(mail);
    transport.giveUp();
    expect(await sent).toBeNull();
  });
});

describe('as files', () => {
  const root = mkdtempSync(join(tmpdir(), 'helpdesk-mail-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test('a mail is one complete .eml, and the same one when it is sent again', async () => {
    const directory = join(root, 'data', 'mail');
    const transport = fileTransport(directory);
    const first = (await transport.send(mail))!;
    await transport.send(mail);
    expect(readdirSync(directory)).toEqual(['2026-09-11T09-30-00-reply_1.eml']);
    expect(first).toEqual({
      ended: { kind: 'accepted' },
      response: join(directory, '2026-09-11T09-30-00-reply_1.eml'),
      error: null,
    });
    const raw = readFileSync(first.response!);
    expect(raw.toString('latin1')).not.toMatch(/[^\r]\n/);
    const parsed = await simpleParser(raw);
    expect(parsed.text?.trim()).toBe(mail.text.trim());
    expect(parsed.attachments[0]?.filename).toBe('Anleitung – größer.pdf');
    expect(statSync(first.response!).mode & 0o077).toBe(0);
  });

  test('a directory that cannot be written is a failure that may pass', async () => {
    const blocked = join(root, 'blocked');
    writeFileSync(blocked, '');
    expect(await fileTransport(blocked).send(mail)).toMatchObject({
      ended: { kind: 'unreachable' },
      error: expect.any(String),
    });
  });
});

async function startSocketServer(greet: (socket: import('node:net').Socket) => void): Promise<string> {
  const sockets = new Set<import('node:net').Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
