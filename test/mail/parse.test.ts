// Raw MIME: the corpus against its golden files, oddities that must be kept, bombs that must not cost much.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MailRefusal } from '../../src/mail/inbound/limits.ts';
import { parseMail } from '../../src/mail/inbound/parse.ts';
import { corpus, goldenFolder, readingOf } from './corpus.ts';

const megabyte = 1024 * 1024;
const crlf = (text: string) => text.replaceAll('\n', '\r\n');
const parse = (text: string) => parseMail(Buffer.from(text));

describe('the corpus of real messages', () => {
  const golden = new Map<string, Record<string, unknown>>();
  for (const { folder, file, raw } of corpus()) {
    const readings = golden.get(folder) ?? JSON.parse(readFileSync(join(goldenFolder, `${folder}.json`), 'utf8'));
    golden.set(folder, readings);
    test(`${folder}/${file} reads as a person read it`, async () => {
      const reading = await readingOf(raw);
      expect(reading).toEqual(readings[file] as typeof reading);
    });
  }
});

describe('one message', () => {
  test('comes out in the one shape', async () => {
    const message = await parse(
      crlf(
        'Return-Path: <jo@bounces.example.com>\nDelivered-To: help@desk.example\nX-Original-To: ticket+01J@in.desk.example\nReceived: one\nReceived: two\n' +
          'From: =?utf-8?q?J=C3=B6?= <Jo@Example.com>\nReply-To: Jo <jo@home.example>\nTo: Help <help@desk.example>, Team: a@x.example, b@x.example;\nCc: c@x.example\n' +
          'Subject: =?utf-8?b?RHJ1Y2tlciDwn5io?=\nDate: Tue, 8 Sep 2026 15:14:00 +0200 (CEST)\nMessage-ID: <1@example.com>\nIn-Reply-To: <0@desk.example>\nReferences: <a@b> <0@desk.example>\n <a@b>\n\nHello\n',
      ),
    );
    expect(message).toMatchObject({
      rawKind: 'mime',
      messageId: '<1@example.com>',
      inReplyTo: '<0@desk.example>',
      references: ['<a@b>', '<0@desk.example>'],
      from: { name: 'Jö', address: 'Jo@Example.com' },
      replyTo: { name: 'Jo', address: 'jo@home.example' },
      cc: [{ name: '', address: 'c@x.example' }],
      deliveredTo: ['help@desk.example', 'ticket+01J@in.desk.example'],
      envelope: { from: 'jo@bounces.example.com', to: ['help@desk.example', 'ticket+01J@in.desk.example'] },
      subject: 'Drucker 😨',
      date: '2026-09-08T13:14:00.000Z',
      text: 'Hello\n',
      html: null,
      verdict: 'none',
      hasSeveralFrom: false,
    });
    expect(message.to.map((each) => each.address)).toEqual(['help@desk.example', 'a@x.example', 'b@x.example']);
    expect(message.headers.received).toEqual(['one', 'two']);
  });

  test('hashes equal when it is delivered twice and different when only its Message-ID is the same', async () => {
    const mail = (received: string, text: string) =>
      parse(crlf(`Received: ${received}\nFrom: a@b.example\nMessage-ID: <1@b>\nSubject: x\n\n${text}\n`));
    const [first, again, other] = [await mail('one', 'Hello'), await mail('two', 'Hello'), await mail('one', 'Bye')];
    expect(again.contentHash).toBe(first.contentHash);
    expect(other.contentHash).not.toBe(first.contentHash);
  });

  test('keeps the text of a message without headers, and of an empty one', async () => {
    expect((await parse('just words\nand more')).text).toBe('just words\nand more');
    expect(await parse('From: a@b.example\r\n\r\n')).toMatchObject({ from: { address: 'a@b.example' }, subject: '' });
    expect((await parse('Subject: no one\r\n\r\nhi')).from).toBeNull();
    expect((await parse('\r\n\r\nSubject: late\r\n\r\nhi')).subject).toBe('late');
    expect((await parseMail(new Uint8Array())).text).toBeNull();
  });

  test('knows the empty return path from an unknown one', async () => {
    expect((await parse('Return-Path: <>\r\n\r\nx')).envelope.from).toBe('');
    expect((await parse('Subject: x\r\n\r\nx')).envelope.from).toBeNull();
  });

  test('what stands above the first Received line is of the last mail server; what stands below, anyone wrote', async () => {
    const envelopeTo = async (...lines: string[]) => (await parse([...lines, '', 'x'].join('\r\n'))).envelope.to;
    const received = 'Received: from mail.example.org ([192.0.2.7]) by mx.desk.example for <sales@desk.example>';
    const forged = ['Delivered-To: mia@customer.example', 'X-Original-To: bo@customer.example', received];
    expect(
      await envelopeTo('X-Original-To: sales@desk.example', 'Delivered-To: help@desk.example', received, ...forged),
    ).toEqual(['sales@desk.example', 'help@desk.example']);
    expect(await envelopeTo(received, ...forged)).toEqual([]);
    expect(await envelopeTo('Delivered-To: mia@customer.example')).toEqual([]);
  });

  test('says when several senders are named', async () => {
    expect((await parse('From: a@b.example\r\nFrom: c@d.example\r\n\r\nx')).hasSeveralFrom).toBe(true);
    expect((await parse('From: a@b.example, c@d.example\r\n\r\nx')).hasSeveralFrom).toBe(true);
  });

  test('has no NUL, no control characters and no half surrogate pairs', async () => {
    const message = await parse(
      'Subject: a\0b\x07c\r\nContent-Type: text/plain; charset=utf-16le\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
        Buffer.from('a\0\ud800b', 'utf16le').toString('base64'),
    );
    expect(message.subject).toBe('abc');
    expect(message.text?.isWellFormed()).toBe(true);
    expect(message.text).not.toContain('\0');
  });
});

