// kill -9 while snoozes end: every ticket opens, and only once.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';
import { answered, end, killsOf, untilNone } from './kills.ts';

const { path, remove } = newDirectory();
afterAll(remove);

const kills = killsOf(3);
/** Three steps of the job that opens them. */
const batch = 48;
const total = (kills + 1) * batch;

/** What `read` finds in the database, with the desk at work or killed. */
function inDatabase<Found>(read: (database: Database) => Found): Found {
  const database = new Database(join(path, 'data/helpdesk.db'), { readwrite: true });
  // A desk that has just been killed or started holds the lock for a moment.
  database.run('PRAGMA busy_timeout = 5000');
  try {
    return read(database);
  } finally {
    database.close();
  }
}

const opened = () =>
  inDatabase((database) =>
    database
      .query<{ ticket_id: number; actor: string }, []>(
        "SELECT ticket_id, actor ->> '$.type' AS actor FROM events WHERE kind = 'ticket.status_changed' AND data ->> '$.new_status' = 'open'",
      )
      .all(),
  );

async function openAndSnooze({ url }: Served, siteToken: string, teamToken: string): Promise<void> {
  const ulids: string[] = [];
  for (let at = 0; at < total; at += batch) {
    const made = Array.from({ length: batch }, async (_, one) => {
      const body = { email: `p${at + one}@example.org`, subject: 'Later', message: 'Please.', is_test: true };
      const headers = { 'X-Site-Token': siteToken };
      const answer = await answered(`${url}/api/v1/public/tickets`, { status: 201, headers, body });
      return (answer as { ticket: { ulid: string } }).ticket.ulid;
    });
    ulids.push(...(await Promise.all(made)));
  }
  const headers = { Authorization: `Bearer ${teamToken}` };
  for (let at = 0; at < total; at += batch) {
    const change = { snoozed_until: new Date(Date.now() + 86_400_000).toISOString() };
    const body = { tickets: ulids.slice(at, at + batch), change };
    const { data } = (await answered(`${url}/api/v1/tickets/bulk`, { status: 200, headers, body })) as {
      data: { status: number }[];
    };
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set([200]));
  }
}

/** The next of them are to open now. */
const callNext = () =>
  inDatabase((database) =>
    database.run(
      'UPDATE tickets SET snoozed_until = 1 WHERE id IN (SELECT id FROM tickets WHERE snoozed_until > 1 LIMIT ?)',
      [batch],
    ),
  );

test(`every snoozed ticket opens once, through ${kills} kills`, async () => {
  const { siteToken, teamToken } = await siteAndToken(path);
  const first = await serve(path, unlimited);
  await openAndSnooze(first, siteToken, teamToken);
  await end(first);
  for (let round = 0; round < kills; round += 1) {
    callNext();
    const before = opened().length;
    const running = await serve(path, unlimited);
    // At the first sight of one that is open, the others of its batch are not, as a rule.
    await waitUntil('one opens', () => opened().length > before);
    await end(running, 'SIGKILL');
  }
  callNext();
  const running = await serve(path, unlimited);
  await untilNone('all are open', () =>
    inDatabase((database) => database.query('SELECT 1 FROM tickets WHERE snoozed_until IS NOT NULL').all().length),
  );
  await end(running);
  const woken = opened();
  expect(woken).toHaveLength(total);
  expect(new Set(woken.map(({ ticket_id }) => ticket_id)).size).toBe(total);
  expect(new Set(woken.map(({ actor }) => actor))).toEqual(new Set(['desk']));
});
