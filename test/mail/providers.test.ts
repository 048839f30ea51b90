// Every provider's documented request gives the same message.
import { describe, expect, test } from 'bun:test';
import type { ProviderName } from '../../src/domain/mail/inbound.ts';
import { MailRefusal } from '../../src/mail/inbound/limits.ts';
import type { InboundMessage } from '../../src/mail/inbound/message.ts';
import { type InboundRequest, type ReadOptions, readInbound } from '../../src/mail/inbound/providers.ts';

const raw = [
  'Received: from mail.example.com by mx.provider.example; Tue, 8 Sep 2026 13:14:05 +0000',
  'From: Jo Doe <jo@example.com>',
  'To: "Desk" <ticket+01j@in.desk.example>',
  'Cc: Kim <kim@example.com>',
  'Subject: =?utf-8?q?Re:_Printer_=E2=9C=93?=',
  'Date: Tue, 8 Sep 2026 15:14:00 +0200',
  'Message-ID: <m1@example.com>',
  'In-Reply-To: <d1@desk.example>',
  'References: <d0@desk.example> <d1@desk.example>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'It works – now.',
  '--b',
  'Content-Type: text/plain; name="log.txt"',
  'Content-Disposition: attachment; filename="log.txt"',
  '',
  'a log',
  '--b--',
  '',
].join('\r\n');

const headerPairs: [string, string][] = [
  ['Received', 'from mail.example.com by mx.provider.example; Tue, 8 Sep 2026 13:14:05 +0000'],
  ['From', 'Jo Doe <jo@example.com>'],
  ['To', '"Desk" <ticket+01j@in.desk.example>'],
  ['Cc', 'Kim <kim@example.com>'],
  ['Subject', 'Re: Printer ✓'],
  ['Date', 'Tue, 8 Sep 2026 15:14:00 +0200'],
  ['Message-Id', '<m1@example.com>'],
  ['In-Reply-To', '<d1@desk.example>'],
  ['References', '<d0@desk.example> <d1@desk.example>'],
  ['Mime-Version', '1.0'],
  ['Content-Type', 'multipart/mixed; boundary="b"'],
];

async function message(
  provider: ProviderName,
  request: InboundRequest,
  options?: ReadOptions,
): Promise<InboundMessage> {
  const delivery = await readInbound(provider, request, options);
  if (delivery.kind !== 'message') throw new Error(`${delivery.kind} and no message`);
  return delivery.message;
}

async function refusal(provider: ProviderName, request: InboundRequest, options?: ReadOptions): Promise<MailRefusal> {
  try {
    await readInbound(provider, request, options);
  } catch (error) {
    if (error instanceof MailRefusal) return error;
    throw error;
  }
  throw new Error('It was not refused');
}

const json = (value: unknown): InboundRequest => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(value)),
});

function urlencoded(fields: Record<string, string>): InboundRequest {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

function multipart(
  fields: Record<string, string | Uint8Array>,
  files: { field: string; filename: string; type: string; bytes: string }[] = [],
): InboundRequest {
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([
      Buffer.from(`--xYzZY\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value as string),
      Buffer.from('\r\n'),
    ]),
  );
  for (const file of files)
    parts.push(
      Buffer.from(
        `--xYzZY\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.filename}"\r\nContent-Type: ${file.type}\r\n\r\n${file.bytes}\r\n`,
      ),
    );
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=xYzZY' },
    body: Buffer.concat([...parts, Buffer.from('--xYzZY--\r\n')]),
  };
}

