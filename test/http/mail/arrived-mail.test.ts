// Reading mail that waits for a decision: its words, headers, verdict and files, as safely as on a ticket.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mailLimits } from '../../../src/mail/inbound/limits.ts';
import { type TestApp, testApp } from '../../support/app.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const hostile = `<p style="position:fixed;color:red">Hello <b>there</b></p><script>steal()</script><img src="cid:logo"><img src="cid:logo">
<a href="javascript:steal()">click</a><img src="https://evil.example/pixel.png" onerror="steal()"><iframe src="https://evil.example"></iframe>`;

const part = (type: string, headers: string, body: string | Buffer) =>
  `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n${headers}\r\n${Buffer.from(body).toString('base64')}\r\n`;
const attached = (type: string, name: string, body: string | Buffer) =>
  part(type, `Content-Disposition: attachment; filename="${name}"\r\n`, body);
const message = [
  'From: The Boss <boss@forged.example>\r\nReply-To: eve@evil.example\r\nTo: shop@desk.example\r\nCc: Lou <lou@example.org>\r\n',
  'Subject: Pay this\r\nMessage-ID: <f1@forged.example>\r\nDate: Mon, 14 Sep 2026 10:00:00 +0000\r\nX-Spam-Score: 7.5\r\n',
  'Authentication-Results: mx; dmarc=fail header.from=forged.example\r\nMIME-Version: 1.0\r\n',
  'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
  part('text/html; charset=utf-8', '', hostile),
  part('image/png', 'Content-ID: <logo>\r\nContent-Disposition: inline; filename="logo.png"\r\n', png),
  attached('text/plain', 'notes.txt', 'Some notes'),
  attached('text/html', 'page.hta', '<script>steal()</script>'),
  attached('image/png', 'fake.png', '<script>steal()</script>'),
  '--b--\r\n',
].join('');

let app: TestApp;
let path: string;
beforeAll(async () => {
  app = await testApp();
  const sent = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body: message });
  expect(sent.json.outcome).toBe('held');
  const { id } = (await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail?outcome=held')).json.data[0];
  path = `/api/v1/sites/web-shop/inbound-mail/${id}`;
});
afterAll(() => app.close());

describe('mail that waits for a decision', () => {
  test('is shown with its words, headers, verdict and files, and stays as it was', async () => {
    const before = app.counts();
    const { json, status } = await app.asTeam('GET', `${path}/message`);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      from: { email: 'boss@forged.example', name: 'The Boss' },
      reply_to: { email: 'eve@evil.example', name: null },
      to: [{ email: 'shop@desk.example', name: null }],
      cc: [{ email: 'lou@example.org', name: 'Lou' }],
      sender_verdict: 'fail',
      spam_score: 7.5,
      is_cut: false,
    });
    expect(json.data.text).toContain('Hello there');
    expect(json.data.headers).toContainEqual({
      name: 'authentication-results',
      value: 'mx; dmarc=fail header.from=forged.example',
    });
    expect(json.data.files.map(({ url: _, ...file }: { url: string | null }) => file)).toEqual([
      { filename: 'logo.png', content_type: 'image/png', size: png.length },
      { filename: 'notes.txt', content_type: 'text/plain', size: 10 },
      { filename: 'page.hta', content_type: null, size: 24 },
      { filename: 'fake.png', content_type: 'application/octet-stream', size: 24 },
    ]);
    expect(json.data.html).toContain('Hello <b>there</b>');
    expect(json.data.html).not.toMatch(/<script|javascript:|onerror|<iframe|position| src="https/);
    expect(app.counts()).toEqual(before);
    expect((await app.asTeam('GET', path)).json.data).toMatchObject({ outcome: 'held', attempts: 1 });
  });

  test('has its HTML in a frame that runs nothing and asks no other host', async () => {
    const { status, headers, text } = await app.asTeam('GET', `${path}/frame`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; img-src 'self' data:; ");
    expect(headers.get('content-security-policy')).toContain('; sandbox allow-same-origin allow-popups');
    expect(text).not.toMatch(/<script|javascript:|onerror|<iframe|position:fixed| src="https/);
    // A picture of its own is shown once: named a thousand times, it would fill the memory.
    expect(text.match(/src="data:image\/png;base64,/g)).toHaveLength(1);
    const withImages = await app.asTeam('GET', `${path}/frame?images=1`);
    expect(withImages.text).toContain(' src="https://evil.example/pixel.png"');
    const { headers: session } = await app.person('admin');
    const opened = await app.ask('GET', `${path}/frame`, { headers: { ...session, 'Sec-Fetch-Dest': 'document' } });
    expect([opened.status, opened.json.code]).toEqual([403, 'frame_only']);
  });

  test('gives away only the files that a ticket would keep, and never for showing', async () => {
    const { files } = (await app.asTeam('GET', `${path}/message`)).json.data;
    const notes = await app.asTeam('GET', new URL(files[1].url).pathname);
    expect(notes.text).toBe('Some notes');
    expect(notes.headers.get('content-disposition')).toStartWith('attachment; filename="notes.txt"');
    expect(notes.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(notes.headers.get('x-content-type-options')).toBe('nosniff');
    expect(notes.headers.get('cache-control')).toBe('no-store');
    const logo = await app.asTeam('GET', new URL(files[0].url).pathname);
    expect(logo.headers.get('content-disposition')).toStartWith('attachment; ');
    const fake = (await app.asTeam('GET', new URL(files[3].url).pathname)).headers;
    expect([fake.get('content-type'), fake.get('content-disposition')?.split(';')[0]]).toEqual([
      'application/octet-stream',
      'attachment',
    ]);
    expect(files[2].url).toBeNull();
    for (const at of ['2', '4', '-1', 'x', '99999'])
      expect((await app.asTeam('GET', `${path}/files/${at}`)).status, at).toBe(404);
  });

  test('is only for those who manage the site', async () => {
    const foreign = await app.token(['read', 'write', 'manage'], app.other.site.id);
    const reader = await app.token(['read', 'write'], app.site.id);
    for (const part of ['message', 'frame', 'files/1']) {
      const as = async (secret: string | null, of = path) => {
        const headers: Record<string, string> = secret === null ? {} : { Authorization: `Bearer ${secret}` };
        return (await app.ask('GET', `${of}/${part}`, { headers })).status;
      };
      const answers = [await as(null), await as(app.siteToken), await as(reader.secret), await as(foreign.secret)];
      expect([part, ...answers, await as(foreign.secret, path.replace('web-shop', 'other-shop'))]).toEqual([
        part,
        401,
        401,
        403,
        404,
        404,
      ]);
    }
  });

  test('that the desk cannot read says so', async () => {
    const nested = Array.from(Array(mailLimits.depth + 1).keys(), (at) => [
      `Content-Type: multipart/mixed; boundary=b${at}`,
      '',
      `--b${at}`,
    ]);
    const broken = ['From: mia@example.org', ...nested.flat(), '', 'Hello'].join('\r\n');
    await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body: broken });
    const { id } = (await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail?outcome=failed')).json.data[0];
    const answer = await app.asTeam('GET', `/api/v1/sites/web-shop/inbound-mail/${id}/message`);
    expect(answer.json).toMatchObject({ code: 'unreadable' });
    expect(answer.status).toBe(409);
  });

  test('is gone with the person who sent it', async () => {
    await app.asTeam('POST', `${path}/replay`, { release: true });
    const erased = await app.asTeam('POST', '/api/v1/authors/anonymise', {
      site_id: app.site.id,
      email: 'boss@forged.example',
    });
    expect(erased.status, erased.text).toBe(200);
    expect((await app.asTeam('GET', path)).json.data.erased_at).not.toBeNull();
    for (const part of ['message', 'frame', 'files/1'])
      expect((await app.asTeam('GET', `${path}/${part}`)).json, part).toMatchObject({ code: 'erased' });
  });
});
