// Files while a virus scanner checks them: who can read what, what is told to whom, and what the scanner can do to the desk.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { silentLog } from '../../../src/base/log.ts';
import { markUndecided } from '../../../src/desk/tickets/file-scans.ts';
import { query } from '../../../src/engine/database.ts';
import { createScanner } from '../../../src/files/clamav.ts';
import { createFileScans, type FileScans } from '../../../src/jobs/file-scans.ts';
import { scanFigures } from '../../../src/store/tickets/file-scans.ts';
import { publicIdsOf } from '../../../src/store/tickets/messages.ts';
import { ticketByUlid } from '../../../src/store/tickets/tickets.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { type FakeClamd, fakeClamd, virus } from '../../support/fake-clamd.ts';
import { until } from '../../support/litefs.ts';
import { file } from '../walks/step.ts';

let fake: FakeClamd;
let app: TestApp;
let scans: FileScans;
let ticket: { ulid: string; accessToken: string };
const silentMs = 200;
const startScans = () =>
  createFileScans({ desk: app.desk, blobs: app.edge.blobs, scanner: app.edge.scanner, log: silentLog });
beforeEach(async () => {
  fake = await fakeClamd();
  app = await testApp({}, silentLog, [], { scanner: createScanner(fake.address, silentMs) });
  scans = startScans();
  ticket = await app.open();
});
afterEach(async () => {
  await scans.stop();
  await fake.die();
  await app.close();
});

const attach = async (content: string, name = 'notes.txt') => {
  const path = `/api/v1/public/tickets/${ticket.ulid}/attachments?access_token=${ticket.accessToken}`;
  const answer = await app.asSite('POST', path, file(name, content));
  expect(answer.status, answer.text).toBe(201);
  return answer.json.attachment;
};
const upload = async (content: string) =>
  (await app.asTeam('POST', `/api/v1/tickets/${ticket.ulid}/attachments`, file('draft.txt', content))).json.attachment;
const download = async ({ url }: { url: string }) => {
  const { pathname, search } = new URL(url);
  const { status, json } = await app.ask('GET', pathname + search);
  return [status, status === 200 ? null : json.code];
};
const shown = async () => (await app.asTeam('GET', `/api/v1/tickets/${ticket.ulid}`)).json.data;
const scanOf = async ({ ulid }: { ulid: string }) =>
  (await shown()).attachments.find((one: { ulid: string }) => one.ulid === ulid).scan;
const settle = async (what: { ulid: string }, status: string) => {
  scans.wake();
  await until(async () => (await scanOf(what)).status === status, `${status} of ${what.ulid}`);
};
const checked = async () =>
  (await shown()).events
    .filter(({ event }: { event: string }) => event === 'ticket.attachment_checked')
    .map(({ data }: { data: { scan: object } }) => data.scan);
const choose = (attachment_scan: string) =>
  app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { attachment_scan } });
const waiting = { status: 'waiting', found: null };

