// Files up and down: limits, names, contents, ranges, links; and nothing left of refused files.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mostUploadBytes } from '../../../src/http/upload.ts';
import type { Server } from '../../../src/platform/http-server.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { customerBrowser, openedTicket } from '../../support/customer-browser.ts';
import { serve } from '../../support/serving.ts';
import { slowUploads } from '../../support/slow-uploads.ts';
import { streamed } from '../../support/streamed.ts';
import { file } from '../walks/step.ts';

let app: TestApp;
let path: string;
beforeEach(async () => {
  app = await testApp();
  const { ulid, accessToken } = await app.open();
  path = `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`;
});
afterEach(() => app.close());

const upload = (form: FormData) => app.asSite('POST', path, form);
/** Removes and counts them all, as if none had a row. */
const filesOnDisk = () => app.edge.blobs.sweep(Date.now() + 2 * 3_600_000, () => new Set());

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const max = 10 * 1024 * 1024;

describe('a file is accepted', () => {
  test.each([
    ['log.txt', 'plain words', 'text/plain'],
    ['LOG.TXT', 'plain words', 'text/plain'],
    ['pixel.png', png, 'image/png'],
    ['paper.pdf', '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF', 'application/pdf'],
  ])('%s', async (name, content, type) => {
    const answer = await upload(file(name, content as string));
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json.attachment.content_type).toBe(type);
  });

  test('at exactly ten megabytes, and refused one byte above', async () => {
    expect((await upload(file('big.txt', 'x'.repeat(max)))).status).toBe(201);
    const refused = await upload(file('big.txt', 'x'.repeat(max + 1)));
    expect([refused.status, refused.json.code]).toEqual([422, 'validation_failed']);
    expect(refused.json.errors).toEqual({ file: ['The file field must have at most 10485760 bytes.'] });
    const larger = await upload(file('big.txt', 'x'.repeat(max + 5_000_000)));
    expect([larger.status, Object.keys(larger.json.errors)]).toEqual([422, ['file']]);
    expect(readdirSync(join(app.blobFolder, 'staging'))).toEqual([]);
  });
});

test('applications that upload slowly keep out no agent, and one site not another', async () => {
  const slow = slowUploads(app, path, Array(20).fill({ 'X-Site-Token': app.siteToken }));
  await slow.arriving(8);
  const { ulid } = await app.open();
  expect((await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file())).status).toBe(201);
  const headers = { 'X-Site-Token': app.other.siteToken };
  const body = { email: 'mia@example.org', subject: 'Lamp', message: 'It is dark.' };
  const { ticket, access_token } = (await app.ask('POST', '/api/v1/public/tickets', { headers, body })).json;
  const theirs = `/api/v1/public/tickets/${ticket.ulid}/attachments?access_token=${access_token}`;
  const others = slowUploads(app, theirs, Array(20).fill(headers));
  await others.arriving(8);
  expect((await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file())).status).toBe(201);
  await Promise.all([slow.end(), others.end()]);
});

