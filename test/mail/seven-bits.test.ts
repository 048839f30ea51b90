// Japanese, Korean and Chinese in seven bits (ISO-2022, HZ), with a wrong label, with none, and raw in headers.

import { describe, expect, test } from 'bun:test';
import { fromFields } from '../../src/mail/inbound/fields.ts';
import { parseMail } from '../../src/mail/inbound/parse.ts';

const texts: [what: string, written: string, words: string][] = [
  ['ISO-2022-JP', '\x1b$BEl5~\x1b(B AX-4711 \x1b$BF|K\\8l\x1b(B!', '東京 AX-4711 日本語!'],
  ['ISO-2022-JP of 1978, back to its own Latin', '\x1b$@F|K\\\x1b(J ok', '日本 ok'],
  ['letters of a vendor', '\x1b$B-!\x1b(B', '①'],
  ['half-width kana', '\x1b(I1\x1b(B', 'ｱ'],
  ['rare letters of ISO-2022-JP-1', '\x1b$BEl\x1b$(D0!\x1b(B', '東丂'],
  ['several languages in ISO-2022-JP-2', '\x1b$ADc:C\x1b$(CGQ1[\x1b$BEl5~\x1b(B', '你好한글東京'],
  ['lines that forget to return', '\x1b$BEl5~\nAX \x1b$BF|K\\\n', '東京\nAX 日本\n'],
  ['ISO-2022-KR', '\x1b$)C\nAX \x0e>H3g\x0f GQ \x0eGQ1[\x0f.', '\nAX 안녕 GQ 한글.'],
  ['ISO-2022-CN', '\x1b$)A\x0eDc:C\x0f AX', '你好 AX'],
  ['HZ', '~{4rS!;z~} AX~~4711 ~{VPND~}', '打印机 AX~4711 中文'],
];

const labels = [
  'text/plain',
  'text/plain; charset=us-ascii',
  'text/plain; charset="utf-8"',
  'text/plain; charset=iso-8859-1; format=fixed',
  'text/plain; charset=unknown-8bit',
  'text/html',
];
const encodings: [name: string, encode: (text: string) => string][] = [
  ['7bit', (text) => text],
  ['base64', (text) => Buffer.from(text, 'latin1').toString('base64')],
  [
    'quoted-printable',
    (text) =>
      text.replace(/[^\n]/g, (letter) => `=${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`),
  ],
];

async function bodyOf(label: string, encoding: string, body: string): Promise<string> {
  const head = `From: a@b.example\r\nContent-Type: ${label}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  const { text, html } = await parseMail(Buffer.from(head + body.replaceAll('\n', '\r\n'), 'latin1'));
  return (html ?? text ?? '').replaceAll('\r\n', '\n').trim();
}

describe('a text in', () => {
  test.each(texts)('%s is read, whatever its label and encoding', async (_what, written, words) => {
    for (const label of labels)
      for (const [name, encode] of encodings)
        expect([label, name, await bodyOf(label, name, encode(written))]).toEqual([label, name, words.trim()]);
  });

  test.each([
    ['iso-2022-kr', '\x1b$)C\n\x0e>H3g\x0f', '안녕'],
    ['iso-2022-kr', 'AX \x0e>H3g\x0f', 'AX 안녕'],
    ['csISO2022KR', '\x1b$)CAX', 'AX'],
    ['iso-2022-kr', 'AX-4711', 'AX-4711'],
    ['hz-gb-2312', 'AX ~{4rS!;z~}~\n~~', 'AX 打印机~'],
    ['HZ', '~{Dc:C~} ~{VPND', '你好 中文'],
    ['HZ-GB-2312', 'a ~ b', 'a ~ b'],
    ['iso-2022-jp', '\x1b$BEl5~\x1b(B', '東京'],
    ['iso-2022-jp-2', '\x1b$ADc:C\x1b(B', '你好'],
    ['cp50221', '\x1b$BEl5~\x1b(B', '東京'],
    ['gb2312', '~{4rS!;z~}', '打印机'],
  ])('%s that says so is read: %j', async (charset, written, words) => {
    expect(await bodyOf(`text/plain; charset=${charset}`, '7bit', written)).toBe(words);
  });

  test('seven bits stands beside a list’s footer in UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('\x1b$BEl5~\x1b(B\n', 'latin1'), Buffer.from('-- \nGrüße')]);
    expect((await parseMail(Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), body]))).text).toBe('東京\n-- \nGrüße');
  });

  test('a part among others, a mail within the mail, and what a provider took apart', async () => {
    const japanese = '\x1b$BEl5~\x1b(B';
    const within = await parseMail(
      Buffer.from(
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${japanese}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: ${japanese}\r\n\r\n${japanese}\r\n--b--`,
        'latin1',
      ),
    );
    expect(within.text?.trim()).toBe('東京');
    expect(within.embedded).toMatchObject([{ subject: '東京', text: '東京' }]);
    const fields = await fromFields({
      provider: 'postmark',
      headers: [['Subject', japanese]],
      otherwise: [],
      text: `${japanese} ✓`,
      html: `<p>${japanese}</p>`,
      attachments: [],
      envelope: { from: null, to: [] },
      size: 1,
    });
    expect(fields).toMatchObject({ subject: '東京', text: '東京 ✓', html: '<p>東京</p>' });
  });
});

