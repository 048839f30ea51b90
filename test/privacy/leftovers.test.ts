// What is in progress while someone is erased, and what a crash leaves: it is removed too.

import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/base/config.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { eraseAuthor } from '../../src/desk/customers/authors.ts';
import { continueErasure } from '../../src/desk/customers/erasure.ts';
import { recordAttempt } from '../../src/desk/outbox/attempts.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { openTicket } from '../../src/desk/tickets/tickets.ts';
import { ingestTicketInput } from '../../src/domain/input/tickets.ts';
import { query } from '../../src/engine/database.ts';
import { purgeErasedWords } from '../../src/jobs/upkeep.ts';
import { searchPurgesDue } from '../../src/store/lists/search-purge.ts';
import { erasedLetters, eraseLetter } from '../../src/store/mail/author-mails.ts';
import { inboundRuleRows } from '../../src/store/sites/catalogue.ts';
import { minute, type Workbench, workbench } from '../desk/workbench.ts';
import { temporaryFolder } from '../support/folders.ts';

const benches: Workbench[] = [];
afterAll(() => {
  for (const bench of benches) bench.close();
});
function fresh(): Workbench {
  const bench = workbench();
  benches.push(bench);
  return bench;
}
const erase = (bench: Workbench, email = 'mia@example.org') =>
  bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email }));

test('the answer to what was being told while its author was erased is not kept, and the file of a mail goes', () => {
  const bench = fresh();
  bench.open();
  const [mail] = query<{ id: number; mail_message_id: string }>(bench.tx, 'SELECT * FROM deliveries').all();
  if (!mail) throw new Error('no mail');
  bench.clock.advance(minute);
  erase(bench);
  bench.do((tx) => {
    query(tx, 'DELETE FROM erased_letters').run();
    query(tx, "UPDATE deliveries SET status = 'queued'").run();
  });
  bench.do((tx, ctx) =>
    recordAttempt(tx, ctx, {
      deliveryId: mail.id,
      result: { outcome: 'delivered' },
      durationMs: 5,
      responseStatus: 200,
      responseExcerpt: 'Thank you, Mia Jansen',
      error: null,
    }),
  );
  expect(query(bench.tx, 'SELECT response_excerpt FROM delivery_attempts').all()).toEqual([{ response_excerpt: '' }]);
  expect(erasedLetters(bench.tx, 10)).toEqual([mail.mail_message_id]);
});

test('the rules of inbound mail that name a person forget them, and keep what is about others', () => {
  const bench = fresh();
  bench.open();
  const condition = (value: string | number | string[]) =>
    ({ field: 'from', operator: 'in', value, negate: false }) as const;
  bench.do((tx, ctx) =>
    inboundRuleRows.insert(tx, {
      siteId: bench.site.id,
      name: 'Mail of Mia Jansen',
      position: 1,
      isActive: true,
      match: 'any',
      conditions: [condition(['mia@example.org', 'ben@example.org']), condition(7)],
      actions: [
        { type: 'set_metadata', value: { customer: 'mia@example.org', 'mia@example.org': 1, plan: 'gold' } },
        { type: 'add_tags', value: ['vip', 'mia-jansen'] },
        { type: 'note', value: 'Ask Mia Jansen first' },
        { type: 'forward', value: 'mia@example.org' },
        { type: 'add_participant', value: { email: 'mia@example.org', name: null } },
        { type: 'add_participant', value: { email: 'ben@example.org', name: 'Friend of Mia Jansen' } },
        { type: 'discard', value: 'Mia Jansen writes too much' },
        { type: 'set_priority', value: 2 },
      ],
      stopProcessing: false,
      createdAt: ctx.now,
      version: 1,
    }),
  );
  erase(bench);
  const [row] = query<{ name: string; conditions: string; actions: string; version: number }>(
    bench.tx,
    'SELECT name, conditions, actions, version FROM inbound_rules',
  ).all();
  expect(row && { ...row, conditions: JSON.parse(row.conditions), actions: JSON.parse(row.actions) }).toEqual({
    name: 'Mail of Anonymised',
    conditions: [condition(['Anonymised', 'ben@example.org']), condition(7)],
    actions: [
      { type: 'set_metadata', value: { customer: 'Anonymised', plan: 'gold' } },
      { type: 'add_tags', value: ['vip'] },
      { type: 'note', value: 'Ask Anonymised first' },
      { type: 'add_participant', value: { email: 'ben@example.org', name: 'Friend of Anonymised' } },
      { type: 'discard', value: 'Anonymised writes too much' },
      { type: 'set_priority', value: 2 },
    ],
    version: 2,
  });
});