describe('customers who upload slowly', () => {
  const path = '/api/v1/customer/ticket/attachments';
  beforeEach(async () => {
    for (const { slug } of [app.site, app.other.site])
      await app.asTeam('PATCH', `/api/v1/sites/${slug}`, { settings: { customer_links: 'open' } });
  });

  test('at one site keep out none of another', async () => {
    const body = { email: 'mia@example.org', subject: 'Lamp', message: 'It is dark.' };
    const there = await app.ask('POST', '/api/v1/public/tickets', {
      ...{ body, headers: { 'X-Site-Token': app.other.siteToken } },
    });
    const mine = customerBrowser(app, '203.0.113.1');
    await mine.open(there.json.ticket.ulid, there.json.access_token);
    const slow: ReturnType<typeof slowUploads>[] = [];
    // As many tickets and addresses as would fill the places of all sites.
    for (let at = 0; at < 40; at += 1) {
      const { browser } = await openedTicket(app);
      slow.push(slowUploads(app, path, Array(3).fill(browser.headers()), `192.0.2.${at}`));
    }
    await Promise.all(slow.slice(0, 16).map((one) => one.arriving(1)));
    expect((await mine.ask('POST', '/ticket/attachments', file())).status).toBe(201);
    await Promise.all(slow.map((one) => one.end()));
  });

  test('by one link at many addresses keep out no other link of the site', async () => {
    const { browser: theirs } = await openedTicket(app);
    const { browser: mine } = await openedTicket(app);
    const slow = Array.from({ length: 34 }, (_, at) =>
      slowUploads(app, path, Array(3).fill(theirs.headers()), `198.51.100.${at}`),
    );
    const places = app.edge.gates.uploadsAt.links(app.site.id);
    while (places.takenShare() < 3 / 24) await new Promise(setImmediate);
    expect((await mine.ask('POST', '/ticket/attachments', file())).status).toBe(201);
    expect(places.takenShare()).toBe(3 / 24);
    await Promise.all(slow.map((one) => one.end()));
  });
});

describe('an upload whose answer was lost', () => {
  const keys = (at: number) => ({ 'Idempotency-Key': `upload-${at}` });
  const ids = async (...answers: (ReturnType<typeof upload> | Awaited<ReturnType<typeof upload>>)[]) =>
    (await Promise.all(answers)).map(({ status, json }) => [status, json.attachment.id]);

  test('is repeated within ten minutes without a second file', async () => {
    const first = await upload(file('log.txt', 'words'));
    app.clock.set(app.clock.now() + 599_000);
    const again = await upload(file('log.txt', 'words'));
    expect(await ids(first, again)).toEqual([
      [201, first.json.attachment.id],
      [201, first.json.attachment.id],
    ]);
    expect(app.counts().attachments).toBe(1);
    const read = await app.ask('GET', again.json.attachment.url);
    expect(read.text).toBe('words');
    app.clock.set(app.clock.now() + 2_000);
    expect((await upload(file('log.txt', 'words'))).json.attachment.id).not.toBe(first.json.attachment.id);
  });

  test('also when both arrive together', async () => {
    const [one, other] = await ids(upload(file('log.txt', 'words')), upload(file('log.txt', 'words')));
    expect(other).toEqual(one);
    expect([app.counts().attachments, await filesOnDisk()]).toEqual([1, 1]);
  });

  test('but other bytes, another name, another message, another sender or a key of its own is another file', async () => {
    const { ulid } = await app.open();
    const team = `/api/v1/tickets/${ulid}/attachments`;
    const [, , token] = path.split(/[/=]/).slice(-3);
    const thread = path.split('/attachments')[0];
    const said = await app.asSite('POST', `${thread}/messages?access_token=${token}`, { body: 'See' });
    const onMessage = file('log.txt', 'words');
    onMessage.set('message_id', String(said.json.reply.id));
    const person = await app.person('owner');
    const answers = [
      await upload(file('log.txt', 'words')),
      await upload(file('log.txt', 'other')),
      await upload(file('log2.txt', 'words')),
      await upload(onMessage),
      await app.asSite('POST', path, file('log.txt', 'words'), keys(1)),
      await app.asSite('POST', path, file('log.txt', 'words'), keys(2)),
      await app.asTeam('POST', team, file('log.txt', 'words')),
      await app.ask('POST', team, { headers: person.headers, body: file('log.txt', 'words') }),
    ];
    expect(new Set((await ids(...answers)).map(String)).size).toBe(answers.length);
    expect(app.counts().attachments).toBe(answers.length);
  });

  test("an agent's file that a reply took is not taken again", async () => {
    const { ulid } = await app.open();
    const team = `/api/v1/tickets/${ulid}`;
    const attach = async () =>
      (await app.asTeam('POST', `${team}/attachments`, file('log.txt', 'words'))).json.attachment;
    const first = await attach();
    expect((await attach()).id).toBe(first.id);
    await app.asTeam('POST', `${team}/messages`, { body: 'See', attachment_ids: [first.id] });
    expect((await attach()).id).not.toBe(first.id);
  });
});

