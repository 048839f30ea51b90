// kill -9 under load: every acknowledged change is notified at least once, none is invented, each mail is written once.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { newDirectory, serve, siteAndToken, unlimited } from './executable.ts';
import { answered, end, killAtWork, killsOf, untilNone } from './kills.ts';

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
const acknowledged = { tickets: new Set<string>(), replies: new Set<string>(), answers: new Set<string>() };

const openedTicket = z.object({ ticket: z.object({ ulid: z.string() }), access_token: z.string() });
const said = z.object({ reply: z.object({ ulid: z.string() }) });

async function load(url: string, siteToken: string, teamToken: string, name: string, isAnswering: boolean) {
  const send = (target: string, headers: Record<string, string>, body: object) =>
    answered(`${url}${target}`, { status: 201, headers, body });
  const site = { 'X-Site-Token': siteToken };
  const { ticket, access_token } = openedTicket.parse(
    await send('/api/v1/public/tickets', site, {
      // An address is acknowledged once an hour.
      email: `w${name}@example.org`,
      subject: `Load ${name}`,
      message: 'It does not work.',
    }),
  );
  acknowledged.tickets.add(ticket.ulid);
  const thread = `/api/v1/public/tickets/${ticket.ulid}/messages?access_token=${access_token}`;
  acknowledged.replies.add(said.parse(await send(thread, site, { body: 'Still not.' })).reply.ulid);
  if (!isAnswering) return;
  const team = { Authorization: `Bearer ${teamToken}` };
  const answer = await send(`/api/v1/tickets/${ticket.ulid}/messages`, team, { body: 'Now it does.' });
  acknowledged.answers.add(said.parse(answer).reply.ulid);
}

const folder = () => join(path, 'data/mail');
const messageIds = () =>
  readdirSync(folder())
    .filter((name) => name.endsWith('.eml'))
    .map((name) => /^Message-ID: (<.+>)\r$/im.exec(readFileSync(join(folder(), name), 'utf8'))?.[1] ?? name);

const kills = killsOf(4);

test(`${kills} times over`, async () => {
  let tokens = { siteToken: '', teamToken: '' };
  for (let round = 0; round < kills; round += 1) {
    const running = await serve(path, environment);
    if (round === 0) {
      tokens = await siteAndToken(path);
      await answered(`${running.url}/api/v1/sites/web-shop/webhook-channels`, {
        status: 201,
        headers: { Authorization: `Bearer ${tokens.teamToken}` },
        body: {
          name: 'Hook',
          type: 'custom',
          webhook_url: `http://127.0.0.1:${receiver.port}/`,
          events: ['ticket.created', 'ticket.replied'],
        },
      });
    }
    const { siteToken, teamToken } = tokens;
    const before = { answers: acknowledged.answers.size, told: told.length };
    await killAtWork(running, {
      workers: 6,
      turn: (worker, turn) =>
        load(running.url, siteToken, teamToken, `${round}.${worker}.${turn}`, (worker + turn) % 2 === 0),
      // Deliveries are under way, and some of them wait to be tried again.
      isEnough: () => acknowledged.answers.size >= before.answers + 5 + round && told.length >= before.told + 8,
      ...(round % 2 === 1 ? { atWriteIn: path } : {}),
    });
  }

  // It continues with what was left, without being told.
  let running = await serve(path, environment);
  const headers = { Authorization: `Bearer ${tokens.teamToken}` };
  const ask = async (target: string) => (await (await fetch(`${running.url}${target}`, { headers })).json()) as Listed;
  interface Listed {
    data: { ulid: string }[];
    meta: { total: number; next_cursor: string | null };
  }
  const log = '/api/v1/sites/web-shop/webhook-channels/1/deliveries';
  const settled = () =>
    untilNone('every webhook and mail has been sent', () => {
      const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
      database.run('PRAGMA busy_timeout = 5000');
      const queued = database.query("SELECT id FROM deliveries WHERE status = 'queued'").all();
      database.close();
      return queued.length;
    });
  await settled();
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

  // A later stop and start send nothing again: one complete file for each row.
  expect(await end(running)).toBe(0);
  const before = messageIds();
  const toldBefore = told.length;
  expect(new Set(before).size).toBe(before.length);
  expect(before.length).toBeGreaterThanOrEqual(acknowledged.tickets.size + acknowledged.answers.size);
  running = await serve(path, environment);
  // What was left over would go before what is new.
  await load(running.url, tokens.siteToken, tokens.teamToken, 'last', true);
  await settled();
  expect(await end(running)).toBe(0);
  const after = messageIds();
  expect(after).toHaveLength(before.length + 2);
  expect(before.filter((id) => !after.includes(id))).toEqual([]);
  expect(told.slice(toldBefore).filter(({ id }) => ids.has(id))).toEqual([]);
  expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