describe('what senders get wrong', () => {
  const charsets: [string, Buffer, string][] = [
    ['iso-2022-jp', Buffer.from('\x1b$B$"$$\x1b(B', 'latin1'), 'あい'],
    ['shift_jis', Buffer.from([0x82, 0xa0, 0x82, 0xa2]), 'あい'],
    ['euc-jp', Buffer.from([0xa4, 0xa2, 0xa4, 0xa4]), 'あい'],
    ['ks_c_5601-1987', Buffer.from([0xbd, 0xba]), '스'],
    ['gb2312', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), '你好'],
    ['big5', Buffer.from([0xa7, 0x41, 0xa6, 0x6e]), '你好'],
    ['koi8-r', Buffer.from([0xd0, 0xd2, 0xc9]), 'при'],
    ['windows-1252', Buffer.from([0x80, 0xe9]), '€é'],
    ['iso-8859-15', Buffer.from([0xa4]), '€'],
    ['utf-8', Buffer.from('žluťoučký'), 'žluťoučký'],
    ['no-such-charset', Buffer.from('plain'), 'plain'],
  ];
  test.each(charsets)('text in %s', async (charset, bytes, words) => {
    const head = Buffer.from(`From: a@b.example\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`);
    expect((await parseMail(Buffer.concat([head, bytes]))).text?.trim()).toBe(words);
  });

  test.each(charsets)('the only text, called a file, in %s', async (charset, bytes, words) => {
    const head = `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain;\r\n charset="${charset}"\r\nContent-Disposition: attachment\r\n\r\n`;
    const message = await parseMail(Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]));
    expect(message.text?.trim()).toBe(words);
    expect(message.attachments).toEqual([]);
  });

  const western = Buffer.from('Gr\xfc\xdfe', 'latin1');
  const vague: [string, Buffer, string][] = [
    ['text/plain', western, 'Grüße'],
    ['text/plain; charset=utf-8', western, 'Grüße'],
    ['text/plain; charset="us-ascii"', Buffer.from('Grüße'), 'Grüße'],
    ['text/plain; charset=unknown-8bit', western, 'Grüße'],
    ['text/plain; charset=unknown-8bit', Buffer.from('Grüße'), 'Grüße'],
    ['text/plain; charset=x-user-defined', Buffer.from('Grüße'), 'Grüße'],
    ['text/plain; charset=default', western, 'Grüße'],
    [
      'text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable',
      Buffer.from('Gr=FC=DFe=\r\n!'),
      'Grüße!',
    ],
    ['text/plain\r\nContent-Transfer-Encoding: base64', Buffer.from(western.toString('base64')), 'Grüße'],
    [
      'text/plain; charset=utf-8',
      Buffer.from('ab\xff ✓ is UTF-8 but for a byte', 'utf8'),
      'abÿ ✓ is UTF-8 but for a byte',
    ],
    ['text/plain; charset=utf-8', Buffer.concat([Buffer.from('✓ '), western]), '✓ Gr��e'],
  ];
  test.each(vague)('text whose label is %p', async (label, bytes, words) => {
    const head = Buffer.from(`From: a@b.example\r\nContent-Type: ${label}\r\n\r\n`);
    expect((await parseMail(Buffer.concat([head, bytes]))).text).toBe(words);
    // As one of several parts, without harm to the next.
    const parts = [
      ...[
        'From: a@b.example',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        `Content-Type: ${label}`,
        '',
        '',
      ],
    ].join('\r\n');
    const after =
      '\r\n--b\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment\r\n\r\nfile\r\n--b--\r\n';
    const within = await parseMail(Buffer.concat([Buffer.from(parts), bytes, Buffer.from(after)]));
    expect(within.text?.trimEnd()).toBe(words);
    expect(Buffer.from(within.attachments[0]!.bytes).toString()).toBe('file');
  });

  describe('an invitation without any words of its own', () => {
    const calendar = [
      ...[
        'BEGIN:VCALENDAR',
        'METHOD:REPLY',
        'BEGIN:VEVENT',
        'SUMMARY:Visit\\, long',
        'DTSTART;TZID=Europe/Berlin:20260911T093000',
      ],
      ...[
        'DTEND:20260911T100000Z',
        'ORGANIZER;CN="Desk: we":mailto:help@desk.example',
        'DESCRIPTION:Bring\\nthe ',
        ' printer',
      ],
      ...['X-NOISE:1', 'END:VEVENT', 'END:VCALENDAR'],
    ].join('\r\n');
    const words = [
      ...[
        'Method: REPLY',
        'Summary: Visit, long',
        'Starts: 2026-09-11 09:30 Europe/Berlin',
        'Ends: 2026-09-11 10:00 UTC',
      ],
      ...['Organizer: help@desk.example', 'Description: Bring', 'the printer'],
    ].join('\n');

    test('is told in lines, and kept as a file', async () => {
      const read = await parse(`From: a@b.example\r\nContent-Type: text/calendar; name=invite.ics\r\n\r\n${calendar}`);
      expect([read.text, read.attachments.map(({ filename }) => filename)]).toEqual([words, ['invite.ics']]);
    });

    test('is whole where it says nothing of that', async () => {
      expect((await parse('From: a@b.example\r\nContent-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR')).text).toBe(
        'BEGIN:VCALENDAR',
      );
    });
  });

  test('HTML that says itself what it is written in', async () => {
    const head = 'From: a@b.example\r\nContent-Type: text/html\r\n\r\n<meta charset="windows-1251"><p>';
    const read = await parseMail(Buffer.concat([Buffer.from(head), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])]));
    expect(read.html).toContain('<p>Привет');
  });

  test('raw bytes in headers, in UTF-8 or in the charset of the body', async () => {
    expect((await parse('Subject: Grüße\r\n\r\nx')).subject).toBe('Grüße');
    const latin = Buffer.from(
      'Subject: Gr\xfc\xdfe\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nx',
      'latin1',
    );
    expect((await parseMail(latin)).subject).toBe('Grüße');
  });

  test('transfer encodings misspelt, torn or wrong', async () => {
    const text = async (encoding: string, body: string) =>
      (await parse(`Content-Transfer-Encoding: ${encoding}\r\n\r\n${body}`)).text;
    expect(await text('Quoted-Printable;', 'a=3Db=\r\nc')).toBe('a=bc');
    expect(await text('quoted-printable', 'a=3db =zz 100% =')).toStartWith('a=b =zz 100%');
    expect(await text('BASE64 ', 'aGVs\r\nbG8=')).toBe('hello');
    expect(await text('7-bit', 'hello')).toBe('hello');
    expect(await text('nonsense', 'hello')).toBe('hello');
  });

  test('uuencode, as a part and within the text', async () => {
    const encoded = 'begin 644 note.txt\n%:&5L;&\\\n`\nend\n';
    const part = await parse(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nsee file\r\n--b\r\nContent-Type: application/x\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n${encoded}\r\n--b--`,
    );
    expect(part.attachments.map((each) => [each.filename, Buffer.from(each.bytes).toString()])).toEqual([
      ['note.txt', 'hello'],
    ]);
    const within = await parse(`Subject: x\r\n\r\nsee file\r\n${encoded}bye\r\n`);
    expect(within.text?.replaceAll('\n', ' ').trim()).toBe('see file bye');
    expect(within.attachments[0]).toMatchObject({ filename: 'note.txt' });
  });

  test('a multipart without parts is text, a part that no one closed is read', async () => {
    expect((await parse('Content-Type: multipart/mixed; boundary=b\r\n\r\nwords only')).text).toBe('words only');
    const unclosed = await parse(
      'Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\nContent-Type: multipart/alternative; boundary=i\r\n\r\n--i\r\n\r\nhello\r\n--o\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment\r\n\r\nfile\r\n--o--',
    );
    expect(unclosed.text?.trim()).toBe('hello');
    expect(unclosed.attachments.map((each) => Buffer.from(each.bytes).toString())).toEqual(['file']);
  });

  test('text and HTML that are no alternatives both count, in their order', async () => {
    const message = await parse(
      'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>\r\n--b\r\n\r\nlist footer\r\n--b--',
    );
    expect(message).toMatchObject({ order: 'html_then_text' });
    const alternative = await parse(
      'Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\nHi\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>\r\n--b--',
    );
    expect(alternative).toMatchObject({ order: 'alternatives', text: 'Hi' });
  });

  test('a big attachment and a big text arrive whole', async () => {
    const file = Buffer.alloc(2 * megabyte, 'bytes of the file\n');
    const lines = file.toString('base64').replace(/.{76}/g, '$&\r\n');
    const words = 'a line of text that is rather long\r\n'.repeat(20_000);
    const message = await parse(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${words}\r\n--b\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n--b--`,
    );
    expect(message.attachments.map((each) => each.filename)).toEqual(['a.pdf', 'message.txt']);
    expect(Buffer.from(message.attachments[0]!.bytes).equals(file)).toBe(true);
    expect(Buffer.from(message.attachments[1]!.bytes).toString()).toBe(words);
    expect(message.isCut).toBe(true);
    expect(words.replaceAll('\r\n', '\n')).toStartWith(message.text!.trimEnd());
  });
});

