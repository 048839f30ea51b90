// Text in format=flowed: lines that a program broke are joined, and quotation, empty lines and signatures stay apart.
import { describe, expect, test } from 'bun:test';
import { parseMail } from '../../src/mail/inbound/parse.ts';
import { bodyOf } from '../../src/mail/reply/body.ts';

const read = (head: string[], body: Buffer) =>
  parseMail(Buffer.concat([Buffer.from(['From: Jo <jo@example.com>', ...head, '', ''].join('\r\n')), body]));

async function flowed(lines: string[], { type = '', encoding = '' } = {}): Promise<string | null> {
  const text = Buffer.from(lines.join('\r\n'));
  const head = [`Content-Type: text/plain; charset=utf-8; format=flowed${type}`];
  if (encoding === '') return (await read(head, text)).text;
  return (await read([...head, `Content-Transfer-Encoding: ${encoding}`], encoded(text, encoding))).text;
}

const encoded = (text: Buffer, encoding: string) =>
  encoding === 'base64'
    ? Buffer.from(text.toString('base64'))
    : Buffer.from(text.toString('latin1').replace(/[=\x80-\xff]| (?=\r)/g, asEscape), 'latin1');

const asEscape = (character: string) => `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

const rows: [what: string, lines: string[], text: string[]][] = [
  ['a broken sentence', ['The printer burns since ', 'this morning.'], ['The printer burns since this morning.']],
  ['a sentence broken twice', ['One ', 'two ', 'three', 'four'], ['One two three', 'four']],
  ['an empty line', ['Two orders: ', '', '4711', '4712'], ['Two orders: ', '', '4711', '4712']],
  ['two empty lines', ['One ', '', '', 'two'], ['One ', '', '', 'two']],
  ['a line of spaces', ['One ', '   ', 'two'], ['One ', '  ', 'two']],
  ['the answer below a quoted line', ['> Which one? ', 'The red one.'], ['> Which one? ', 'The red one.']],
  ['a quoted line below text', ['You asked: ', '> Which one?'], ['You asked: ', '> Which one?']],
  ['a deeper quotation', ['> They said ', '>> Which one? ', '> and I'], ['> They said ', '>> Which one? ', '> and I']],
  ['a broken quoted line', ['> Which one ', '> is it?', 'Red.'], ['> Which one is it?', 'Red.']],
  ['a quoted line without a space', ['>Which one ', '>is it?'], ['>Which one is it?']],
  ['an empty quoted line', ['> One ', '> ', '> two ', '>', '> three'], ['> One ', '> ', '> two ', '>', '> three']],
  ['a signature', ['Regards, ', '-- ', 'Jo Smith'], ['Regards, ', '-- ', 'Jo Smith']],
  ['a quoted signature', ['> Regards, ', '> -- ', '> Kim ', '> Support'], ['> Regards, ', '> -- ', '> Kim Support']],
  ['a dash that is no signature', ['One --- ', 'two'], ['One --- two']],
  ['lines that begin with spaces', ['Code:', '   if x:', '     y'], ['Code:', '  if x:', '    y']],
  ['a stuffed line that goes on', ['Say ', '  hello'], ['Say  hello']],
  ['a stuffed "From"', ['One', ' From here'], ['One', 'From here']],
  ['a mark of one’s own', ['One', ' > 5 items'], ['One', '> 5 items']],
  [
    'letters beyond ASCII',
    ['Gr\u00fc\u00dfe aus K\u00f6ln, ', '\u3053\u3093\u306b\u3061\u306f'],
    ['Gr\u00fc\u00dfe aus K\u00f6ln, \u3053\u3093\u306b\u3061\u306f'],
  ],
  ['the last line', ['One ', 'two '], ['One two ']],
];

describe('flowed text', () => {
  test.each(rows)('%s', async (_what, lines, text) => {
    expect(await flowed(lines)).toBe(text.join('\n'));
  });

  test.each(rows)('in base64 and quoted-printable: %s', async (_what, lines, text) => {
    expect(await flowed(lines, { encoding: 'base64' })).toBe(text.join('\n'));
    expect(await flowed(lines, { encoding: 'quoted-printable' })).toBe(text.join('\n'));
  });

  test.each([
    ['Ver', 'Version'],
    ['> Ver', '> Version'],
  ])('with DelSp loses the space that each break came with: %s', async (beginning, word) => {
    const mark = beginning.startsWith('>') ? '> ' : '';
    expect(await flowed([`${beginning} `, `${mark}sion 4  `, `${mark}of 5`], { type: '; DelSp=Yes' })).toBe(
      `${word} 4 of 5`,
    );
    expect(await flowed([`${beginning} `, '', 'sion'], { type: '; delsp=yes' })).toBe(`${beginning}\n\nsion`);
    expect(await flowed(['Jo ', '-- ', 'x'], { type: '; delsp=yes' })).toBe('Jo\n-- \nx');
  });

  test('is known however the parameter is written, and only by it', async () => {
    const body = Buffer.from('> One? \r\nTwo \r\nthree');
    for (const type of [
      '; format=flowed',
      ';Format="Flowed"',
      ';\r\n\tformat = flowed; delsp=no',
      '; charset=x-unknown;format=flowed',
    ])
      expect((await read([`Content-Type: text/plain${type}`], body)).text).toBe('> One? \nTwo three');
    for (const type of ['', '; format=fixed', '; x-format=flowed'])
      expect((await read([`Content-Type: text/plain${type}`], body)).text).toBe('> One? \nTwo \nthree');
  });

  test.each([
    ['windows-1252', Buffer.from('Gr\u00fc\u00dfe \r\naus K\u00f6ln', 'latin1'), 'Gr\u00fc\u00dfe aus K\u00f6ln'],
    ['utf-8', Buffer.from('Gr\u00fc\u00dfe \r\naus K\u00f6ln', 'latin1'), 'Gr\u00fc\u00dfe aus K\u00f6ln'],
    ['iso-2022-jp', Buffer.from('\x1b$B$3$s\x1b(B \r\n\x1b$B$K$A\x1b(B', 'latin1'), '\u3053\u3093 \u306b\u3061'],
    ['shift_jis', Buffer.from('\x82\xb1 \r\n\x82\xf1', 'latin1'), '\u3053 \u3093'],
    ['utf-16le', Buffer.from('One \r\ntwo', 'utf16le'), 'One \ntwo'],
  ])('in %s', async (charset, body, text) => {
    expect((await read([`Content-Type: text/plain; format=flowed; charset=${charset}`], body)).text).toBe(text);
  });

  test('in one of several parts concerns that part alone', async () => {
    const part = (type: string) => `--b\r\nContent-Type: text/plain${type}\r\n\r\n> One? \r\nTwo \r\nthree\r\n`;
    const body = Buffer.from(`${part('; format=flowed')}${part('')}--b--\r\n`);
    const message = await read(['Content-Type: multipart/mixed; boundary=b'], body);
    expect(message.text).toBe('> One? \nTwo three\n> One? \nTwo \nthree');
  });

  test('says nothing about HTML, whose lines the browser joins', async () => {
    const html = '<pre>One \r\n two</pre>';
    const message = await read(['Content-Type: text/html; format=flowed; delsp=yes'], Buffer.from(html));
    expect(message.html).toBe('<pre>One \n two</pre>');
  });

  test('in a forwarded message is joined as well', async () => {
    const inner = 'From: a@b.example\r\nContent-Type: text/plain; format=flowed\r\n\r\n> One? \r\nTwo \r\nthree';
    const body = Buffer.from(
      `--b\r\n\r\nSee below\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--b--\r\n`,
    );
    const message = await read(['Content-Type: multipart/mixed; boundary=b'], body);
    expect(message.embedded.map(({ text }) => text)).toEqual(['> One? \nTwo three']);
  });
});

describe('an answer in flowed text', () => {
  const introduced = 'On 27 Nov 2026 at 10:00, Support <support@shop.example.org> wrote:';
  test.each([
    [
      'below one quoted line',
      [introduced, '> Which version is it? ', '', 'Version 4.2', '', 'Jo'],
      'Version 4.2\n\nJo',
    ],
    ['without an empty line', [introduced, '> Which version is it? ', 'Version 4.2', '', 'Jo'], 'Version 4.2\n\nJo'],
    ['below a deeper line', [introduced, '>> It broke. ', '> Which version? ', '', 'Version 4.2'], 'Version 4.2'],
    ['above the quotation', ['Version ', '4.2 ', '', introduced, '> Which version is it? ', '> Kim '], 'Version 4.2 '],
    ['with a signature', ['It works, ', 'thank you. ', '-- ', 'Jo Smith ', 'Sales'], 'It works, thank you. '],
  ])('%s stays, and the quotation is folded', async (_where, lines, body) => {
    const message = await read(['Content-Type: text/plain; format=flowed'], Buffer.from(lines.join('\r\n')));
    const folded = bodyOf(message);
    expect(folded.body.trimEnd()).toBe(body.trimEnd());
    expect(folded.foldedAway).toBe(true);
  });
});

test('thousands of broken lines, and thousands of marks, are read to their end', async () => {
  const read = async (body: string) => await flowed([body]);
  expect(await read('word \r\n'.repeat(30_000))).toBe(`${'word '.repeat(30_000)}\n`);
  expect(await read('> a \r\nb \r\n'.repeat(15_000))).toBe('> a \nb \n'.repeat(15_000));
  expect(await read(`${'>'.repeat(200_000)} a \r\nb`)).toBe(`${'>'.repeat(200_000)} a \nb`);
});
