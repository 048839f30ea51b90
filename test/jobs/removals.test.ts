// Removing a large site: hidden from everyone at once, its rows deleted in steps and after interruptions, with nothing
// left.

import { expect, test } from 'bun:test';
import { silentLog } from '../../src/base/log.ts';
import { query } from '../../src/engine/database.ts';
import { removeRest } from '../../src/jobs/removals.ts';
import { forgetImports, writeDocuments } from '../../src/jobs/small-steps.ts';
import { scan } from '../../src/jobs/ticket-scans.ts';
import { removals } from '../../src/store/sites/removals.ts';
import { finishImport, forgetImportedRows } from '../../src/store/transfer/imports.ts';
import { testApp } from '../support/app.ts';

/** An app whose first site has too many tickets to be removed in one step. */
async function largeSite() {
  const app = await testApp();
  await app.open({ subject: 'ours', email: 'first@example.org' });
  const { ulid, accessToken } = await app.open({ subject: 'ours too', email: 'second@example.org' });
  const other = await app.ask('POST', '/api/v1/public/tickets', {
    headers: { 'X-Site-Token': app.other.siteToken },
    body: { email: 'else@example.org', subject: 'theirs ours', message: 'stays' },
  });
  expect(other.status).toBe(201);
  const form = new FormData();
  form.append('file', new File(['hello'], 'note.txt', { type: 'text/plain' }));
  const path = `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`;
  const attached = await app.ask('POST', path, { headers: { 'X-Site-Token': app.siteToken }, body: form });
  expect(attached.status).toBe(201);
  await app.desk.write((tx) => {
    const columns = query<{ name: string }>(tx, 'PRAGMA table_info(tickets)')
      .all()
      .map(({ name }) => name)
      .filter((name) => !['id', 'ulid'].includes(name));
    // Before the two with messages, so that these come last.
    tx.client.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 400)
       INSERT INTO tickets (id, ulid, ${columns.join(', ')}) SELECT 1000 + n, 'copy' || n, ${columns.map((name) => (name === 'created_at' ? '1' : name === 'sla_next_at' ? '1' : name)).join(', ')}
       FROM numbers, tickets WHERE tickets.id = 1`,
    );
    return null;
  });
  const link = attached.json.attachment.url as string;
  const remove = () => app.asTeam('DELETE', `/api/v1/sites/${app.site.slug}?confirm=${app.site.slug}`);
  return { ...app, ulid, accessToken, link, remove };
}

const total = async (app: { asTeam: Awaited<ReturnType<typeof testApp>>['asTeam'] }, query = '') =>
  (await app.asTeam('GET', `/api/v1/tickets?${query}`)).json.meta.total as number;

test('a large site is gone for everyone with the answer, while its rows are still there', async () => {
  const app = await largeSite();
  const { slug, id, ulid: siteUlid } = app.site;
  const scoped = await app.token(['read'], id);
  expect(await total(app)).toBe(403);
  expect((await app.remove()).status).toBe(204);
  const [removal] = app.desk.read((tx) => removals(tx));
  expect(removal).toMatchObject({ siteId: id, tickets: 402 });
  expect(removal?.left).toBeGreaterThan(100);

  expect(await total(app)).toBe(1);
  for (const asked of [
    'q=ours',
    'status=open',
    'email=first@example.org',
    'sort=updated_at&unassigned=1',
    'tag=x&q=ours',
  ])
    expect(await total(app, asked)).toBeLessThanOrEqual(1);
  for (const name of [slug, id, siteUlid]) {
    expect((await app.asTeam('GET', `/api/v1/sites/${name}`)).status).toBe(404);
    expect((await app.asTeam('GET', `/api/v1/tickets?site_id=${name}`)).status).toBe(404);
  }
  expect((await app.asTeam('GET', '/api/v1/sites')).json.data.map((site: { slug: string }) => site.slug)).not.toContain(
    '',
  );
  expect((await app.asTeam('GET', `/api/v1/tickets/${app.ulid}`)).status).toBe(404);
  expect((await app.asTeam('POST', `/api/v1/tickets/${app.ulid}/notes`, { body: 'x' })).status).toBe(404);
  expect((await app.asSite('GET', '/api/v1/public/config')).status).toBe(401);
  const mail = { method: 'POST', headers: { 'content-type': 'message/rfc822' }, body: 'From: a@example.org\r\n\r\nx' };
  const posted = await app.fetch(
    new Request(`http://desk.example/api/webhooks/raw/inbound/${app.inboundSecret}`, mail),
  );
  expect(posted.status).toBe(404);
  expect((await app.ask('GET', new URL(app.link).pathname + new URL(app.link).search)).status).toBe(404);
  const events = (await app.asTeam('GET', '/api/v1/events?limit=500')).json.data as Record<string, unknown>[];
  const own = events.filter(({ site_id, event }) => site_id === id && event !== 'site.deleted');
  expect(own.length).toBeGreaterThan(0);
  for (const event of own) expect(JSON.stringify(event)).not.toContain(app.ulid);
  expect(events.at(-1)).toMatchObject({ event: 'site.deleted' });
  expect(
    (await app.ask('GET', '/api/v1/tickets', { headers: { Authorization: `Bearer ${scoped.secret}` } })).status,
  ).toBe(401);
  // The clocks of its tickets signal nothing, and hold up no scan.
  expect(await scan(app.desk)).toBe(0);
  // Its slug is free again.
  expect((await app.asTeam('POST', '/api/v1/sites', { name: 'again', slug })).status).toBe(201);
  await app.close();
});

