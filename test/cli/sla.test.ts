// helpdesk sla: the ledger in words and as JSON, and a scan at another time.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ledgerShape } from '../../src/http/wire/sla/sla.ts';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
let dueAt = '';
const later = (ms: number) => new Date(Date.parse(dueAt) + ms).toISOString();

beforeAll(async () => {
  const policy = ['--timezone', 'Pacific/Auckland', '--business-hours', 'mon-sun 00:00-24:00'];
  await type('site', 'create', '--name', 'Web shop');
  await type('site', 'update', 'web-shop', ...policy);
  const input = ['--site', 'web-shop', '--email', 'mia@example.org', '--subject', 'Help', '--body', 'It broke.'];
  dueAt = String((await type('ticket', 'open', ...input, '--json')).json().data.first_response_due_at);
});
afterAll(desk.remove);

test('explain answers the envelope of the API', async () => {
  for (const name of ['1', '#1']) {
    const { data } = (await type('sla', 'explain', name, '--json')).json();
    const ledger = ledgerShape.parse(data);
    expect([ledger.reference, ledger.timezone, ledger.clocks.length]).toEqual(['#1', 'Pacific/Auckland', 2]);
    expect(ledger.clocks[0]?.due_at).toBe(dueAt);
  }
});

test("explain prints both clocks on the wall clock of the site's zone", async () => {
  const { output, code } = await type('sla', 'explain', '1');
  expect(code).toBe(0);
  const wall = Temporal.Instant.from(dueAt).toZonedDateTimeISO('Pacific/Auckland').toPlainDateTime();
  expect(output).toContain(
    `First response: due ${wall.toString({ smallestUnit: 'second' }).replace('T', ' ')}, running`,
  );
  expect(output).toContain('target 48:00:00');
  expect(output).toContain('counted (expected)');
});

test('a dry run tells what would be signalled and changes nothing; --at is the time of the scan', async () => {
  const scan = (...flags: string[]) => type('sla', 'scan', ...flags);
  expect((await scan()).output).toBe('Nothing is due.\n');
  const at = later(90_000);
  const preview = (await scan('--at', at, '--dry-run', '--json')).json();
  expect(preview).toMatchObject({
    data: [{ reference: '#1', sla_type: 'first_response', kind: 'breach', due_at: dueAt, minutes_remaining: -2 }],
    meta: { dry_run: true },
  });
  expect((await scan('--at', at, '--dry-run')).output).toContain('2 minutes ago');
  expect((await scan('--at', later(90_000 + 23 * 86_400_000), '--dry-run')).output).toContain('23 days ago');
  expect((await type('ticket', 'show', '1', '--json')).json().data.first_response_breached_at).toBeNull();
  expect((await scan('--at', at, '--json')).json()).toMatchObject({ data: preview.data, meta: { dry_run: false } });
  expect((await type('ticket', 'show', '1', '--json')).json().data.first_response_breached_at).toBe(at);
  expect((await scan('--at', at)).output).toBe('Nothing is due.\n');
});

test.each([
  [['explain', '4711'], 3, 'No such ticket.'],
  [['explain'], 2, 'ticket'],
  [['scan', '--at', 'soon'], 2, '--at must be a time'],
])('refuses %p', async (argv, code, sentence) => {
  const ran = await type('sla', ...argv);
  expect(ran.errors).toContain(sentence);
  expect(ran.code).toBe(code);
});
