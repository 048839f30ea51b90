// 25 MB of mail that is made to be slow or large: time and memory of reading, folding and sanitising, each in its own
// process.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyMail } from '../src/mail/inbound/classify.ts';
import { MailRefusal, mailLimits } from '../src/mail/inbound/limits.ts';
import { readInbound } from '../src/mail/inbound/providers.ts';
import { sanitiseHtml } from '../src/mail/inbound/sanitise.ts';
import { bodyOf } from '../src/mail/reply/body.ts';

const root = new URL('..', import.meta.url).pathname;
const size = mailLimits.messageBytes;
const megabyte = 1024 * 1024;
const targetMs = 200;
const targetMegabytes = 100;
const seeds = Number(process.argv.find((arg) => arg.startsWith('--seeds='))?.slice(8) ?? 40);

function filled(head: string, piece: string): Buffer {
  const out = Buffer.alloc(size, piece);
  out.write(head);
  return out;
}
/** Parts with this head, which fill the message together. */
function parts(head: string, piece: string, count = 490): Buffer {
  const body = piece.repeat(Math.floor((size / count - 100) / piece.length));
  return Buffer.from(
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n${head}\r\n\r\n${body}\r\n`.repeat(count)}`,
  );
}
const nested = Array.from(
  { length: 29 },
  (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
).join('');

const shapes: Record<string, () => Buffer> = {
  'base64 file': () =>
    filled('Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n', `${'QUJD'.repeat(19)}\r\n`),
  'padded base64': () => filled('Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n', 'QUI=\r\n'),
  'empty lines': () => filled('Subject: x\r\n\r\n', '\n'),
  'one line': () => filled('Subject: x\r\n\r\n', 'x'),
  'NUL bytes': () => filled('Subject: x\r\n\r\n', '\0'),
  'quoted-printable': () => filled('Content-Transfer-Encoding: quoted-printable\r\n\r\n', '=3D'),
  'broken quoted-printable': () => filled('Content-Transfer-Encoding: quoted-printable\r\n\r\n', '=ZZ='),
  'open tags': () => filled('Content-Type: text/html\r\n\r\n', '<div>'),
  'tags with attributes': () => filled('Content-Type: text/html\r\n\r\n', '<a href="javascript:x" style="color:red">'),
  entities: () => filled('Content-Type: text/html\r\n\r\n', '&amp;&#x41;'),
  files: () => parts('Content-Type: a/b; name=x', 'x\n'),
  texts: () => parts('Content-Type: text/plain', 'x\n'),
  'HTML parts': () => parts('Content-Type: text/html', '<b>x'),
  'messages within': () => parts('Content-Type: message/rfc822\r\n\r\nFrom: a@b.example', 'x\n'),
  'large messages within': () => parts('Content-Type: message/rfc822\r\n\r\nContent-Type: text/html', '<b>x', 10),
  nest: () => filled(`${nested}\r\n`, 'y\n'),
  dashes: () => filled('Content-Type: multipart/mixed; boundary=b\r\n\r\n', '--\n'),
  uuencode: () => filled('Subject: x\r\n\r\nbegin 644 note.txt\r\n', `M${'1'.repeat(60)}\r\n`),
  'uuencode begun': () => filled('Subject: x\r\n\r\n', 'begin 644 a\r\n'),
  quotations: () => filled('Subject: x\r\n\r\n', '> a\r\n'),
  attributions: () => filled('Subject: x\r\n\r\n', 'On 2026-01-01 10:00 a <b@c.de> wrote:\n'),
  'UTF-7': () => filled('Content-Type: text/plain; charset=utf-7\r\n\r\n', '+AGE-'),
  'ISO-2022-JP': () => filled('Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n', '\x1b$B$"\x1b(B'),
  'flowed text': () => filled('Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n', 'word \r\n'),
  'a long report': () =>
    filled(
      'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n',
      'Final-Recipient: rfc822; a@b.example\r\n',
    ),
  headers: () =>
    filled(`Subject: ${'=?utf-8?q?=41?= '.repeat(3900)}\r\n${`X-A: ${'a'.repeat(300)}\r\n`.repeat(900)}\r\n`, 'x\n'),
  addresses: () =>
    filled(`To: ${'"a" <a@b.example>, '.repeat(3200)}\r\nCc: ${'g:a@b.example; '.repeat(3200)}\r\n\r\n`, 'x\n'),
  references: () => filled(`References: ${'<a@b.example> '.repeat(4600)}\r\n\r\n`, 'x\n'),
  'open comments': () => filled(`From: ${'('.repeat(60_000)}\r\n\r\n`, 'x\n'),
  'open quotes': () => filled(`From: ${'"\\'.repeat(30_000)}\r\n\r\n`, 'x\n'),
};

const lines = [
  ...[
    'From: a@b.example',
    'Content-Type: multipart/mixed; boundary=b',
    'Content-Type: multipart/alternative; boundary="b"',
  ],
  ...['Content-Type: message/rfc822', 'Content-Type: text/html', 'Content-Type: text/plain; format=flowed'],
  ...['Content-Transfer-Encoding: base64', 'Content-Transfer-Encoding: quoted-printable'],
  ...['Content-Transfer-Encoding: x-uuencode', 'Content-Disposition: attachment; filename=a.txt', '', ' folded'],
  ...['--b', '--b--', 'begin 644 a', 'end', '> quoted', 'On 2026-01-01 10:00 a wrote:', '<div><p>', '=3D=', 'QUJDRA=='],
  ...['x'.repeat(70), 'x'.repeat(3000), 'Final-Recipient: rfc822; a@b.c'],
];

function fuzzed(seed: number): Buffer {
  let state = (seed * 2_654_435_761) >>> 0;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
  const some = (count: number, end: string) =>
    Array.from({ length: count }, () => lines[random(lines.length)]).join(end) + end;
  const end = random(2) === 0 ? '\r\n' : '\n';
  return filled(some(12, '\r\n'), some(3 + random(200), end));
}

async function read(raw: Buffer): Promise<string> {
  try {
    const read = await readInbound('raw', { headers: {}, body: raw });
    if (read.kind !== 'message') return read.kind;
    bodyOf(read.message);
    classifyMail(read.message, { header: 'x', headerValue: 'y', isOwnMessageId: () => false });
    if (read.message.html !== null) sanitiseHtml(read.message.html, { cidUrl: () => null });
    return 'read';
  } catch (error) {
    if (error instanceof MailRefusal) return error.reason;
    throw error;
  }
}

const rowOf = (name: string, ms: number, megabytes: number, outcome: string) => ({ name, ms, megabytes, outcome });

/** Measures what reading takes beyond the message itself. */
async function measure(name: string): Promise<void> {
  const seed = Number(/^seed (\d+)$/.exec(name)?.[1] ?? Number.NaN);
  const raw = Number.isNaN(seed) ? (shapes[name]?.() ?? Buffer.alloc(0)) : fuzzed(seed);
  await read(Buffer.from('From: a@b.example\r\nContent-Type: text/html\r\n\r\n<p>x</p>'));
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const outcome = await read(raw);
  const ms = Math.round(performance.now() - began);
  const peak = Math.max(process.resourceUsage().maxRSS * 1024, process.memoryUsage().rss);
  console.log(JSON.stringify(rowOf(name, ms, Math.round((peak - before) / megabyte), outcome)));
}

const one = process.argv.indexOf('--one');
if (one !== -1) await measure(process.argv[one + 1] ?? '');
else {
  const rows: ReturnType<typeof rowOf>[] = [];
  for (const name of [...Object.keys(shapes), ...Array.from({ length: seeds }, (_, at) => `seed ${at + 1}`)]) {
    const child = Bun.spawnSync([process.execPath, import.meta.path, '--one', name], { stderr: 'inherit' });
    const row = JSON.parse(child.stdout.toString()) as ReturnType<typeof rowOf>;
    rows.push(row);
    const isOver = row.ms > targetMs || row.megabytes > targetMegabytes;
    console.log(`${isOver ? '! ' : ''}${row.name}: ${row.ms} ms, ${row.megabytes} MB, ${row.outcome}`);
  }
  const worst = (key: 'ms' | 'megabytes') => rows.reduce((most, row) => (row[key] > most[key] ? row : most));
  console.log(`slowest: ${worst('ms').name}, ${worst('ms').ms} ms (target ${targetMs})`);
  console.log(`largest: ${worst('megabytes').name}, ${worst('megabytes').megabytes} MB (target ${targetMegabytes})`);
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const at = new Date().toISOString();
  const file = join(root, 'bench/results', `mail-hostile-${at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ at, bun: Bun.version, rows }, null, 2)}\n`);
}
