// helpdesk outbox, and the delivery commands of helpdesk channel.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from '../outbox/receiver.ts';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
let receiver: Receiver;
let channel = '';
let opened = 0;
const open = (subject: string) =>
  type(
    'ticket',
    'open',
    '--site',
    'web-shop',
    '--email',
    // An address is acknowledged once an hour.
    `mia-${++opened}@example.org`,
    '--subject',
    subject,
    '--body',
    'Where is it?',
  );
const data = async (...argv: string[]) => (await type(...argv, '--json')).json().data;
const deliveries = (...more: string[]) => data('channel', 'deliveries', channel, '--site', 'web-shop', ...more);

beforeAll(async () => {
  process.env.HELPDESK_WEBHOOK_ALLOW = '127.0.0.1';
  receiver = await startReceiver();
  await type('site', 'create', '--name', 'Web shop');
  const words = ['--name', 'Hook', '--type', 'custom', '--url', receiver.url('/ok'), '--events', 'ticket.created'];
  channel = String((await data('channel', 'add', '--site', 'web-shop', ...words)).id);
});
afterAll(async () => {
  delete process.env.HELPDESK_WEBHOOK_ALLOW;
  await receiver.close();
  desk.remove();
});

test('what waits is listed, delivered by a run, and then no longer waits', async () => {
  await open('The invoice is missing');
  const waiting = await data('outbox', 'list');
  expect(waiting.map(({ event, status }) => `${event} ${status}`)).toEqual([
    'mail.acknowledgement queued',
    'ticket.created queued',
  ]);
  expect(waiting[0]).toMatchObject({ recipient: 'mia-1@example.org', request: null });
  expect(waiting[1]).toMatchObject({ channel_id: Number(channel), request: { url: receiver.url('/ok') } });
  expect(await data('outbox', 'run')).toEqual({ tries: 2, delivered: 2, retry: 0, failed: 0, queued: 0 } as never);
  expect((await type('outbox', 'run')).output).toBe('0 attempts; 0 still queued.\n');
  expect(receiver.received).toHaveLength(1);
  expect(readdirSync(join(desk.directory, 'data/mail')).filter((name) => name.endsWith('.eml'))).toHaveLength(1);
  expect(await data('outbox', 'list', '--mail', '--status', 'delivered')).toHaveLength(1);
  const [logged] = await deliveries();
  expect(logged).toMatchObject({
    status: 'delivered',
    attempts: [{ response_status: 200, response_excerpt: 'thank you' }],
  });
  expect(JSON.parse(String((logged?.request as { body: string } | undefined)?.body))).toEqual(
    JSON.parse(receiver.received[0]?.body ?? ''),
  );
});

test('a test is queued and tried once', async () => {
  const shown = await data('channel', 'test', channel, '--site', 'web-shop');
  expect(shown).toMatchObject({ event: 'channel.test', status: 'queued' });
  await type('outbox', 'run');
  expect((await deliveries('--limit', '1'))[0]).toMatchObject({ event: 'channel.test', status: 'delivered' });
});

test('a run says how its attempts ended, and where mail went without a mail server', async () => {
  await type('channel', 'update', channel, '--site', 'web-shop', '--url', receiver.url('/500'));
  await open('It fails');
  const ran = await type('outbox', 'run');
  expect(ran.output.split('\n')).toEqual([
    '2 attempts: 1 delivered, 1 to be retried; 1 still queued.',
    `No mail server is set, so mail that leaves through no mailbox was written to ${join(desk.directory, 'data/mail')} as .eml files.`,
    '',
  ]);
  expect((await type('outbox', 'run')).output).toBe('0 attempts; 1 still queued.\n');
  await type('channel', 'update', channel, '--site', 'web-shop', '--url', receiver.url('/ok'));
  for (const word of ['disable', 'enable']) await type('channel', word, channel, '--site', 'web-shop');
  expect((await type('outbox', 'run')).output).toBe('1 attempt: 1 delivered; 0 still queued.\n');
});

test('a desk whose address is an IPv6 address writes mail all the same', async () => {
  process.env.HELPDESK_BASE_URL = 'http://[::1]:8080';
  await open('Over IPv6');
  expect(await data('outbox', 'run')).toMatchObject({ delivered: 2, failed: 0 });
  delete process.env.HELPDESK_BASE_URL;
});

