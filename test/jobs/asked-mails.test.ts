// Codes and links that someone asked for: a row for every request, mailed later, and gone.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { silentLog } from '../../src/base/log.ts';
import { eraseAuthor } from '../../src/desk/customers/authors.ts';
import { query } from '../../src/engine/database.ts';
import { mailAllAsked } from '../../src/jobs/asked-mails.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { customerBrowser } from '../support/customer-browser.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
  await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { portal: 'form_and_tickets' } });
});
afterEach(() => app.close());

const rows = () =>
  query<{ id: number; asked_sealed: string }>(app.desk.store.reading, 'SELECT * FROM asked_mails').all();
const queued = () =>
  query<{ event: string; recipient: string }>(
    app.desk.store.reading,
    "SELECT event, recipient FROM deliveries WHERE event <> 'mail.acknowledgement' ORDER BY event",
  ).all();
const run = (log = silentLog) => mailAllAsked(app.desk, log);
const code = (email: string) => customerBrowser(app).ask('POST', '/codes', { site: app.site.slug, email });
const link = (ticket: string) => customerBrowser(app).ask('POST', '/links/request', { ticket });
const reset = (email: string) => app.ask('POST', '/api/v1/password-resets', { body: { email } });
async function askAll() {
  const { ulid } = await app.open();
  for (const email of ['mia@example.org', 'no-one@example.org']) await code(email);
  for (const ticket of [ulid, '01K4VJ8Q4N7RM2ZC6B0T3XWYDE', 'nonsense']) await link(ticket);
  for (const email of ['kim@agents.example', 'no-one@example.org']) await reset(email);
}

test('every request leaves a row that names no one, and later a mail only to those whom the desk knows', async () => {
  await askAll();
  expect(rows()).toHaveLength(7);
  expect(JSON.stringify(rows())).not.toMatch(/mia@|no-one|kim@|01K4/i);
  await run();
  expect([rows().length, queued()]).toEqual([7, []]);
  app.clock.advance(3500);
  await run();
  expect(rows()).toEqual([]);
  expect(queued()).toEqual([
    { event: 'mail.customer_code', recipient: 'mia@example.org' },
    { event: 'mail.customer_link', recipient: 'mia@example.org' },
    { event: 'mail.password_reset', recipient: 'kim@agents.example' },
  ]);
});

test('a clock that was set back delays none', async () => {
  await askAll();
  app.clock.advance(-3_600_000);
  await run();
  expect(rows()).toEqual([]);
  expect(queued()).toHaveLength(3);
});

test('nothing is mailed to someone who was erased meanwhile, and no code that counts no more', async () => {
  await app.open();
  await code('mia@example.org');
  await app.open({ email: 'bo@example.org' });
  await code('bo@example.org');
  await app.desk.write((tx) => {
    eraseAuthor(tx, app.desk.context({ kind: 'command_line' }, 'test'), {
      site_id: app.site.id,
      email: 'mia@example.org',
    });
    return null;
  });
  query(app.desk.store.writing, "UPDATE customer_codes SET expires_at = 0 WHERE address = 'bo@example.org'").run();
  app.clock.advance(3500);
  await run();
  expect([rows(), queued()]).toEqual([[], []]);
});

test('one that cannot be read is logged and dropped, and keeps no other from being mailed', async () => {
  await askAll();
  query(app.desk.store.writing, "UPDATE asked_mails SET asked_sealed = 'x' WHERE id = 1").run();
  app.clock.advance(3500);
  const logged: string[] = [];
  await run({ ...silentLog, error: (_fields, message) => void logged.push(message) });
  expect(logged).toEqual(['a code or link that someone asked for could not be queued']);
  expect(rows()).toEqual([]);
  expect(queued()).toHaveLength(2);
});

test('a flood of requests is refused before it fills the disk', async () => {
  query(
    app.desk.store.writing,
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO asked_mails (mail_at, asked_sealed) SELECT 9e15, 'x' FROM n",
  ).run();
  const refused = await reset('kim@agents.example');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(rows()).toHaveLength(5000);
});
