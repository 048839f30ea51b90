// Mail whose words stand in a wrapper: S/MIME that is not encrypted, winmail.dat, and the wrappers that stay shut.

import { describe, expect, test } from 'bun:test';
import { fromFields } from '../../src/mail/inbound/fields.ts';
import { parseMail } from '../../src/mail/inbound/parse.ts';
import { textOfRtf, unpackRtf } from '../../src/mail/inbound/rtf.ts';
import {
  base64,
  compressed,
  encrypted,
  namedProperties,
  packedRtf,
  packedRun,
  plainRtf,
  signed,
  signedInPieces,
  signedNothing,
  smimePart,
  tnef,
  tnefAttribute,
  tnefBody,
  tnefFile,
} from './wrapped-mail.ts';

const words = 'Das Gerät AX-4711 druckt nicht.';
const inner = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nDas Ger=C3=A4t AX-4711 =\r\ndruckt nicht.\r\n`;
const head = 'From: Mia <mia@b.example>\r\nTo: help@desk.example\r\nSubject: Printer\r\nMIME-Version: 1.0\r\n';
const parse = (text: string | Uint8Array) => parseMail(Buffer.from(text));
const filesOf = ({ attachments }: Awaited<ReturnType<typeof parse>>) => attachments.map(({ filename }) => filename);
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const withFile = [
  'Content-Type: multipart/mixed; boundary=in',
  '',
  '--in',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>See the picture.</p>',
  '--in',
  'Content-Type: image/png; name=a.png',
  'Content-Transfer-Encoding: base64',
  '',
  base64(png),
  '--in--',
  '',
].join('\r\n');

describe('S/MIME', () => {
  test.each([
    ['signed', signed(inner)],
    ['signed, in pieces without lengths', signedInPieces(inner)],
    ['compressed', compressed(inner)],
    ['signed, then compressed', compressed(smimePart(signed(inner)))],
    ['compressed, then signed twice', signed(smimePart(signedInPieces(smimePart(compressed(inner)))))],
    ['signed without headers of its own', signed(words)],
  ])('%s is read, and leaves no file', async (_what, file) => {
    const message = await parse(`${head}${smimePart(file)}`);
    expect(message.text?.trim()).toBe(words);
    expect(message).toMatchObject({ html: null, attachments: [], subject: 'Printer', verdict: 'none' });
  });

  test.each([
    ['application/x-pkcs7-mime; name=smime.p7m', base64(signed(inner)), 'base64'],
    ['application/octet-stream; name="SMIME.P7M"', base64(signed(inner)), 'base64'],
    ['application/pkcs7-mime', base64(signed(inner)), '7bit'],
    ['application/pkcs7-mime', signed(inner).toString('latin1'), 'binary'],
  ])('of type %s is read, in whatever encoding', async (type, body, encoding) => {
    const raw = `${head}Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;
    expect((await parse(Buffer.from(raw, 'latin1'))).text?.trim()).toBe(words);
  });

  test('brings its HTML and its files', async () => {
    const message = await parse(`${head}${smimePart(signed(withFile))}`);
    expect(message.html).toContain('See the picture.');
    expect(message.attachments.map(({ filename, bytes }) => [filename, Buffer.from(bytes)])).toEqual([['a.png', png]]);
  });

  test('is read as one part of several, with a list’s footer behind it', async () => {
    const parts = ['--b', smimePart(signed(inner)), '--b', 'Content-Type: text/plain', '', 'The list', '--b--'];
    const message = await parse(`${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('\r\n')}`);
    expect(message.text?.replaceAll(/\s+/g, ' ').trim()).toBe(`${words} The list`);
    expect(filesOf(message)).toEqual([]);
  });

  test('says nothing about who sent it and where it went', async () => {
    const forged = [
      'From: boss@desk.example',
      'Received: from mx.desk.example',
      'Authentication-Results: mx.desk.example; dmarc=pass',
      'Return-Path: <>',
      'Delivered-To: other@desk.example',
      'Message-ID: <forged@desk.example>',
      'Reply-To: eve@b.example',
      'Subject: Forged',
      inner,
    ].join('\r\n');
    const open = await parse(`${head}${inner}`);
    const message = await parse(`${head}${smimePart(signed(forged))}`);
    const { headers, from, replyTo, envelope, deliveredTo, messageId, subject, text } = open;
    expect(message).toMatchObject({ from, replyTo, envelope, deliveredTo, messageId, subject, text });
    expect(message.headers).toEqual(headers);
    expect(message.hasSeveralFrom).toBe(false);
  });

  test('that was taken apart by a provider is read too', async () => {
    const file = { filename: 'smime.p7m', contentType: 'application/pkcs7-mime', cid: null, isInline: false };
    const message = await fromFields({
      provider: 'postmark',
      headers: [['Subject', 'Printer']],
      otherwise: [],
      text: '',
      html: '',
      attachments: [{ ...file, bytes: signed(withFile) }],
      envelope: { from: null, to: [] },
      size: 1,
    });
    expect(message.html).toContain('See the picture.');
    expect(filesOf(message)).toEqual(['a.png']);
  });

  const shut: [string, Uint8Array][] = [
    ['encrypted', encrypted],
    ['without content', signedNothing],
    ['torn', signed(inner).subarray(0, 90)],
    ['torn in its pieces', signedInPieces(inner).subarray(0, 120)],
    [
      'compressed by something else',
      Buffer.from(compressed(inner).toString('latin1').replace('x\x9c', 'xx'), 'latin1'),
    ],
    ['a document that was signed', signed(Buffer.from('%PDF-1.4\0\xff', 'latin1'))],
    ['no S/MIME at all', Buffer.from('hello')],
    ['empty', Buffer.alloc(0)],
    ['nested without an end', Buffer.alloc(50_000, Buffer.from([0x30, 0x80]))],
    ['pieces of pieces', signedWith(Buffer.alloc(50_000, Buffer.from([0x24, 0x80])))],
    ['with a length beyond its end', Buffer.from('3084ffffffff', 'hex')],
    ['larger than a mail when it is inflated', compressed(Buffer.alloc(26 * 1024 * 1024, 'a'))],
  ];
  test.each(shut)('%s stays a file', async (_what, file) => {
    const message = await parse(`${head}${smimePart(file)}`);
    expect([message.text?.trim() ?? null, message.html, filesOf(message)]).toEqual([null, null, ['smime.p7m']]);
    expect(Buffer.from(message.attachments[0]?.bytes ?? []).equals(Buffer.from(file))).toBe(true);
  });

  test('inflates no more in all than a mail may have', async () => {
    const bomb = compressed(Buffer.concat([Buffer.from(inner), Buffer.alloc(12 * 1024 * 1024, 'a')]));
    const parts = Array.from({ length: 40 }, () => `--b\r\n${smimePart(bomb)}`);
    const message = await parse(
      `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('\r\n')}\r\n--b--`,
    );
    expect(filesOf(message).filter((name) => name === 'smime.p7m')).toHaveLength(38);
  });

  test('keeps a signed document beside the words of a mail', async () => {
    const parts = [
      '--b',
      'Content-Type: text/plain',
      '',
      'The bill.',
      '--b',
      'Content-Type: application/pkcs7-mime; name="bill.xml.p7m"',
      'Content-Disposition: attachment; filename="bill.xml.p7m"',
      'Content-Transfer-Encoding: base64',
      '',
      base64(signed('<?xml version="1.0"?><bill/>')),
      '--b--',
    ];
    const message = await parse(`${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('\r\n')}`);
    expect([message.text?.trim(), filesOf(message)]).toEqual(['The bill.', ['bill.xml.p7m']]);
  });
});