test('a run takes up what a process that died had in its hands', async () => {
  await open('Left behind');
  const database = new Database(join(desk.directory, 'data/helpdesk.db'));
  const inAnHour = Date.now() + 3_600_000;
  const ended = Bun.spawnSync(['true']).pid;
  database.run("UPDATE deliveries SET claimed_until = ?, claimed_by = ? WHERE status = 'queued' AND tries = 0", [
    inAnHour,
    `${hostname()}:${ended}`,
  ]);
  database.close();
  expect(await data('outbox', 'run')).toMatchObject({ delivered: 2 });
});

test('one delivery is shown with every attempt and its whole response, by its id or the ulid that the receiver saw', async () => {
  const [newest] = await deliveries('--limit', '1');
  for (const name of [String(newest?.id), String(newest?.ulid).toLowerCase()]) {
    expect(await deliveries(name)).toMatchObject({ id: newest?.id, attempts: [{ response_excerpt: 'thank you' }] });
    const { output } = await type('channel', 'deliveries', channel, name, '--site', 'web-shop');
    expect(output).toContain(receiver.url('/ok'));
    expect(output).toMatch(/attempt 1 {2}\S+Z {2}\d+ ms {2}200\nthank you\n$/);
  }
  const listed = await type('channel', 'deliveries', channel, '--site', 'web-shop', '--limit', '1');
  expect(listed.output).toMatch(/response +took/);
  expect(listed.output).toMatch(/200 thank you +\d+ ms/);
  for (const name of ['999999', 'x', '01J8ZQ4T5M7N8P9Q0R1S2T3V4W'])
    expect((await type('channel', 'deliveries', channel, name, '--site', 'web-shop')).code).toBe(3);
});

test('a rotated signing secret is shown only once, and both sign while the grace lasts', async () => {
  const rotated = await type('channel', 'rotate', channel, '--site', 'web-shop', '--grace', '5');
  expect(rotated.output).toMatch(/^The new signing secret of channel \d+, shown only once:\nwhsec_\S{44}\n$/);
  const secret = rotated.output.trim().split('\n').at(-1) ?? '';
  expect((await type('channel', 'list', '--site', 'web-shop', '--json')).output).not.toContain(secret);
  await type('channel', 'test', channel, '--site', 'web-shop');
  await type('outbox', 'run');
  const sent = receiver.received.at(-1);
  const headers = (sent?.headers ?? {}) as Record<string, string>;
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  expect(new Webhook(secret).verify(sent?.body ?? '', headers)).toMatchObject({ event: 'channel.test' });
  await type('channel', 'rotate', channel, '--site', 'web-shop');
  await type('channel', 'test', channel, '--site', 'web-shop');
  await type('outbox', 'run');
  expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1);
});

test('what failed in a stretch of time is sent again, and nothing from before it', async () => {
  await type('channel', 'update', channel, '--site', 'web-shop', '--url', receiver.url('/redirect'));
  await open('Lost');
  await type('outbox', 'run');
  expect(await deliveries('--status', 'failed')).toHaveLength(1);
  await type('channel', 'update', channel, '--site', 'web-shop', '--url', receiver.url('/ok'));
  const again = (...more: string[]) => data('channel', 'redeliver', channel, '--site', 'web-shop', ...more);
  expect(await again('--since', '2020-01-01', '--until', '2020-01-02')).toEqual({ requeued: 0 } as never);
  expect(await again('--since', '1h')).toEqual({ requeued: 1 } as never);
  await type('outbox', 'run');
  expect(await deliveries('--status', 'failed')).toHaveLength(0);
  const [newest] = await deliveries('--limit', '1');
  await again(String(newest?.id));
  expect((await deliveries('--status', 'queued')).map(({ id }) => id)).toEqual([newest?.id]);
  const refused = await type('channel', 'redeliver', channel, String(newest?.id), '--site', 'web-shop');
  expect([refused.code, refused.output]).toEqual([1, '']);
  expect((await type('channel', 'redeliver', channel, '99999', '--site', 'web-shop')).code).toBe(3);
  expect((await type('channel', 'redeliver', channel, '--site', 'web-shop')).code).toBe(2);
  await type('outbox', 'run');
});

test('what is done is forgotten when it is old enough, and not without asking', async () => {
  expect((await type('outbox', 'purge')).code).toBe(2);
  expect(await data('outbox', 'purge', '--yes')).toEqual({ deliveries: 0, tries: 0 } as never);
  const before = await deliveries();
  const forgotten = (await data('outbox', 'purge', '--older-than', '0m', '--yes')) as unknown as { deliveries: number };
  expect(forgotten.deliveries).toBe(before.length);
  expect(await deliveries()).toHaveLength(0);
  expect(await data('outbox', 'list', '--mail', '--status', 'all')).not.toHaveLength(0);
});

