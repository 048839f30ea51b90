// A forwarded message opens in any mail program, whatever the provider made of it.

import { describe, expect, test } from 'bun:test';
import { originalOf } from '../../src/mail/inbound/original-message.ts';
import { parseMail } from '../../src/mail/inbound/parse.ts';
import type { InboundRequest } from '../../src/mail/inbound/providers.ts';

const raw =
  'From: Jo <jo@example.com>\r\nSubject: Grüße\r\nMessage-ID: <m1@example.com>\r\n\r\nStill broken – sorry.\r\n';
const json = (value: unknown): InboundRequest => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
const form = (fields: Record<string, string>): InboundRequest => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(String(new URLSearchParams(fields))),
});
const notice = (encoding: string, content: string) =>
  json({ Type: 'Notification', Message: JSON.stringify({ receipt: { action: { encoding } }, content }) });

describe('the sender’s own bytes, where they came', () => {
  const requests: [Parameters<typeof originalOf>[0], InboundRequest][] = [
    ['raw', { headers: {}, body: Buffer.from(raw) }],
    ['cloudflare', { headers: {}, body: Buffer.from(raw) }],
    ['mailgun', form({ 'body-mime': raw, sender: 'jo@example.com' })],
    ['sendgrid', form({ email: raw, envelope: '{}' })],
    ['postmark', json({ RawEmail: raw, From: 'jo@example.com' })],
    ['ses', notice('UTF8', raw)],
    ['ses', notice('BASE64', Buffer.from(raw).toString('base64'))],
  ];
  test.each(requests)('%s', async (provider, request) => {
    expect(Buffer.from(await originalOf(provider, request)).toString()).toBe(raw);
  });
});

describe('put together again, where the provider took it apart', () => {
  const picture = Buffer.from('iVBORw0KGgo=', 'base64');
  const fields = {
    From: 'Jo <jo@example.com>',
    FromFull: { Email: 'jo@example.com', Name: 'Jö' },
    ToFull: [{ Email: 'help@desk.example', Name: '' }],
    CcFull: [{ Email: 'kim@example.com', Name: 'Kim, the other' }],
    ReplyTo: 'Jo <jo@home.example>',
    Subject: 'Grüße\r\nBcc: everybody@example.com',
    Date: 'Tue, 8 Sep 2026 15:14:00 +0200',
    Headers: [
      { Name: 'Message-ID', Value: '<m1@example.com>' },
      { Name: 'In-Reply-To', Value: '<d1@desk.example>' },
      { Name: 'References', Value: '<d0@desk.example> <d1@desk.example>' },
    ],
    TextBody: 'Still broken – sorry.',
    HtmlBody: '<p>Still <img src="cid:i1"> broken – sorry.</p>',
    Attachments: [
      { Name: 'p.png', ContentType: 'image/png', ContentID: 'i1', Content: picture.toString('base64') },
      { Name: 'Übersicht.txt', ContentType: 'text/plain', Content: Buffer.from('a log').toString('base64') },
    ],
  };

  test('with people, thread, both texts and files', async () => {
    const read = await parseMail(await originalOf('postmark', json(fields)));
    expect(read).toMatchObject({
      from: { name: 'Jö', address: 'jo@example.com' },
      to: [{ address: 'help@desk.example' }],
      cc: [{ name: 'Kim, the other', address: 'kim@example.com' }],
      replyTo: { address: 'jo@home.example' },
      subject: 'Grüße Bcc: everybody@example.com',
      date: '2026-09-08T13:14:00.000Z',
      messageId: '<m1@example.com>',
      inReplyTo: '<d1@desk.example>',
      references: ['<d0@desk.example>', '<d1@desk.example>'],
    });
    expect(read.headers.date).toEqual(['Tue, 08 Sep 2026 13:14:00 +0000']);
    expect(read.headers.bcc).toBeUndefined();
    expect(read.text?.trim()).toBe(fields.TextBody);
    expect(read.html).toContain('cid:i1');
    expect(read.attachments.map(({ filename, cid, bytes }) => [filename, cid, Buffer.from(bytes)])).toEqual([
      ['p.png', 'i1', picture],
      ['Übersicht.txt', null, Buffer.from('a log')],
    ]);
  });

  test('with a sender alone', async () => {
    const read = await parseMail(await originalOf('mailgun', form({ sender: 'jo@example.com', 'body-plain': 'Hi' })));
    expect([read.from?.address, read.text?.trim(), read.to]).toEqual(['jo@example.com', 'Hi', []]);
  });
});