test('its rows and files go in steps, from where they were left, and nothing stays but blank events and the audit log', async () => {
  const app = await largeSite();
  const { id } = app.site;
  await app.remove();
  const removing = { desk: app.desk, blobs: app.edge.blobs, mailBlobs: app.edge.blobs, log: silentLog };
  const seen: number[] = [];
  // A stop in the middle, as after a crash: the progress is in the database.
  expect(
    await removeRest({ ...removing, onStep: ({ left }) => seen.push(left), isStopping: () => seen.length === 2 }),
  ).toBe(0);
  expect(app.desk.read((tx) => removals(tx)).length).toBe(1);
  let steps = 0;
  let others = 0;
  const turn = () => {
    others += 1;
    if (steps >= 0) setImmediate(turn);
  };
  setImmediate(turn);
  expect(await removeRest({ ...removing, onStep: () => (steps += 1) })).toBe(1);
  const taken = steps;
  steps = -1;
  expect(taken).toBeGreaterThan(2);
  // Other writes ran between two steps.
  expect(others).toBeGreaterThanOrEqual(taken);
  expect(app.desk.read((tx) => removals(tx))).toEqual([]);
  const left = app.desk.read((tx) => {
    const tables = query<{ name: string }>(
      tx,
      "SELECT m.name FROM sqlite_schema m WHERE m.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'site_id')",
    ).all();
    return tables
      .map(({ name }) => name)
      .filter((name) => query(tx, `SELECT 1 FROM ${name} WHERE site_id = ?`).get(id) !== null);
  });
  expect(left.sort()).toEqual(['audit_log', 'events']);
  const blank = app.desk.read((tx) =>
    query<{ n: number }>(
      tx,
      "SELECT count(*) AS n FROM events WHERE site_id = ? AND data <> '{}' AND kind <> 'site.deleted'",
    ).get(id),
  );
  expect(blank?.n).toBe(0);
  expect(app.desk.read((tx) => query<{ n: number }>(tx, 'SELECT count(*) AS n FROM tickets').get()?.n)).toBe(1);
  await writeDocuments(app.desk);
  const words = app.desk.read((tx) =>
    query<{ n: number }>(tx, `SELECT count(*) AS n FROM ticket_search WHERE ticket_search MATCH '"ours"'`).get(),
  );
  expect(words?.n).toBe(1);
  const file = new URL(app.link).pathname.split('/').at(-1) ?? '';
  expect(await app.edge.blobs.size(file)).toBeNull();
  await app.close();
});

test('addresses that bounced, rows of an import and old policies of a site go in steps too', async () => {
  const app = await testApp();
  const { id, slug } = app.site;
  const kinds = ['mail_suppressions', 'import_rows', 'sla_policies'] as const;
  const totals = () =>
    app.desk.read((tx) =>
      kinds.map((name) => query<{ n: number }>(tx, `SELECT count(*) AS n FROM ${name}`).get()?.n ?? 0),
    );
  await app.desk.write((tx) => {
    const numbers = 'WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1500)';
    tx.client.run(
      `${numbers} INSERT INTO mail_suppressions SELECT ${id}, 'a' || at || '@example.org', 'bounced', 1 FROM n`,
    );
    tx.client.run(`INSERT INTO imports (id, name, site_id, run, created_at) VALUES (1, 'cut short', ${id}, 1, 1)`);
    tx.client.run(`${numbers} INSERT INTO import_rows SELECT 1, 'message', at, at, NULL, 1 FROM n`);
    tx.client.run(`${numbers} INSERT INTO sla_policies (site_id, policy) SELECT ${id}, json_object('n', at) FROM n`);
    return null;
  });
  await app.asTeam('DELETE', `/api/v1/sites/${slug}?confirm=${slug}`);
  let before = totals();
  let mostAtOnce = 0;
  const onStep = () => {
    const now = totals();
    mostAtOnce = Math.max(mostAtOnce, ...before.map((total, at) => total - (now[at] ?? 0)));
    before = now;
  };
  const removing = { desk: app.desk, blobs: app.edge.blobs, mailBlobs: app.edge.blobs, log: silentLog, onStep };
  expect(await removeRest(removing)).toBe(1);
  onStep();
  expect(mostAtOnce).toBeLessThanOrEqual(400);
  // The policies of the other site.
  expect(totals()).toEqual([0, 0, 1]);
  await app.close();
});

test('what became of the rows of a finished import is forgotten in steps, and of one under way kept', async () => {
  const app = await testApp();
  const left = () => app.desk.read((tx) => query(tx, 'SELECT import_id FROM import_rows').all().length);
  await app.desk.write((tx) => {
    tx.client.run(
      `INSERT INTO imports (id, name, site_id, run, created_at) VALUES (1, 'done', ${app.site.id}, 1, 1), (2, 'under way', ${app.site.id}, 1, 1)`,
    );
    tx.client.run(
      `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1200)
       INSERT INTO import_rows SELECT 1 + at % 2, 'message', at, at, NULL, 1 FROM n`,
    );
    finishImport(tx, 1, 5);
    return null;
  });
  expect(left()).toBe(1200);
  await app.desk.write((tx) => forgetImportedRows(tx));
  expect(left()).toBe(700);
  await forgetImports(app.desk);
  expect(left()).toBe(600);
  await app.close();
});
