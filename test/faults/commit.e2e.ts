// fsync fails at the COMMIT: what the desk answered is there after a crash, and no file that a row needs is missing.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { mail } from '../desk/mail/mail-desk.ts';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from '../e2e/executable.ts';
import { createDisk, EIO } from '../support/faults.ts';

const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanup of cleanups) cleanup();
});

interface Refusal {
  status: number;
  code: string;
  message: string;
}

async function started() {
  const { path, remove } = newDirectory();
  cleanups.push(remove);
  const { siteToken } = await siteAndToken(path);
  const disk = createDisk();
  const running = await serve(path, { ...unlimited, HELPDESK_RATE_INBOUND: '0', ...disk.environment });
  return { path, siteToken, disk, running };
}

async function create(running: Served, siteToken: string, subject: string, key?: string): Promise<Refusal> {
  const answer = await fetch(`${running.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: {
      'X-Site-Token': siteToken,
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify({ email: 'mia@customer.example', subject, message: 'The lamp is dark.' }),
  });
  const { code = '', message = '' } = (await answer.json()) as { code?: string; message?: string };
  return { status: answer.status, code, message };
}

async function killed(running: Served): Promise<void> {
  running.signal('SIGKILL');
  await running.exited;
}

/** From now on every fsync of the database fails; returns the first refusal of a write that reached its commit. */
async function refusedAtCommit(
  running: Served,
  disk: ReturnType<typeof createDisk>,
  send: () => Promise<Refusal>,
): Promise<Refusal> {
  for (;;) {
    disk.fail(`sync helpdesk.db ${EIO}`, `sync .wal ${EIO}`);
    const refusal = await send();
    expect(refusal.status).toBe(503);
    if (refusal.code === 'outcome_unknown') return refusal;
    // A job of the desk came first; the next writes were refused before anything was written.
    disk.fail();
    await waitUntil('ready again', async () => (await fetch(`${running.url}/readyz`)).ok);
  }
}

/** What is there after a crash, as a desk on a sound disk finds it. */
async function found(path: string, table: string, column: string): Promise<string[]> {
  const running = await serve(path, unlimited);
  running.signal('SIGTERM');
  await running.exited;
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  const rows = database.query<{ value: string }, []>(`SELECT ${column} AS value FROM ${table} ORDER BY id`).all();
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  return rows.map(({ value }) => value);
}

test('one failed fsync: "nothing was stored" is true after a crash', async () => {
  const { path, siteToken, disk, running } = await started();
  expect((await create(running, siteToken, 'before')).status).toBe(201);
  const stored = ['before'];
  // A job of the desk may have the commit that fails: then try again.
  for (let turn = 0; ; turn += 1) {
    disk.fail(`sync helpdesk.db-wal ${EIO}x1`);
    const { status, code, message } = await create(running, siteToken, `turn ${turn}`);
    if (status === 201) stored.push(`turn ${turn}`);
    else {
      expect([status, code]).toEqual([503, 'storage_unavailable']);
      expect(message).toContain('nothing was stored');
      break;
    }
  }
  await killed(running);
  expect(await found(path, 'tickets', 'subject')).toEqual(stored);
});

test('fsync that goes on failing: the answer does not promise what is not certain, and a crash brings nothing back', async () => {
  const { path, siteToken, disk, running } = await started();
  expect((await create(running, siteToken, 'before')).status).toBe(201);
  await refusedAtCommit(running, disk, () => create(running, siteToken, 'refused'));
  // The next ones are refused before anything is written, and that is certain.
  const answers = [];
  for (let turn = 0; turn < 3; turn += 1) answers.push(await create(running, siteToken, `refused ${turn}`));
  expect(answers.map(({ status, code }) => [status, code])).toEqual(Array(3).fill([503, 'storage_unavailable']));
  await killed(running);
  expect(await found(path, 'tickets', 'subject')).toEqual(['before']);
});

test('after the disk has come back writes are taken again, and a repeat makes one ticket', async () => {
  const { path, siteToken, disk, running } = await started();
  await refusedAtCommit(running, disk, () => create(running, siteToken, 'once', 'key'));
  disk.fail();
  expect((await create(running, siteToken, 'once', 'key')).status).toBe(201);
  expect((await create(running, siteToken, 'after')).status).toBe(201);
  await killed(running);
  expect(await found(path, 'tickets', 'subject')).toEqual(['once', 'after']);
});

test('mail and uploads whose fate is not certain keep their bytes', async () => {
  const { path, siteToken, disk, running } = await started();
  const { output } = await helpdesk(path, ['site', 'create', '--name', 'Mail shop']);
  const secret = /inbound\/(hdi_\S+)/.exec(output)?.[1] ?? '';
  await refusedAtCommit(running, disk, async () => {
    const answer = await fetch(`${running.url}/api/webhooks/raw/inbound/${secret}`, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822' },
      body: mail({ from: 'mia@customer.example', subject: 'Dark', body: 'The lamp is dark.' }),
    });
    return { status: answer.status, ...((await answer.json()) as { code: string; message: string }) };
  });
  const folder = join(path, 'data/mail/inbound');
  const kept = () =>
    readdirSync(folder)
      .filter((name) => name !== 'staging')
      .flatMap((name) => readdirSync(join(folder, name)));
  expect(kept()).toHaveLength(1);
  disk.fail();
  expect((await create(running, siteToken, 'after')).status).toBe(201);
  await killed(running);
  const logged = await found(path, 'inbound_mail', 'ulid');
  expect(logged.filter((ulid) => !kept().includes(ulid))).toEqual([]);
});
