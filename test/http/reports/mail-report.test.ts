// The report of mail: what arrives and leaves by day, mailbox and site, from the inbound log, the outbox and the canaries.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../../src/engine/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
// A Monday in UTC.
const start = Date.UTC(2026, 8, 14);
const now = start + 2 * day;
let app: TestApp;
let mailbox: number;
let rows = 0;

const run = (text: string, ...values: (string | number | null)[]) =>
  app.desk.write((tx) => query(tx, text).run(...values).lastInsertRowid as never) as Promise<unknown>;

interface Arrived {
  at: number;
  after?: number | null;
  outcome?: string | null;
  heldFor?: string;
  isBox?: boolean;
  site?: number;
  ticket?: number;
  more?: { provider?: string; silent?: number };
}

async function arrive({ at, after = 2, outcome = 'reply_added', heldFor, isBox, site, ticket, more }: Arrived) {
  rows += 1;
  await run(
    `INSERT INTO inbound_mail (ulid, site_id, provider, headers, size, status, outcome, received_at, processed_at, held_for, mailbox_id, ticket_id, silent_date)
     VALUES (?, ?, ?, '{}', 1, 'done', ?, ?, ?, ?, ?, ?, ?)`,
    ...[`r${rows}`, site ?? app.site.id, more?.provider ?? 'raw', outcome, at],
    ...[after === null ? null : at + after * minute, heldFor ?? null, isBox ? mailbox : null, ticket ?? null],
    more?.silent ?? null,
  );
}

async function leave(at: number, status: string, recipient: string | null = 'mia@example.org') {
  rows += 1;
  await run(
    `INSERT INTO deliveries (ulid, site_id, event, payload, recipient, status, created_at) VALUES (?, ?, 'mail.agent_reply', '{}', ?, ?, ?)`,
    ...[`d${rows}`, app.site.id, recipient, status, at],
  );
}

const canary = (at: number, seenAfter: number | null) =>
  run(
    'INSERT INTO mailbox_canaries (mailbox_id, ulid, sent_at, seen_at, is_told) VALUES (?, ?, ?, ?, 0)',
    ...[mailbox, `c${at}`, at, seenAfter === null ? null : at + seenAfter * minute],
  );

beforeAll(async () => {
  app = await testApp({ other: 1e6 });
  app.clock.set(now);
  await run(
    `INSERT INTO mailboxes (site_id, name, address, provider, authentication, save_sent, is_paused, created_at, version, has_canary)
     VALUES (?, 'Help', '=help@shop.example', 'other', 'password', 0, 0, 1, 1, 1)`,
    app.site.id,
  );
  mailbox = app.desk.read((tx) => query<{ id: number }>(tx, 'SELECT id FROM mailboxes').get()?.id ?? 0);
  const { ulid } = await app.open();
  const spam = app.desk.read((tx) => query<{ id: number }>(tx, 'SELECT id FROM tickets WHERE ulid = ?').get(ulid)?.id);
  await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { is_spam: true });
  await run('DELETE FROM deliveries');

  await arrive({ at: start, after: 1, isBox: true });
  await arrive({ at: start + 1, after: 9 });
  await arrive({ at: start + day - 1, outcome: 'held', heldFor: 'spam', isBox: true });
  await arrive({ at: start + day, outcome: 'reply_added', heldFor: 'forged' });
  await arrive({ at: start + day + 1, outcome: 'ticket_created', ticket: spam ?? 0 });
  await arrive({ at: start + day + 2, outcome: 'bounce_recorded' });
  await arrive({ at: start + day + 3, outcome: 'failed' });
  await arrive({ at: start + day + 4, outcome: null, after: null });
  await arrive({ at: start + day + 5, site: app.other.site.id });
  // Not in it: before, after, in silence, and a form.
  await arrive({ at: start - 1 });
  await arrive({ at: now + 1 });
  await arrive({ at: start + 5, more: { silent: 1 } });
  await arrive({ at: start + 6, more: { provider: 'form' } });
  for (const status of ['delivered', 'delivered', 'failed', 'queued']) await leave(start + day, status);
  await leave(start - 1, 'failed');
  await leave(start + day, 'failed', null);
  await canary(start, 3);
  await canary(start + 1, 5);
  await canary(start + 2, null);
  await canary(now - minute, null);
});
afterAll(() => app.close());

const period = 'from=2026-09-14&to=2026-09-15&time_zone=UTC';
const report = async (more = '') =>
  (await app.asTeam('GET', `/api/v1/reports/mail?${period}&site_id=${app.site.id}${more}`)).json;

describe('the report of mail', () => {
  test('counts what came, what became of it, what left and what canaries say', async () => {
    const { data, meta } = await report();
    expect(data.total).toEqual({
      received: { n: 8 },
      lag: { n: 7, median_minutes: 2, p90_minutes: 9 },
      held: { n: 2, of: 7, share: 0.2857 },
      spam: { n: 2, of: 7, share: 0.2857 },
      not_filed: { n: 1, of: 7, share: 0.1429 },
      bounces: { n: 1 },
      sent: { n: 2, of: 3, share: 0.6667 },
      canary: { n: 2, median_minutes: 3, p90_minutes: 5 },
      canary_returned: { n: 2, of: 3, share: 0.6667 },
    });
    expect(data.rows.map(({ group, received }: { group: string; received: object }) => [group, received])).toEqual([
      ['2026-09-14', { n: 3 }],
      ['2026-09-15', { n: 5 }],
    ]);
    expect(meta).toMatchObject({ report: 'mail', group_by: 'day', time: 'calendar', facts_due: 0 });
  });

  test('is grouped by mailbox and by site, and compared', async () => {
    const { data } = await report('&group_by=mailbox&compare=1');
    const groups = data.rows.map(({ group, label, received }: Record<string, unknown>) => [group, label, received]);
    expect(groups).toContainEqual([mailbox, '=help@shop.example', { n: 2 }]);
    expect(groups).toContainEqual([null, null, { n: 6 }]);
    expect(data.previous.total.received).toEqual({ n: 1 });
    const bySite = (await app.asTeam('GET', `/api/v1/reports/mail?${period}&group_by=site`)).json.data.rows;
    expect(bySite.map(({ group }: { group: number }) => group).sort()).toEqual([app.site.id, app.other.site.id].sort());
  });

  test('is CSV, in which no address becomes a formula', async () => {
    const { text } = await app.asTeam('GET', `/api/v1/reports/mail?${period}&group_by=mailbox&format=csv`);
    const [head, ...lines] = text.trim().split('\r\n');
    expect(head).toStartWith(
      'period,group,label,received,lag,lag_median_minutes,lag_p90_minutes,held,held_of,held_share,spam',
    );
    expect(lines.find((line) => line.includes('help@shop.example'))).toContain("'=help@shop.example");
  });

  test('takes nothing that says nothing of mail, and has no tickets', async () => {
    for (const more of ['time=working', 'status=open', 'group_by=agent', 'tag=x', 'satisfaction=bad'])
      expect((await app.asTeam('GET', `/api/v1/reports/mail?${period}&${more}`)).status).toBe(400);
    expect((await app.asTeam('GET', '/api/v1/reports/mail/tickets?metric=created')).status).toBe(400);
    expect((await app.asTeam('GET', `/api/v1/reports/overview?${period}&group_by=mailbox`)).status).toBe(400);
  });
});