describe('a new file', () => {
  test('waits until the scanner has seen it, for everyone', async () => {
    const good = await attach('a good file');
    expect(good.scan).toEqual(waiting);
    expect(await download(good)).toEqual([409, 'attachment_unchecked']);
    const etag = async () => (await app.asTeam('GET', `/api/v1/tickets/${ticket.ulid}`)).headers.get('etag');
    const before = await etag();
    await settle(good, 'clean');
    expect(await download(good)).toEqual([200, null]);
    expect(await checked()).toEqual([{ status: 'clean', found: null }]);
    expect(await etag()).not.toBe(before);
    expect(fake.files).toBe(1);
  });

  test('that is infected can never be downloaded, sent or sent on', async () => {
    const bad = await attach(virus);
    const own = await upload(virus);
    await settle(bad, 'infected');
    await settle(own, 'infected');
    expect(await scanOf(bad)).toEqual({ status: 'infected', found: 'Test.Virus' });
    expect(await download(bad)).toEqual([409, 'attachment_infected']);
    const say = (path: string, body: object) => app.asTeam('POST', `/api/v1/tickets/${ticket.ulid}/${path}`, body);
    const reply = await say('messages', { body: 'See this', attachment_ids: [own.id] });
    expect([reply.status, reply.json.code]).toEqual([409, 'attachment_infected']);
    const to = [{ email: 'supplier@example.org' }];
    const aside = await say('side-conversations', { to, subject: 'x', body: 'x', attachment_ids: [bad.id] });
    expect([aside.status, aside.json.code]).toEqual([409, 'attachment_infected']);
    expect(app.desk.read(scanFigures)).toMatchObject({ unchecked: 0, infected: 2 });
  });

  test('for a ticket that is not opened yet is checked too', async () => {
    const kim = await app.signIn(app.agentId);
    const form = file('plan.txt', virus);
    const sent = await app.ask('POST', '/api/v1/tickets/new/attachments', { ...kim, body: form });
    expect(sent.json.attachment.scan).toEqual(waiting);
    expect(await download(sent.json.attachment)).toEqual([409, 'attachment_unchecked']);
    scans.wake();
    await until(
      async () => (await download(sent.json.attachment))[1] === 'attachment_infected',
      'the file of the draft to be infected',
    );
    const opened = await app.ask('POST', '/api/v1/tickets', {
      ...kim,
      body: {
        site_id: app.site.id,
        email: 'mia@example.org',
        subject: 'x',
        message: 'x',
        attachment_ids: [sent.json.attachment.id],
      },
    });
    expect([opened.status, opened.json.code]).toEqual([409, 'attachment_infected']);
  });

  test('of a customer changes what their page waits for', async () => {
    const good = await attach('a good file');
    const page = () => app.desk.read((tx) => publicIdsOf(tx, ticketByUlid(tx, ticket.ulid)?.id ?? 0).attachments);
    expect(page()).toEqual([`${good.id} waiting`]);
    await settle(good, 'clean');
    expect(page()).toEqual([`${good.id} clean`]);
  });

  test('costs nothing on a desk without a scanner', async () => {
    const plain = await testApp();
    const { ulid, accessToken } = await plain.open();
    const path = `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`;
    const { attachment } = (await plain.asSite('POST', path, file('a.txt', virus))).json;
    expect(attachment.scan).toBeNull();
    const url = new URL(attachment.url);
    expect((await plain.ask('GET', url.pathname + url.search)).status).toBe(200);
    await plain.close();
  });
});

describe('a scanner that is down', () => {
  test('is asked again with growing pauses, and files wait', async () => {
    await fake.die();
    const good = await attach('a good file');
    scans.wake();
    await until(() => app.edge.scanner?.wasUp() === false, 'the first question');
    expect(await scanOf(good)).toEqual(waiting);
    expect(await checked()).toEqual([]);
    await fake.listen();
    // It rests, although the scanner is back.
    scans.wake();
    expect(await scanOf(good)).toEqual(waiting);
    app.clock.advance(1001);
    await settle(good, 'clean');
  });

  test('holds nothing up where the site says so, and the files are marked', async () => {
    await choose('deliver_with_mark');
    await fake.die();
    const bad = await attach(virus);
    expect(await download(bad)).toEqual([409, 'attachment_unchecked']);
    await settle(bad, 'unchecked');
    expect(await download(bad)).toEqual([200, null]);
    await choose('wait');
    app.clock.advance(1001);
    await settle(bad, 'waiting');
    expect(await download(bad)).toEqual([409, 'attachment_unchecked']);
    await fake.listen();
    app.clock.advance(60_000);
    await settle(bad, 'infected');
    expect((await checked()).map(({ status }: { status: string }) => status)).toEqual([
      'unchecked',
      'waiting',
      'infected',
    ]);
  });

  test('and was removed leaves no file waiting; one that comes back checks them', async () => {
    const bad = await attach(virus);
    const desk = { ...app.desk, context: () => ({ ...app.desk.context({ kind: 'desk' }, 'x'), scansFiles: false }) };
    const none = createFileScans({ desk, blobs: app.edge.blobs, scanner: null, log: silentLog });
    none.wake();
    await until(async () => (await scanOf(bad)).status === 'unchecked', 'the mark');
    expect(await download(bad)).toEqual([200, null]);
    expect(await app.desk.write((tx) => markUndecided(tx, desk.context()))).toBe(0);
    await settle(bad, 'infected');
  });
});

