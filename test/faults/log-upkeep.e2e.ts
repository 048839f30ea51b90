// The disk is slow, or fails, while the log is taken into the database: commits go on, and a kill in the middle loses nothing.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readWalIndex } from '../../src/engine/wal/format.ts';
import { usualPace } from '../../src/engine/wal/upkeep.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from '../e2e/executable.ts';
import { createDisk, EIO } from '../support/faults.ts';

const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanup of cleanups) cleanup();
});

async function started() {
  const { path, remove } = newDirectory();
  cleanups.push(remove);
  const { siteToken } = await siteAndToken(path);
  const disk = createDisk();
  const running = await serve(path, { ...unlimited, ...disk.environment });
  const stored: string[] = [];
  const create = async () => {
    const subject = `number ${stored.length}`;
    const answer = await fetch(`${running.url}/api/v1/public/tickets`, {
      method: 'POST',
      headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'mia@customer.example', subject, message: 'The lamp is dark. '.repeat(200) }),
    });
    expect(answer.status).toBe(201);
    stored.push(subject);
  };
  const index = () => {
    const found = readWalIndex(readFileSync(join(path, 'data/helpdesk.db-shm')));
    if (found === null) throw new Error('There is no index.');
    return found;
  };
  return { path, disk, running, stored, create, index };
}

async function subjectsAfter(path: string, running: Served, loss: () => void = () => undefined): Promise<string[]> {
  running.signal('SIGKILL');
  await running.exited;
  loss();
  const again = await serve(path, unlimited);
  again.signal('SIGTERM');
  await again.exited;
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  const rows = database.query<{ subject: string }, []>('SELECT subject FROM tickets ORDER BY id').all();
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  return rows.map(({ subject }) => subject);
}

test('while the database file is being synced, tickets are opened; a kill then loses none of them', async () => {
  const { path, disk, running, stored, create, index } = await started();
  // Longer than the test.
  disk.fail('sync $helpdesk.db 600000ms');
  while (index().backfilled === 0) await create();
  const { backfilled, frames } = index();
  // Another step would have begun by then.
  while (index().frames < frames + 2 * usualPace.partFrames) await create();
  expect(index().backfilled).toBe(backfilled);
  expect(await subjectsAfter(path, running)).toEqual(stored);
});

test('a database file that cannot be synced stops no ticket, and is brought up to date when it can', async () => {
  const { path, disk, running, stored, create, index } = await started();
  disk.fail(`sync $helpdesk.db ${EIO}`);
  while (!`${running.output()}${running.errors()}`.includes('could not be copied into the database')) await create();
  disk.fail();
  const { frames } = index();
  while (index().backfilled < frames) await create();
  expect(await subjectsAfter(path, running)).toEqual(stored);
});

test('a log that is removed after part of it was copied is put back whole', async () => {
  const { path, running, stored, create, index } = await started();
  while (index().backfilled === 0) await create();
  const loss = () => rmSync(join(path, 'data/helpdesk.db-wal'));
  expect(await subjectsAfter(path, running, loss)).toEqual(stored);
});
