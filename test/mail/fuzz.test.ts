// Reading mail: any bytes give a message or a typed refusal, quickly, and text that any store accepts.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { providerNames } from '../../src/domain/mail/inbound.ts';
import { classifyMail } from '../../src/mail/inbound/classify.ts';
import { MailRefusal } from '../../src/mail/inbound/limits.ts';
import { parseMail } from '../../src/mail/inbound/parse.ts';
import { readInbound } from '../../src/mail/inbound/providers.ts';
import { sanitiseHtml } from '../../src/mail/inbound/sanitise.ts';
import { bodyOf, longestBody } from '../../src/mail/reply/body.ts';
import { caseCount } from '../support/case-count.ts';
import { corpus, noOwnMarks } from './corpus.ts';

const header = fc.constantFrom(
  'From: a@b.example',
  'From: "',
  'To: g:a@b,;',
  'Subject: =?utf-8?q?=',
  'Subject: =?big5?b?',
  'Content-Type: multipart/mixed; boundary=b',
  'Content-Type: multipart/alternative; boundary="b"',
  'Content-Type: message/rfc822',
  'Content-Type: text/html; charset=utf-7',
  'Content-Type: text/plain; format=flowed; charset=iso-2022-jp',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Transfer-Encoding: x-uuencode',
  "Content-Disposition: attachment; filename*=utf-8''%ff",
  'Content-Disposition: inline',
  'Date: never',
  'References: <',
  'List-Id: <x>',
  ' folded',
  'no header',
  ':',
  'X:',
  '',
);
const line = fc.oneof(
  header,
  fc.constantFrom(
    '--b',
    '--b--',
    '--',
    'begin 644 a',
    'end',
    '> quoted',
    'From: x',
    'On 2026-01-01 10:00 a wrote:',
    '<div>',
    '=',
    '=3D',
    'QUJD',
    '\0',
    '\ud800',
  ),
  fc.string({ maxLength: 60, unit: 'binary' }),
);
const mime = fc
  .array(line, { maxLength: 60 })
  .chain((lines) => fc.constantFrom('\r\n', '\n').map((end) => Buffer.from(lines.join(end))));

async function survives(raw: Uint8Array) {
  try {
    const message = await parseMail(raw);
    const body = bodyOf(message);
    classifyMail(message, noOwnMarks);
    if (message.html !== null) sanitiseHtml(message.html, { cidUrl: () => null });
    const texts = [
      message.subject,
      message.text ?? '',
      message.html ?? '',
      body.body,
      message.from?.name ?? '',
      ...message.attachments.map((each) => each.filename),
    ];
    for (const text of texts) {
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain('\0');
    }
    expect([...body.body].length).toBeLessThanOrEqual(longestBody);
  } catch (error) {
    if (!(error instanceof MailRefusal)) throw error;
  }
}

test('any lines of MIME', async () => {
  await fc.assert(fc.asyncProperty(mime, survives), { numRuns: caseCount(60, 600) });
});

test('any bytes', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), survives), { numRuns: caseCount(30, 200) });
});

test('real messages with bytes changed, cut and repeated', async () => {
  const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...corpus().map(({ raw }) => raw)),
      damage,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (bytes, changes, cut) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) copy[Math.min(copy.length - 1, Math.floor(at * copy.length))] = value;
        const cutAt = Math.floor(cut * copy.length);
        await survives(copy.subarray(0, cutAt));
        await survives(Buffer.concat([copy, copy.subarray(cutAt)]));
      },
    ),
    { numRuns: caseCount(30, 150) },
  );
});

test('any request to any provider is read, refused with a reason, or ignored', async () => {
  const types = fc.constantFrom(
    'application/json',
    'multipart/form-data; boundary=b',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'message/rfc822',
    '',
    'a',
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.json().map((text) => Buffer.from(text)),
    mime,
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...providerNames), types, body, async (provider, contentType, bytes) => {
      try {
        await readInbound(provider, { headers: { 'content-type': contentType }, body: bytes });
      } catch (error) {
        if (!(error instanceof MailRefusal)) throw error;
      }
    }),
    { numRuns: caseCount(50, 500) },
  );
});