function signedWith(content: Uint8Array): Buffer {
  const marker = Buffer.from('0123456789abcdef');
  const whole = signed(marker);
  const at = whole.indexOf(marker) - 2;
  return Buffer.concat([whole.subarray(0, at), content]);
}

describe('winmail.dat', () => {
  const mailWith = (file: Uint8Array, text = '', type = 'application/ms-tnef; name="winmail.dat"') =>
    parse(
      [
        `${head}Content-Type: multipart/mixed; boundary=b`,
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        text,
        '--b',
        `Content-Type: ${type}`,
        'Content-Transfer-Encoding: base64',
        '',
        base64(file),
        '--b--',
      ].join('\r\n'),
    );

  test.each([
    ['as text', tnefBody([0x1f, 0x1000, words]), words],
    ['as old text', tnefBody([0x1e, 0x1000, words]), words],
    [
      'in a code page',
      Buffer.concat([tnefAttribute(1, 0x00069007, Buffer.from([0xe3, 4, 0, 0])), tnefBody([0x1e, 0x1000, '\xcf\xf0'])]),
      'Пр',
    ],
    ['of the oldest', tnefAttribute(1, 0x0002800c, Buffer.from(`${words}\0`, 'latin1')), words],
    ['as Rich Text', tnefBody([0x102, 0x1009, packedRtf]), 'hello world'],
    [
      'behind properties with names',
      tnefAttribute(
        1,
        0x00069003,
        Buffer.concat([
          Buffer.from([3, 0, 0, 0]),
          namedProperties.subarray(4),
          tnefBody([0x1f, 0x1000, words]).subarray(13, -2),
        ]),
      ),
      words,
    ],
  ])('has the words %s', async (_what, body, expected) => {
    const message = await mailWith(tnef(body));
    expect([message.text, filesOf(message)]).toEqual([expected, []]);
  });

  test('has HTML', async () => {
    const html = Buffer.from('<p>Gerät</p>');
    const message = await mailWith(tnef(tnefBody([3, 0x3fde, 65001], [0x102, 0x1013, html])));
    expect([message.text, message.html, filesOf(message)]).toEqual([null, '<p>Gerät</p>', []]);
  });

  test('gives its files their names, and the mail keeps its own words', async () => {
    const file = tnef(
      tnefBody([0x1f, 0x1000, 'the same words']),
      tnefFile('Rechnung Mai.pdf', Buffer.from('%PDF-1.4')),
      tnefFile('a.png', png, [0x1f, 0x370e, 'image/png'], [0x1f, 0x3712, 'pic1']),
    );
    const message = await mailWith(file, 'See the files.', 'application/octet-stream; name="Winmail.dat"');
    expect(message.text?.trim()).toBe('See the files.');
    expect(
      message.attachments.map(({ filename, contentType, cid, bytes }) => [filename, contentType, cid, bytes.length]),
    ).toEqual([
      ['Rechnung Mai.pdf', 'application/octet-stream', null, 8],
      ['a.png', 'image/png', 'pic1', 16],
    ]);
  });

  test('stays when something in it could not be read', async () => {
    const whole = tnef(tnefFile('a.png', png), tnefFile('a message of Outlook', null));
    expect(filesOf(await mailWith(whole, 'x'))).toEqual(['a.png', 'winmail.dat']);
    expect(filesOf(await mailWith(tnef(tnefFile('a.png', png), tnefFile('b.png', png)).subarray(0, -90), 'x'))).toEqual(
      ['a.png', 'winmail.dat'],
    );
    expect(filesOf(await mailWith(tnef(tnefBody([0x1f, 0x001a, 'IPM.Task'])), 'x'))).toEqual(['winmail.dat']);
    expect(filesOf(await mailWith(Buffer.from('eJ8+IgAA'), 'x'))).toEqual(['winmail.dat']);
  });

  test('whose every byte may be wrong is read or stays', async () => {
    const whole = tnef(tnefBody([0x1f, 0x1000, words], [0x102, 0x1009, packedRtf]), tnefFile('a.png', png));
    for (let at = 0; at < whole.length; at++) {
      for (const byte of [0, 0x7f, 0xff]) {
        const wrong = Buffer.from(whole);
        wrong[at] = byte;
        const message = await mailWith(wrong, 'x');
        expect(message.text?.trim()).toBe('x');
        expect(filesOf(message).length).toBeGreaterThan(0);
      }
    }
  });
});

