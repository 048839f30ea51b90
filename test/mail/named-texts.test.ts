// A text part with the name of a file is a file, unless it is the only text of the mail.

import { expect, test } from 'bun:test';
import { parseMail } from '../../src/mail/inbound/parse.ts';

const multipart = (kind: string, boundary: string, ...parts: readonly string[]) =>
  [
    `Content-Type: multipart/${kind}; boundary=${boundary}`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    '',
  ].join('\r\n');
const part = (type: string, disposition: string | null, body: string, encoding = '7bit') =>
  [
    `Content-Type: ${type}`,
    ...(disposition === null ? [] : [`Content-Disposition: ${disposition}`]),
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    body,
  ].join('\r\n');

const hello = part('text/plain; charset=utf-8', null, 'Hello');
const html = part('text/html; charset=utf-8', null, '<p>Hello</p>');
const blank = part('text/plain', null, '\r\n \r\n');
const picture = part(
  'text/html',
  null,
  '<html><head><style>p{}</style></head><body><img src="cid:1">&nbsp;</body></html>',
);
const log = part('text/plain; charset=iso-8859-1; name="log.txt"', 'inline; filename="log.txt"', 'a l\xf6g');
const nameOnly = part('text/plain; name=log.txt', null, 'a l\xf6g');
const filenameOnly = part('text/plain', "inline;\r\n filename*=utf-8''log.txt", 'a l\xf6g');
const page = part('text/html; name="log.txt"', 'inline; filename="log.txt"', 'a l\xf6g');

const read = async (raw: string) => {
  const { text, html: shown, attachments } = await parseMail(Buffer.from(`Subject: x\r\n${raw}`, 'latin1'));
  const files = attachments.map(({ filename, bytes }) => [filename, Buffer.from(bytes).toString('latin1')]);
  return [(shown ?? text ?? '').replaceAll(/\s+/g, ' ').trim(), files] as const;
};

test.each([
  ['behind the text', multipart('mixed', 'b', hello, log)],
  ['before the text', multipart('mixed', 'b', log, hello)],
  ['behind nothing but blanks and before the text', multipart('mixed', 'b', blank, log, hello)],
  ['whose name stands with its type only', multipart('mixed', 'b', hello, nameOnly)],
  ['whose name stands with its place only', multipart('mixed', 'b', hello, filenameOnly)],
  ['that is HTML', multipart('mixed', 'b', hello, page)],
  ['in base64', multipart('mixed', 'b', hello, part('text/plain; name=log.txt', 'inline', btoa('a l\xf6g'), 'base64'))],
])('one %s is a file, with its name and its bytes', async (_where, raw) => {
  expect(await read(raw)).toEqual(['Hello', [['log.txt', 'a l\xf6g']]]);
});

test('one among the HTML alternative, as Apple writes it, is a file', async () => {
  const raw = multipart('alternative', 'a', hello, multipart('mixed', 'b', html, log, part('text/html', null, '<br>')));
  const [words, files] = await read(raw);
  expect(words).toContain('<p>Hello</p>');
  expect([words.includes('g</p>'), files]).toEqual([false, [['log.txt', 'a l\xf6g']]]);
});

test('several are files, also large ones, and stay whole', async () => {
  const large = 'a line of a log\r\n'.repeat(40_000).trim();
  const other = part('text/plain; name="large.txt"', 'inline; filename="large.txt"', large);
  expect(await read(multipart('mixed', 'b', hello, log, other))).toEqual([
    'Hello',
    [
      ['log.txt', 'a l\xf6g'],
      ['large.txt', large],
    ],
  ]);
});

test.each([
  ['alone', `${log}\r\n`],
  ['in a multipart', multipart('mixed', 'b', log)],
  ['beside blanks', multipart('mixed', 'b', blank, log)],
  [
    'as one of two alternatives',
    multipart('alternative', 'b', log, part('text/html; name=x.html', 'inline', '<p>a l\xf6g</p>')),
  ],
])('the only words of a mail are its text, whatever their name: %s', async (_where, raw) => {
  const [words, files] = await read(raw);
  expect([words.includes('a lög'), files]).toEqual([true, []]);
});

test('the words of a message from a phone stay its text beside HTML that has only pictures', async () => {
  const sms = part('text/plain; charset=utf-8; name="text_0.txt"', 'inline; filename="text_0.txt"', 'Printer burns');
  const { text, attachments } = await parseMail(Buffer.from(multipart('mixed', 'b', picture, sms)));
  expect([text?.trim(), attachments]).toEqual(['Printer burns', []]);
});
