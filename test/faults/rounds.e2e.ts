// kill -9 under load on a disk that fails now and then, and plain copies of a running desk: a few, or with --long a
// hundred and twenty.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from '../e2e/executable.ts';
import { createDisk, EIO } from '../support/faults.ts';

const isLong = process.env.FAULTS_LONG === '1';
const [kills, copies] = isLong ? [100, 20] : [3, 2];
const { path, remove } = newDirectory();
afterAll(remove);

interface Told {
  stored: string[];
  /** "Nothing was stored." */
  refused: string[];
  /** "It may be stored or not." */
  uncertain: string[];
}

const answersOf = ({ stored, refused, uncertain }: Told) => stored.length + refused.length + uncertain.length;

/** Creates tickets with different subjects until told to stop. */
async function load(running: Served, siteToken: string, name: string, told: Told, isOver: () => boolean) {
  for (let turn = 0; !isOver(); turn += 1) {
    const subject = `${name}/${turn}`;
    try {
      const answer = await fetch(`${running.url}/api/v1/public/tickets`, {
        method: 'POST',
        headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'mia@customer.example', subject, message: 'x'.repeat(400) }),
      });
      const { code } = (await answer.json()) as { code?: string };
      if (answer.status === 201) told.stored.push(subject);
      else if (answer.status === 503 && code === 'storage_unavailable') told.refused.push(subject);
      else if (code === 'outcome_unknown') told.uncertain.push(subject);
      else throw new RangeError(`${answer.status} ${code}`);
    } catch (error) {
      if (error instanceof RangeError || !isOver()) throw error;
    }
  }
}

function subjectsIn(data: string): string[] {
  const database = new Database(join(data, 'helpdesk.db'), { readonly: true });
  const rows = database.query<{ subject: string }, []>('SELECT subject FROM tickets').all();
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(database.query('SELECT count(*) - max(seq) AS gaps FROM events').get()).toEqual({ gaps: 0 });
  database.close();
  return rows.map(({ subject }) => subject);
}

function judge(data: string, told: Told): void {
  const subjects = subjectsIn(data);
  const found = new Set(subjects);
  expect(found.size).toBe(subjects.length);
  expect(told.stored.filter((subject) => !found.has(subject))).toEqual([]);
  expect(told.refused.filter((subject) => found.has(subject))).toEqual([]);
}

test(`${kills} kills: all that was answered is there, and nothing that was refused`, async () => {
  const { siteToken } = await siteAndToken(path);
  const told: Told = { stored: [], refused: [], uncertain: [] };
  for (let round = 0; round < kills; round += 1) {
    const disk = createDisk();
    const running = await serve(path, { ...unlimited, HELPDESK_SNAPSHOT_EVERY: '20s', ...disk.environment });
    let isOver = false;
    const workers = Array.from({ length: 6 }, (_, at) =>
      load(running, siteToken, `${round}/${at}`, told, () => isOver),
    );
    const more = (count: number) => {
      const before = answersOf(told);
      return waitUntil('more is answered', () => answersOf(told) >= before + count);
    };
    await more(10);
    // A job of the desk may have the commit that fails: then another one fails.
    for (const before = answersOf(told) - told.stored.length; answersOf(told) - told.stored.length === before; ) {
      disk.fail(`sync helpdesk.db-wal ${EIO}x${1 + (round % 4)}`);
      await more(10);
    }
    disk.fail(`sync helpdesk.db-wal 20ms`);
    await more(5 + round);
    disk.fail(`sync helpdesk.db-wal ${EIO}x${1 + (round % 4)}`);
    await more(1 + (round % 9));
    isOver = true;
    running.signal('SIGKILL');
    await running.exited;
    await Promise.all(workers);
  }
  const running = await serve(path, unlimited);
  running.signal('SIGTERM');
  await running.exited;
  expect(told.stored.length).toBeGreaterThan(0);
  expect(told.refused.length).toBeGreaterThan(0);
  judge(join(path, 'data'), told);
});

test(`${copies} copies of the running desk: each has all that was answered before it began`, async () => {
  const { path: own, remove: clear } = newDirectory();
  const { siteToken } = await siteAndToken(own);
  const running = await serve(own, { ...unlimited, HELPDESK_SNAPSHOT_EVERY: '5s' });
  const told: Told = { stored: [], refused: [], uncertain: [] };
  let isOver = false;
  const workers = Array.from({ length: 6 }, (_, at) => load(running, siteToken, `copy/${at}`, told, () => isOver));
  for (let round = 0; round < copies; round += 1) {
    const count = told.stored.length;
    await waitUntil('more is stored', () => told.stored.length >= count + 20);
    const before = { stored: [...told.stored], refused: [], uncertain: [] };
    const { path: copy, remove: removeCopy } = newDirectory();
    const copied = Bun.spawn(['cp', '-r', join(own, 'data'), copy], { stderr: 'ignore' });
    await copied.exited;
    const opened = await serve(copy, unlimited);
    opened.signal('SIGTERM');
    await opened.exited;
    judge(join(copy, 'data'), before);
    removeCopy();
  }
  isOver = true;
  running.signal('SIGTERM');
  await running.exited;
  await Promise.allSettled(workers);
  clear();
});