describe('Rich Text', () => {
  test('is unpacked as its specification shows', () => {
    expect(unpackRtf(packedRtf, 1000)).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n');
    expect(unpackRtf(packedRun, 1000)).toBe('{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}');
    expect(unpackRtf(packedRun, 9)).toBe('{\\rtf1 WX');
    expect(unpackRtf(plainRtf('{\\rtf1 x}'), 1000)).toBe('{\\rtf1 x}');
    expect(unpackRtf(Buffer.from('nothing of that kind'), 1000)).toBeNull();
  });

  test.each([
    [
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}\\f0 Ger\\'e4t\\par AX\\~7 \\{x\\}\\par}",
      'Gerät\nAX\u00a07 {x}',
    ],
    ["{\\rtf1\\ansi\\ansicpg932 \\'93\\'8c\\'8b\\'9e \\'83e}", '東京 テ'],
    ['{\\rtf1\\ansi\\uc1 \\u1055?\\u1088?\\tab \\emdash\\line x}', 'Пр\t\u2014\nx'],
    ['{\\rtf1{\\*\\generator Riched20;}{\\info{\\title no}}{\\pict 0102}yes}', 'yes'],
    ['{\\rtf1\\fromhtml1{\\*\\htmltag64 <p>}Hi{\\*\\htmltag72 </p>}\\htmlrtf\\par\\htmlrtf0 there}', 'Hi\nthere'],
    ['}}}{{{', ''],
    ["\\'zz\\", "'zz"],
  ])('%j says %j', (rtf, text) => {
    expect(textOfRtf(rtf)).toBe(text);
  });
});
