// Three machines upgraded one after another: at least two are ready all the time, and every one answers everything.

import { afterEach, expect, test } from 'bun:test';
import { migrations } from '../../migrations/index.ts';
import { issueToken } from '../../src/desk/people/tokens.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { appliedVersion } from '../../src/engine/migrate.ts';
import { type FakeLiteFS, fakeLiteFS, replicate, until } from '../support/litefs.ts';
import { askAt, type Machine, startMachine, startOn } from '../support/machines.ts';

const newest = migrations.at(-1)?.version ?? 0;
const upgraded = [
  ...migrations,
  { version: newest + 1, name: 'later', sql: 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;' },
];

const machines: Machine[] = [];
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0).reverse()) await machine.stop();
  for (const close of closing.splice(0)) await close();
});

async function replicaOf(primary: Machine): Promise<FakeLiteFS> {
  const litefs = await fakeLiteFS();
  closing.push(litefs.close);
  litefs.setPrimary(false);
  litefs.namePrimary(primary.host);
  litefs.setPosition(1);
  replicate(primary.litefs.database, litefs.database);
  return litefs;
}

const statusAt = (url: string) =>
  askAt(url, 'GET', '/readyz').then(
    ({ status }) => status,
    () => 0,
  );

test('replicas first, then a promotion, then the former primary', async () => {
  const first = await startMachine(null);
  machines.push(first);
  const { desk } = first.running.data;
  const ctx = desk.context({ kind: 'command_line' }, 'test');
  const { siteToken } = await desk.write((tx) => createSite(tx, ctx, { name: 'Web shop' }));
  const token = await desk.write((tx) =>
    issueToken(tx, ctx, { name: 'Team', abilities: ['read', 'write'], site_id: null, expires_at: null }),
  );
  const team = { Authorization: `Bearer ${token.secret}` };
  const replicas = [await startMachine(first), await startMachine(first)];
  machines.push(...replicas);

  let opened = 0;
  const everythingAt = async (url: string) => {
    const made = await askAt(url, 'POST', '/api/v1/public/tickets', {
      headers: { 'X-Site-Token': siteToken },
      body: JSON.stringify({ email: 'mia@example.org', name: 'Mia', subject: 'Hello', message: 'It fails.' }),
    });
    opened += made.status === 201 ? 1 : 0;
    const list = await askAt(url, 'GET', '/api/v1/tickets', { headers: team });
    const page = await askAt(url, 'GET', '/sign-in');
    expect(page.text).toContain('<html');
    return [made.status, list.status, list.json.meta.total - opened, page.status];
  };
  const all = [201, 200, 0, 200];

  const urls = [first.running.url, ...replicas.map(({ running }) => running.url)];
  const ready: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const states = await Promise.all(urls.map(statusAt));
      ready.push(states.filter((status) => status === 200).length);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();

  const starting: Promise<Machine>[] = [];
  const mounts: FakeLiteFS[] = [];
  for (const [at, old] of replicas.entries()) {
    await old.stop();
    const litefs = await replicaOf(first);
    mounts.push(litefs);
    const waiting = Promise.withResolvers<string>();
    starting.push(startOn(litefs, {}, upgraded, { onWaiting: waiting.resolve }));
    const url = await waiting.promise;
    urls[at + 1] = url;
    await until(async () => (await statusAt(url)) === 200, 'it is ready before the migration');
    expect(await everythingAt(url)).toEqual(all);
  }
  expect(appliedVersion(desk.store.reading)).toBe(newest);

  // The promotion of the second machine, which migrates.
  const [promoted, other] = mounts;
  if (!promoted || !other) throw new Error('two replicas');
  const host = new URL(urls[1] ?? '').port;
  first.litefs.setPrimary(false);
  first.litefs.namePrimary(host);
  other.namePrimary(host);
  promoted.namePrimary(null);
  promoted.setPrimary(true);
  const [newPrimary, third] = await Promise.all(starting);
  if (!newPrimary || !third) throw new Error('two replicas');
  machines.push(newPrimary, third);
  await until(async () => (await newPrimary.ask('GET', '/readyz')).json.role === 'primary', 'it is the primary');
  await until(async () => (await first.ask('GET', '/readyz')).json.backup_age === undefined, 'the schema is noticed');
  expect(appliedVersion(newPrimary.running.data.desk.store.reading)).toBe(newest + 1);
  for (const url of urls) expect(await everythingAt(url)).toEqual(all);

  // The former primary, last.
  await first.stop();
  const last = await startOn(await replicaOf(newPrimary), {}, upgraded);
  machines.push(last);
  urls[0] = last.running.url;
  expect(await everythingAt(last.running.url)).toEqual(all);
  isOver = true;
  await watching;
  expect(ready.length).toBeGreaterThan(2);
  expect(Math.min(...ready)).toBeGreaterThanOrEqual(2);
}, 60_000);