function expectTheMessage(received: InboundMessage, rawKind: InboundMessage['rawKind']) {
  expect(received).toMatchObject({
    rawKind,
    messageId: '<m1@example.com>',
    inReplyTo: '<d1@desk.example>',
    references: ['<d0@desk.example>', '<d1@desk.example>'],
    from: { name: 'Jo Doe', address: 'jo@example.com' },
    to: [{ name: 'Desk', address: 'ticket+01j@in.desk.example' }],
    cc: [{ name: 'Kim', address: 'kim@example.com' }],
    subject: 'Re: Printer ✓',
    date: '2026-09-08T13:14:00.000Z',
  });
  expect(received.text?.trim()).toBe('It works – now.');
  expect(received.attachments.map((each) => [each.filename, Buffer.from(each.bytes).toString().trim()])).toEqual([
    ['log.txt', 'a log'],
  ]);
  expect(received.headers['content-type']?.[0]).toStartWith('multipart/mixed');
}

describe('postmark', () => {
  const payload = (more: Record<string, unknown> = {}, headers: { Name: string; Value: string }[] = []) => ({
    FromName: 'Jo Doe',
    MessageStream: 'inbound',
    From: 'jo@example.com',
    FromFull: { Email: 'jo@example.com', Name: 'Jo Doe', MailboxHash: '' },
    To: '"Desk" <ticket+01j@in.desk.example>',
    ToFull: [{ Email: 'ticket+01j@in.desk.example', Name: 'Desk', MailboxHash: '01j' }],
    Cc: '"Kim" <kim@example.com>',
    CcFull: [{ Email: 'kim@example.com', Name: 'Kim', MailboxHash: '' }],
    Bcc: '',
    BccFull: [],
    OriginalRecipient: 'ticket+01j@in.desk.example',
    Subject: 'Re: Printer ✓',
    MessageID: '22c74902-a0c1-4511-804f-341342852c90',
    ReplyTo: '',
    MailboxHash: '01j',
    Date: 'Tue, 8 Sep 2026 15:14:00 +0200',
    TextBody: 'It works – now.',
    HtmlBody: '',
    StrippedTextReply: '',
    Tag: '',
    Headers: [
      { Name: 'Return-Path', Value: '<jo@example.com>' },
      { Name: 'Message-ID', Value: '<m1@example.com>' },
      { Name: 'In-Reply-To', Value: '<d1@desk.example>' },
      { Name: 'References', Value: '<d0@desk.example> <d1@desk.example>' },
      { Name: 'Content-Type', Value: 'multipart/mixed; boundary="b"' },
      { Name: 'X-Spam-Score', Value: '-0.1' },
      { Name: 'X-Spam-Tests', Value: 'DKIM_SIGNED,DKIM_VALID,DKIM_VALID_AU,SPF_PASS' },
      ...headers,
    ],
    Attachments: [
      {
        Name: 'log.txt',
        Content: Buffer.from('a log').toString('base64'),
        ContentType: 'text/plain',
        ContentLength: 5,
        ContentID: '',
      },
    ],
    ...more,
  });

  test('the message taken apart', async () => {
    const received = await message('postmark', json(payload()));
    expectTheMessage(received, 'fields');
    expect(received).toMatchObject({
      envelope: { from: 'jo@example.com', to: ['ticket+01j@in.desk.example'] },
      spamScore: -0.1,
      verdict: 'pass',
    });
  });

  test('the raw message where the server includes it', async () => {
    const received = await message('postmark', json(payload({ RawEmail: raw })));
    expectTheMessage(received, 'mime');
  });

  test('an inline image keeps its cid, and wrong types are survived', async () => {
    const image = { Name: 'a.png', Content: 'QUJD', ContentType: 'image/png; name=a.png', ContentID: '<i1>' };
    const received = await message(
      'postmark',
      json(payload({ Attachments: [image, 7, null], ToFull: 'no one', Headers: [1, { Name: 3 }] })),
    );
    expect(received.attachments).toMatchObject([
      { filename: 'a.png', contentType: 'image/png', cid: 'i1', isInline: true },
    ]);
    expect(received.to).toMatchObject([{ address: 'ticket+01j@in.desk.example' }]);
  });

  test('what is not its JSON is refused', async () => {
    expect((await refusal('postmark', { headers: {}, body: Buffer.from('{') })).code).toBe('malformed');
    expect((await refusal('postmark', json([]))).reason).toBe('provider_request_malformed');
  });
});