describe('from agents', () => {
  const attach = async (name: string, content: string | Uint8Array) => {
    const { ulid } = await app.open();
    return await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file(name, content));
  };

  test.each([
    ['page.html', '<script>alert(1)</script>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['data.xml', '<?xml version="1.0"?><a xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['style.css', 'p {}'],
    ['photo.png', '<html>a lying name</html>'],
    ['paper.pdf', '<html>%PDF-1.4</html>'],
    ['picture.gif.html', 'GIF89a<script>alert(1)</script>'],
    ['README', 'no extension'],
  ])('%s is kept, and only ever saved', async (name, content) => {
    const answer = await attach(name, content);
    expect(answer.status, answer.text).toBe(201);
    const { url } = answer.json.attachment;
    for (const link of [url, `${url}&view=1`]) {
      const { headers } = await app.ask('GET', link);
      expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
        'application/octet-stream',
        'nosniff',
      ]);
      expect(headers.get('content-disposition')).toStartWith('attachment; ');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    }
  });

  test('text is saved too, and a picture that is also a page is shown as a picture alone', async () => {
    const text = (await attach('notes.txt', '<script>alert(1)</script>')).json.attachment;
    const both = (await attach('both.gif', 'GIF89a=1/*<script>alert(1)</script>*/;')).json.attachment;
    const of = async (url: string) => (await app.ask('GET', url)).headers;
    expect((await of(text.url)).get('content-disposition')).toStartWith('attachment; ');
    const shown = await of(both.url);
    expect([shown.get('content-type'), shown.get('x-content-type-options')]).toEqual(['image/gif', 'nosniff']);
    expect(shown.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  });

  test('programs and scripts are refused by their names, with the list', async () => {
    for (const name of ['setup.exe', 'INVOICE.PDF.SCR', 'run.js', 'a.bat . ', 'x‮fdp.lnk']) {
      const answer = await attach(name, '%PDF-1.4');
      expect([answer.status, answer.json.code], name).toEqual([422, 'attachment_type_refused']);
      expect(answer.json.errors.file[0]).toMatch(/must not be a \.[a-z]{2,3} file.*: ade, adp, .*exe/);
    }
    expect(await filesOnDisk()).toBe(0);
  });

  test('and by their bytes, unless the site takes such programs', async () => {
    const program = `MZ\u0090${'\0'.repeat(80)}`;
    const script = '#!/bin/sh\necho hello\n';
    for (const [name, bytes] of [
      ['invoice.pdf', program],
      ['photos.zip', program],
      ['notes.txt', script],
    ] as const) {
      const answer = await attach(name, bytes);
      expect([answer.status, answer.json.code], name).toEqual([422, 'attachment_type_refused']);
      expect(answer.json.errors.file[0]).toMatch(
        /must not be a program, whatever its name \(\.(exe|sh)\).*: ade, adp, /,
      );
    }
    expect((await upload(file('notes.txt', script))).json.code).toBe('attachment_type_refused');
    expect(await filesOnDisk()).toBe(0);
    const refuse = (refused_attachment_types: string[] | null) =>
      app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { refused_attachment_types } });
    await refuse(['sh']);
    expect((await attach('photos.zip', program)).status).toBe(201);
    expect((await attach('run.py', script)).status).toBe(201);
    expect((await attach('notes.txt', script)).status).toBe(422);
    await refuse(null);
  });
});

