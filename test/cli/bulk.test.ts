// Snoozing, splitting, merging and changing many tickets, and macros, on the command line.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
afterAll(desk.remove);

let opened = 0;
async function open(): Promise<string> {
  opened += 1;
  const ran = await type(
    ...['ticket', 'open', '--site', 'web-shop', '--email', `person${opened}@example.org`, '--name', `Person ${opened}`],
    ...['--subject', 'The invoice is missing', '--body', 'Where is it?', '--json'],
  );
  return String(ran.json().data.ulid);
}
const show = async (ulid: string) => (await type('ticket', 'show', ulid, '--json')).json().data;

beforeAll(async () => {
  await type('site', 'create', '--name', 'Web shop');
});

test('a ticket is snoozed for a while, until a time, and no longer', async () => {
  const ulid = await open();
  const from = Date.now();
  const ran = await type('ticket', 'snooze', ulid, '--until', '4h', '--json');
  const to = Date.now();
  const { status, snoozed_until: until } = ran.json().data;
  expect(status).toBe('pending');
  expect(Date.parse(String(until)) - 4 * 3_600_000).toBeWithin(from, to + 1);
  expect((await type('ticket', 'show', ulid)).output).toContain(String(until));
  const off = await type('ticket', 'snooze', ulid, '--off', '--json');
  expect(off.json().data).toMatchObject({ status: 'open', snoozed_until: null });
  const past = await type('ticket', 'snooze', ulid, '--until', '2020-01-01T00:00:00Z');
  expect([past.code, past.errors]).toEqual([1, expect.stringContaining('must be in the future')]);
  expect((await type('ticket', 'snooze', ulid)).code).toBe(2);
  expect((await type('ticket', 'snooze', ulid, '--off', '--until', '4h')).code).toBe(2);
});

test('a ticket is split at a message and merged back', async () => {
  const ulid = await open();
  const said = await type('ticket', 'reply', ulid, '--body', 'Here it is.', '--json');
  const message = String((said.json().reply as { ulid: string }).ulid);
  const split = await type('ticket', 'split', ulid, '--message', message, '--subject', 'Another', '--json');
  expect(split.json().data).toMatchObject({ subject: 'Another', split_from: ulid, message_count: 1 });
  const made = String(split.json().data.ulid);
  const merged = await type('ticket', 'merge', made, '--into', ulid, '--json');
  expect(merged.json().data).toMatchObject({ ulid, message_count: 2 });
  expect((await type('ticket', 'split', ulid, '--message', 'nonsense')).code).toBe(1);
});

test('a ticket is split at one message alone', async () => {
  const ulid = await open();
  const said = await type('ticket', 'reply', ulid, '--body', 'Here it is.', '--json');
  await type('ticket', 'reply', ulid, '--body', 'And more.', '--json');
  const message = String((said.json().reply as { ulid: string }).ulid);
  const split = await type('ticket', 'split', ulid, '--message', message, '--only', '--json');
  expect(split.json().data).toMatchObject({ split_from: ulid, message_count: 1 });
  expect((await type('ticket', 'show', ulid, '--json')).json().data).toMatchObject({ message_count: 2 });
});

test('many tickets are changed, each with its result', async () => {
  const [one, two, closed] = [await open(), await open(), await open()];
  await type('ticket', 'set', closed, '--status', 'closed');
  const ran = await type('ticket', 'bulk', one, two, closed, '--status', 'pending', '--add-tags', 'vip,eu', '--json');
  expect(ran.code).toBe(1);
  expect(ran.json().data.map(({ ticket, status }) => [ticket, status])).toEqual([
    [one, 200],
    [two, 200],
    [closed, 409],
  ]);
  expect(await show(one)).toMatchObject({ status: 'pending', tags: ['vip', 'eu'] });
  expect((await show(closed)).tags).toEqual([]);
  const table = await type('ticket', 'bulk', one, two, '--remove-tags', 'eu', '--spam', 'yes');
  expect(table.code).toBe(0);
  expect(table.output).toContain('changed');
  expect(await show(two)).toMatchObject({ tags: ['vip'], is_spam: true });
  expect((await type('ticket', 'list', '--json')).json().data.map(({ ulid }) => ulid)).not.toContain(two);
  expect((await type('ticket', 'bulk', one, '99999', '--status', 'open')).code).toBe(3);
  expect((await type('ticket', 'bulk', one)).code).toBe(2);
  expect((await show(one)).status).toBe('pending');
});

test('a macro is made, listed, applied to many tickets and removed', async () => {
  const made = await type(
    ...['macro', 'create', '--name', 'Closing', '--body', 'Bye {{author.name}}', '--status', 'resolved', '--json'],
  );
  const { id, is_shared: isShared } = made.json().data;
  expect(isShared).toBe(true);
  expect((await type('macro', 'list')).output).toContain('Closing');
  const ulid = await open();
  expect((await type('ticket', 'bulk', ulid, '--macro', String(id))).code).toBe(0);
  const ticket = await show(ulid);
  expect(ticket.status).toBe('resolved');
  expect((ticket.messages as { body: string }[]).at(-1)?.body).toBe(`Bye Person ${opened}`);
  const wrong = await type('macro', 'create', '--name', 'Wrong', '--body', '{{nothing}}');
  expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('unknown variable {{nothing}}')]);
  const changed = await type('macro', 'update', String(id), '--name', 'Goodbye', '--add-tags', 'done', '--json');
  expect(changed.json().data).toMatchObject({ name: 'Goodbye', changes: { add_tags: ['done'] } });
  expect((await type('macro', 'delete', String(id))).code).toBe(2);
  expect((await type('macro', 'delete', String(id), '--yes')).code).toBe(0);
  expect((await type('macro', 'delete', String(id), '--yes')).code).toBe(3);
});