describe('mailgun', () => {
  const fields = {
    recipient: 'ticket+01j@in.desk.example',
    sender: 'jo@example.com',
    from: 'Jo Doe <jo@example.com>',
    subject: 'Re: Printer ✓',
    'body-plain': 'It works – now.',
    'stripped-text': 'It works – now.',
    timestamp: '1788873245',
    token: 'x'.repeat(50),
    signature: 'f'.repeat(64),
    'message-headers': JSON.stringify([
      ['X-Mailgun-Spf', 'Pass'],
      ['X-Mailgun-Dkim-Check-Result', 'Pass'],
      ['X-Mailgun-Sscore', '0.3'],
      ...headerPairs,
    ]),
  };

  test('the fields form with a file', async () => {
    const received = await message(
      'mailgun',
      multipart({ ...fields, 'attachment-count': '1' }, [
        { field: 'attachment-1', filename: 'log.txt', type: 'text/plain', bytes: 'a log' },
      ]),
    );
    expectTheMessage(received, 'fields');
    expect(received).toMatchObject({
      spamScore: 0.3,
      verdict: 'pass',
      envelope: { from: 'jo@example.com', to: ['ticket+01j@in.desk.example'] },
    });
  });

  test('the fields form, urlencoded and with HTML only', async () => {
    const received = await message('mailgun', urlencoded({ ...fields, 'body-plain': '', 'body-html': '<p>Hi</p>' }));
    expect(received).toMatchObject({ text: null, html: '<p>Hi</p>', subject: 'Re: Printer ✓' });
  });

  test('the fields form with HTML in two parts', async () => {
    const request = urlencoded({ ...fields, 'body-html': '<p>Above</p>' });
    const body = Buffer.concat([request.body, Buffer.from('&body-html=%3Cp%3EBelow%3C%2Fp%3E&subject=Other')]);
    expect(await message('mailgun', { ...request, body })).toMatchObject({
      html: '<p>Above</p>\n<p>Below</p>',
      subject: 'Re: Printer ✓',
    });
  });

  test('the raw form', async () => {
    const received = await message(
      'mailgun',
      urlencoded({ recipient: fields.recipient, sender: fields.sender, 'body-mime': raw, subject: 'x', from: 'x' }),
    );
    expectTheMessage(received, 'mime');
  });

  test('an inline image by the content-id-map', async () => {
    const received = await message(
      'mailgun',
      multipart({ ...fields, 'content-id-map': '{"<i1>": "attachment-1"}' }, [
        { field: 'attachment-1', filename: 'a.png', type: 'image/png', bytes: 'ABC' },
      ]),
    );
    expect(received.attachments).toMatchObject([{ filename: 'a.png', cid: 'i1', isInline: true }]);
  });

  test('the name of a file in any script', async () => {
    const filename = 'Übersicht – 請求書.pdf';
    const form = multipart(fields, [{ field: 'attachment-1', filename, type: 'application/pdf', bytes: '%PDF-1.4' }]);
    expect((await message('mailgun', form)).attachments).toMatchObject([{ filename }]);
  });

  test('a sender that SPF and DKIM both call forged', async () => {
    const headers = JSON.stringify([
      ['X-Mailgun-Spf', 'Fail'],
      ['X-Mailgun-Dkim-Check-Result', 'Fail'],
      ['X-Mailgun-Spf', 'Pass'],
      ...headerPairs,
    ]);
    expect((await message('mailgun', urlencoded({ ...fields, 'message-headers': headers }))).verdict).toBe('fail');
  });

  test('a form that is not its own is refused', async () => {
    expect((await refusal('mailgun', urlencoded({ hello: 'x' }))).code).toBe('malformed');
    expect((await refusal('mailgun', json({}))).code).toBe('malformed');
  });
});