test('a site widens what customers send, edits what is refused, and limits one file and all', async () => {
  const set = (settings: object) => app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings });
  const wider = await set({ attachment_types: ['.HEIC', 'exe'] });
  expect([wider.status, Object.keys(wider.json.errors)]).toEqual([422, ['settings.attachment_types']]);
  expect(Object.keys((await set({ refused_attachment_types: ['pdf'] })).json.errors)).toEqual([
    'settings.refused_attachment_types',
  ]);
  expect((await set({ attachment_types: ['.HEIC'], attachment_max_mb: 1 })).status).toBe(200);
  expect((await upload(file('a.heic', 'any bytes'))).json.attachment.content_type).toBe('application/octet-stream');
  expect((await upload(file('a.zip', 'any bytes'))).json.errors.file[0]).toContain('docx, txt, heic');
  const config = await app.asSite('GET', '/api/v1/public/config');
  expect([config.json.attachments.extensions.at(-1), config.json.attachments.max_bytes]).toEqual(['heic', 1024 * 1024]);
  expect((await upload(file('big.txt', 'x'.repeat(1024 * 1024 + 1)))).status).toBe(422);
  expect((await set({ attachments_total_mb: 1 })).status).toBe(200);
  const half = 'x'.repeat(600 * 1024);
  const first = await upload(file('one.txt', half));
  expect(first.status).toBe(201);
  const refused = await upload(file('two.txt', half));
  expect([refused.status, refused.json.code, Object.keys(refused.json.errors)]).toEqual([
    422,
    'storage_full',
    ['file'],
  ]);
  expect(app.counts().attachments).toBe(2);
  const { ulid } = await app.open();
  const { attachment } = (await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file('s.txt', 'x'))).json;
  await app.asTeam('DELETE', `/api/v1/tickets/${ulid}/attachments/${attachment.ulid}`);
  const edited = await set({ refused_attachment_types: ['heic'], attachment_types: [] });
  expect(edited.json.data.settings.refused_attachment_types).toEqual(['heic']);
  expect((await upload(file('a.heic', 'x'))).json.code).toBe('attachment_type_refused');
  expect((await set({ refused_attachment_types: null })).json.data.settings.refused_attachment_types).toContain('exe');
});

describe('a refused upload leaves nothing on the disk', () => {
  test.each([
    ['a program', file('tool.exe', 'MZ')],
    ['a program that says it is a picture', file('tool.png', 'MZ\u0000\u0001')],
    ['a page that says it is a PDF', file('page.pdf', '<html></html>')],
    ['a picture that says it is text', file('pixel.txt', png)],
    ['bytes that are no text', file('x.txt', new Uint8Array([1, 0, 2]))],
    ['nothing', file('empty.txt', '')],
    ['no extension', file('README', 'x')],
    ['only an extension', file('.txt', 'x')],
  ])('%s', async (_what, form) => {
    const answer = await upload(form);
    expect([answer.status, Object.keys(answer.json.errors ?? {})]).toEqual([422, ['file']]);
    expect(app.counts().attachments).toBe(0);
    expect(await filesOnDisk()).toBe(0);
  });

  test('with two files, no file, or a file under another key', async () => {
    const two = file();
    two.append('file', new File(['b'], 'b.txt'));
    const none = new FormData();
    none.append('other', 'x');
    const key = new FormData();
    key.append('upload', new File(['b'], 'b.txt'));
    for (const form of [two, none, key]) expect((await upload(form)).status).toBe(422);
    expect(await filesOnDisk()).toBe(0);
  });

  test('with a body that never ends, which is cut off', async () => {
    let sent = 0;
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
      pull(controller) {
        sent += 262_144;
        if (sent > 200_000_000) throw new Error('no one stopped it');
        controller.enqueue(new Uint8Array(262_144).fill(97));
      },
    });
    const answer = await app.ask('POST', path, {
      headers: { 'X-Site-Token': app.siteToken, 'Content-Type': 'multipart/form-data; boundary=b' },
      body: endless,
    });
    // The file exceeds its limit before the request does.
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['file']]);
    expect(sent).toBeLessThan(60_000_000);
    expect(await filesOnDisk()).toBe(0);
  });

  test('for a message of another ticket', async () => {
    const form = file();
    form.append('message_id', '999');
    const answer = await upload(form);
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['message_id']]);
    expect(await filesOnDisk()).toBe(0);
  });
});