describe('one file that the scanner fails on', () => {
  for (const manner of ['closes', 'nonsense', 'silent'] as const) {
    test(`is tried later, and holds no other up: ${manner}`, async () => {
      fake.manner = manner;
      const bad = await attach(virus);
      scans.wake();
      const next = () =>
        query<{ at: number }>(app.desk.store.reading, 'SELECT scan_next_at AS at FROM attachments').get();
      await until(() => (next()?.at ?? 0) > app.desk.now(), 'the pause');
      expect(await scanOf(bad)).toEqual(waiting);
      fake.manner = 'well';
      const good = await attach('a good file', 'good.txt');
      await settle(good, 'clean');
      expect(await scanOf(bad)).toEqual(waiting);
      app.clock.advance(10_001);
      await settle(bad, 'infected');
    });
  }

  test('and that kills it each time does not keep the others from it', async () => {
    fake.manner = 'closes';
    fake.isUp = false;
    const bad = await attach(virus);
    const good = await attach('a good file', 'good.txt');
    scans.wake();
    const next = () =>
      query<{ at: number }>(app.desk.store.reading, 'SELECT scan_next_at AS at FROM attachments ORDER BY id').get();
    await until(() => (next()?.at ?? 0) > app.desk.now(), 'the pause');
    app.clock.advance(1001);
    await settle(good, 'clean');
    expect(await scanOf(bad)).toEqual(waiting);
  });

  test('whose bytes are gone waits', async () => {
    const lost = await attach('a file');
    await app.edge.blobs.remove(lost.ulid);
    const good = await attach('a good file', 'good.txt');
    await settle(good, 'clean');
    expect(await scanOf(lost)).toEqual(waiting);
  });
});

test('many files are checked two at a time', async () => {
  const files = [];
  for (let at = 0; at < 12; at += 1) files.push(await attach(`file ${at}`, `${at}.txt`));
  scans.wake();
  scans.wake();
  for (const one of files) await settle(one, 'clean');
  expect([fake.files, fake.mostAtOnce]).toEqual([12, 2]);
});

test('a desk that stops in the middle has the file checked later', async () => {
  fake.manner = 'silent';
  const bad = await attach(virus);
  scans.wake();
  await until(() => fake.files === 1, 'the file to arrive at the scanner');
  await scans.stop();
  expect(await scanOf(bad)).toEqual(waiting);
  fake.manner = 'well';
  scans = startScans();
  await settle(bad, 'infected');
});

test('a file of mail that waits for a decision is checked when it is downloaded', async () => {
  const mail = [
    'From: Eve <eve@forged.example>\r\nTo: shop@desk.example\r\nSubject: Pay\r\nMessage-ID: <f@forged.example>',
    'Authentication-Results: mx; dmarc=fail header.from=forged.example\r\nMIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHi\r\n--b',
    `Content-Disposition: attachment; filename="a.txt"\r\n\r\n${virus}\r\n--b`,
    'Content-Disposition: attachment; filename="b.txt"\r\n\r\na good file\r\n--b--\r\n',
  ].join('\r\n');
  const sent = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body: mail });
  expect(sent.json.outcome, sent.text).toBe('held');
  const { id } = (await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail?outcome=held')).json.data[0];
  const get = async (at: number) => {
    const { status, json } = await app.asTeam('GET', `/api/v1/sites/web-shop/inbound-mail/${id}/files/${at}`);
    return [status, status === 200 ? null : json.code];
  };
  expect([await get(0), await get(1)]).toEqual([
    [409, 'attachment_infected'],
    [200, null],
  ]);
  await fake.die();
  expect(await get(1)).toEqual([409, 'attachment_unchecked']);
  await choose('deliver_with_mark');
  expect(await get(1)).toEqual([200, null]);
});
