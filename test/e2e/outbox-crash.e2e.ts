// kill -9 under load: every acknowledged change is notified at least once, none is invented, each mail is written once.

import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { helpdesk, newDirectory, serve, siteAndToken, unlimited } from './executable.ts';

const { path, remove } = newDirectory();
interface Told {
  id: string;
  event: string;
  metadata: { ticket_ulid: string; message_ulid?: string };
}
const told: Told[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const body = (await request.json()) as Told;
    // Some fail, so that retries are in progress when the process dies.
    if (told.length % 7 === 6) {
      told.push({ ...body, event: 'refused' });
      return new Response('later', { status: 503 });
    }
    told.push(body);
    return new Response('thank you');
  },
});
afterAll(() => {
  receiver.stop(true);
  remove();
});

const environment = {
  ...unlimited,
  HELPDESK_WEBHOOK_ALLOW: '127.0.0.1',
  HELPDESK_WEBHOOK_RETRY_DELAYS: '100ms,100ms,100ms,100ms,100ms,100ms',
};
let opened = 0;
const acknowledged = { tickets: new Set<string>(), replies: new Set<string>(), answers: new Set<string>() };

const openedTicket = z.object({ ticket: z.object({ ulid: z.string() }), access_token: z.string() });
const said = z.object({ reply: z.object({ ulid: z.string() }) });

async function load(url: string, siteToken: string, teamToken: string, worker: number, isOver: () => boolean) {
  const post = async (target: string, headers: Record<string, string>, body: object) => {
    const response = await fetch(`${url}${target}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return response.status === 201 ? ((await response.json()) as unknown) : null;
  };
  const site = { 'X-Site-Token': siteToken };
  for (let turn = 0; !isOver(); turn += 1) {
    try {
      const answered = await post('/api/v1/public/tickets', site, {
        // An address is acknowledged once an hour.
        email: `w${++opened}@example.org`,
        subject: `Load ${worker}/${turn}`,
        message: 'It does not work.',
      });
      if (!answered) continue;
      const { ticket, access_token } = openedTicket.parse(answered);
      const { ulid } = ticket;
      acknowledged.tickets.add(ulid);
      const reply = await post(`/api/v1/public/tickets/${ulid}/messages?access_token=${access_token}`, site, {
        body: 'Still not.',
      });
      if (reply) acknowledged.replies.add(said.parse(reply).reply.ulid);
      if (turn % 2 === 1) continue;
      const answer = await post(
        `/api/v1/tickets/${ulid}/messages`,
        { Authorization: `Bearer ${teamToken}` },
        { body: 'Now it does.' },
      );
      if (answer) acknowledged.answers.add(said.parse(answer).reply.ulid);
    } catch (error) {
      // The process was killed during this request: without an answer, it may or may not be stored.
      if (!isOver()) await Bun.sleep(1);
      if (!(error instanceof Error)) throw error;
    }
  }
}

const folder = () => join(path, 'data/mail');
const messageIds = () =>
  readdirSync(folder())
    .filter((name) => name.endsWith('.eml'))
    .map((name) => /^Message-ID: (<.+>)\r$/im.exec(readFileSync(join(folder(), name), 'utf8'))?.[1] ?? name);

test('six times over', async () => {
  let tokens = { siteToken: '', teamToken: '' };
  for (let round = 0; round < 6; round += 1) {
    const running = await serve(path, environment);
    if (round === 0) {
      tokens = await siteAndToken(path);
      const added = await fetch(`${running.url}/api/v1/sites/web-shop/webhook-channels`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tokens.teamToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          name: 'Hook',
          type: 'custom',
          webhook_url: `http://127.0.0.1:${receiver.port}/`,
          events: ['ticket.created', 'ticket.replied'],
        }),
      });
      expect(added.status).toBe(201);
    }
    let isOver = false;
    const { siteToken, teamToken } = tokens;
    const workers = Array.from({ length: 6 }, (_, worker) =>
      load(running.url, siteToken, teamToken, worker, () => isOver),
    );
    await Bun.sleep(400 + round * 110);
    isOver = true;
    running.signal('SIGKILL');
    await running.exited;
    await Promise.all(workers);
  }
  expect(acknowledged.tickets.size).toBeGreaterThan(50);
  expect(acknowledged.answers.size).toBeGreaterThan(20);

  // It continues with what was left, without being told.
  const running = await serve(path, environment);
  const headers = { Authorization: `Bearer ${tokens.teamToken}` };
  const ask = async (target: string) => (await (await fetch(`${running.url}${target}`, { headers })).json()) as Listed;
  interface Listed {
    data: { ulid: string }[];
    meta: { total: number; next_cursor: string | null };
  }
  const log = '/api/v1/sites/web-shop/webhook-channels/1/deliveries';
  while ((await ask(`${log}?status=queued&per_page=1`)).meta.total > 0) await Bun.sleep(50);
  const waiting = async () => (await helpdesk(path, ['outbox', 'list', '--limit', '1', '--json'])).json().meta.total;
  while ((await waiting()) > 0) await Bun.sleep(100);
  expect((await ask(`${log}?status=failed&per_page=1`)).meta.total).toBe(0);

  const thanked = told.filter(({ event }) => event !== 'refused');
  const toldTickets = new Set(
    thanked.filter(({ event }) => event === 'ticket.created').map((each) => each.metadata.ticket_ulid),
  );
  const toldMessages = new Set(
    thanked.filter(({ event }) => event === 'ticket.replied').map((each) => each.metadata.message_ulid),
  );
  expect([...acknowledged.tickets].filter((ulid) => !toldTickets.has(ulid))).toEqual([]);
  expect([...acknowledged.replies, ...acknowledged.answers].filter((ulid) => !toldMessages.has(ulid))).toEqual([]);

  // None is invented: each notified ticket exists, and each row was sent under one id.
  for (const ulid of toldTickets) {
    const found = await fetch(`${running.url}/api/v1/tickets/${ulid}`, { headers });
    expect(found.status, ulid).toBe(200);
    await found.body?.cancel();
  }
  const ids = new Map<string, string>();
  for (const { id, metadata } of told) {
    const about = `${metadata.ticket_ulid} ${metadata.message_ulid}`;
    expect(ids.get(id) ?? about).toBe(about);
    ids.set(id, about);
  }
  expect((await ask(`${log}?per_page=1`)).meta.total).toBe(ids.size);

  // A later stop and start send no mail again: one complete file for each row.
  running.signal('SIGTERM');
  expect(await running.exited).toBe(0);
  const before = messageIds();
  const toldBefore = told.length;
  const again = await serve(path, environment);
  await Bun.sleep(500);
  again.signal('SIGTERM');
  await again.exited;
  expect(messageIds().sort()).toEqual(before.sort());
  expect(new Set(before).size).toBe(before.length);
  expect(before.length).toBeGreaterThanOrEqual(acknowledged.tickets.size + acknowledged.answers.size);
  expect(told.length).toBe(toldBefore);
  expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
}, 120_000);
