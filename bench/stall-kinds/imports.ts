// `helpdesk import` beside the running desk: a large site, and streams that are refused late.

import type { Tally, Target } from './target.ts';

type Line = Record<string, unknown>;

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Another ulid for each number, in place of the first one. */
function ulidOf(first: string, number: number): string {
  let tail = '';
  for (let rest = number, at = 0; at < 8; at += 1, rest = Math.floor(rest / 32)) tail = alphabet[rest % 32] + tail;
  return first.slice(0, 18) + tail;
}

/** The site's own export with its first ticket repeated many times, as a stream that an import accepts. */
function multiplied(exported: string, tickets: number, salt: number): string {
  const lines = exported
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Line);
  const at = lines.findIndex(({ type }) => type === 'ticket');
  const ticket = lines[at];
  const message = lines.slice(at).find(({ type }) => type === 'message');
  if (!ticket || !message) throw new Error('The export has no ticket with a message.');
  const before = lines.slice(0, at);
  const [first] = before;
  if (first) first.export = ulidOf(String(first.export), salt);
  const out = before.map((line) => JSON.stringify(line));
  for (let number = 1; number <= tickets; number += 1) {
    const id = 10_000_000 + number;
    const named = salt * 1_000_000 + number;
    out.push(JSON.stringify({ ...ticket, id, ulid: ulidOf(String(ticket.ulid), named) }));
    out.push(JSON.stringify({ ...message, id, ulid: ulidOf(String(message.ulid), named), ticket_id: id }));
  }
  const body = `${out.join('\n')}\n`;
  const counts: Record<string, number> = {};
  for (const text of out) {
    const { type } = JSON.parse(text) as { type: string };
    counts[type] = (counts[type] ?? 0) + 1;
  }
  const sha256 = new Bun.CryptoHasher('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ type: 'end', lines: out.length, counts, sha256 })}\n`;
}

export async function hostileImports(target: Target, tickets: number): Promise<Tally> {
  const { output, code } = await target.command(['export', '--site', target.slug]);
  if (code !== 0) throw new Error('The site could not be exported.');
  const salt = Math.floor(Math.random() * 1000) + 1;
  const whole = multiplied(output, tickets, salt);
  const tally: Tally = {};
  const run = async (name: string, input: string, expected: number) => {
    const done = await target.command(['import', '--as', `copy-${salt}-${name}`], input);
    if (done.code !== expected) throw new Error(`The import ${name} ended with ${done.code}: ${done.errors}`);
    tally[name] = done.code;
  };
  await run('whole', whole, 0);
  const other = multiplied(output, tickets / 5, salt + 1000);
  await run('cut', other.slice(0, Math.floor(other.length * 0.9)), 1);
  await run(
    'damaged',
    multiplied(output, tickets / 5, salt + 2000).replace(/"sha256":"[0-9a-f]{4}/, '"sha256":"0000'),
    1,
  );
  const firstLine = other.slice(0, other.indexOf('\n') + 1);
  await run('deep', `${firstLine}${'['.repeat(20_000_000)}\n`, 1);
  await run('long', `${firstLine}${'x'.repeat(40_000_000)}\n`, 1);
  return tally;
}
