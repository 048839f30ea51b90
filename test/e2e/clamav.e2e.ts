// Debian's clamd checks files of the executable, with one signature of our own; and a desk that is killed in the middle of it.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clamd, clamdIn, eicar } from '../support/clamd.ts';
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { fakeClamd } from '../support/fake-clamd.ts';
import { until } from '../support/litefs.ts';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';

const { path, remove } = newDirectory();
const scanner = newDirectory();
const real = clamdIn(scanner.path, { 'Test.Eicar': eicar });

let tokens: { siteToken: string; teamToken: string };
const settings = { ...unlimited, HELPDESK_CLAMAV: real.socket };

beforeAll(async () => {
  if (clamd !== null) await real.start();
});
afterAll(async () => {
  await real.kill();
  remove();
  scanner.remove();
});

const ask = async (desk: Served, target: string, options: RequestInit = {}) =>
  fetch(`${desk.url}${target}`, {
    ...options,
    headers: { Authorization: `Bearer ${tokens.teamToken}`, ...options.headers },
  });
const json = async (desk: Served, target: string, options: RequestInit = {}) =>
  (await ask(desk, target, options)).json();

async function openTicket(desk: Served): Promise<string> {
  const opened = await fetch(`${desk.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'X-Site-Token': tokens.siteToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'mia@example.org', subject: 'Hello', message: 'World' }),
  });
  return ((await opened.json()) as { ticket: { ulid: string } }).ticket.ulid;
}

async function attach(desk: Served, ticket: string, name: string, content: string | Uint8Array): Promise<void> {
  const form = new FormData();
  form.set('file', new File([content as BlobPart], name));
  const sent = await ask(desk, `/api/v1/tickets/${ticket}/attachments`, { method: 'POST', body: form });
  expect(sent.status).toBe(201);
}

interface Shown {
  filename: string;
  url: string;
  scan: { status: string; found: string | null };
}
async function filesOf(desk: Served, ticket: string): Promise<Record<string, Shown>> {
  const { data } = (await json(desk, `/api/v1/tickets/${ticket}`)) as { data: { attachments: Shown[] } };
  return Object.fromEntries(data.attachments.map((file) => [file.filename, file]));
}
const statusesOf = async (desk: Served, ticket: string) =>
  Object.fromEntries(Object.entries(await filesOf(desk, ticket)).map(([name, { scan }]) => [name, scan.status]));
const settled = (desk: Served, ticket: string, status: Record<string, string>) =>
  until(async () => Bun.deepEquals(await statusesOf(desk, ticket), status), JSON.stringify(status));
const started: Served[] = [];
afterEach(async () => {
  for (const desk of started.splice(0)) await end(desk);
});
async function start(environment = settings): Promise<Served> {
  const desk = await serve(path, environment);
  started.push(desk);
  return desk;
}
async function end(desk: Served): Promise<void> {
  started.splice(started.indexOf(desk) >>> 0, 1);
  desk.signal('SIGKILL');
  await desk.exited;
}

test.skipIf(clamd === null)(
  'clamd finds what is infected, also inside archives and mail, and the rest can be read',
  async () => {
    const desk = await start();
    tokens = await siteAndToken(path);
    const ticket = await openTicket(desk);
    await attach(desk, ticket, 'good.txt', 'a good file');
    await attach(desk, ticket, 'large.bin', new Uint8Array(9 * 1024 * 1024));
    await attach(desk, ticket, 'bad.txt', eicar);
    await attach(desk, ticket, 'bad.txt.gz', Bun.gzipSync(eicar));
    await settled(desk, ticket, {
      'good.txt': 'clean',
      'large.bin': 'clean',
      'bad.txt': 'infected',
      'bad.txt.gz': 'infected',
    });
    const files = await filesOf(desk, ticket);
    expect(files['bad.txt']?.scan.found).toBe('Test.Eicar.UNOFFICIAL');
    const shown = (await helpdesk(path, ['ticket', 'show', ticket])).output;
    expect(shown).toContain('attached: good.txt (11 bytes)\n');
    expect(shown).toContain('attached: bad.txt (68 bytes, infected: Test.Eicar.UNOFFICIAL)\n');
    const codes = [];
    for (const name of ['good.txt', 'bad.txt', 'bad.txt.gz']) codes.push((await fetch(files[name]?.url ?? '')).status);
    expect(codes).toEqual([200, 409, 409]);
    const metrics = parseExposition(await (await fetch(`${desk.url}/metrics`)).text());
    expect(sampleOf(metrics, 'helpdesk_scanner_up')).toBe(1);
    expect(sampleOf(metrics, 'helpdesk_files_infected')).toBe(2);
    expect(sampleOf(metrics, 'helpdesk_files_unchecked')).toBe(0);
  },
);

test.skipIf(clamd === null)('a mail that a rule sends on stays when it is infected', async () => {
  const desk = await start();
  const sites = (await json(desk, '/api/v1/sites/web-shop')) as { data: { inbound_webhook_url: string } };
  const inbound = new URL(sites.data.inbound_webhook_url).pathname;
  const made = await ask(desk, '/api/v1/sites/web-shop/inbound-rules', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Sales',
      match: 'all',
      conditions: [],
      actions: [{ type: 'forward', value: 'sales@elsewhere.example' }],
    }),
  });
  expect(made.status).toBe(201);
  const post = (subject: string, content: string) =>
    fetch(`${desk.url}${inbound}`, {
      method: 'POST',
      body: [
        `From: Lou <lou@example.org>\r\nTo: web-shop@desk.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.org>`,
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHi\r\n--b',
        'Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64',
        `Content-Disposition: attachment; filename="a.bin"\r\n\r\n${Buffer.from(content).toString('base64')}\r\n--b--\r\n`,
      ].join('\r\n'),
    });
  expect([(await post('good', 'a good file')).status, (await post('bad', eicar)).status]).toEqual([200, 200]);
  const forwards = async () => {
    const listed = await helpdesk(path, ['outbox', 'list', '--status', 'all', '--json']);
    return (listed.json().data as { event: string; status: string; last_error: string | null }[])
      .filter(({ event }) => event === 'mail.forward')
      .map(({ status, last_error: error }) => [status, error])
      .sort();
  };
  await until(
    async () => (await forwards()).every(([status]) => status !== 'queued') && (await forwards()).length === 2,
    'both',
  );
  expect(await forwards()).toEqual([
    ['delivered', null],
    ['failed', 'The original of this mail is infected: Test.Eicar.UNOFFICIAL.'],
  ]);
  const written = readdirSync(join(path, 'data', 'mail'))
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(path, 'data', 'mail', name), 'latin1'));
  const encoded = Buffer.from(eicar).toString('base64').slice(0, 60);
  expect(written.some((mail) => mail.includes(encoded))).toBe(false);
  await end(desk);
});

test.skipIf(clamd === null)(
  'a desk that is killed in the middle of a scan has the file checked after its start',
  async () => {
    const silent = await fakeClamd();
    silent.manner = 'silent';
    const first = await start({ ...settings, HELPDESK_CLAMAV: silent.address });
    const ticket = await openTicket(first);
    await attach(first, ticket, 'bad.txt', eicar);
    // Files of the tests before can be among those that wait.
    await until(() => silent.files >= 1, 'the scan to begin');
    await end(first);
    await silent.die();

    await real.kill();
    const second = await start();
    await attach(second, ticket, 'good.txt', 'a good file');
    await until(
      () => second.output().includes('virus scanner is down') || second.errors().includes('virus scanner is down'),
      'the log',
    );
    expect(await statusesOf(second, ticket)).toEqual({ 'bad.txt': 'waiting', 'good.txt': 'waiting' });
    await real.start();
    await settled(second, ticket, { 'bad.txt': 'infected', 'good.txt': 'clean' });
    await end(second);
  },
);
