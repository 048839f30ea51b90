// The dispatcher against real receivers: how it handles each kind of answer, in which order, beside whom, and when it
// sleeps.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { letGo, takeDue } from '../../src/desk/outbox/attempts.ts';
import { channels, rotateSigningSecret } from '../../src/desk/outbox/channels.ts';
import { redeliver, testChannel } from '../../src/desk/outbox/log.ts';
import { addParticipant, removeParticipant } from '../../src/desk/tickets/participants.ts';
import { replyAsAgent } from '../../src/desk/tickets/replies.ts';
import { splitTicket } from '../../src/desk/tickets/split-ticket.ts';
import { openTicketAsAgent } from '../../src/desk/tickets/tickets.ts';
import { agentTicketInput } from '../../src/domain/input/tickets.ts';
import { mostOnSite } from '../../src/domain/sites/limits.ts';
import { query } from '../../src/engine/database.ts';
import { createDispatcher, type Dispatcher, takeUp } from '../../src/outbox/dispatcher.ts';
import { messagesOfTicket } from '../../src/store/tickets/messages.ts';
import { fixedClock } from '../support/clock.ts';
import { type Receiver, startRawReceiver, startReceiver } from './receiver.ts';
import { type SendingDesk, type Settings, sendingDesk, until } from './sending.ts';

async function startDispatcher(options: Parameters<typeof createDispatcher>[0]): Promise<Dispatcher> {
  const dispatcher = createDispatcher(options);
  const { desk } = options;
  await takeUp(desk);
  desk.writer.onCommit(dispatcher.wake);
  dispatcher.wake();
  return dispatcher;
}

const start = Date.UTC(2026, 8, 11, 9, 30);
const open: (() => Promise<unknown>)[] = [];
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  for (const close of open.splice(0).reverse()) await close();
});

async function sending(settings: Settings = {}): Promise<SendingDesk> {
  const made = await sendingDesk(settings);
  open.push(made.close);
  return made;
}

async function started(made: SendingDesk): Promise<Dispatcher> {
  const dispatcher = await startDispatcher(made.options);
  open.push(() => dispatcher.stop());
  return dispatcher;
}

/** A receiver that a test can turn on and off, and that can take its time. */
async function switchable(answer: (body: Record<string, unknown>, response: ServerResponse) => void) {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      bodies.push(body);
      answer(body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, bodies };
}

test('a channel hears who takes part in a ticket, and of every change of it', async () => {
  const made = await sending();
  await made.channel(receiver.url('/ok'), ['ticket.replied', 'ticket.participants_changed']);
  const ticket = await made.open();
  const ctx = made.desk.context({ kind: 'command_line' }, 'test');
  const bo = { email: 'bo@example.org', name: 'Bo Berg' };
  const add = (person: { email: string; name: string | null }) =>
    made.desk.write((tx) => addParticipant(tx, ctx, ticket.id, person).participant.id);
  const id = await add(bo);
  await add({ email: 'cy@example.org', name: null });
  await made.desk.write((tx) => removeParticipant(tx, ctx, ticket.id, id));
  await add(bo);
  await made.desk.write((tx) => removeParticipant(tx, ctx, ticket.id, id));
  await made.answer(ticket);
  await made.dispatcher().runDue();
  const told = receiver.received.map(({ body }) => JSON.parse(body).metadata);
  const none = { added: [], back: [], removed: [], paused: [], left_out: 0 };
  expect(told).toMatchObject([
    { ...none, added: [bo] },
    { ...none, added: [{ email: 'cy@example.org', name: null }] },
    { ...none, removed: [bo] },
    { ...none, back: [bo] },
    { ...none, removed: [bo] },
    { is_admin_reply: true },
  ]);
  // Who takes part when it is sent.
  for (const { participants } of told) expect(participants).toEqual([{ email: 'cy@example.org', name: null }]);
});