test.each([
  ['what terminals write', 'a\x1b[31mred\x1b(B\x1b[m \x0elqqk\x0f', 'a[31mred(B[m lqqk'],
  ['patterns of Lisp', '(format t "~{~A~^, ~}" names)', '(format t "~{~A~^, ~}" names)'],
  ['one that is no Chinese', '~{foo-bar~}', '~{foo-bar~}'],
  ['one among others that is not closed', '~{VPND~} ~{VPND', '~{VPND~} ~{VPND'],
  ['tildes', 'about ~~5 ~\nkm', 'about ~~5 ~\nkm'],
])('%s stay as they are', async (_what, written, words) => {
  expect(await bodyOf('text/plain', '7bit', written)).toBe(words);
});

describe('a header in seven bits', () => {
  const headers = async (...lines: string[]) =>
    await parseMail(Buffer.from(`${lines.join('\r\n')}\r\n\r\nx`, 'latin1'));

  test.each([
    ['\x1b$BEl5~\x1b(B', '東京'],
    ['Re: [\x1b$BEl5~\x1b(B #7] \x1b$BF|K\\8l\x1b(B \x1b$BEl5~\x1b(B', 'Re: [東京 #7] 日本語 東京'],
    ['\x1b$BEl5~\x1b(B\r\n \x1b$BF|K\\8l\x1b(B', '東京日本語'],
    ['\x1b$BEl5~', '東京'],
    ['\x1b$)C\x0e>H3g\x0f AX', '안녕 AX'],
    ['AX \x0e>H3g\x0f', 'AX 안녕'],
    ['Re: ~{4rS!;z~} AX', 'Re: 打印机 AX'],
    ['=?iso-2022-kr?B?GyQpQw4+SDNnDw==?=', '안녕'],
    ['=?ISO-2022-KR?Q?=1B$)C=0E>H3g=0F_AX?=', '안녕 AX'],
    ['=?iso-2022-kr?Q?Hello?=', 'Hello'],
    ['=?hz-gb-2312?Q?~{4rS!;z~}?=', '打印机'],
    ['=?us-ascii?B?GyRCRWw1fhsoQg==?=', '東京'],
    ['=?utf-8?Q?=1B$BEl5~=1B(B?=', '東京'],
    ['=?iso-2022-jp?B?GyRCRWw1fhsoQg==?=', '東京'],
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?= ~{foo~}', 'Grüße ~{foo~}'],
    ['a\x0eb\x07c', 'abc'],
    ['dirt \x0ex\x0f', 'dirt x'],
  ])('as subject: %j', async (written, subject) => {
    expect((await headers('From: a@b.example', `Subject: ${written}`)).subject).toBe(subject);
  });

  test('as a name, whose bytes may look like the signs of an address', async () => {
    // These are ":4F#", "@h@8" and "3t<02q<R".
    const message = await headers(
      'From: \x1b$B:4F#\x1b(B <mia@b.example>',
      'To: "\x1b$B@h@8\x1b(B" <a@b.example>, \x1b$B3t<02q<R\x1b(B <c@b.example>',
      'Subject: x',
    );
    expect(message.from).toEqual({ name: '佐藤', address: 'mia@b.example' });
    expect(message.to).toEqual([
      { name: '先生', address: 'a@b.example' },
      { name: '株式会社', address: 'c@b.example' },
    ]);
  });

  test('as the name of a file', async () => {
    const part = ['Content-Type: a/b; name="\x1b$BEl5~\x1b(B.x"', 'Content-Disposition: attachment'];
    expect((await headers(...part)).attachments.map(({ filename }) => filename)).toEqual(['東京.x']);
  });

  test('changes no boundary and no id', async () => {
    const message = await headers(
      'Message-ID: <~{VPND~}@b.example>',
      'Content-Type: multipart/mixed; boundary="~{VPND~}"',
      '',
      '--~{VPND~}',
      '',
      'words',
      '--~{VPND~}--',
    );
    expect(message).toMatchObject({ messageId: '<~{VPND~}@b.example>', attachments: [] });
    expect(message.text?.trim()).toBe('words');
  });

  test('that grows beyond what the parser is given stays as it is', async () => {
    const { subject } = await headers(`Subject: ${'\x1b$BEl\x1b(B,'.repeat(7000)}`);
    expect(subject).toStartWith('$BEl(B,');
  });
});