describe('on a real connection', () => {
  let server: Server;
  beforeEach(async () => {
    server = await serve((request) => app.fetch(request));
  });
  afterEach(() => server.stop(true));

  const target = () => `http://127.0.0.1:${server.port}${path}`;
  const headers = () => ({ 'X-Site-Token': app.siteToken });
  const folder = () => app.blobFolder;
  const staged = () => readdirSync(join(folder(), 'staging'));
  /** Waits up to a minute. */
  async function until(isSo: () => boolean): Promise<void> {
    const startedAt = performance.now();
    while (!isSo()) {
      if (performance.now() - startedAt > 10_000) throw new Error('it never came to be');
      await sleep(5);
    }
  }

  test('refuses a file by its field, and a request that is too large as a whole', async () => {
    for (const [bytes, status, code] of [
      [max + 5_000_000, 422, 'validation_failed'],
      [mostUploadBytes({ maxBytes: max }), 413, 'payload_too_large'],
    ] as const) {
      const body = file('big.txt', 'x'.repeat(bytes));
      const answer = await fetch(target(), { method: 'POST', headers: headers(), body });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
    }
    expect(staged()).toEqual([]);
  });

  test('stores ten megabytes, sent by length or in chunks, and returns the same bytes', async () => {
    const content = new Uint8Array(max).fill(97);
    const whole = await fetch(target(), { method: 'POST', headers: headers(), body: file('big.txt', content) });
    expect(whole.status).toBe(201);
    const form = new Response(file('big.txt', content));
    const type = form.headers.get('content-type') ?? '';
    const chunked = await fetch(
      target(),
      streamed({
        method: 'POST',
        headers: { ...headers(), 'Content-Type': type },
        body: form.body,
      }),
    );
    expect(chunked.status).toBe(201);
    const { attachment } = (await chunked.json()) as { attachment: { url: string; sha256: string } };
    const { pathname, search } = new URL(attachment.url);
    const back = await fetch(`http://127.0.0.1:${server.port}${pathname}${search}`);
    const bytes = await back.arrayBuffer();
    expect(createHash('sha256').update(Buffer.from(bytes)).digest('hex')).toBe(attachment.sha256);
    // Without its length a download shows no progress, and an interrupted one looks complete.
    expect([back.headers.get('content-length'), back.headers.get('transfer-encoding')]).toEqual([
      String(bytes.byteLength),
      null,
    ]);
    expect(staged()).toEqual([]);
  });

  test('leaves nothing when the client disconnects half-way', async () => {
    const socket = connect(server.port ?? 0, '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: desk.example\r\nX-Site-Token: ${app.siteToken}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n' +
        `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${'x'.repeat(500_000)}`,
    );
    await until(() => staged().length === 1);
    socket.destroy();
    await until(() => staged().length === 0);
    expect(app.counts().attachments).toBe(0);
    expect(await filesOnDisk()).toBe(0);
  });

  test('does not read past the end of a body, with a length or in chunks', async () => {
    const socket = connect(server.port ?? 0, '127.0.0.1');
    let said = '';
    socket.on('data', (bytes) => {
      said += bytes;
    });
    socket.on('error', () => undefined);
    socket.write(
      `POST /api/v1/public/tickets HTTP/1.1\r\nHost: desk.example\r\nX-Site-Token: ${app.siteToken}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    let sent = 0;
    while (said === '' && !socket.destroyed && sent < 64) {
      socket.write(chunk);
      sent += 1;
      await sleep(2);
    }
    await until(() => said !== '' || socket.destroyed);
    expect(said === '' || /^HTTP\/1\.1 4\d\d /.test(said), said.slice(0, 200)).toBe(true);
    expect(sent).toBeLessThan(40);
    socket.destroy();
    expect(app.counts().tickets).toBe(1);
  });
});

test('the sweep removes only files that no row names and that are over an hour old', async () => {
  const kept = (await upload(file())).json.attachment;
  const staging = join(app.blobFolder, 'staging', 'left-over');
  writeFileSync(staging, 'half a file');
  const known = (ulids: string[]) => new Set(ulids.filter((ulid) => ulid === kept.ulid));
  expect(await app.edge.blobs.sweep(Date.now(), known)).toBe(0);
  expect(await app.edge.blobs.sweep(Date.now() + 2 * 3_600_000, known)).toBe(1);
  expect((await app.ask('GET', kept.url)).status).toBe(200);
  expect(readdirSync(join(app.blobFolder, 'staging'))).toEqual([]);
});

test('a body that stops before its end, in any place, is refused and leaves nothing', async () => {
  const whole =
    '--b\r\nContent-Disposition: form-data; name="message_id"\r\n\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nsome words\r\n--b--\r\n';
  const send = (body: string) =>
    app.ask('POST', path, {
      headers: { 'X-Site-Token': app.siteToken, 'Content-Type': 'multipart/form-data; boundary=b' },
      body,
    });
  for (let length = 0; length < whole.length - 4; length += 3) {
    const answer = await send(whole.slice(0, length));
    expect([400, 422], `${length}: ${answer.status} ${answer.text}`).toContain(answer.status);
  }
  expect(app.counts().attachments).toBe(0);
  expect(await filesOnDisk()).toBe(0);
  expect((await send(whole)).status).toBe(201);
});

test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['my %22best%22 log%0D%0A.txt', 'my best log.txt'],
  ['100%25 of it.txt', '100%25 of it.txt'],
  ['C:\\Users\\mia\\log.txt', 'log.txt'],
  ['a\u202Etxt.exe.txt', 'atxt.exe.txt'],
  ['日本語.txt', '日本語.txt'],
  ['quo"te;x.txt', 'quote;x.txt'],
])('the name %p is kept as %p', async (name, kept) => {
  const answer = await upload(file(name));
  expect(answer.status, answer.text).toBe(201);
  expect(answer.json.attachment.filename).toBe(kept);
  const download = await app.ask('GET', answer.json.attachment.url);
  expect(download.status).toBe(200);
  expect(download.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.-]+$/,
  );
});

describe('a link', () => {
  test('serves the bytes, whole or by range, and lets no browser run them', async () => {
    const { attachment } = (await upload(file('log.txt', '0123456789'))).json;
    const get = (headers: Record<string, string> = {}) => app.ask('GET', attachment.url, { headers });
    const whole = await get();
    expect([whole.status, whole.text, whole.headers.get('accept-ranges')]).toEqual([200, '0123456789', 'bytes']);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    const ranges: [string, number, string, string][] = [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-2', 206, '89', 'bytes 8-9/10'],
      ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
      ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
      ['bytes=10-', 416, '', 'bytes */10'],
      ['bytes=-0', 416, '', 'bytes */10'],
    ];
    for (const [range, status, text, contentRange] of ranges) {
      const answer = await get({ Range: range });
      expect([answer.status, answer.text, answer.headers.get('content-range')]).toEqual([status, text, contentRange]);
    }
    for (const ignored of ['bytes=4-2', 'bytes=0-1,3-4', 'bytes=-', 'lines=1-2', 'bytes=a-b'])
      expect((await get({ Range: ignored })).status).toBe(200);
    const head = await app.ask('HEAD', attachment.url);
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10']);
    expect((await app.ask('POST', attachment.url)).status).toBe(405);
    expect((await get({ Range: 'bytes=1-2', 'If-Range': '"other"' })).status).toBe(200);
    expect((await get({ Range: 'bytes=1-2', 'If-Range': whole.headers.get('etag') ?? '' })).status).toBe(206);
  });

  test('answers 304 to clients that have the file, and serves ranges only for GET', async () => {
    const { attachment } = (await upload(file('log.txt', '0123456789'))).json;
    const etag = (await app.ask('GET', attachment.url)).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.ask('GET', attachment.url, { headers: { 'If-None-Match': known } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await app.ask('GET', attachment.url, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    const head = await app.ask('HEAD', attachment.url, { headers: { Range: 'bytes=2-4' } });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
  });

  test('is valid for fifteen minutes and cannot be forged', async () => {
    const { attachment } = (await upload(file())).json;
    const url = new URL(attachment.url);
    app.clock.advance(15 * 60_000 - 1);
    expect((await app.ask('GET', attachment.url)).status).toBe(200);
    app.clock.advance(1);
    const expired = await app.ask('GET', attachment.url);
    expect([expired.status, expired.json.code]).toEqual([403, 'link_expired']);
    url.searchParams.set('expires', String(app.clock.now() + 3_600_000));
    expect((await app.ask('GET', url.href)).status).toBe(404);
    expect((await app.ask('GET', `/api/v1/attachments/${attachment.ulid}`)).status).toBe(404);
  });

  test('ends when the file goes to another ticket, and stays where its ticket leads there', async () => {
    const anna = await app.open({ email: 'anna@example.org' });
    const bert = await app.open({ email: 'bert@example.org' });
    const thread = ({ ulid, accessToken }: typeof anna, rest = '') =>
      `/api/v1/public/tickets/${ulid}${rest}?access_token=${accessToken}`;
    const { url: ofBert } = (await app.asSite('POST', thread(bert, '/attachments'), file('bert.txt'))).json.attachment;
    const status = async (url: string) => (await app.ask('GET', url)).status;
    const filesOf = async (one: typeof anna): Promise<{ url: string }[]> =>
      (await app.asSite('GET', thread(one))).json.data.attachments;
    await app.asTeam('POST', `/api/v1/tickets/${bert.ulid}/merge`, { into: anna.ulid });
    expect(await status(ofBert)).toBe(200);
    const [seenByAnna] = await filesOf(anna);
    const messages = (await app.asTeam('GET', `/api/v1/tickets/${anna.ulid}`)).json.data.messages;
    await app.asTeam('POST', `/api/v1/tickets/${anna.ulid}/split`, { message: messages[1].ulid });
    expect([await status(ofBert), await status(seenByAnna?.url ?? '')]).toEqual([200, 404]);
    expect(await filesOf(anna)).toEqual([]);
    const [again] = await filesOf(bert);
    expect(await status(again?.url ?? '')).toBe(200);
  });

  test.each([
    ['the customer', 'mia@example.org'],
    ['who sent the file', 'zoe@example.org'],
  ])('ends when %s is erased, and agents get a new one', async (_who, email) => {
    const { ulid } = await app.open();
    const zoe = await app.open({ email: 'zoe@example.org' });
    await app.asTeam('POST', `/api/v1/tickets/${zoe.ulid}/merge`, { into: ulid });
    const { messages } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
    const form = file();
    form.append('message_id', String(messages[1].id));
    const theirs = `/api/v1/public/tickets/${zoe.ulid}/attachments?access_token=${zoe.accessToken}`;
    const { attachment } = (await app.asSite('POST', theirs, form)).json;
    expect((await app.ask('GET', attachment.url)).status).toBe(200);
    await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, email });
    expect((await app.ask('GET', attachment.url)).status).toBe(404);
    app.clock.advance(1);
    const [shown] = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data.attachments;
    expect((await app.ask('GET', shown.url)).status).toBe(200);
  });

  test('shows a picture inline', async () => {
    const { attachment } = (await upload(file('pixel.png', png))).json;
    expect((await app.ask('GET', attachment.url)).headers.get('content-disposition')).toStartWith('inline;');
  });
});