test('a channel hears of a ticket that begins with a note, without the note', async () => {
  const made = await sending();
  await made.channel(receiver.url('/ok'), ['ticket.created']);
  const ctx = made.desk.context({ kind: 'command_line' }, 'test');
  const input = { site_id: made.site.id, email: 'mia@example.org', subject: 'A call', message: 'She was angry.' };
  const note = await made.desk.write((tx) =>
    openTicketAsAgent(tx, ctx, agentTicketInput.parse({ ...input, notify_author: false, source: 'agent' })),
  );
  const ticket = await made.open();
  for (const body of ['She is a key account.', 'Public.'])
    await made.desk.write((tx) => replyAsAgent(tx, ctx, ticket.id, { body, is_internal: body !== 'Public.' }));
  const [, first] = made.desk.read((tx) => messagesOfTicket(tx, ticket.id));
  const split = await made.desk.write((tx) => splitTicket(tx, ctx, ticket.id, { message: first?.ulid ?? '' }));
  await made.dispatcher().runDue();
  const told = receiver.received
    .map(({ body }) => JSON.parse(body))
    .sort((one, other) => one.metadata.ticket_id - other.metadata.ticket_id);
  expect(told.map(({ body, metadata }) => [metadata.ticket_id, body, metadata.message_ulid === null])).toEqual([
    [note.ticket.id, '', true],
    [ticket.id, 'The button does nothing.', false],
    [split.id, 'Public.', false],
  ]);
  expect(told[0].metadata).toMatchObject({ is_admin_reply: false, agent_name: null, author_name: 'Mia Jansen' });
});

