// Two hundred rules of fifty costly expressions: mail and dry runs delay no one.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';

const directory = newDirectory();
let desk: Served;
let token: string;
let inbound: string;

const patterns = Array.from({ length: 120 }, (_, at) => `(a|b)*a(a|b){${200 + at}}[^ab\\s]`);
const conditionsOf = (rule: number) =>
  Array.from({ length: 50 }, (_, at) => ({
    field: 'body',
    operator: 'matches',
    value: patterns[(rule * 50 + at) % patterns.length],
    negate: false,
  }));

let bit = 1;
/** Letters that bring each of the expressions into another state. */
const letters = (length: number) =>
  Array.from({ length }, () => {
    bit = (bit * 1_103_515_245 + 12_345) & 0x7fffffff;
    return bit & 65_536 ? 'a' : 'b';
  }).join('');
let sent = 0;
function mail(): string {
  sent += 1;
  const lines = Array.from({ length: 10 }, () => letters(990)).join('\r\n');
  return `From: m${sent}@customer.example\r\nTo: support@desk.example\r\nSubject: Costly\r\nMessage-ID: <c${sent}@customer.example>\r\n\r\n${lines}\r\n`;
}

async function ask(method: string, path: string, body?: unknown, bearer = token) {
  const answer = await fetch(`${desk.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: await answer.json() };
}

/** Asks for /healthz repeatedly while something is done; returns the longest time in milliseconds. */
async function worstWhile(act: () => Promise<unknown>): Promise<number> {
  let worst = 0;
  let isOver = false;
  const probe = async () => {
    while (!isOver) {
      const began = performance.now();
      const answer = await fetch(`${desk.url}/healthz`);
      await answer.text();
      expect(answer.status).toBe(200);
      worst = Math.max(worst, performance.now() - began);
      await Bun.sleep(2);
    }
  };
  const probing = probe();
  await act();
  isOver = true;
  await probing;
  return worst;
}

beforeAll(async () => {
  ({ teamToken: token } = await siteAndToken(directory.path));
  const database = new Database(join(directory.path, 'data', 'helpdesk.db'));
  const insert = database.prepare(
    `INSERT INTO inbound_rules (site_id, name, position, is_active, match, conditions, actions, stop_processing, created_at)
     VALUES (1, ?, ?, 1, 'any', ?, '[{"type":"add_tags","value":["costly"]}]', 0, 0)`,
  );
  const cheap = [{ field: 'subject', operator: 'equals', value: 'costly', negate: false }];
  insert.run('First', 1, JSON.stringify(cheap));
  for (let rule = 0; rule < 200; rule += 1) insert.run(`Costly ${rule}`, rule + 2, JSON.stringify(conditionsOf(rule)));
  database.close();
  desk = await serve(directory.path, unlimited);
  inbound = (await ask('GET', '/sites/1')).json.data.inbound_webhook_url.replace('{provider}', 'raw');
  inbound = `${desk.url}${new URL(inbound).pathname.replace(/\/[^/]+\/inbound\//, '/raw/inbound/')}`;
}, 60_000);

afterAll(async () => {
  desk.signal('SIGTERM');
  await desk.exited;
  directory.remove();
});

// What a busy machine takes anyway, and what one mail can add.
const allowedMs = 250;

test('mail of ten kilobytes holds up no one, is filed, and says which rules were too slow', async () => {
  const calm = await worstWhile(() => Bun.sleep(1000));
  const worst = await worstWhile(async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        fetch(inbound, { method: 'POST', headers: { 'Content-Type': 'message/rfc822' }, body: mail() }),
      ),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    for (let filed = 0; filed < 6; ) {
      filed = (await ask('GET', '/sites/1/inbound-mail?outcome=ticket_created')).json.meta.total;
    }
  });
  expect(worst).toBeLessThan(calm + allowedMs);
  const [row] = (await ask('GET', '/sites/1/inbound-mail')).json.data;
  expect(row.matched_rules.map(({ name }: { name: string }) => name)).toEqual(['First']);
  const slow = row.trace.filter(({ explanation }: { explanation: string }) =>
    explanation.startsWith('Skipped: too slow.'),
  );
  expect(slow.length).toBeGreaterThan(0);
  const { events } = (await ask('GET', `/tickets/${row.ticket}`)).json.data;
  const told = events.find(({ data }: { data: { rules_skipped?: object } }) => data.rules_skipped);
  expect(told.data.rules_skipped).toMatchObject({ why: 'too slow', total: expect.any(Number) });
}, 120_000);

test('a dry run holds up no one, tells of every rule, and is not for tokens that only read', async () => {
  const reading = await helpdesk(directory.path, ['token', 'issue', '--name', 'r', '--abilities', 'read', '--json']);
  const path = '/sites/1/inbound-rules/test';
  expect((await ask('POST', path, { raw: mail() }, reading.json().token)).status).toBe(403);
  const calm = await worstWhile(() => Bun.sleep(1000));
  let rules: { outcome: string; explanation: string }[] = [];
  const worst = await worstWhile(async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask('POST', path, { raw: mail() })));
    for (const { status } of answers) expect(status).toBe(200);
    rules = answers[0]?.json.data.rules;
  });
  expect(worst).toBeLessThan(calm + allowedMs);
  expect(rules).toHaveLength(201);
  expect(rules[0]?.outcome).toBe('matched');
  expect(rules.at(-1)?.explanation).toStartWith('Skipped: too slow.');
}, 120_000);

test('more of them can be saved, soon, and doctor tells of the mail on which they took too long', async () => {
  const rule = { name: 'One more', conditions: conditionsOf(0), actions: [{ type: 'discard' }] };
  const calm = await worstWhile(() => Bun.sleep(1000));
  const worst = await worstWhile(async () => {
    expect((await ask('POST', '/sites/1/inbound-rules', rule)).status).toBe(201);
  });
  expect(worst).toBeLessThan(calm + allowedMs);
  const doctor = await helpdesk(directory.path, ['doctor', '--json']);
  const codes = doctor.json().data.findings.map(({ code }: { code: string }) => code);
  expect(codes).toContain('rules_too_slow');
  expect(codes).not.toContain('rules_over_limit');
}, 120_000);
