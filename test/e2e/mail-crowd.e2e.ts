// Many costly mails at the same time: each is stored or refused in plain words, and no end of a process loses what was stored.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { helpdesk, newDirectory, type Served, serve, unlimited } from './executable.ts';
import { end, untilNone } from './kills.ts';

const { path, remove } = newDirectory();
afterAll(remove);

const environment = { ...unlimited, HELPDESK_RATE_INBOUND: '0', HELPDESK_RATE_INBOUND_SENDER: '0' };
let secret = '';
let posted = 0;
beforeAll(async () => {
  const { output } = await helpdesk(path, ['site', 'create', '--name', 'Web shop']);
  secret = /inbound\/(hdi_\S+)/.exec(output)?.[1] ?? '';
});

const paragraphs = (at: number) =>
  `From: mia${at}@customer.example\r\nMessage-ID: <${at}@customer.example>\r\nSubject: Mail ${at}\r\nContent-Type: text/html\r\n\r\n${'<p>'.repeat(2_000)}`;
const withFile = (at: number) =>
  JSON.stringify({
    ...{ From: `mia${at}@customer.example`, Subject: `Mail ${at}`, TextBody: 'See the file.' },
    Headers: [{ Name: 'Message-ID', Value: `<${at}@customer.example>` }],
    Attachments: [{ Name: 'a.pdf', ContentType: 'application/pdf', Content: 'JVBERi0xLjQK'.repeat(20_000) }],
  });

/** The answers to so many mails, sent together. */
function post(running: Served, many: number, body: (at: number) => string, provider = 'raw') {
  const send = async () => {
    posted += 1;
    const answer = await fetch(`${running.url}/api/webhooks/${provider}/inbound/${secret}`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: body(posted) },
    });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
  };
  return Promise.all(Array.from({ length: many }, send));
}

function rows(where: string): number {
  const opened = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  opened.run('PRAGMA busy_timeout = 5000');
  const found = opened.query<{ n: number }, []>(`SELECT count(*) AS n FROM inbound_mail WHERE ${where}`).get();
  opened.close();
  return found?.n ?? -1;
}

const waiting = () => rows("status = 'received'");
const untilFiled = () => untilNone('all mail is filed', waiting);

function readersOf({ pid }: Served): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}
const someReader = (running: Served) =>
  waitUntil(
    'a reader works',
    () => readersOf(running),
    ({ length }) => length > 0,
  );
/** Not of those that have ended and are still listed. */
const isThere = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('more than may arrive at the same time is refused in plain words, and everything else is filed', async () => {
  const running = await serve(path, environment);
  const answers = await post(running, 90, withFile, 'postmark');
  const stored = answers.filter(({ status }) => status === 200);
  for (const { status, retryAfter, text } of answers.filter((answer) => !stored.includes(answer))) {
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([503, 'busy']);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  expect(stored.length).toBeGreaterThan(0);
  expect(rows('1')).toBe(stored.length);
  await untilFiled();
  await end(running);
  expect(rows("outcome <> 'ticket_created'")).toBe(0);
});

test('a reader that is killed under a message is replaced, and the message is filed all the same', async () => {
  const running = await serve(path, environment);
  const before = rows("outcome = 'ticket_created'");
  const posting = post(running, 4, paragraphs);
  for (const pid of await someReader(running)) process.kill(pid, 'SIGKILL');
  expect((await posting).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await untilFiled();
  await end(running);
  expect(rows("outcome = 'ticket_created'")).toBe(before + 4);
});

test('what was stored and not filed when the desk was killed is filed at the next start, and no reader stays behind', async () => {
  const running = await serve(path, environment);
  const before = rows('1');
  const posting = post(running, 8, paragraphs).catch(() => []);
  const readers = await someReader(running);
  // They read no further, so that mail waits.
  for (const pid of readers) process.kill(pid, 'SIGSTOP');
  const stored = await waitUntil('mail waits to be filed', waiting, (many) => many >= 3);
  await end(running, 'SIGKILL');
  for (const pid of readers) process.kill(pid, 'SIGCONT');
  await posting;
  await waitUntil('the readers end with the desk', () => !readers.some(isThere));
  const again = await serve(path, environment);
  await untilFiled();
  await end(again);
  expect(rows('1') - before).toBeGreaterThanOrEqual(stored);
  expect(rows("outcome <> 'ticket_created'")).toBe(0);
});

test('a desk that is told to stop loses nothing of what it has, and leaves no reader behind', async () => {
  const running = await serve(path, environment);
  const before = rows('1');
  const posting = post(running, 8, paragraphs);
  const readers = await someReader(running);
  await waitUntil('all mail is stored', () => rows('1') === before + 8);
  expect(await end(running)).toBe(0);
  expect((await posting).map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(readers.some(isThere)).toBe(false);
  expect(running.errors()).not.toContain('"level":50');
  const again = await serve(path, environment);
  await untilFiled();
  await end(again);
  expect(rows("outcome = 'ticket_created'")).toBe(rows('1'));
});