describe('one try', () => {
  async function outcomeOf(url: string, timeoutMs = 30_000) {
    const clock = fixedClock(start);
    const made = await sending({ clock, timeoutMs, retryDelaysMs: [60_000] });
    await made.channel(url, ['ticket.created']);
    await made.open();
    await made.dispatcher().runDue();
    const [row] = made.sent();
    const attempt = made.desk.read((tx) =>
      query<{ response_status: number | null; response_excerpt: string; error: string | null }>(
        tx,
        'SELECT response_status, response_excerpt, error FROM delivery_attempts WHERE delivery_id = ?',
      ).get(row?.id ?? 0),
    );
    const waitsMs = row?.next_at == null ? null : row.next_at - start;
    return { status: row?.status, waitsMs, ...attempt, channel: made.channelRow(row?.channel_id ?? 0) };
  }
  const between = (from: number, to: number) => (value: number | null) =>
    value !== null && value >= from && value <= to;
  const soon = between(48_000, 72_000);

  test('200 is delivered, with what was answered', async () => {
    const { status, response_excerpt, error, channel } = await outcomeOf(receiver.url('/ok'));
    expect({ status, response_excerpt, error }).toEqual({
      status: 'delivered',
      response_excerpt: 'thank you',
      error: null,
    });
    expect(channel).toMatchObject({ consecutive_failures: 0, last_delivery_at: start, last_success_at: start });
  });

  test('500 is tried again about a minute later', async () => {
    const { status, waitsMs, response_status } = await outcomeOf(receiver.url('/500'));
    expect({ status, response_status }).toEqual({ status: 'queued', response_status: 500 });
    expect(waitsMs).toSatisfy(soon);
  });

  test('429 is tried again when it asks for it', async () => {
    expect(await outcomeOf(receiver.url('/429'))).toMatchObject({
      status: 'queued',
      waitsMs: 120_000,
      response_status: 429,
    });
  });

  test('410 is final and disables the channel', async () => {
    const { status, channel } = await outcomeOf(receiver.url('/410'));
    expect(status).toBe('failed');
    expect(channel).toMatchObject({ is_active: 0, disabled_reason: 'The receiver answered 410 Gone.' });
  });

  test('a redirect is final and not followed', async () => {
    expect(await outcomeOf(receiver.url('/redirect'))).toMatchObject({ status: 'failed', response_status: 307 });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/redirect']);
  });

  test('no answer at all is tried again', async () => {
    const { status, waitsMs, error } = await outcomeOf(receiver.url('/nothing'), 200);
    expect({ status, error }).toEqual({ status: 'queued', error: 'no answer within 0.2 s' });
    expect(waitsMs).toSatisfy(soon);
  });

  test('a connection that is refused is tried again', async () => {
    // No one listens there.
    expect(await outcomeOf('http://127.0.0.1:1/ok')).toMatchObject({ status: 'queued', error: 'connection refused' });
  });

  test('half a head is no answer, half a body is one', async () => {
    const head = await startRawReceiver((socket) => socket.end('HTTP/1.1 20'));
    const body = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    open.push(head.close, body.close);
    expect(await outcomeOf(head.url)).toMatchObject({ status: 'queued', response_status: null });
    expect(await outcomeOf(body.url)).toMatchObject({ status: 'delivered', response_excerpt: 'half' });
  });

  test('an answer that never ends, or is 100 MB long, is cut at 2 KiB and counts by its status', async () => {
    for (const length of ['Transfer-Encoding: chunked', 'Content-Length: 104857600']) {
      const endless = await startRawReceiver((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n`);
        const chunk = length.startsWith('T') ? `1000\r\n${'x'.repeat(4096)}\r\n` : 'x'.repeat(65_536);
        const more = () => {
          while (!socket.destroyed && socket.write(chunk));
        };
        socket.on('drain', more);
        more();
      });
      open.push(endless.close);
      const { status, response_excerpt } = await outcomeOf(endless.url);
      expect({ status, length: response_excerpt?.length }).toEqual({ status: 'delivered', length: 2048 });
      await until(() => endless.openSockets() === 0);
    }
  });

  test('an address that is not allowed is never connected to', async () => {
    const clock = fixedClock(start);
    const made = await sending({ clock, allow: '' });
    await made.channel(receiver.url('/ok'), ['ticket.created']);
    await made.open();
    await made.dispatcher().runDue();
    expect(made.sent()[0]).toMatchObject({
      status: 'failed',
      last_error: expect.stringContaining('HELPDESK_WEBHOOK_ALLOW'),
    });
    expect(receiver.received).toEqual([]);
  });
});

describe('a delivery', () => {
  test('is signed so that a Standard Webhooks library takes it, also by the secret before this one', async () => {
    const made = await sending();
    const { id, secret } = await made.channel(receiver.url('/ok'));
    const ctx = () => made.desk.context({ kind: 'command_line' }, 'test');
    const second = await made.desk.write((tx) => rotateSigningSecret(tx, ctx(), 'web-shop', id, 60).signingSecret);
    await made.open();
    await made.dispatcher().runDue();
    const { body, headers } = receiver.received[0]!;
    for (const each of [secret, second])
      expect(new Webhook(each).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    const byHand = createHmac('sha256', second).update(body).digest('hex');
    expect(headers['x-helpdesk-signature']).toBe(`sha256=${byHand}`);
    expect(headers['webhook-signature']?.toString().split(' ')).toHaveLength(2);
    expect(JSON.parse(body)).toMatchObject({ event: 'ticket.created', id: made.sent()[0]?.ulid });
  });

  test('names its headers by the prefix of its channel', async () => {
    const made = await sending();
    const { id } = await made.channel(receiver.url('/ok'));
    const ctx = () => made.desk.context({ kind: 'command_line' }, 'test');
    await made.desk.write((tx) => {
      channels.change(tx, ctx(), 'web-shop', id, { header_prefix: 'X-Escalated' }, null);
      return null;
    });
    await made.open();
    await made.dispatcher().runDue();
    const { headers } = receiver.received[0]!;
    expect(headers).toMatchObject({
      'x-escalated-event': 'ticket.created',
      'x-escalated-delivery': made.sent()[0]?.ulid,
      'x-escalated-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('x-helpdesk'))).toEqual([]);
  });

  test('keeps its id over its tries and when it is sent again', async () => {
    const made = await sending({ retryDelaysMs: [5, 5] });
    let answers = 0;
    const flaky = await switchable((_body, response) => {
      answers += 1;
      response.writeHead(answers === 3 ? 200 : 503).end();
    });
    const { id } = await made.channel(flaky.url, ['ticket.created']);
    await made.open();
    await started(made);
    await until(() => made.sent()[0]?.status === 'delivered');
    const [row] = made.sent();
    await made.desk.write((tx) =>
      redeliver(tx, made.desk.context({ kind: 'command_line' }, 'test'), 'web-shop', id, `${row?.id}`),
    );
    await until(() => flaky.bodies.length === 4);
    expect(new Set(flaky.bodies.map((body) => body.id))).toEqual(new Set([row?.ulid]));
    expect(flaky.bodies.every((body) => JSON.stringify(body) === JSON.stringify(flaky.bodies[0]))).toBe(true);
  });

  test('that cannot be composed fails for good, and what comes after it goes out', async () => {
    const made = await sending();
    const broken = await made.channel(receiver.url('/ok'), ['ticket.created']);
    const whole = await made.channel(receiver.url('/ok'), ['ticket.created']);
    await made.desk.write((tx) => {
      query(tx, "UPDATE channels SET signing_secret_sealed = 'nonsense' WHERE id = ?").run(broken.id);
      return null;
    });
    await made.open();
    await made.dispatcher().runDue();
    const byChannel = Object.fromEntries(made.sent().map((row) => [row.channel_id, row]));
    expect(byChannel[broken.id]).toMatchObject({
      status: 'failed',
      last_error: 'The message could not be composed.',
      attempts: 1,
    });
    expect(byChannel[whole.id]).toMatchObject({ status: 'delivered' });
  });

  test('as a test is tried once, and says so in the log', async () => {
    const made = await sending();
    const { id } = await made.channel(receiver.url('/500'));
    await made.enable(id, false);
    await made.desk.write((tx) => testChannel(tx, made.desk.context({ kind: 'command_line' }, 'test'), 'web-shop', id));
    await made.dispatcher().runDue();
    expect(made.sent()).toMatchObject([{ event: 'channel.test', status: 'failed', attempts: 1 }]);
    expect(made.channelRow(id)).toMatchObject({ consecutive_failures: 0 });
    expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject({ event: 'channel.test' });
  });
});

test('a receiver that is down for longer than all retries gets everything, in order, after it is enabled again', async () => {
  const made = await sending({ retryDelaysMs: [3, 3, 3] });
  let isUp = false;
  const flaky = await switchable((_body, response) => response.writeHead(isUp ? 204 : 503).end());
  const { id } = await made.channel(flaky.url, ['ticket.created', 'ticket.replied', 'ticket.status_changed']);
  await started(made);
  const tickets = [];
  for (let turn = 0; turn < 5; turn += 1) tickets.push(await made.open(`Ticket ${turn}`));
  const first = tickets[0]!;
  for (let turn = 0; turn < 6; turn += 1) await made.reply(first, `reply ${turn}`);
  await until(() => made.channelRow(id).is_active === 0);
  expect(made.sent().filter(({ status }) => status === 'failed').length).toBeGreaterThanOrEqual(10);
  expect(made.sent("event = 'mail.channel_disabled'")).toEqual([]);
  for (let turn = 6; turn < 9; turn += 1) await made.reply(first, `reply ${turn}`);
  const tries = flaky.bodies.length;
  isUp = true;
  await made.enable(id);
  await until(() => made.sent().every(({ status }) => status === 'delivered'));
  const got = flaky.bodies.slice(tries) as {
    id: string;
    event: string;
    body: string;
    metadata: { ticket_id: number };
  }[];
  expect(new Set(got.map((each) => each.id))).toEqual(new Set(made.sent().map(({ ulid }) => ulid)));
  for (const ticket of tickets) {
    const ids = got.filter(({ metadata }) => metadata.ticket_id === ticket.id).map((each) => each.id);
    expect(ids).toEqual(made.sent(`channel_id = ${id} AND ticket_id = ${ticket.id}`).map(({ ulid }) => ulid));
  }
});

test('a ticket is told in order, whatever the concurrency and however tries end; other tickets do not wait', async () => {
  const made = await sending({ retryDelaysMs: [5, 5, 5] });
  let isFirst = true;
  const seen = new Map<number, string[]>();
  let under = 0;
  let most = 0;
  const flaky = await switchable((body, response) => {
    const { ticket_id: ticket } = body.metadata as { ticket_id: number };
    under += 1;
    most = Math.max(most, under);
    const isRefused = !isFirst && Math.random() < 0.2;
    isFirst = false;
    setTimeout(
      () => {
        under -= 1;
        if (!isRefused) seen.set(ticket, [...(seen.get(ticket) ?? []), String(body.id)]);
        response.writeHead(isRefused ? 503 : 200).end();
      },
      1 + Math.random() * 4,
    );
  });
  await made.channel(flaky.url, ['ticket.created', 'ticket.replied']);
  await started(made);
  const tickets = await Promise.all(Array.from({ length: 20 }, (_, at) => made.open(`Ticket ${at}`)));
  for (let turn = 0; turn < 10; turn += 1) await Promise.all(tickets.map((ticket) => made.reply(ticket)));
  await until(() => made.sent().every(({ status }) => status !== 'queued'));
  for (const ticket of tickets) {
    const expected = made.sent(`ticket_id = ${ticket.id} AND channel_id IS NOT NULL AND status = 'delivered'`);
    expect(seen.get(ticket.id)).toEqual(expected.map(({ ulid }) => ulid));
  }
  expect(made.sent()).toHaveLength(220);
  expect(most).toBeGreaterThan(2);
  expect(most).toBeLessThanOrEqual(8);
});

test('channels that never answer do not delay one that works', async () => {
  const made = await sending({ timeoutMs: 60_000 });
  for (let at = 1; at < mostOnSite['webhook channel']; at += 1)
    await made.channel(receiver.url('/nothing'), ['ticket.created']);
  const healthy = await made.channel(receiver.url('/ok'), ['ticket.created']);
  const dispatcher = await started(made);
  for (let turn = 0; turn < 10; turn += 1) {
    await made.open(`Ticket ${turn}`);
    const count = () => made.sent(`channel_id = ${healthy.id} AND status = 'delivered'`).length;
    await until(() => count() > turn);
  }
  // All of them still wait for their first answer.
  const others = made.sent(`channel_id <> ${healthy.id} AND channel_id IS NOT NULL`);
  expect(new Set(others.map(({ status, attempts }) => `${status} ${attempts}`))).toEqual(new Set(['queued 0']));
  await receiver.close();
  await dispatcher.stop();
});

test('a channel whose try failed is left alone for a while, and one that asked for patience longer', async () => {
  const count = (path: string) => receiver.received.filter((each) => each.path === path).length;
  const busy = async (firstDelayMs: number) => {
    const made = await sending({ retryDelaysMs: [firstDelayMs] });
    for (const path of ['/500', '/429', '/ok']) await made.channel(receiver.url(path), ['ticket.created']);
    await started(made);
    await Promise.all(Array.from({ length: 50 }, (_, at) => made.open(`Ticket ${at}`)));
  };
  // A tenth of an hour.
  await busy(3_600_000);
  await until(() => count('/ok') === 50 && count('/500') > 0 && count('/429') > 0);
  expect([count('/500'), count('/429')]).toEqual([1, 1]);
  // A tenth of a second: then the next one is tried.
  await busy(1_000);
  await until(() => count('/500') > 4);
  expect(count('/429')).toBe(2);
});

describe('two dispatchers on one database', () => {
  test('never send the same row twice while both live', async () => {
    const made = await sending();
    await made.channel(receiver.url('/ok'), ['ticket.created']);
    const tickets = await Promise.all(Array.from({ length: 300 }, (_, at) => made.open(`Ticket ${at}`)));
    const other = made.secondDesk();
    await Promise.all([made.dispatcher().runDue(), made.dispatcher({ desk: other }).runDue()]);
    const ids = receiver.received.map(({ headers }) => headers['x-helpdesk-delivery']);
    expect(ids).toHaveLength(tickets.length);
    expect(new Set(ids).size).toBe(tickets.length);
    expect(made.sent().every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(true);
    expect(other.writer.batches.steps).toBeGreaterThan(0);
  });

  test('one that starts leaves alone what another, living one has in its hands, and takes what a dead one had', async () => {
    const made = await sending();
    await made.channel(receiver.url('/ok'), ['ticket.created']);
    await made.open('in living hands');
    await made.open('in dead hands');
    const lane = made.sent()[0]?.channel_id ?? 0;
    const claim = (by: string) =>
      made.desk.write((tx) =>
        takeDue(tx, made.desk.context({ kind: 'command_line' }, 'test'), lane, 1, { by, ms: 3_600_000 }),
      );
    const { hostname } = await import('node:os');
    const living = await claim(`${hostname()}:${process.ppid}:1`);
    await claim(`${hostname()}:4000000:1`);
    await started(made);
    await until(() => made.sent()[1]?.status === 'delivered');
    expect(receiver.received).toHaveLength(1);
    await made.desk.write((tx) => letGo(tx, living));
    await until(() => made.sent()[0]?.status === 'delivered');
  });
});

describe('sleeping', () => {
  /** Counts the reads of the dispatcher's desk. */
  function counted(made: SendingDesk) {
    let reads = 0;
    const desk = Object.create(made.desk) as typeof made.desk;
    desk.read = (reading) => {
      reads += 1;
      return made.desk.read(reading);
    };
    return { dispatcher: made.dispatcher({ desk }), reads: () => reads };
  }

  test('nothing is read while nothing is due and no one wakes it', async () => {
    const made = await sending({ retryDelaysMs: [60_000] });
    await made.channel(receiver.url('/500'), ['ticket.created']);
    await made.open();
    const { dispatcher, reads } = counted(made);
    await dispatcher.runDue();
    const ran = reads();
    // The check that the end of the last attempt asked for, and its end.
    await until(() => reads() > ran);
    await dispatcher.runDue();
    const before = reads();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(reads()).toBe(before);
  });

  test('a retry comes when it is due, without being woken', async () => {
    const made = await sending({ retryDelaysMs: [150] });
    await made.channel(receiver.url('/500'), ['ticket.created']);
    await made.open();
    await made.dispatcher().runDue();
    await until(() => receiver.received.length === 2);
  });

  test('many commits in a moment are few looks', async () => {
    const made = await sending();
    const { dispatcher, reads } = counted(made);
    for (let turn = 0; turn < 200; turn += 1) dispatcher.wake();
    await until(() => reads() > 0);
    expect(reads()).toBe(1);
  });
});

test('what was claimed ahead is held when the channel is disabled, and given back when it begins to fail', async () => {
  const made = await sending({ retryDelaysMs: [60_000] });
  let answers = 0;
  const turning = await switchable((_body, response) => {
    answers += 1;
    response.writeHead(answers > 30 ? 503 : 200).end();
  });
  const { id } = await made.channel(turning.url, ['ticket.created']);
  await Promise.all(Array.from({ length: 120 }, (_, at) => made.open(`Ticket ${at}`)));
  await started(made);
  await until(() => answers > 30);
  await made.enable(id, false);
  await new Promise((resolve) => setTimeout(resolve, 60));
  const claimed = () => made.sent(`channel_id = ${id} AND claimed_until > 0`).length;
  await until(() => claimed() === 0);
  expect(answers).toBeLessThan(50);
  const tries = made.sent().reduce((sum, { attempts }) => sum + attempts, 0);
  expect(tries).toBe(answers);
});

describe('stopping', () => {
  test('waits for what is in flight, records it, and takes nothing more', async () => {
    const made = await sending({ timeoutMs: 5_000 });
    let answer: (() => void) | undefined;
    const slow = await switchable((_body, response) => {
      answer ??= () => response.end();
    });
    await made.channel(slow.url, ['ticket.created']);
    const dispatcher = await started(made);
    await made.open('in flight');
    await until(() => answer !== undefined);
    await made.open('not begun');
    const stopped = dispatcher.stop();
    answer?.();
    await stopped;
    expect(made.sent().map(({ status, attempts }) => ({ status, attempts }))).toEqual([
      { status: 'delivered', attempts: 1 },
      { status: 'queued', attempts: 0 },
    ]);
    expect(made.desk.read((tx) => query(tx, 'SELECT 1 FROM deliveries WHERE claimed_until > 0').all())).toEqual([]);
  });

  test('in the middle of a claim gives it back', async () => {
    const made = await sending();
    await made.channel(receiver.url('/ok'), ['ticket.created']);
    await made.open();
    const dispatcher = made.dispatcher();
    const run = dispatcher.runDue();
    await dispatcher.stop();
    await run;
    expect(receiver.received).toEqual([]);
    expect(made.sent()[0]).toMatchObject({ status: 'queued', attempts: 0 });
    expect(made.desk.read((tx) => query(tx, 'SELECT 1 FROM deliveries WHERE claimed_until > 0').all())).toEqual([]);
  });
});
