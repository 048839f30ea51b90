// kill -9 under load: everything acknowledged is there afterwards, complete.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory, serve, siteAndToken, unlimited } from './executable.ts';

const { path, remove } = newDirectory();
afterAll(remove);

interface Acknowledged {
  tickets: Map<string, string>;
  replies: string[];
  attachments: string[];
}

async function load(
  url: string,
  siteToken: string,
  worker: number,
  done: Acknowledged,
  isOver: () => boolean,
): Promise<void> {
  const headers = { 'X-Site-Token': siteToken };
  for (let turn = 0; !isOver(); turn += 1) {
    try {
      const opened = await fetch(`${url}/api/v1/public/tickets`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          email: `w${worker}@example.org`,
          subject: `Load ${worker}/${turn}`,
          message: 'x'.repeat(500),
        }),
      });
      if (opened.status !== 201) continue;
      const { ticket, access_token: accessToken } = (await opened.json()) as {
        ticket: { ulid: string };
        access_token: string;
      };
      done.tickets.set(ticket.ulid, accessToken);
      const thread = `${url}/api/v1/public/tickets/${ticket.ulid}`;
      const replied = await fetch(`${thread}/messages?access_token=${accessToken}`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ body: `Reply ${worker}/${turn}` }),
      });
      if (replied.status === 201) done.replies.push(((await replied.json()) as { reply: { ulid: string } }).reply.ulid);
      if (turn % 3 !== 0) continue;
      const form = new FormData();
      form.append('file', new File(['y'.repeat(20_000)], 'log.txt'));
      const attached = await fetch(`${thread}/attachments?access_token=${accessToken}`, {
        method: 'POST',
        headers,
        body: form,
      });
      if (attached.status === 201)
        done.attachments.push(((await attached.json()) as { attachment: { ulid: string } }).attachment.ulid);
    } catch (error) {
      // The server was killed during this request: without an answer, it may or may not be stored.
      if (!isOver()) await Bun.sleep(1);
      if (!(error instanceof Error)) throw error;
    }
  }
}

test('every acknowledged write survives kill -9, five times over', async () => {
  const done: Acknowledged = { tickets: new Map(), replies: [], attachments: [] };
  let siteToken = '';
  for (let round = 0; round < 5; round += 1) {
    const running = await serve(path, unlimited);
    if (round === 0) siteToken = (await siteAndToken(path)).siteToken;
    let isOver = false;
    const workers = Array.from({ length: 8 }, (_, worker) => load(running.url, siteToken, worker, done, () => isOver));
    await Bun.sleep(500 + round * 130);
    isOver = true;
    running.signal('SIGKILL');
    await running.exited;
    await Promise.all(workers);
  }
  expect(done.tickets.size).toBeGreaterThan(20);
  expect(done.replies.length).toBeGreaterThan(30);
  expect(done.attachments.length).toBeGreaterThan(5);

  const running = await serve(path, unlimited);
  try {
    for (const [ulid, accessToken] of done.tickets) {
      const thread = await fetch(`${running.url}/api/v1/public/tickets/${ulid}?access_token=${accessToken}`, {
        headers: { 'X-Site-Token': siteToken },
      });
      expect(thread.status).toBe(200);
    }
  } finally {
    running.signal('SIGTERM');
    await running.exited;
  }
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  database.run('PRAGMA busy_timeout = 5000');
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(database.query('PRAGMA foreign_key_check').all()).toEqual([]);
  const ulids = (table: string) =>
    new Set(
      database
        .query<{ ulid: string }, []>(`SELECT ulid FROM ${table}`)
        .all()
        .map(({ ulid }) => ulid),
    );
  const messages = ulids('messages');
  expect(done.replies.filter((ulid) => !messages.has(ulid))).toEqual([]);
  const attachments = ulids('attachments');
  expect(done.attachments.filter((ulid) => !attachments.has(ulid))).toEqual([]);
  // No partial tickets: each has its message, its document in the index and its event.
  expect(
    database
      .query('SELECT count(*) AS n FROM tickets WHERE NOT EXISTS (SELECT 1 FROM messages WHERE ticket_id = tickets.id)')
      .get(),
  ).toEqual({ n: 0 });
  expect(
    database
      .query("SELECT (SELECT count(*) FROM tickets) - (SELECT count(*) FROM events WHERE kind = 'ticket.created') AS n")
      .get(),
  ).toEqual({ n: 0 });
  expect(
    database
      .query(
        `SELECT count(*) AS n FROM tickets WHERE id NOT IN (SELECT rowid FROM ticket_search)
           AND id NOT IN (SELECT id FROM search_waiting WHERE name = 'ticket_search')`,
      )
      .get(),
  ).toEqual({ n: 0 });
  const seqs = database
    .query<{ n: number; newest: number }, []>('SELECT count(*) AS n, max(seq) AS newest FROM events')
    .get();
  expect(seqs?.n).toBe(seqs?.newest ?? -1);
  database.close();
  const root = join(path, 'data/attachments');
  const files = new Set(readdirSync(root).flatMap((folder) => readdirSync(join(root, folder))));
  expect([...attachments].filter((ulid) => !files.has(ulid))).toEqual([]);
});