test('an address that is not public and not allowed is refused when it is configured', async () => {
  process.env.HELPDESK_WEBHOOK_ALLOW = '127.0.0.2';
  const refused = await type('channel', 'update', channel, '--site', 'web-shop', '--url', 'http://127.0.0.1:9/x');
  process.env.HELPDESK_WEBHOOK_ALLOW = '127.0.0.1';
  expect([refused.code, refused.output]).toEqual([1, '']);
  expect(refused.errors).toContain('HELPDESK_WEBHOOK_ALLOW');
});

test.each([
  [['channel', 'update', '1'], 2, 'Nothing to change'],
  [
    ['channel', 'update', '1', '--url', 'http://10.0.0.1/'],
    1,
    'webhook_url: The webhook url field is refused: 10.0.0.1 is',
  ],
  [['channel', 'redeliver', '1', '--since', '1h', '--until', '2h'], 2, '--until is before --since'],
  [['channel', 'redeliver', '1', '1', '--until', '2h'], 2, '--until needs --since'],
  [['channel', 'redeliver', '1', '--since', 'yesterday'], 2, 'not "yesterday"'],
  [['channel', 'deliveries', '1', '--limit', '0'], 2, '--limit must be at least 1'],
  [['channel', 'deliveries', '1', '--status', 'lost'], 2, 'queued, delivered or failed'],
  [['channel', 'rotate', '1', '--grace', 'soon'], 2, '--grace must be a whole number'],
  [['channel', 'rotate', '99'], 3, 'No such webhook channel.'],
  [['channel', 'test', 'team'], 2, 'The id must be a whole number'],
])('%p is refused in one sentence', async (argv, code, sentence) => {
  const refused = await type(...argv, '--site', 'web-shop');
  expect(refused.errors).toContain(sentence);
  expect(refused.errors.trim().split('\n')).toHaveLength(1);
  expect(refused.errors.split(sentence)).toHaveLength(2);
  expect([refused.code, refused.output]).toEqual([code, '']);
});

test('a name that does not exist may be configured, and is told', async () => {
  const words = ['--name', 'Typo', '--type', 'custom', '--events', 'ticket.created'];
  const added = await type('channel', 'add', '--site', 'web-shop', ...words, '--url', 'https://hook.invalid/x');
  expect(added.code).toBe(0);
  expect(added.output).toContain('hook.invalid cannot be reached now: its name');
});

test('what is queued again for a disabled channel says that it waits', async () => {
  await type('channel', 'disable', channel, '--site', 'web-shop');
  await open('Held');
  await type('outbox', 'run');
  const [held] = await deliveries('--limit', '1', '--status', 'queued');
  expect(held).toMatchObject({ event: 'ticket.created', attempts: [] });
  await type('channel', 'enable', channel, '--site', 'web-shop');
  await type('outbox', 'run');
  await type('channel', 'disable', channel, '--site', 'web-shop');
  const again = await type('channel', 'redeliver', channel, String(held?.id), '--site', 'web-shop');
  expect(again.output).toContain(`nothing is sent until \`helpdesk channel enable ${channel} --site web-shop\``);
  await type('channel', 'enable', channel, '--site', 'web-shop');
});

test('a state or a site that is none is refused', async () => {
  expect((await type('outbox', 'list', '--status', 'lost')).code).toBe(2);
  expect((await type('outbox', 'list', '--site', 'nowhere')).code).toBe(3);
});

test('what failed leaves again, all or one by its id', async () => {
  await type('channel', 'update', channel, '--site', 'web-shop', '--url', receiver.url('/410'));
  await open('It is gone');
  await type('outbox', 'run');
  const [failed] = await data('outbox', 'list', '--status', 'failed', '--limit', '1');
  expect(failed?.event).toBe('ticket.created');
  const id = String(failed?.id);
  expect(await data('outbox', 'retry', id)).toEqual({ requeued: 1 } as never);
  expect((await deliveries('--status', 'queued')).map((one) => String(one.id))).toContain(id);
  expect((await type('outbox', 'retry', '--status', 'failed', '--since', '1ms')).code).not.toBe(0);
  expect((await type('outbox', 'retry', '999999')).code).not.toBe(0);
  expect((await data('outbox', 'retry')) as never).toHaveProperty('requeued');
});
