// What rules did in 30 days, and a dry run on stored mail.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { dayMs } from '../../../src/domain/instant.ts';
import { query } from '../../../src/engine/database.ts';
import { forgetRuleCounts } from '../../../src/store/rules/rule-counts.ts';
import { mail } from '../../desk/mail/mail-desk.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
const rules = '/api/v1/sites/web-shop/inbound-rules';
const ids: Record<string, number> = {};
beforeAll(async () => {
  app = await testApp();
  for (const [name, value, rest] of [
    ['Invoices', 'invoice', {}],
    ['Offers', 'offer', { actions: [{ type: 'discard' }] }],
    ['Never', 'walrus', {}],
    ['Off', 'invoice', { is_active: false }],
    ['Last', 'urgent', { stop_processing: true }],
    ['After', 'urgent', {}],
  ] as const) {
    const body = { name, conditions: [{ field: 'subject', operator: 'contains', value }], ...rest };
    const { json } = await app.asTeam('POST', rules, { actions: [{ type: 'add_tags', value: ['a'] }], ...body });
    ids[name] = json.data.id;
  }
});
afterAll(() => app.close());

const arrive = async (subject: string) => {
  const { json } = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body: mail({ subject }) });
  return json as { outcome: string; ticket: string | null };
};
const counts = async () => {
  const { json } = await app.asTeam('GET', rules);
  const of = (one: { name: string; last_30_days: { matches: number; runs: number } }) =>
    [one.name, `${one.last_30_days.matches} of ${one.last_30_days.runs}`] as const;
  return Object.fromEntries(json.data.map(of));
};
const ticketsOf = async (name: string) =>
  (await app.asTeam('GET', `${rules}/${ids[name]}/tickets`)).json.data as { ulid: string; subject: string }[];

test('each rule counts the mail it was asked about and matched, with its tickets, for 30 days', async () => {
  const first = await arrive('My invoice');
  app.clock.advance(1000);
  const second = await arrive('An urgent invoice');
  await arrive('An offer');
  expect(await counts()).toEqual({
    Invoices: '2 of 3',
    Offers: '1 of 3',
    Never: '0 of 2',
    Off: '0 of 0',
    Last: '1 of 2',
    After: '0 of 1',
  });
  expect((await ticketsOf('Invoices')).map(({ ulid }) => ulid)).toEqual([second.ticket, first.ticket] as string[]);
  expect(await ticketsOf('Invoices')).toMatchObject([{ subject: 'An urgent invoice' }, { subject: 'My invoice' }]);
  expect(await ticketsOf('Offers')).toEqual([]);
  expect((await app.asTeam('GET', `${rules}/${ids.Last}`)).json.data.last_30_days).toEqual({ runs: 2, matches: 1 });
  expect((await app.asTeam('GET', `/api/v1/sites/other-shop/inbound-rules/${ids.Last}/tickets`)).status).toBe(404);

  // A later day counts beside it, until the first is too long ago.
  app.clock.advance(29 * dayMs);
  const later = await arrive('One more invoice');
  expect((await counts()).Invoices).toBe('3 of 4');
  app.clock.advance(dayMs);
  expect((await counts()).Invoices).toBe('1 of 1');
  expect((await ticketsOf('Invoices')).map(({ ulid }) => ulid)).toEqual([later.ticket ?? '']);
  const rows = () =>
    app.desk.read((tx) =>
      ['rule_days', 'rule_tickets'].map((table) => query(tx, `SELECT 1 FROM ${table}`).all().length),
    );
  const before = rows();
  while ((await app.desk.write((tx) => forgetRuleCounts(tx, app.clock.now(), 2))) >= 2);
  expect(before).not.toEqual(rows());
  expect((await counts()).Invoices).toBe('1 of 1');
  expect(rows()[1]).toBe(1);
});

test('a rule is tried on stored mail, which changes nothing', async () => {
  await arrive('A walrus with an invoice');
  const log = (await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail?per_page=1')).json.data;
  const before = [app.counts(), await counts()];
  const { status, json } = await app.asTeam('POST', `${rules}/test`, { inbound_id: log[0].id });
  expect(status).toBe(200);
  // It is no duplicate of itself.
  expect(json.data).toMatchObject({ outcome: 'ticket_created', ticket: null, effects: { tags: ['a'] } });
  const matched = json.data.rules.filter(({ outcome }: { outcome: string }) => outcome === 'matched');
  expect(matched.map(({ name }: { name: string }) => name)).toEqual(['Invoices', 'Never']);
  expect([app.counts(), await counts()]).toEqual(before as never);

  const refused = async (body: object, site = 'web-shop') =>
    (await app.asTeam('POST', `/api/v1/sites/${site}/inbound-rules/test`, body)).status;
  expect(await refused({})).toBe(422);
  expect(await refused({ raw: mail(), inbound_id: log[0].id })).toBe(422);
  expect(await refused({ inbound_id: 999_999 })).toBe(404);
  expect(await refused({ inbound_id: log[0].id }, 'other-shop')).toBe(404);
  await app.desk.write((tx) =>
    query(tx, 'UPDATE inbound_mail SET erased_at = 1 WHERE id = ?').run(log[0].id as number),
  );
  expect(await refused({ inbound_id: log[0].id })).toBe(409);
});