test('files that a crash left are removed at the next look, half-written ones too, and no others', async () => {
  const path = temporaryFolder();
  const data = openDataDirectory(readConfig({ HELPDESK_DATA: path }, {}));
  const folder = join(path, 'mail');
  mkdirSync(folder, { recursive: true });
  const [theirs, half, others] = ['01AAA', '01BBB', '01CCC'].map((id) => join(folder, `2026-09-11T09-30-00-${id}.eml`));
  if (!theirs || !half || !others) throw new Error('no names');
  for (const file of [theirs, `${half}.tmp`, others]) writeFileSync(file, 'Dear Mia');
  await data.desk.write((tx) => {
    for (const id of ['<01AAA@desk.example>', '<01BBB@desk.example>', '<01DDD@desk.example>']) eraseLetter(tx, id);
    return null;
  });
  await data.removeErased();
  expect([theirs, `${half}.tmp`, others].map((file) => existsSync(file))).toEqual([false, false, true]);
  expect(data.desk.read((tx) => erasedLetters(tx, 10))).toEqual([]);
  await data.close();
});

test('of someone with many tickets the rest follows step by step, also after a stop', async () => {
  const path = temporaryFolder();
  const config = readConfig({ HELPDESK_DATA: path }, {});
  const data = openDataDirectory(config);
  const ctx = (from = data) => from.desk.context({ kind: 'command_line' }, 'test');
  const { site } = await data.desk.write((tx) => createSite(tx, ctx(), { name: 'Shop' }));
  const input = ingestTicketInput.parse({
    email: 'mia@example.org',
    name: 'Mia Zwetschge',
    subject: 'x',
    message: 'Mia',
  });
  await data.desk.write((tx) => {
    for (let at = 0; at < 250; at += 1) openTicket(tx, ctx(), site, input);
    return null;
  });
  const bodies = (from = data) =>
    from.desk.read((tx) => query(tx, "SELECT 1 FROM messages WHERE body = 'Mia'").all().length);
  const answer = await data.desk.write((tx) => {
    const erased = eraseAuthor(tx, ctx(), { site_id: site.id, email: 'mia@example.org' });
    return erased.ticketsScrubbed;
  });
  expect(answer).toBe(250);
  await data.close();
  const again = openDataDirectory(config);
  await again.removeErased();
  expect(bodies(again)).toBe(0);
  expect(again.desk.read((tx) => query(tx, 'SELECT * FROM erasures_under_way').all())).toEqual([]);
  await again.close();
}, 30_000);

