// kill -9 while snoozes end: every ticket opens, and only once.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';

const { path, remove } = newDirectory();
afterAll(remove);

const total = 600;

function seen() {
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  // A desk that has just been killed or started holds the lock for a moment.
  database.run('PRAGMA busy_timeout = 5000');
  try {
    const [left] = database
      .query<{ n: number }, []>('SELECT count(*) AS n FROM tickets WHERE snoozed_until IS NOT NULL')
      .all();
    const woken = database
      .query<{ ticket_id: number; actor: string }, []>(
        "SELECT ticket_id, actor ->> '$.type' AS actor FROM events WHERE kind = 'ticket.status_changed' AND data ->> '$.new_status' = 'open'",
      )
      .all();
    return { left: left?.n ?? 0, woken };
  } finally {
    database.close();
  }
}

async function openAndSnooze({ url }: Served, siteToken: string, teamToken: string, until: () => string) {
  const ask = (method: string, target: string, headers: Record<string, string>, body: object) =>
    fetch(`${url}/api/v1/${target}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const ulids: string[] = [];
  for (let at = 0; at < total; at += 50) {
    const opened = Array.from({ length: 50 }, async (_, one) => {
      const body = { email: `p${at + one}@example.org`, subject: 'Later', message: 'Please.', is_test: true };
      const answer = await ask('POST', 'public/tickets', { 'X-Site-Token': siteToken }, body);
      return ((await answer.json()) as { ticket: { ulid: string } }).ticket.ulid;
    });
    ulids.push(...(await Promise.all(opened)));
  }
  const snoozed_until = until();
  for (let at = 0; at < total; at += 200) {
    const body = { tickets: ulids.slice(at, at + 200), change: { snoozed_until } };
    const answer = await ask('POST', 'tickets/bulk', { Authorization: `Bearer ${teamToken}` }, body);
    const { data } = (await answer.json()) as { data: { status: number }[] };
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set([200]));
  }
  return Date.parse(snoozed_until);
}

test('every snoozed ticket opens once, through four kills', async () => {
  let running = await serve(path, unlimited);
  const { siteToken, teamToken } = await siteAndToken(path);
  const until = await openAndSnooze(running, siteToken, teamToken, () => new Date(Date.now() + 4000).toISOString());
  let kills = 0;
  let before = 0;
  const deadline = until + 60_000;
  while (Date.now() < deadline) {
    const { left, woken } = seen();
    if (left === 0) break;
    // In the middle of the work: some are open and some are not.
    if (kills < 4 && woken.length > before) {
      before = woken.length;
      running.signal('SIGKILL');
      await running.exited;
      kills += 1;
      running = await serve(path, unlimited);
    }
    await Bun.sleep(2);
  }
  running.signal('SIGTERM');
  await running.exited;
  const { left, woken } = seen();
  expect(left).toBe(0);
  expect(kills).toBeGreaterThan(1);
  expect(woken).toHaveLength(total);
  expect(new Set(woken.map(({ ticket_id }) => ticket_id)).size).toBe(total);
  expect(new Set(woken.map(({ actor }) => actor))).toEqual(new Set(['desk']));
}, 120_000);
