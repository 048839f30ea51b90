// kill -9 while replies and notes wait: each is sent once, with one event and one mail, none before its time, and withdrawn ones never.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';
import { answered, end, killAtWork, killsOf, untilNone } from './kills.ts';

const { path, remove } = newDirectory();
afterAll(remove);

interface Waiting {
  ticket: string;
  ulid: string;
  sendAt: number;
}

const kills = killsOf(3);
/** So many are acknowledged before a desk may send the first of them. */
const ofRound = 40;
const tickets: string[] = [];
const scheduled: Waiting[] = [];
const withdrawn = new Set<string>();
// Killed before the answer came: either way is right.
const uncertain = new Set<string>();
let team: Record<string, string> = {};

async function openTickets(running: Served, siteToken: string): Promise<void> {
  for (let at = 0; at < 10; at += 1) {
    const opened = await answered(`${running.url}/api/v1/public/tickets`, {
      status: 201,
      headers: { 'X-Site-Token': siteToken },
      body: { email: `c${at}@example.org`, subject: `Ticket ${at}`, message: 'Help' },
    });
    tickets.push((opened as { ticket: { ulid: string } }).ticket.ulid);
  }
}

/** Schedules a reply or holds a note for a second or two; each fifth waits for long, and is withdrawn. */
async function schedule(running: Served, worker: number, turn: number): Promise<void> {
  const ticket = tickets[(worker + turn) % tickets.length] ?? '';
  const isGoing = turn % 5 === 0;
  const body = {
    body: `**${worker}/${turn}**`,
    body_format: 'markdown',
    ...(isGoing ? { send_at: new Date(Date.now() + 3_600_000).toISOString() } : { hold_seconds: 1 + (turn % 2) }),
  };
  const isNote = turn % 3 === 1 && !isGoing;
  const target = `${running.url}/api/v1/tickets/${ticket}`;
  const answer = await answered(`${target}/${isNote ? 'notes' : 'messages'}`, { status: 201, headers: team, body });
  const said = answer as Record<'reply' | 'note', { ulid: string; send_at: string }>;
  const { ulid, send_at } = isNote ? said.note : said.reply;
  scheduled.push({ ticket, ulid, sendAt: Date.parse(send_at) });
  if (!isGoing) return;
  uncertain.add(ulid);
  const gone = await fetch(`${target}/messages/${ulid}`, { method: 'DELETE', headers: team });
  if (gone.status !== 200) throw new Error(`${gone.status}: ${await gone.text()}`);
  await gone.arrayBuffer();
  withdrawn.add(ulid);
  uncertain.delete(ulid);
}

/** Whether one of them has been sent. */
function isOneSent(waited: readonly Waiting[]): boolean {
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  database.run('PRAGMA busy_timeout = 5000');
  const sent = database.query<{ ulid: string }, []>('SELECT ulid FROM messages WHERE is_agent = 1').all();
  database.close();
  const ulids = new Set(sent.map(({ ulid }) => ulid));
  return waited.some(({ ulid }) => ulids.has(ulid));
}

test('each reply that waits is sent exactly once, however often the desk is killed', async () => {
  for (let round = 0; round < kills; round += 1) {
    const running = await serve(path, unlimited);
    if (round === 0) {
      const { siteToken, teamToken } = await siteAndToken(path);
      team = { Authorization: `Bearer ${teamToken}` };
      await openTickets(running, siteToken);
    }
    const before = scheduled.length;
    let isSending = false;
    await killAtWork(running, {
      workers: 4,
      async turn(worker, turn) {
        if (isSending || scheduled.length < before + ofRound) return await schedule(running, worker, turn);
        await Bun.sleep(10);
        isSending = isOneSent(scheduled.slice(before));
      },
      // The desk is at work on those whose time has come, and takes more.
      isEnough: () => isSending,
      ...(round % 2 === 1 ? { atWriteIn: path } : {}),
    });
  }
  expect(withdrawn.size).toBeGreaterThan(5);

  const running = await serve(path, unlimited);
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  database.run('PRAGMA busy_timeout = 5000');
  const count = (sql: string) => database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()?.n;
  try {
    // Those that were to be withdrawn wait for an hour.
    await untilNone(
      'all have been sent whose time has come',
      () => count(`scheduled_replies WHERE send_at < ${Date.now() + 60_000}`) ?? -1,
    );
  } finally {
    await end(running);
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
});

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
  expect((await helpdesk(path, ['ticket', 'show', ticket])).output).not.toContain(`not sent until ${sendAt}`);
  const late = await helpdesk(path, ['ticket', 'reply', ticket, '--send-at', '2020-01-01T00:00:00Z'], 'x');
  expect(late.code).not.toBe(0);
  expect(late.errors).toContain('future');
});
