// The executable and a real mail server: what arrives, and that clean stops under load send nothing twice.

import { afterAll, expect, test } from 'bun:test';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import * as z from 'zod';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';

const { path, remove } = newDirectory();
const arrived: Buffer[] = [];
const mailServer = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith('unknown') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      arrived.push(Buffer.concat(chunks));
      // The server has the mail some time before it answers.
      setTimeout(done, (arrived.length % 4) * 15);
    });
  },
});
mailServer.on('error', () => undefined);
await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
const { port } = mailServer.server.address() as AddressInfo;
const environment = { ...unlimited, HELPDESK_SMTP_URL: `smtp://127.0.0.1:${port}` };
afterAll(async () => {
  await new Promise((resolve) => mailServer.close(() => resolve(null)));
  remove();
});

let running: Served;
let tokens: { siteToken: string; teamToken: string };

const opened = z.object({ ticket: z.object({ ulid: z.string() }) });
const attached = z.object({ attachment: z.object({ id: z.number() }) });
const shown = z.object({ data: z.object({ messages: z.array(z.object({ delivery: z.unknown() })) }) });

async function ask(method: string, target: string, body: object | FormData | null, headers: Record<string, string>) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${running.url}${target}`, {
    method,
    headers: { ...headers, ...(isForm || body === null ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === null ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, json };
}
const asTeam = (method: string, target: string, body: object | FormData | null = null) =>
  ask(method, target, body, { Authorization: `Bearer ${tokens.teamToken}` });
const openTicket = (email: string, subject: string) =>
  ask(
    'POST',
    '/api/v1/public/tickets',
    { email, name: 'Mia', subject, message: 'It <b>burns</b>.' },
    { 'X-Site-Token': tokens.siteToken },
  );

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20);
}
const mails = (): Promise<ParsedMail[]> => Promise.all(arrived.map((raw) => simpleParser(raw)));

test('an acknowledgement, a reply with its file and the word that it is resolved make one thread', async () => {
  running = await serve(path, environment);
  tokens = await siteAndToken(path);
  // No name here is one that a mail server would accept, and the desk says so.
  expect(running.output()).toContain('Mail is sent from helpdesk@127.0.0.1, which most mail servers refuse');
  const settings = { notify_resolved: true, mail_from_name: 'Größe & Co', mail_from_address: 'help@shop.example' };
  expect((await asTeam('PATCH', '/api/v1/sites/web-shop', { settings })).status).toBe(200);
  const { ulid } = opened.parse((await openTicket('mia@example.org', 'The printer burns')).json).ticket;
  const form = new FormData();
  form.set('file', new File(['Pull the plug.'], 'how to – größer.txt', { type: 'text/plain' }));
  const file = await asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, form);
  const reply = {
    body: 'See the file.',
    agent_name: 'Kim',
    attachment_ids: [attached.parse(file.json).attachment.id],
    status: 'resolved',
  };
  expect((await asTeam('POST', `/api/v1/tickets/${ulid}/messages`, reply)).status).toBe(201);
  await until(() => arrived.length === 3);
  const [acknowledgement, answer, resolved] = await mails();
  expect([acknowledgement?.subject, answer?.subject, resolved?.subject]).toEqual([
    '[#1] We have received your message',
    '[#1] Re: The printer burns',
    '[#1] Your ticket is solved',
  ]);
  expect([answer?.inReplyTo, resolved?.inReplyTo]).toEqual([acknowledgement?.messageId, answer?.messageId]);
  for (const mail of [acknowledgement, answer, resolved]) {
    expect(mail?.from?.value).toEqual([{ name: 'Größe & Co', address: 'help@shop.example' }]);
    expect(mail?.replyTo?.value[0]?.address).toBe(`ticket+${ulid}@127.0.0.1`);
  }
  expect(answer?.html).not.toContain('<b>');
  expect(answer?.attachments.map(({ filename, content }) => [filename, String(content)])).toEqual([
    ['how to – größer.txt', 'Pull the plug.'],
  ]);
});

test('a refused reply shows on the message', async () => {
  const { ulid } = opened.parse((await openTicket('unknown@example.org', 'Unreachable')).json).ticket;
  await asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Hello?' });
  const delivery = async () =>
    shown.parse((await asTeam('GET', `/api/v1/tickets/${ulid}`)).json).data.messages.at(-1)?.delivery;
  await until(async () => z.object({ status: z.string() }).parse(await delivery()).status !== 'queued');
  expect(await delivery()).toMatchObject({ status: 'failed', error: expect.stringContaining('550 no such user') });
});

test('five clean stops under load: every mail arrives, and none twice', async () => {
  arrived.length = 0;
  let opened = 0;
  for (let round = 0; round < 5; round += 1) {
    for (let turn = 0; turn < 25; turn += 1) {
      expect((await openTicket(`load${round}-${turn}@example.org`, `Load ${round}/${turn}`)).status).toBe(201);
      opened += 1;
    }
    running.signal('SIGTERM');
    expect(await running.exited).toBe(0);
    running = await serve(path, environment);
  }
  await until(async () => arrived.length >= opened);
  running.signal('SIGTERM');
  expect(await running.exited).toBe(0);
  const ids = (await mails()).map(({ messageId }) => messageId);
  expect(ids).toHaveLength(opened);
  expect(new Set(ids).size).toBe(opened);
  expect(running.errors()).not.toMatch(/example\.org|burns/);
});
