// The files of a mail as its ticket has them: named by what they are, and what is said about those it does not have.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { maxAttachmentsPerTicket } from '../../../src/desk/tickets/attachments.ts';
import { attachmentsOfTicket, insertAttachment } from '../../../src/store/tickets/messages.ts';
import { encrypted, signed, smimePart } from '../../mail/wrapped-mail.ts';
import { type MailDesk, mail, mailDesk } from './mail-desk.ts';

let bench: MailDesk;
beforeAll(async () => {
  bench = await mailDesk();
});
afterAll(() => bench.close());

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);

const file = (type: string, name: string | null, bytes: string | Uint8Array, more: readonly string[] = []) =>
  [
    `Content-Type: ${type}`,
    `Content-Disposition: attachment${name === null ? '' : `; filename="${name}"`}`,
    'Content-Transfer-Encoding: base64',
    ...more,
    '',
    Buffer.from(bytes).toString('base64'),
  ].join('\r\n');
const words = 'Content-Type: text/plain\r\n\r\nSee the files.';

let people = 0;
async function filed(headers: readonly string[], body: string, to?: string) {
  people += 1;
  const from = `files${people}@customer.example`;
  const row = await bench.post(mail(to === undefined ? { from, headers, body } : { from, to, headers, body }));
  const files = bench.desk.read((tx) => attachmentsOfTicket(tx, row.ticketId ?? 0));
  return {
    ticketId: row.ticketId ?? 0,
    body: bench.last(row.ticketId).body,
    html: bench.last(row.ticketId).html,
    files: files.map((one) => [one.filename, one.contentType]),
  };
}
const mixed = (parts: readonly string[]) =>
  filed(
    ['Content-Type: multipart/mixed; boundary=b'],
    `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  );
const settings = (change: Record<string, unknown>) =>
  bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: change }, null));

test('are named by their content, and shown as what they are', async () => {
  const { files, body, html } = await mixed([
    'Content-Type: text/html\r\n\r\n<p>See <img src="cid:p1"></p>',
    file('image/jpeg', 'photo.jpg', png, ['Content-ID: <p1>']),
    file('image/png', 'Screenshot', png),
    file('application/octet-stream', null, png),
    file('application/msword', 'letter.doc', '{\\rtf1 x}'),
    file('application/pdf', 'bill.pdf', '\n\n%PDF-1.4\n%%EOF\n'),
    file('image/png', 'fake.png', 'words'),
  ]);
  expect(files).toEqual([
    ['photo.png', 'image/png'],
    ['Screenshot.png', 'image/png'],
    ['attachment-3.png', 'image/png'],
    ['letter.rtf', 'application/octet-stream'],
    ['bill.pdf', 'application/pdf'],
    ['fake.png', 'application/octet-stream'],
  ]);
  expect(body).not.toContain('Not accepted');
  expect(html).toMatch(/<img data-cid="\w{26}"/);
});

test('that a site refuses by their right name, or by the one they had, stay refused', async () => {
  await settings({ refused_attachment_types: ['rtf', 'exe'] });
  const { files, body } = await mixed([words, file('a/b', 'letter.doc', '{\\rtf1 x}'), file('a/b', 'run.exe', png)]);
  expect(files).toEqual([]);
  expect(body).toBe(
    'See the files.\n\n[Not accepted: letter.rtf (.rtf files are refused), run.exe (.exe files are refused)]',
  );
  await settings({ refused_attachment_types: null });
});

describe('not a word is said in the customer’s text about', () => {
  const eml = [
    'Content-Type: message/rfc822; name="old.eml"',
    'Content-Disposition: attachment; filename="old.eml"',
    '',
    'Subject: Before',
    '',
    'The first mail.',
  ].join('\r\n');
  const signature = file('application/pkcs7-signature', 'smime.p7s', 'a signature');
  const parts = [
    words,
    signature,
    file('application/x-pkcs7-signature', null, 'a signature'),
    file('application/pgp-signature', 'signature.asc', 'a signature'),
    file('application/pgp-signature', 'OpenPGP_signature.asc', 'a signature'),
    file('application/pgp-signature', null, 'a signature'),
    eml,
  ];

  test('a signature and a forwarded mail that is shown, where the site refuses their types', async () => {
    await settings({ refused_attachment_types: ['p7s', 'asc', 'eml'] });
    const { files, body } = await mixed(parts);
    expect(files).toEqual([]);
    expect(body).toStartWith('See the files.');
    expect(body).toContain('The first mail.');
    expect(body).not.toContain('Not accepted');
    // What is the customer's own is said.
    const own = await mixed([
      words,
      file('application/pgp-keys', 'key.asc', 'a key'),
      file('a/b', 'contract.pdf.p7s', 'x'),
    ]);
    expect(own.body).toContain('key.asc (.asc files are refused), contract.pdf.p7s (.p7s files are refused)');
    await settings({ refused_attachment_types: null });
  });

  test('them where the ticket is full', async () => {
    const { ticketId } = await mixed([words]);
    const { ulid } = bench.ticket(ticketId);
    const one = { ticketId, siteId: bench.site.id, messageId: null, filename: 'a.txt', contentType: 'text/plain' };
    const rest = { size: 1, sha256: '0', isAgent: false, isInternal: false, createdAt: 0 };
    await bench.do((tx) => {
      for (let count = 0; count < maxAttachmentsPerTicket; count += 1)
        insertAttachment(tx, { ulid: `full-${count}`, ...one, ...rest });
      return null;
    });
    const body = `${[...parts, file('a/b', 'mine.zip', 'x')].map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
    const to = `ticket+${ulid.toLowerCase()}@desk.example`;
    const answer = await filed(['Content-Type: multipart/mixed; boundary=b'], body, to);
    expect(answer.ticketId).toBe(ticketId);
    expect(answer.body).toEndWith('[Not accepted: mine.zip (the ticket is full)]');
  });

  test('them where they are kept', async () => {
    const { files, body } = await mixed([words, signature, eml]);
    expect(files.map(([name]) => name)).toEqual(['smime.p7s', 'old.eml']);
    expect(body).not.toContain('Not accepted');
  });
});