test('more lines than the parser is given arrive whole as a file, and their beginning as the text', async () => {
  const words = 'ab\n'.repeat(60_000);
  const message = await parse(`Subject: x\r\n\r\n${words}`);
  expect(message.isCut).toBe(true);
  expect(message.text?.trimEnd()).toBe('ab\n'.repeat(50_000).trimEnd());
  expect(message.attachments.map(({ filename, bytes }) => [filename, Buffer.from(bytes).toString()])).toEqual([
    ['message.txt', words],
  ]);
});

test.each([
  ['as encoders write it', 'QUJDRA==\r\n', 'ABCD'],
  ['twice', 'QUI=\r\nQUI=\r\n', 'ABAB'],
  ['everywhere, at the price of alignment', 'QUI=\n'.repeat(20_000), null],
])('padding in base64, %s', async (_name, encoded, expected) => {
  const message = await parse(`Content-Type: a/b; name=x\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}`);
  const text = Buffer.from(message.attachments[0]?.bytes ?? []).toString();
  if (expected === null) expect(text).toStartWith('AB');
  else expect(text).toBe(expected);
});

describe('headers beyond the limits are cut, and the rest of the mail is read', () => {
  const from = 'From: Anna <anna@example.org>\r\n';
  const end = 'Message-ID: <1@example.org>\r\n\r\nIt is broken.\r\n';
  const people = (count: number, between: string) =>
    Array.from({ length: count }, (_, at) => `person-${at}@example.org`).join(between);
  const many: [string, () => string][] = [
    ['a subject of a megabyte', () => `${from}Subject: ${'x'.repeat(megabyte)}\r\n${end}`],
    ['a folded subject of 100 KB', () => `${from}Subject: ${'x\r\n '.repeat(25_000)}\r\n${end}`],
    ['ten thousand recipients before the sender', () => `To: ${people(10_000, ', ')}\r\n${from}${end}`],
    ['ten thousand on lines of their own', () => `To: ${people(10_000, ',\r\n ')}\r\n${from}${end}`],
    ['a megabyte of traces before the sender', () => `X-Trace: ${'a b\r\n '.repeat(megabyte / 6)}\r\n${from}${end}`],
  ];
  test.each(many)('%s', async (_name, build) => {
    const message = await parse(build());
    expect([message.text?.trim(), message.from, message.hasCutHeaders]).toEqual([
      'It is broken.',
      { name: 'Anna', address: 'anna@example.org' },
      true,
    ]);
    expect(message.messageId).toBe('<1@example.org>');
    for (const { address } of message.to) expect(address).toMatch(/^person-\d+@example\.org$/);
    // What is left out may name another sender, who is the one that is proven.
    expect(message.hasSeveralFrom).toBe(true);
  });

  test('what comes after a thousand headers, or after 512 KB of them', async () => {
    for (const filler of ['X-A: b\r\n'.repeat(100_000), `X-A: ${'b'.repeat(60_000)}\r\n`.repeat(20)]) {
      const message = await parse(`${from}${filler}Subject: Late\r\n${end}`);
      expect([message.text?.trim(), message.subject, message.hasCutHeaders]).toEqual(['It is broken.', '', true]);
    }
  });

  test('of the parts, but for what a part cannot be read without', async () => {
    const filler = `X-A: ${'b'.repeat(60_000)}\r\n`.repeat(4);
    const part = (at: number) =>
      `--b\r\n${filler}Content-Type: text/plain; name=${at}.txt\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${btoa(`file ${at}`)}\r\n`;
    const parts = Array.from({ length: 5 }, (_, at) => part(at)).join('');
    const message = await parse(`${from}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`);
    expect(message.attachments.map(({ filename, bytes }) => [filename, Buffer.from(bytes).toString()])).toEqual(
      Array.from({ length: 5 }, (_, at) => [`${at}.txt`, `file ${at}`]),
    );
    expect(message.hasCutHeaders).toBe(true);
  });

  test('a character is not cut in two', async () => {
    const message = await parse(`${from}Subject: ${'é'.repeat(40_000)}\r\n${end}`);
    expect(message.subject).toMatch(/^é+$/);
  });

  test('real headers are whole', async () => {
    const message = await parse(`${from}To: ${people(300, ', ')}\r\n${end}`);
    expect([message.to.length, message.hasCutHeaders, message.hasSeveralFrom]).toEqual([300, false, false]);
  });
});

