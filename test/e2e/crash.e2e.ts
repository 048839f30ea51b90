// kill -9 under load: everything acknowledged is there afterwards, complete.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory, serve, siteAndToken, unlimited } from './executable.ts';
import { answered, end, killAtWork, killsOf } from './kills.ts';

const { path, remove } = newDirectory();
afterAll(remove);

const acknowledged = { tickets: new Map<string, string>(), replies: [] as string[], attachments: [] as string[] };

async function load(url: string, siteToken: string, name: string, isAttaching: boolean): Promise<void> {
  const headers = { 'X-Site-Token': siteToken };
  const { ticket, access_token: accessToken } = (await answered(`${url}/api/v1/public/tickets`, {
    ...{ status: 201, headers },
    body: { email: `w${name}@example.org`, subject: `Load ${name}`, message: 'x'.repeat(500) },
  })) as { ticket: { ulid: string }; access_token: string };
  acknowledged.tickets.set(ticket.ulid, accessToken);
  const thread = `${url}/api/v1/public/tickets/${ticket.ulid}`;
  const { reply } = (await answered(`${thread}/messages?access_token=${accessToken}`, {
    ...{ status: 201, headers, body: { body: `Reply ${name}` } },
  })) as { reply: { ulid: string } };
  acknowledged.replies.push(reply.ulid);
  if (!isAttaching) return;
  const form = new FormData();
  form.append('file', new File(['y'.repeat(20_000)], 'log.txt'));
  const attached = await fetch(`${thread}/attachments?access_token=${accessToken}`, {
    ...{ method: 'POST', headers, body: form },
  });
  if (attached.status !== 201) throw new Error(`${attached.status}: ${await attached.text()}`);
  acknowledged.attachments.push(((await attached.json()) as { attachment: { ulid: string } }).attachment.ulid);
}

const kills = killsOf(4);

test(`every acknowledged write survives kill -9, ${kills} times over`, async () => {
  const { siteToken } = await siteAndToken(path);
  for (let round = 0; round < kills; round += 1) {
    const running = await serve(path, unlimited);
    const { replies, attachments } = acknowledged;
    const before = { replies: replies.length, attachments: attachments.length };
    await killAtWork(running, {
      workers: 8,
      turn: (worker, turn) => load(running.url, siteToken, `${round}.${worker}.${turn}`, turn % 3 === 0),
      isEnough: () =>
        replies.length >= before.replies + 10 + (round % 7) && attachments.length >= before.attachments + 3,
      ...(round % 2 === 1 ? { atWriteIn: path } : {}),
    });
  }

  const running = await serve(path, unlimited);
  try {
    for (const [ulid, accessToken] of acknowledged.tickets) {
      const thread = await fetch(`${running.url}/api/v1/public/tickets/${ulid}?access_token=${accessToken}`, {
        headers: { 'X-Site-Token': siteToken },
      });
      expect(thread.status).toBe(200);
    }
  } finally {
    await end(running);
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
  expect(acknowledged.replies.filter((ulid) => !messages.has(ulid))).toEqual([]);
  const attachments = ulids('attachments');
  expect(acknowledged.attachments.filter((ulid) => !attachments.has(ulid))).toEqual([]);
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
  expect(acknowledged.attachments.filter((ulid) => !files.has(ulid))).toEqual([]);
});
