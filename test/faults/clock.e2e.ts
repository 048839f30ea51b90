// A clock that is set two days ahead while the desk runs, and corrected later: noticed, reported, and nothing out of
// order.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from '../e2e/executable.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A wall clock that a test sets. */
function settableClock() {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-clock-'));
  const library = join(folder, 'clock.so');
  const file = join(folder, 'offset.txt');
  const compiler = ['cc', 'gcc', 'clang'].find((name) => Bun.which(name) !== null);
  if (compiler === undefined) throw new Error('The fault tests need a C compiler (cc, gcc or clang); install one.');
  const source = new URL('../support/clock.c', import.meta.url).pathname;
  const made = Bun.spawnSync([compiler, '-shared', '-fPIC', '-O1', '-o', library, source]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const set = (ms: number) => {
    writeFileSync(`${file}.new`, `${ms}\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    set,
    environment: { LD_PRELOAD: library, CLOCK_FILE: file },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

test('ids, events and keys stay in order, and doctor tells of it', async () => {
  const { path, remove } = newDirectory();
  const clock = settableClock();
  try {
    const { siteToken, teamToken } = await siteAndToken(path);
    const environment = { ...unlimited, ...clock.environment };
    const ulids: string[] = [];
    const open = async (desk: Served, key?: string) => {
      const answer = await fetch(`${desk.url}/api/v1/public/tickets`, {
        method: 'POST',
        headers: {
          'X-Site-Token': siteToken,
          'Content-Type': 'application/json',
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        },
        body: JSON.stringify({ email: 'mia@example.org', subject: 'Lamp', message: 'It is dark.' }),
      });
      expect(answer.status).toBe(201);
      const { ulid } = ((await answer.json()) as { ticket: { ulid: string } }).ticket;
      if (answer.headers.get('idempotency-replayed') !== 'true') ulids.push(ulid);
      return { ulid, isRepeat: answer.headers.get('idempotency-replayed') === 'true' };
    };
    // Keys are purged at the 17th second of each minute, of the desk's clock: it is a few seconds before that.
    const ahead = (70 - new Date().getSeconds()) * 1000;
    clock.set(ahead);
    const database = new Database(join(path, 'data/helpdesk.db'));
    // The purge removes it, and so tells that it has come.
    database.run(
      `INSERT INTO idempotency_keys (credential, key, fingerprint, status, answer_sealed, created_at)
       VALUES ('test', 'old', 'x', 201, 'x', ?)`,
      [Date.now() - 30 * dayMs],
    );
    const isPurged = () => database.query("SELECT 1 FROM idempotency_keys WHERE key = 'old'").get() === null;
    const told = (desk: Served) => desk.errors().split('the clock of this machine was set').length - 1;

    let desk = await serve(path, environment);
    const first = await open(desk, 'once');
    clock.set(2 * dayMs + ahead);
    await waitUntil('the clock is seen to have jumped', () => told(desk) === 1);
    expect(await open(desk, 'once')).toEqual({ ulid: first.ulid, isRepeat: true });
    await open(desk);
    await waitUntil('keys have been looked through', isPurged);
    database.close();
    expect(await open(desk, 'once')).toEqual({ ulid: first.ulid, isRepeat: true });

    // A restart in between: what the first process knew of the jump is in the database.
    desk.signal('SIGTERM');
    expect(await desk.exited).toBe(0);
    desk = await serve(path, environment);
    expect(await open(desk, 'once')).toEqual({ ulid: first.ulid, isRepeat: true });
    await open(desk);
    clock.set(ahead);
    await waitUntil('the clock is seen to have been put right', () => told(desk) === 1);
    await open(desk);
    desk.signal('SIGTERM');
    expect(await desk.exited).toBe(0);
    desk = await serve(path, environment);
    await open(desk);
    expect(await open(desk, 'once')).toEqual({ ulid: first.ulid, isRepeat: true });

    expect(ulids).toHaveLength(5);
    expect(ulids).toEqual([...ulids].sort());
    const events = (await (
      await fetch(`${desk.url}/api/v1/events?after=0`, { headers: { Authorization: `Bearer ${teamToken}` } })
    ).json()) as { data: { seq: number; ticket_id: number | null }[] };
    const tickets = events.data.flatMap(({ ticket_id: id }) => (id === null ? [] : [id]));
    expect([...new Set(tickets)]).toEqual([1, 2, 3, 4, 5]);
    const seqs = events.data.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((one, other) => one - other));
    desk.signal('SIGTERM');
    expect(await desk.exited).toBe(0);

    const { data } = (await helpdesk(path, ['doctor', '--json'])).json() as {
      data: { findings: { code: string; level: string; details?: string[] }[] };
    };
    expect(JSON.stringify(data.findings.filter(({ code }) => code === 'clock_jumped'))).toMatch(
      /from \S+ to \S+: it was set.*from \S+ to \S+: it was set/,
    );
  } finally {
    clock.remove();
    remove();
  }
});