describe('bombs', () => {
  const nested = (depth: number) =>
    Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`).join(
      '',
    );
  const bombs: [string, string, () => string | Buffer][] = [
    ['more than 25 MB', 'message_too_large', () => Buffer.alloc(25 * megabyte + 1, 'a\n')],
    ['multiparts nested a thousand deep', 'nested_too_deep', () => nested(1000)],
    [
      'a hundred thousand parts',
      'too_many_parts',
      () => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}`,
    ],
    [
      'millions of lines that begin like a boundary',
      'too_many_boundaries',
      () => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--\n'.repeat(3 * megabyte)}--b\r\n\r\nx`,
    ],
  ];
  test.each(bombs)('%s is refused: %s', async (_name, reason, build) => {
    const raw = Buffer.from(build());
    const error = await parseMail(raw).then(
      () => null,
      (refusal: unknown) => refusal,
    );
    expect(error).toBeInstanceOf(MailRefusal);
    expect((error as MailRefusal).reason).toBe(reason as MailRefusal['reason']);
  });

  const heavy: [string, () => string][] = [
    [
      'a file in base64',
      () =>
        `Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD'.repeat(19)}\r\n`.padEnd(
          24 * megabyte,
          `${'QUJD'.repeat(19)}\r\n`,
        ),
    ],
    ['empty lines', () => `Subject: x\r\n\r\n${'\n'.repeat(24 * megabyte)}`],
    ['one line', () => `Subject: x\r\n\r\n${'x'.repeat(24 * megabyte)}`],
    ['quoted-printable', () => `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=3D'.repeat(8 * megabyte)}`],
    ['tags', () => `Content-Type: text/html\r\n\r\n${'<div>'.repeat(4 * megabyte)}`],
    [
      'attachments of 48 KB',
      () =>
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\nContent-Type: a/b; name=x\r\n\r\n${'x\n'.repeat(24_000)}\r\n`.repeat(490)}`,
    ],
    [
      'texts of 48 KB in lines of one character',
      () =>
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\nContent-Type: text/plain\r\n\r\n${'x\n'.repeat(24_000)}\r\n`.repeat(490)}`,
    ],
    [
      'base64 padded everywhere',
      () => `Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUI=\r\n'.repeat(4 * megabyte)}`,
    ],
    ['a deep nest above a long text', () => `${nested(29)}\r\n${'y\n'.repeat(12 * megabyte)}`],
  ];
  test.each(heavy)('24 MB of %s take less than 100 MB', async (_name, build) => {
    const raw = Buffer.from(build());
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    await parseMail(raw);
    expect((process.memoryUsage().rss - before) / megabyte).toBeLessThan(100);
  });
});

test.each([
  ['Pete(A wonderful \\) chap) <pete(his account)@silly.example(his host)>', 'Pete <pete@silly.example>'],
  ['John <jdoe@machine(comment).  example>', 'John <jdoe@machine.example>'],
  ['eve @ example.org', ' <eve@example.org>'],
  ['"john doe"@example.org', null],
  ['((((', null],
])('the sender %s is read as %p', async (from, expected) => {
  const { from: read } = await parseMail(Buffer.from(`From: ${from}\r\n\r\nx`));
  expect(read && `${read.name} <${read.address}>`).toBe(expected);
});
