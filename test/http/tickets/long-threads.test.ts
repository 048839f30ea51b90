// Very long tickets: read and sent in pieces, so that no one else waits, and shown to customers page by page.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { insertMessage, messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { ticketByUlid } from '../../../src/store/tickets/tickets.ts';
import { baseUrl, type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** That hardly becomes shorter when it is compressed. */
const long = () => randomBytes(6_750).toString('base64');

/** A ticket with more messages than the first. */
async function longTicket(bodies: readonly string[]) {
  const opened = await app.open({ message: bodies[0] });
  const ticket = app.desk.read((tx) => ticketByUlid(tx, opened.ulid) ?? null);
  if (ticket === null) throw new Error('no ticket');
  const messages = await app.desk.write((tx) => {
    const [first] = messagesOfTicket(tx, ticket.id);
    if (first === undefined) throw new Error('no message');
    const { id: _, ...row } = first;
    for (const [at, body] of bodies.slice(1).entries())
      insertMessage(tx, { ...row, ulid: `01K4VJ8Q4N7RM2ZC${String(ticket.id * 10_000 + at).padStart(10, '0')}`, body });
    return messagesOfTicket(tx, ticket.id);
  });
  const traded = await app.ask('POST', '/api/v1/customer/links', {
    body: { ticket: opened.ulid, token: opened.accessToken },
  });
  return {
    ...opened,
    id: ticket.id,
    ulids: messages.map(({ ulid }) => ulid),
    cookie: (traded.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '',
  };
}

type Long = Awaited<ReturnType<typeof longTicket>>;

/** The three calls that answer a whole thread, each with its credential. */
const calls: [name: string, ask: (ticket: Long) => Promise<[path: string, headers: Record<string, string>]>][] = [
  [
    'an agent',
    async ({ ulid }) => [`/tickets/${ulid}`, { Authorization: `Bearer ${(await app.token(['read'])).secret}` }],
  ],
  [
    'the application',
    async ({ ulid, accessToken }) => [
      `/public/tickets/${ulid}?access_token=${accessToken}`,
      { 'X-Site-Token': app.siteToken },
    ],
  ],
  ['a customer', async ({ cookie, ulid }) => [`/customer/ticket?ticket=${ulid}`, { Cookie: cookie }]],
];

async function open(ticket: Long, name: string, more: Record<string, string> = {}, method = 'GET') {
  const [path, headers] = (await calls.find(([own]) => own === name)?.[1](ticket)) ?? ['', {}];
  return await app.fetch(new Request(`${baseUrl}/api/v1${path}`, { method, headers: { ...headers, ...more } }));
}

/** Counts the steps in which the desk reads. */
function countReads() {
  const { read } = app.desk;
  let count = 0;
  app.desk.read = (reading) => {
    count += 1;
    return read(reading);
  };
  return {
    count: () => count,
    stop: () => {
      app.desk.read = read;
    },
  };
}

const ulidsIn = (text: string): string[] =>
  (JSON.parse(text) as { data: { messages: { ulid: string }[] } }).data.messages.map(({ ulid }) => ulid);

describe('a thread of megabytes, read by', () => {
  let ticket: Long;
  beforeAll(async () => {
    ticket = await longTicket(Array.from({ length: 200 }, long));
  });

  test.each(calls.map(([name]) => name))('%s, comes whole and in order, in many steps', async (name) => {
    const reads = countReads();
    const text = await (await open(ticket, name)).text();
    reads.stop();
    expect(ulidsIn(text)).toEqual(ticket.ulids);
    expect(reads.count()).toBeGreaterThan(10);
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('an agent, comes as %s', async (encoding, decompress) => {
    const answer = await open(ticket, 'an agent', { 'Accept-Encoding': encoding });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(ulidsIn(decompress(await answer.arrayBuffer()).toString())).toEqual(ticket.ulids);
  });

  test('an agent who knows it, is not written again', async () => {
    const answer = await open(ticket, 'an agent', {}, 'HEAD');
    const etag = answer.headers.get('etag') ?? '';
    expect([answer.status, await answer.text(), etag === '']).toEqual([200, '', false]);
    const again = await open(ticket, 'an agent', { 'If-None-Match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test.each(['identity', 'br'])('a client that takes none of it (%s), is not read further', async (encoding) => {
    const reads = countReads();
    const answer = await open(ticket, 'an agent', { 'Accept-Encoding': encoding });
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const ahead = reads.count();
    await answer.body?.cancel();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const after = reads.count();
    reads.stop();
    expect(ahead).toBeLessThan(8);
    expect(after).toBeLessThanOrEqual(ahead + 1);
  });
});

test('of many answers that wait for their clients, only some take the memory of a compressor', async () => {
  const ticket = await longTicket(Array.from({ length: 60 }, long));
  const ask = () => open(ticket, 'an agent', { 'Accept-Encoding': 'br' });
  const answers: Response[] = [];
  for (let count = 0; count < 40; count += 1) answers.push(await ask());
  const packed = answers.filter(({ headers }) => headers.get('content-encoding') === 'br');
  expect(packed).toHaveLength(32);
  expect(ulidsIn(await (answers.at(-1) as Response).text())).toEqual(ticket.ulids);
  for (const answer of answers.slice(0, -1)) await answer.body?.cancel();
  await new Promise((resolve) => setImmediate(resolve));
  const again = await ask();
  expect(again.headers.get('content-encoding')).toBe('br');
  await again.body?.cancel();
});

test('what is written while a thread is read is left out, and what is sent meanwhile is not lost', async () => {
  const ticket = await longTicket(Array.from({ length: 60 }, long));
  const reply = { body: 'Tomorrow.', hold_seconds: 60 };
  const held = await app.asTeam('POST', `/api/v1/tickets/${ticket.ulid}/messages`, reply);
  const answer = await open(ticket, 'an agent');
  await app.asTeam('POST', `/api/v1/tickets/${ticket.ulid}/messages`, { body: 'Later.' });
  const { sendDue } = await import('../../../src/desk/tickets/scheduled-replies.ts');
  app.clock.advance(61_000);
  await app.desk.write((tx) => sendDue(tx, app.desk.context({ kind: 'desk' }, 'test')));
  const { data } = (await answer.json()) as { data: { messages: { ulid: string; body: string; send_at: null }[] } };
  expect(data.messages.map(({ ulid }) => ulid)).toEqual([...ticket.ulids, held.json.reply.ulid]);
  expect(data.messages.at(-1)).toMatchObject({ body: 'Tomorrow.', send_at: null });
});

test('a thread that breaks off is told to the log, and its client sees that it is not whole', async () => {
  const ticket = await longTicket(Array.from({ length: 60 }, long));
  const faults: string[] = [];
  const { reportFault } = app.edge;
  app.edge.reportFault = (_, message) => faults.push(message);
  const answer = await open(ticket, 'an agent');
  const { read } = app.desk;
  app.desk.read = () => {
    throw new Error('the disk is gone');
  };
  const text = await answer.text().catch((error: Error) => error.message);
  app.desk.read = read;
  app.edge.reportFault = reportFault;
  expect(() => JSON.parse(text)).toThrow();
  expect(faults).toEqual(['a long answer broke off']);
});

describe('a customer’s page', () => {
  const page = async ({ ulid, cookie }: Long, before: string | null) =>
    (await app.ask('GET', `/t/${ulid}${before === null ? '' : `?before=${before}`}`, { headers: { Cookie: cookie } }))
      .text;

  test('of hundreds of messages is shown in parts that follow each other without a gap', async () => {
    const ticket = await longTicket(Array.from({ length: 250 }, (_, at) => `Text ${at}`));
    const shown: string[] = [];
    let before: string | null = null;
    for (let pages = 0; pages < 5; pages += 1) {
      const text = await page(ticket, before);
      const here = [...text.matchAll(/id="m-(\w+)"/g)].map(([, ulid = '']) => ulid);
      expect(here.length).toBeLessThanOrEqual(100);
      shown.unshift(...here);
      expect(text.includes('id="composer"')).toBe(before === null);
      const next: string | undefined = /\?before=(\w+)"/.exec(text)?.[1];
      if (next === undefined) break;
      before = next;
    }
    expect(shown).toEqual(ticket.ulids);
  });

  test('of very long messages stays small, and shows at least the newest', async () => {
    const ticket = await longTicket(Array.from({ length: 40 }, () => 'x'.repeat(200_000)).with(0, 'x'));
    const text = await page(ticket, null);
    expect(text.length).toBeLessThan(600_000);
    expect(text).toContain(`id="m-${ticket.ulids.at(-1)}"`);
  });

  test('ends neither at a note nor at a message of another ticket', async () => {
    const [ticket, other] = [await longTicket(['One', 'Two']), await longTicket(['Three', 'Four'])];
    const note = await app.asTeam('POST', `/api/v1/tickets/${ticket.ulid}/notes`, { body: 'Secret' });
    for (const before of [note.json.note.ulid, other.ulids[1] ?? '', 'x'])
      expect(await page(ticket, before)).toBe(await page(ticket, null));
  });
});
