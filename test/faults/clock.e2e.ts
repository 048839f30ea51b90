// A clock that is set two days ahead while the desk runs, and corrected later: noticed, reported, and nothing out of
// order.

import { expect, test } from 'bun:test';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

async function until(what: string, isSo: () => boolean, longestMs = 10_000): Promise<void> {
  for (const end = performance.now() + longestMs; !isSo(); await Bun.sleep(20))
    if (performance.now() > end) throw new Error(`Not within ${longestMs} ms: ${what}`);
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
    const told = (desk: Served) => desk.errors().split('the clock of this machine was set').length - 1;

    let desk = await serve(path, environment);
    const first = await open(desk, 'once');
    clock.set(2 * dayMs);
    await until('the clock is seen to have jumped', () => told(desk) === 1);
    expect(await open(desk, 'once')).toEqual({ ulid: first.ulid, isRepeat: true });
    await open(desk);
    // Keys are purged at the 17th second of each minute.
    await until('keys have been looked through', () => new Date().getSeconds() === 18, 62_000);
    expect(await open(desk, 'once')).toEqual({ ulid: first.ulid, isRepeat: true });

    // A restart in between: what the first process knew of the jump is in the database.
    desk.signal('SIGTERM');
    expect(await desk.exited).toBe(0);
    desk = await serve(path, environment);
    expect(await open(desk, 'once')).toEqual({ ulid: first.ulid, isRepeat: true });
    await open(desk);
    clock.set(0);
    await until('the clock is seen to have been put right', () => told(desk) === 1);
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
}, 120_000);