describe('a wrapper that has the only words', () => {
  const filedAs = (part: string) =>
    filed(part.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [], part.slice(part.indexOf('\r\n\r\n') + 4));

  test('is read, if it is signed only', async () => {
    const inner = signed('Content-Type: text/plain; charset=utf-8\r\n\r\nDas Gerät AX-4711 brennt.\r\n');
    expect(await filedAs(smimePart(inner))).toMatchObject({ body: 'Das Gerät AX-4711 brennt.', files: [] });
  });

  test.each([
    ['S/MIME', smimePart(encrypted), 'smime.p7m'],
    ['S/MIME without a name', file('application/pkcs7-mime', null, encrypted), 'smime.p7m'],
    ['winmail.dat', file('application/ms-tnef', 'winmail.dat', 'torn'), 'winmail.dat'],
  ])('and cannot be read is kept, and the text says where the words are: %s', async (_what, part, name) => {
    const { body, files } = await filedAs(part);
    expect(body).toBe(`(no text: what was written is in ${name}, which the desk cannot read)`);
    expect(files).toEqual([[name, 'application/octet-stream']]);
  });

  test('so does PGP', async () => {
    const { body, files } = await mixed([
      'Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1',
      'Content-Type: application/octet-stream; name="encrypted.asc"\r\n\r\n-----BEGIN PGP MESSAGE-----',
    ]);
    expect(body).toBe('(no text: what was written is in encrypted.asc, which the desk cannot read)');
    expect(files.map(([filename]) => filename)).toContain('encrypted.asc');
  });

  test('and is refused is said to be', async () => {
    await settings({ refused_attachment_types: ['p7m'] });
    const { body, files } = await filedAs(smimePart(encrypted));
    expect([body.split('\n\n'), files]).toEqual([
      [
        '(no text: what was written is in smime.p7m, which the desk cannot read)',
        '[Not accepted: smime.p7m (.p7m files are refused)]',
      ],
      [],
    ]);
    await settings({ refused_attachment_types: null });
  });

  test('says nothing beside words', async () => {
    const { body } = await mixed([words, file('application/pkcs7-mime', 'smime.p7m', encrypted)]);
    expect(body).toBe('See the files.');
  });
});