describe('the words inside the full-text index', () => {
  const stored = (bench: Workbench, word: string) =>
    query<{ total: number }>(
      bench.tx,
      'SELECT count(*) AS total FROM ticket_search_data WHERE instr(block, CAST(? AS BLOB)) > 0',
    ).get(word)?.total;

  test('are there until their parts are merged, and then gone; what others wrote is found as before', async () => {
    const bench = fresh();
    for (let at = 0; at < 300; at += 1)
      bench.open({ email: `person${at}@example.org`, name: 'Other', message: `number${at} waits` });
    bench.open({ name: 'Zwetschge', message: 'I am Zwetschge' });
    expect(bench.search('zwetschge')).toHaveLength(1);
    erase(bench);
    expect(bench.search('zwetschge')).toEqual([]);
    expect(stored(bench, 'zwetschge')).toBeGreaterThan(0);
    expect(bench.desk.read((tx) => searchPurgesDue(tx, 1))).toEqual([]);
    await purgeErasedWords(bench.desk, 2000);
    expect(stored(bench, 'zwetschge')).toBe(0);
    expect(bench.search('number17')).toHaveLength(1);
    expect(bench.desk.read((tx) => searchPurgesDue(tx, 2000))).toEqual([]);
  });

  test('erasing while they are merged begins again', async () => {
    const bench = fresh();
    for (const name of ['Erstling', 'Zweitling']) bench.open({ email: `${name}@example.org`, name, message: name });
    erase(bench, 'erstling@example.org');
    await purgeErasedWords(bench.desk, 2000);
    erase(bench, 'zweitling@example.org');
    expect(stored(bench, 'zweitling')).toBeGreaterThan(0);
    await purgeErasedWords(bench.desk, 2000);
    for (const name of ['erstling', 'zweitling']) expect(stored(bench, name)).toBe(0);
  });
});

test('no step of an erasure touches more than some rows, whatever the person has, and what came later stays', () => {
  const bench = fresh();
  const { ticket } = bench.open();
  const foreign = bench.open({ email: 'lea@example.org', name: 'Lea', message: 'Ask Mia Jansen' });
  const author = ticket.authorId;
  bench.do((tx) => {
    const columns = (table: string, but: string[]) =>
      query<{ name: string }>(tx, 'SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => name)
        .filter((name) => !but.includes(name))
        .join(', ');
    const numbers = 'WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 900)';
    const own = columns('messages', ['id', 'ulid', 'ticket_id', 'author_id']);
    // Often on one ticket of someone else, among what its own author wrote.
    tx.client.run(
      `${numbers} INSERT INTO messages (ulid, ticket_id, author_id, ${own}) SELECT 'copy' || at, ${foreign.ticket.id}, ${author}, ${own} FROM n, messages WHERE ticket_id = ${ticket.id}`,
    );
    tx.client.run(
      `${numbers} INSERT INTO inbound_mail (ulid, site_id, provider, headers, size, status, outcome, sender, recipient, forwarded_to, received_at)
       SELECT 'mail' || at, ${bench.site.id}, 'raw', '{}', 10, 'done', 'held', 'mia@example.org', 'help@desk.example', '["all@desk.example"]', at FROM n`,
    );
    tx.client.run(
      `INSERT INTO deliveries (ulid, site_id, event, payload, recipient, mail_message_id, next_at, created_at)
       SELECT 'forward' || id, site_id, 'mail.forward', json_object('inbound_id', id), 'all@desk.example', '<' || id || '@desk>', 1, 1 FROM inbound_mail`,
    );
  });
  const left = (text: string) =>
    query<{ total: number }>(bench.tx, `SELECT count(*) AS total FROM ${text}`).get()?.total;
  const mails = () => left("inbound_mail WHERE sender = 'mia@example.org'") ?? 0;
  erase(bench);
  // Later data belongs to another person, who has the address now.
  bench.do((tx) =>
    tx.client.run(
      `INSERT INTO inbound_mail (ulid, site_id, provider, headers, size, status, outcome, sender, received_at)
       VALUES ('new', ${bench.site.id}, 'raw', '{}', 10, 'done', 'held', 'mia@example.org', 9)`,
    ),
  );
  let before = mails();
  expect(before).toBeGreaterThan(400);
  let steps = 0;
  while (bench.do((tx, ctx) => continueErasure(tx, ctx))) {
    expect(before - mails()).toBeLessThanOrEqual(100);
    before = mails();
    steps += 1;
  }
  expect(steps).toBeGreaterThan(4);
  expect(mails()).toBe(1);
  expect(left("deliveries WHERE event = 'mail.forward' AND status <> 'failed'")).toBe(0);
  expect(left('erased_letters')).toBeGreaterThanOrEqual(900);
  expect(left("messages WHERE body LIKE '%Mia%' OR author_name LIKE '%Mia%'")).toBe(0);
});
