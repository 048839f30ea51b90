// The secret of a quoted link is in nothing that the desk stores of a mail and shows to others.

import { describe, expect, test } from 'bun:test';
import { randomSecret } from '../../src/base/crypto.ts';
import {
  forgetLinkSecrets,
  htmlWithoutLinkSecrets,
  sourceWithoutLinkSecrets,
} from '../../src/mail/inbound/link-secrets.ts';
import { attachmentsOfTicket } from '../../src/store/tickets/messages.ts';
import { mail, mailDesk } from '../desk/mail/mail-desk.ts';

const page = 'https://desk.example/t/01J8ZQ4T5M7N8P9Q0R1S2T3V4W#';
const nothing = {
  ...{ from: null, replyTo: null, repliesTo: [], originalFrom: [], to: [], cc: [] },
  ...{ subject: '', text: null, html: null, embedded: [] as never[] },
};
const cleaned = (text: string) => forgetLinkSecrets({ ...nothing, text }).text ?? '';

describe('a secret is removed', () => {
  // Always the same one: what is broken by blanks is known by its mix of letters, which one in a thousand does not have.
  const secret = 'hdl_kPRZiGJ3vQx0uT7c_Wm2Yb-4nLs9Ae1DfHoK5gXyR6z';
  const characters = secret.slice(4);
  const written: [string, string][] = [
    ['as it was sent', `Open your ticket: ${page}${secret}\nBye`],
    ['in brackets', `Open your ticket <${page}${secret}>`],
    ['of the ingest API', `${page}${randomSecret('hda')}`],
    ['broken over two lines', `> ${page}${secret.slice(0, 17)}\n> ${secret.slice(17)}`],
    ['broken and quoted twice', `>> ${page}${secret.slice(0, 30)}\r\n>> > ${secret.slice(30)}\r\nBye`],
    ['in quoted-printable that was not decoded', `${page}${secret.slice(0, 9)}=\r\n${secret.slice(9)}`],
    ['encoded in the address of a scanner', `https://scan.example/?url=${encodeURIComponent(page + secret)}&d=1`],
    ['encoded with minus signs', `https://scan.example/v2/url?u=https-3A__desk.example_t_01-23hdl-5F${characters}&d=1`],
    ['without its page', secret],
    ['broken within its first letters', `> ${page}hd\n> ${secret.slice(2)}`],
    ['broken before its underscore, quoted twice', `> > ${page}hdl\r\n> > ${secret.slice(3)}`],
    ['in quoted-printable, broken within its first letters', `${page}h=\r\n${secret.slice(1)}`],
    ['broken by a blank', `${page}${secret.slice(0, 14)} ${secret.slice(14)}`],
    ['in double spaced lines', `${page}${secret.slice(0, 14)}\r\n\r\n${secret.slice(14)}`],
    [
      'in the address of a scanner, in Base64',
      `https://scan.example/?d=desk.example&u=${Buffer.from(page + secret).toString('base64')}&i=1`,
    ],
  ];
  const disguised: [string, string][] = [
    ['with a wide underscore', `${page}hdl\uff3f${characters}`],
    ['with an entity', `${page}hdl&#95;${characters}`],
    ['with entities of entities', `${page}hdl&amp;#x5F;${characters}`],
    ['with a named entity', `${page}hdl&lowbar;${characters}`],
    ['with an entity of many zeros', `${page}hdl&#000000000095;${characters}`],
    ['with an entity of a tab', `${page}${secret.slice(0, 14)}&#9;${secret.slice(14)}`],
    ['with a named tab', `${page}${secret.slice(0, 14)}&Tab;${secret.slice(14)}`],
    ['flowed, within its first letters', `${page}hd \r\n> ${secret.slice(2)}`],
    ['in UTF-7', `${page}hdl+AF8-${characters}`],
    ['with every letter as an entity', [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
    ['encoded by two scanners', `https://scan.example/?url=${encodeURIComponent(encodeURIComponent(page + secret))}`],
    ['encoded with percent signs', `${page}hdl%25255F${characters}`],
    ['with a soft hyphen', `${page}${secret.slice(0, 17)}\u00ad${secret.slice(17)}`],
    ['with spaces of no width', `${page}${[...secret].join('\u200b')}`],
    ['with an entity for a soft hyphen', `${page}${secret.slice(0, 17)}&shy;${secret.slice(17)}`],
    ['with an encoded soft hyphen', `${page}${secret.slice(0, 17)}%C2%AD${secret.slice(17)}`],
  ];
  test.each([...written, ...disguised])('%s', (_, text) => {
    const rest = cleaned(text);
    const letters = rest.replace(/[\s>=\u00ad\u200b]/g, '');
    expect(letters).toContain('removed');
    for (let at = 0; at + 12 <= characters.length; at += 1)
      expect(letters).not.toContain(characters.slice(at, at + 12));
  });

  const inHtml: [string, string][] = [
    ...[...written, ...disguised].map(([name, text]): [string, string] => [name, text.replaceAll('<', '&lt;')]),
    ['with a line for each part', `<p>${page}${secret.slice(0, 14)}\r\n<br>\r\n${secret.slice(14)}</p>`],
    ['with a place to break', `<p>${page}${secret.slice(0, 17)}<wbr>${secret.slice(17)}</p>`],
    [
      'with a tag around a part',
      `<p>${page}${secret.slice(0, 17)}<b class="x">${secret.slice(17, 30)}</b>${secret.slice(30)}</p>`,
    ],
    ['in an attribute', `<a href="${page}hdl&#95;${characters}" title="${secret}">this page</a>`],
    [
      'in an attribute and in the text',
      `<a href="${page}${secret}">${page}${secret.slice(0, 9)}<wbr>${secret.slice(9)}</a>`,
    ],
  ];
  test.each(inHtml)('from HTML: %s', (_, html) => {
    const rest = htmlWithoutLinkSecrets(html);
    const seen = [rest, rest.replace(/<[^<>]*>/g, '')].map((text) => text.replace(/[\s>=\u00ad\u200b]|&shy;/g, ''));
    expect(seen[0]).toContain('removed');
    for (const text of seen)
      for (let at = 0; at + 12 <= characters.length; at += 1) expect(text).not.toContain(characters.slice(at, at + 12));
    expect(rest.match(/<\/?\w+/g)).toEqual(html.match(/<\/?\w+/g));
  });

  const asBase64 = (bytes: Buffer) => (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n');
  const encoded: [string, string][] = [
    ...written,
    ...written.map(([name, text]): [string, string] => [`${name}, in Base64`, asBase64(Buffer.from(text))]),
    ['in Base64 of UTF-16', asBase64(Buffer.from(`Open ${page}${secret}`, 'utf16le'))],
    ['in a mail within a mail', asBase64(Buffer.from(`X: y\r\n\r\n${asBase64(Buffer.from(page + secret))}\r\n`))],
    ['with encoded signs', `${page}hdl=5F${'a=2Db=5F'.repeat(11)}`],
  ];
  /** Everything in it that is, or may be, Base64. */
  function decoded(source: string, depth = 0): string {
    const inside = source.replace(/\r?\n/g, '').match(/[\w+/]{40,}/g) ?? [];
    const runs = inside.map((run) => Buffer.from(run, 'base64').toString('latin1').replaceAll('\0', ''));
    return [source, ...(depth < 3 ? runs.map((run) => decoded(run, depth + 1)) : [])].join('\n');
  }
  test.each(encoded)('from the source of a message: %s', (_, body) => {
    const source = `Subject: x\r\n\r\n${body}\r\n\r\n--b--\r\n`;
    expect(decoded(source).replace(/[\s>=]/g, '')).toMatch(/[\w-]{40}/);
    const rest = decoded(sourceWithoutLinkSecrets(Buffer.from(source)).toString('latin1')).replace(/[\s>=]/g, '');
    for (let at = 0; at + 12 <= characters.length; at += 1) expect(rest).not.toContain(characters.slice(at, at + 12));
    expect(rest).not.toContain('a2Db5Fa2Db5F');
  });

  test.each(disguised)('from the source of a message: %s', (_, body) => {
    const rest = sourceWithoutLinkSecrets(Buffer.from(`Subject: x\r\n\r\n${body}\r\n`)).toString('latin1');
    expect(rest).toContain('removed');
    expect(rest.length).toBeLessThan(body.length);
  });

  test('from a large source, and nothing else', () => {
    const lines = `${'YWJj'.repeat(19)}\r\nWord\r\n\r\n`.repeat(150_000);
    const source = Buffer.from(`Subject: hdl_value\r\n\r\n${lines}\xff`, 'latin1');
    expect(sourceWithoutLinkSecrets(source).equals(source)).toBe(true);
  });

  test('and nothing else', () => {
    const prose = 'The value of hdr_size is too large for this buffer, which I found by Trying It Out';
    const loud = prose.toUpperCase();
    const tracking = `https://news.example/?u=${Buffer.from('https://news.example/2026/11/issue-44/read-more').toString('base64')}`;
    expect(cleaned(`Hello,\n${page}${secret}\n\nBye`)).toBe(`Hello,\n${page}removed\n\nBye`);
    for (const text of [
      'my hdl_value is 1.2',
      'HDL-cholesterol',
      'hdl_\nand then a new paragraph',
      page,
      prose,
      loud,
      tracking,
    ])
      expect(cleaned(text)).toBe(text);
  });
});

test('agents, rules and readers see a reply without the secret that it quotes, and the rest of the link stays', async () => {
  const at = await mailDesk();
  const secret = randomSecret('hdl');
  const { ticketId } = await at.post(mail());
  const link = `${page}${secret}`;
  await at.post(
    mail({
      to: `ticket+${at.ticket(ticketId).ulid}@desk.example`,
      subject: `Re: ${link}`,
      headers: ['MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=part'],
      body: [
        '--part',
        'Content-Type: text/plain; charset=utf-8',
        '',
        `My link is ${link} and it works.`,
        '',
        'On 2026-09-10 08:00 UTC, Desk <support@desk.example> wrote:',
        `> Open your ticket: ${link}`,
        '--part',
        'Content-Type: text/html; charset=utf-8',
        '',
        `<p>My link is <a href="${link}">${link}</a></p>`,
        '--part--',
        '',
      ].join('\r\n'),
    }),
  );
  const stored = JSON.stringify([at.messages(ticketId), at.events(ticketId), at.inboundLog()]);
  expect(at.last(ticketId).body).toContain(`My link is ${page}removed and it works.`);
  expect(at.last(ticketId).html).toContain('removed');
  expect(stored).not.toContain(secret.slice(4, 20));
  await at.close();
});

test('nor is it in the name of anyone', () => {
  const one = { name: `Mia ${page}${randomSecret('hdl')}`, address: 'mia@example.org' };
  const all = { from: one, replyTo: one, repliesTo: [one], originalFrom: [one], to: [one], cc: [one] };
  const clean = { ...one, name: `Mia ${page}removed` };
  expect(forgetLinkSecrets({ ...nothing, ...all })).toEqual({
    ...nothing,
    ...{ from: clean, replyTo: clean, repliesTo: [clean], originalFrom: [clean], to: [clean], cc: [clean] },
  });
});

test('what is stored of HTML that disguises a link, of mails in it and of text files has no secret', async () => {
  const at = await mailDesk();
  const secret = randomSecret('hdl');
  const half = `${page}${secret.slice(0, 20)}`;
  const { ticketId } = await at.post(mail());
  const { ticketId: answered } = await at.post(
    mail({
      to: `ticket+${at.ticket(ticketId).ulid}@desk.example`,
      headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=part'],
      body: [
        '--part',
        'Content-Type: text/html; charset=utf-8',
        '',
        `<p>One ${half}<wbr>${secret.slice(20)}</p><p>Two ${half}&shy;${secret.slice(20)}</p>`,
        `<p>Three <a href="${page}hdl&#95;${secret.slice(4)}">here</a> and ${page}hdl&amp;#95;${secret.slice(4)}</p>`,
        '--part',
        'Content-Type: message/rfc822',
        '',
        'From: Desk <desk@desk.example>',
        'Subject: Inner',
        'Content-Type: text/html',
        '',
        `<p>Inner ${half}<wbr>${secret.slice(20)}</p>`,
        '--part',
        'Content-Type: text/plain; name=kept.txt',
        'Content-Disposition: attachment; filename=kept.txt',
        '',
        `Kept ${page}hdl%255F${secret.slice(4)}`,
        `--part\r\nContent-Disposition: attachment; filename="page ${secret}.txt"\r\n\r\nSaved`,
        `--part\r\nContent-Disposition: attachment; filename="refused ${secret}.exe"\r\n\r\nMZ`,
        '--part--',
        '',
      ].join('\r\n'),
    }),
  );
  expect(answered).toBe(ticketId);
  const { body, html, wholeBody } = at.last(ticketId);
  const kept = at.desk.read((tx) => attachmentsOfTicket(tx, ticketId ?? 0));
  const files = await Promise.all(kept.map(({ ulid, size }) => new Response(at.blobs.read(ulid, 0, size - 1)).text()));
  const names = kept.map(({ filename }) => filename);
  expect(names).toEqual(['attachment-1.eml', 'kept.txt', 'page removed.txt']);
  expect(body).toContain('refused removed.exe');
  const stored = [body, wholeBody, html, ...names, ...files].join('\n').replace(/<[^<>]*>|[\u00ad\s]/g, '');
  expect(stored).toContain('removed');
  expect(stored).toContain('Inner');
  expect(stored).toContain('Kept');
  const characters = secret.slice(4);
  for (let start = 0; start + 12 <= characters.length; start += 1)
    expect(stored).not.toContain(characters.slice(start, start + 12));
  await at.close();
});

test('a mail with more lines of Base64 than fit on a stack keeps them all', () => {
  const source = Buffer.from('AAAA\n'.repeat(1_000_000));
  expect(sourceWithoutLinkSecrets(source).equals(source)).toBe(true);
});
