// kill -9 while replies and notes wait: each is sent once, with one event and one mail, none before its time, and withdrawn ones never.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';

const { path, remove } = newDirectory();
afterAll(remove);

interface Waiting {
  ticket: string;
  ulid: string;
  sendAt: number;
}

const rounds = 4;
const tickets: string[] = [];
const scheduled: Waiting[] = [];
const withdrawn = new Set<string>();
// Killed before the answer came: either way is right.
const uncertain = new Set<string>();
let team: Record<string, string> = {};

const ask = (running: Served, method: string, target: string, body?: object) =>
  fetch(`${running.url}/api/v1${target}`, {
    method,
    headers: { ...team, 'Content-Type': 'application/json' },
    body: body ? JSON.stringify(body) : undefined,
  });

async function openTickets(running: Served, siteToken: string): Promise<void> {
  for (let at = 0; at < 10; at += 1) {
    const opened = await fetch(`${running.url}/api/v1/public/tickets`, {
      method: 'POST',
      headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: `c${at}@example.org`, subject: `Ticket ${at}`, message: 'Help' }),
    });
    tickets.push(((await opened.json()) as { ticket: { ulid: string } }).ticket.ulid);
  }
}

/** Schedules replies and holds notes for one to four seconds ahead and withdraws some, until the server is gone. */
async function work(running: Served, worker: number, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const ticket = tickets[(worker + turn) % tickets.length] ?? '';
    try {
      const body = { body: `**${worker}/${turn}**`, body_format: 'markdown', hold_seconds: 1 + (turn % 4) };
      const isNote = turn % 3 === 1;
      const answer = await ask(running, 'POST', `/tickets/${ticket}/${isNote ? 'notes' : 'messages'}`, body);
      if (answer.status !== 201) continue;
      const said = (await answer.json()) as Record<'reply' | 'note', { ulid: string; send_at: string }>;
      const reply = isNote ? said.note : said.reply;
      scheduled.push({ ticket, ulid: reply.ulid, sendAt: Date.parse(reply.send_at) });
      if (turn % 5 !== 0) continue;
      uncertain.add(reply.ulid);
      const gone = await ask(running, 'DELETE', `/tickets/${ticket}/messages/${reply.ulid}`);
      if (gone.status === 200) withdrawn.add(reply.ulid);
      uncertain.delete(reply.ulid);
    } catch (error) {
      if (!isOver()) await Bun.sleep(1);
      if (!(error instanceof Error)) throw error;
    }
  }
}

test('each reply that waits is sent exactly once, however often the desk is killed', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const running = await serve(path, unlimited);
    if (round === 0) {
      const { siteToken, teamToken } = await siteAndToken(path);
      team = { Authorization: `Bearer ${teamToken}` };
      await openTickets(running, siteToken);
    }
    let isOver = false;
    const workers = Array.from({ length: 4 }, (_, worker) => work(running, worker, () => isOver));
    // Long enough that the scanner is at work when the end comes.
    await Bun.sleep(1700 + round * 310);
    isOver = true;
    running.signal('SIGKILL');
    await running.exited;
    await Promise.all(workers);
  }
  expect(scheduled.length).toBeGreaterThan(50);
  expect(withdrawn.size).toBeGreaterThan(5);

  const running = await serve(path, unlimited);
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  database.run('PRAGMA busy_timeout = 5000');
  const count = (sql: string) => database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()?.n;
  try {
    for (let tries = 0; tries < 300 && count('scheduled_replies') !== 0; tries += 1) await Bun.sleep(100);
    expect(count('scheduled_replies')).toBe(0);
  } finally {
    running.signal('SIGTERM');
    await running.exited;
  }
  const sent = new Map(
    database
      .query<{ ulid: string; id: number; created_at: number; html: string; is_internal: number }, []>(
        'SELECT ulid, id, created_at, html, is_internal FROM messages WHERE is_agent = 1',
      )
      .all()
      .map((message) => [message.ulid, message]),
  );
  const events = database
    .query<{ ulid: string; n: number }, []>(
      "SELECT data ->> 'message_ulid' AS ulid, count(*) AS n FROM events WHERE kind IN ('ticket.replied', 'ticket.note_added') GROUP BY 1",
    )
    .all();
  const mails = database
    .query<{ id: number; n: number }, []>(
      "SELECT payload ->> 'message_id' AS id, count(*) AS n FROM deliveries WHERE event = 'mail.agent_reply' GROUP BY 1",
    )
    .all();
  for (const { ulid, sendAt } of scheduled) {
    const message = sent.get(ulid);
    if (withdrawn.has(ulid)) expect(message).toBeUndefined();
    else if (!uncertain.has(ulid)) expect(message?.html).toStartWith('<p><strong>');
    if (message) expect(message.created_at).toBeGreaterThanOrEqual(sendAt);
  }
  const ulids = new Set(events.map(({ ulid }) => ulid));
  expect([...sent.keys()].filter((ulid) => !ulids.has(ulid))).toEqual([]);
  expect(events.filter(({ ulid, n }) => n !== 1 || !sent.has(ulid))).toEqual([]);
  const replies = [...sent.values()].filter((message) => message.is_internal === 0);
  expect(replies.length).toBeLessThan(sent.size);
  expect(mails.map(({ id }) => id).sort()).toEqual(replies.map(({ id }) => id).sort());
  expect(mails.filter(({ n }) => n !== 1)).toEqual([]);
  const counted = 'tickets WHERE message_count <> (SELECT count(*) FROM messages WHERE ticket_id = tickets.id)';
  expect(count(counted)).toBe(0);
  database.close();
}, 120_000);

test('the command line schedules a reply and withdraws it', async () => {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const ticket = tickets[0] ?? '';
  const made = await helpdesk(path, ['ticket', 'reply', ticket, '--markdown', '--send-at', sendAt, '--json'], '*Soon*');
  expect(made.errors).toBe('');
  const { message, reply } = made.json();
  expect([message, reply.send_at, reply.html]).toEqual(['Reply scheduled.', sendAt, '<p><em>Soon</em></p>']);
  const shown = await helpdesk(path, ['ticket', 'show', ticket]);
  expect(shown.output).toContain(`not sent until ${sendAt}`);
  const gone = await helpdesk(path, ['ticket', 'withdraw', ticket, reply.ulid]);
  expect(gone.output).toContain('*Soon*');
  expect((await helpdesk(path, ['ticket', 'show', ticket])).output).not.toContain('not sent until');
  const late = await helpdesk(path, ['ticket', 'reply', ticket, '--send-at', '2020-01-01T00:00:00Z'], 'x');
  expect(late.code).not.toBe(0);
  expect(late.errors).toContain('future');
});
