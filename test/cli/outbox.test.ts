// helpdesk outbox, and the delivery commands of helpdesk channel.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Receiver, startReceiver } from '../outbox/receiver.ts';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
let receiver: Receiver;
let channel = '';
const open = (subject: string) =>
  type(
    'ticket',
    'open',
    '--site',
    'web-shop',
    '--email',
    'mia@example.org',
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

test('what waits is listed, delivered by a run, and then waits no more', async () => {
  await open('The invoice is missing');
  const waiting = await data('outbox', 'list');
  expect(waiting.map(({ event, status }) => `${event} ${status}`)).toEqual([
    'mail.acknowledgement queued',
    'ticket.created queued',
  ]);
  expect(waiting[0]).toMatchObject({ recipient: 'mia@example.org', request: null });
  expect(waiting[1]).toMatchObject({ channel_id: Number(channel), request: { url: receiver.url('/ok') } });
  expect(await data('outbox', 'run')).toEqual({ tries: 2, queued: 0 } as never);
  expect((await type('outbox', 'run')).output).toBe('0 tries were made; 0 still in the outbox.\n');
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

test('a state or a site that is none is refused', async () => {
  expect((await type('outbox', 'list', '--status', 'lost')).code).toBe(2);
  expect((await type('outbox', 'list', '--site', 'nowhere')).code).toBe(3);
});