describe('sendgrid', () => {
  const fields = {
    headers: headerPairs.map(([name, value]) => `${name}: ${value}`).join('\n'),
    dkim: '{@example.com : pass}',
    SPF: 'pass',
    spam_score: '0.011',
    spam_report: 'Spam detection software...',
    sender_ip: '192.0.2.1',
    envelope: '{"to":["ticket+01j@in.desk.example"],"from":"jo@example.com"}',
    from: 'Jo Doe <jo@example.com>',
    to: '"Desk" <ticket+01j@in.desk.example>',
    cc: 'Kim <kim@example.com>',
    subject: 'Re: Printer ✓',
    charsets: '{"to":"UTF-8","from":"UTF-8","subject":"UTF-8","text":"utf-8"}',
  };

  test('the fields form with a file', async () => {
    const info = '{"attachment1":{"filename":"log.txt","name":"log.txt","type":"text/plain"}}';
    const received = await message(
      'sendgrid',
      multipart({ ...fields, text: 'It works – now.', attachments: '1', 'attachment-info': info }, [
        { field: 'attachment1', filename: 'log.txt', type: 'text/plain', bytes: 'a log' },
      ]),
    );
    expectTheMessage(received, 'fields');
    expect(received).toMatchObject({
      spamScore: 0.011,
      verdict: 'pass',
      envelope: { from: 'jo@example.com', to: ['ticket+01j@in.desk.example'] },
    });
  });

  test('text in another charset is read in it', async () => {
    const request = multipart({
      ...fields,
      charsets: '{"text":"iso-8859-1"}',
      text: Buffer.from('Gr\xfc\xdfe', 'latin1'),
    });
    expect((await message('sendgrid', request)).text).toBe('Grüße');
  });

  test('the raw form', async () => {
    const { headers: _, ...rest } = fields;
    const received = await message('sendgrid', multipart({ ...rest, email: raw }));
    expectTheMessage(received, 'mime');
    expect(received.verdict).toBe('pass');
  });

  test('a signature of someone else proves no one', async () => {
    expect(
      (await message('sendgrid', multipart({ ...fields, text: 'x', dkim: '{@other.example : pass}', SPF: 'none' })))
        .verdict,
    ).toBe('none');
  });
});

describe('cloudflare and raw', () => {
  test('the body is the message, the envelope is in two headers', async () => {
    for (const provider of ['cloudflare', 'raw'] as const) {
      const received = await message(provider, {
        headers: {
          'content-type': 'message/rfc822',
          'x-envelope-from': '<jo@example.com>',
          'x-envelope-to': 'ticket+01j@in.desk.example',
        },
        body: Buffer.from(raw),
      });
      expectTheMessage(received, 'mime');
      expect(received).toMatchObject({
        provider,
        envelope: { from: 'jo@example.com', to: ['ticket+01j@in.desk.example'] },
      });
    }
  });

  test('an empty envelope sender is the empty return path', async () => {
    for (const from of ['', '<>', 'MAILER-DAEMON']) {
      expect(
        (await message('cloudflare', { headers: { 'x-envelope-from': from }, body: Buffer.from(raw) })).envelope.from,
      ).toBe('');
    }
  });

  test('JSON that is nested as no provider nests it is refused', async () => {
    for (const opening of ['[', '{"a":', '{"a\\\\":"\\"", "b":[']) {
      const body = Buffer.from(opening.repeat(20_000_000 / opening.length));
      expect((await refusal('postmark', { headers: {}, body })).message).toBe('The request is nested deeper than 100.');
    }
    const brackets = '[{"\\'.repeat(1000);
    const body = Buffer.from(JSON.stringify({ From: 'jo@example.com', TextBody: brackets, Nested: [[[[{}]]]] }));
    expect((await message('postmark', { headers: {}, body })).text).toBe(brackets);
  });

  test('an empty body and 40 MB are refused', async () => {
    expect((await refusal('raw', { headers: {}, body: new Uint8Array() })).code).toBe('malformed');
    expect((await refusal('raw', { headers: {}, body: new Uint8Array(40 * 1024 * 1024) })).reason).toBe(
      'message_too_large',
    );
  });
});
