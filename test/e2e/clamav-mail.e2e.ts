// Files that come by mail and from agents, judged by Debian's clamd for the executable: what is infected leaves by no way, and a scanner that is killed costs nothing.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { clamdIn, eicar } from '../support/clamd.ts';
import { until } from '../support/litefs.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';
import { openPostOffice } from './post-office.ts';

const support = 'support@desk.example';
const { path, remove } = newDirectory();
const scanner = newDirectory();
const words = 'a very bad file';
const real = clamdIn(scanner.path, { 'Test.Eicar': eicar, 'Test.Words': words });
const office = await openPostOffice();
let desk: Served;
let tokens: { siteToken: string; teamToken: string };
let inbound: string;

beforeAll(async () => {
  await real.start();
  desk = await serve(path, {
    ...unlimited,
    HELPDESK_CLAMAV: real.socket,
    HELPDESK_SMTP_URL: office.url,
    HELPDESK_INBOUND_DOMAIN: 'desk.example',
    HELPDESK_MAIL_FROM: support,
  });
  tokens = await siteAndToken(path);
  const { json } = await ask('GET', '/sites');
  inbound = new URL(json.data[0].inbound_webhook_url).pathname.replace(/webhooks\/\w+\//, 'webhooks/raw/');
});
afterAll(async () => {
  desk.signal('SIGTERM');
  await desk.exited;
  await real.kill();
  await office.close();
  remove();
  scanner.remove();
});

async function ask(method: string, target: string, body?: object) {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${desk.url}/api/v1${target}`, {
    method,
    headers: {
      Authorization: `Bearer ${tokens.teamToken}`,
      ...(isForm ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  return { status: answer.status, json: (await answer.json()) as any };
}

type Files = Record<string, string | Uint8Array>;

/** @returns the ulid of its ticket */
async function post(files: Files): Promise<string> {
  const parts = Object.entries(files).map(([name, content]) =>
    [
      'Content-Type: application/octet-stream',
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n'),
    ].join('\r\n'),
  );
  const raw = [
    `From: Mia <mia@customer.example>\r\nTo: ${support}\r\nSubject: Files\r\nMessage-ID: <${Object.keys(files).join('.')}@customer.example>`,
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n',
    `--b\r\n${['Content-Type: text/plain\r\n\r\nSee the files.', ...parts].join('\r\n--b\r\n')}\r\n--b--\r\n`,
  ].join('\r\n');
  const answer = await fetch(desk.url + inbound, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822', 'X-Envelope-To': support },
    body: raw,
  });
  return ((await answer.json()) as { ticket: string }).ticket;
}

interface Shown {
  id: number;
  filename: string;
  url: string;
  scan: { status: string; found: string | null };
}
const filesOf = async (ticket: string): Promise<Shown[]> =>
  (await ask('GET', `/tickets/${ticket}`)).json.data.attachments;
const fileOf = async (ticket: string, name: string): Promise<Shown> => {
  const found = (await filesOf(ticket)).find(({ filename }) => filename === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const statusesOf = async (ticket: string) =>
  Object.fromEntries((await filesOf(ticket)).map(({ filename, scan }) => [filename, scan.status]));
const settled = (ticket: string, wanted: Record<string, string>) =>
  until(async () => Bun.deepEquals(await statusesOf(ticket), wanted), JSON.stringify(wanted));
const codeOf = async ({ url }: Shown) => (await fetch(url)).status;

async function attach(ticket: string, name: string, content: string): Promise<number> {
  const form = new FormData();
  form.set('file', new File([content], name));
  const { status, json } = await ask('POST', `/tickets/${ticket}/attachments`, form);
  expect(status).toBe(201);
  return json.attachment.id;
}

test('files of every type that come by mail are judged, and what is infected leaves by no way', async () => {
  const good: Files = {
    'good.pdf': '%PDF-1.4 fine',
    'good.zip': 'PK\u0003\u0004 nothing',
    'sheet.xlsx': 'PK\u0003\u0004 s',
  };
  const bad: Files = { 'bad.txt': eicar, 'bad.csv': `x;${words};y`, 'bad.gz': Bun.gzipSync(Buffer.from(eicar)) };
  const ticket = await post({ ...good, ...bad });
  const all = (files: Files, status: string) => Object.keys(files).map((name) => [name, status]);
  await settled(ticket, Object.fromEntries([...all(good, 'clean'), ...all(bad, 'infected')]));
  for (const name of Object.keys(good)) expect([name, await codeOf(await fileOf(ticket, name))]).toEqual([name, 200]);
  for (const name of Object.keys(bad)) expect([name, await codeOf(await fileOf(ticket, name))]).toEqual([name, 409]);
  expect((await fileOf(ticket, 'bad.csv')).scan.found).toBe('Test.Words.UNOFFICIAL');
  const { id } = await fileOf(ticket, 'bad.csv');
  const side = { to: [{ email: 'sam@supplier.example' }], subject: 'Look', body: 'At this.', attachment_ids: [id] };
  expect((await ask('POST', `/tickets/${ticket}/side-conversations`, side)).status).toBe(409);
  // The mail of a reply waits for its files, and never leaves with one of these.
  const sent = { body: 'Use this one.', attachment_ids: [await attach(ticket, 'from-agent.txt', eicar)] };
  expect((await ask('POST', `/tickets/${ticket}/messages`, sent)).status).toBe(201);
  const fine = { body: 'Rather this.', attachment_ids: [await attach(ticket, 'fine.txt', 'fine')] };
  expect((await ask('POST', `/tickets/${ticket}/messages`, fine)).status).toBe(201);
  const mail = await office.waitFor('mia@customer.example', ({ text }) => text?.includes('Rather this.') === true);
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['fine.txt']);
  const { messages } = (await ask('GET', `/tickets/${ticket}`)).json.data;
  expect(messages.at(-2).delivery).toMatchObject({ status: 'failed', error: expect.stringContaining('Test.Eicar') });
  expect(office.mailbox('mia@customer.example').some(({ text }) => text?.includes('Use this one.'))).toBe(false);
});

test('while the scanner is gone files wait, or come with a mark where the site says so, and are judged when it is back', async () => {
  await real.kill();
  const kept = await post({ 'kept.txt': eicar });
  await until(
    () => desk.errors().includes('virus scanner is down') || desk.output().includes('virus scanner is down'),
    'down',
  );
  expect(await statusesOf(kept)).toEqual({ 'kept.txt': 'waiting' });
  expect(await codeOf(await fileOf(kept, 'kept.txt'))).toBe(409);
  const choose = (choice: string) => ask('PATCH', '/sites/web-shop', { settings: { attachment_scan: choice } });
  expect((await choose('deliver_with_mark')).status).toBe(200);
  const marked = await post({ 'marked.txt': 'harmless' });
  await settled(marked, { 'marked.txt': 'unchecked' });
  expect(await codeOf(await fileOf(marked, 'marked.txt'))).toBe(200);
  expect((await choose('wait')).status).toBe(200);
  await real.start();
  await settled(marked, { 'marked.txt': 'clean' });
  await settled(kept, { 'kept.txt': 'infected' });
});
