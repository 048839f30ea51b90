// The clocks over HTTP: the ledger, recomputing with a dry run, the filters and sorts of the list, and refused policies.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ledgerShape } from '../../../src/http/wire/sla/sla.ts';
import { scan } from '../../../src/jobs/ticket-scans.ts';
import { beginning, type TestApp, testApp } from '../../support/app.ts';

const minute = 60_000;
let app: TestApp;
const ulids: Record<string, string> = {};
const policyOf = (change: object) => app.asTeam('PATCH', `/api/v1/sites/${app.site.id}`, { sla_policy: change });

beforeAll(async () => {
  app = await testApp();
  const { json } = await app.asTeam('GET', `/api/v1/sites/${app.site.id}/priorities`);
  const idOf = (slug: string) => (json.data as { id: number; slug: string }[]).find((one) => one.slug === slug)?.id;
  for (const slug of ['low', 'urgent', 'normal', 'high'])
    ulids[slug] = (await app.open({ priority_id: idOf(slug) })).ulid;
});
afterAll(() => app.close());

const named = (list: { ulid: string }[]) =>
  list.map(({ ulid }) => Object.keys(ulids).find((slug) => ulids[slug] === ulid));
const listed = async (query: string) => named((await app.asTeam('GET', `/api/v1/tickets?${query}`)).json.data);

test('the ledger has the shape that the document describes', async () => {
  const { status, json } = await app.asTeam('GET', `/api/v1/tickets/${ulids.urgent}/sla`);
  expect(status).toBe(200);
  const [first] = ledgerShape.strict().parse(json.data).clocks;
  expect(first).toMatchObject({
    clock: 'first_response',
    target_minutes: 60,
    elapsed_seconds: 0,
    remaining_seconds: 3600,
    due_at: new Date(beginning + 60 * minute).toISOString(),
  });
  expect((await app.asTeam('GET', '/api/v1/tickets/4711/sla')).status).toBe(404);
});

test('the list sorts by each deadline, both ways', async () => {
  expect(await listed('sort=first_response_due_at&direction=asc')).toEqual(['urgent', 'high', 'normal', 'low']);
  expect(await listed('sort=resolution_due_at&direction=desc')).toEqual(['low', 'normal', 'high', 'urgent']);
});

test('the list filters by the state of the clocks', async () => {
  expect(await listed('sla=due_soon')).toEqual(['urgent']);
  await app.asTeam('PATCH', `/api/v1/tickets/${ulids.normal}`, { status: 'pending' });
  expect(await listed('sla=paused')).toEqual(['normal']);
  app.clock.set(beginning + 50 * minute);
  await scan(app.desk);
  expect(await listed('sla=warned')).toEqual(['urgent']);
  app.clock.set(beginning + 61 * minute);
  await scan(app.desk);
  expect(await listed('sla=breached')).toEqual(['urgent']);
  expect(await listed('sla=due_soon')).toEqual([]);
  app.clock.set(beginning + 200 * minute);
  expect(await listed('sla=due_soon')).toEqual(['high']);
});

test('a dry run lists the tickets that would move, and recomputing moves them', async () => {
  await policyOf({ business_hours: { timezone: 'UTC', weekly: { mon: [['09:00', '17:00']] } } });
  const recompute = (body?: object) => app.asTeam('POST', `/api/v1/sites/${app.site.id}/sla/recompute`, body);
  const before = await app.asTeam('GET', '/api/v1/tickets?sort=created_at');
  const rows = app.counts();
  const preview = await recompute({ dry_run: true });
  expect(preview.json).toMatchObject({ message: '4 tickets would move.', dry_run: true, moved: 4 });
  expect(named(preview.json.data.map((one: { ticket_ulid: string }) => ({ ulid: one.ticket_ulid }))).sort()).toEqual([
    'high',
    'low',
    'normal',
    'urgent',
  ]);
  expect((await app.asTeam('GET', '/api/v1/tickets?sort=created_at')).json).toEqual(before.json);
  expect(app.counts()).toEqual(rows);
  const done = await recompute();
  expect(done.json.data).toEqual(preview.json.data);
  for (const { ticket_ulid: ulid, first_response_due_at: moved } of done.json.data) {
    const { json } = await app.asTeam('GET', `/api/v1/tickets/${ulid}`);
    expect(json.data.first_response_due_at).toBe(moved.to);
  }
  expect((await recompute()).json).toMatchObject({ moved: 0, data: [] });
});

test('a preview says when a ticket of any moment is due, by a policy that is not stored', async () => {
  const preview = (body: object) => app.asTeam('POST', `/api/v1/sites/${app.site.id}/sla/preview`, body);
  const day: [string, string][] = [['09:00', '17:00']];
  const { status, json } = await preview({
    opened_at: '2026-11-20T16:40',
    sla_policy: {
      business_hours: { timezone: 'Europe/Amsterdam', weekly: { fri: day, mon: day } },
      holidays: ['2026-11-23'],
    },
    first_response_minutes: 30,
    resolution_minutes: null,
  });
  expect(status).toBe(200);
  const [first, resolution] = json.data.clocks;
  // Friday's last twenty minutes, then the Friday after, since that Monday is a holiday.
  expect([json.data.opened_at, first.due_at]).toEqual(['2026-11-20T15:40:00.000Z', '2026-11-27T08:10:00.000Z']);
  expect(
    first.intervals.map((one: { kind: string; working_seconds: number }) => [one.kind, one.working_seconds]),
  ).toEqual([
    ['counted', 1200],
    ['outside_hours', 0],
    ['counted', 600],
  ]);
  expect([resolution.target_minutes, resolution.due_at]).toEqual([null, null]);
  for (const opened_at of ['2026-02-30T10:00', '1960-01-01T10:00', 'soon'])
    expect(Object.keys((await preview({ opened_at })).json.errors)).toEqual(['opened_at']);
  expect((await preview({ opened_at: '2026-11-20T16:40', priority_id: 4711 })).status).toBe(404);
});

test('a dry run counts what becomes late, and what is no longer late', async () => {
  await policyOf({ business_hours: null, holidays: [] });
  const recompute = async (body?: object) => {
    const { json } = await app.asTeam('POST', `/api/v1/sites/${app.site.id}/sla/recompute`, body);
    return [json.become_late, json.no_longer_late];
  };
  await recompute();
  app.clock.set(beginning + 90 * minute);
  await policyOf({ business_hours: { timezone: 'UTC', weekly: { sun: [['03:00', '04:00']] } } });
  expect(await recompute({ dry_run: true })).toEqual([0, 1]);
  expect(await recompute()).toEqual([0, 1]);
  await policyOf({ business_hours: null });
  expect(await recompute({ dry_run: true })).toEqual([1, 0]);
});

test('holidays have names, which go with their dates', async () => {
  const names = { '2027-12-25': 'Christmas Day', '2027-01-02': 'No holiday' };
  const { json } = await policyOf({ holidays: ['2027-12-25', '2027-12-26'], holiday_names: names });
  expect(json.data.sla_policy.holiday_names).toEqual({ '2027-12-25': 'Christmas Day' });
  expect((await policyOf({ warn_at_percent: 70 })).json.data.sla_policy.holiday_names).toEqual({
    '2027-12-25': 'Christmas Day',
  });
  expect((await policyOf({ holidays: [] })).json.data.sla_policy.holiday_names).toEqual({});
});

describe('a wrong policy is a 422 that names the field', () => {
  const hours = (weekly: object, timezone = 'Europe/Amsterdam') => ({ business_hours: { timezone, weekly } });
  test.each([
    [{ warn_at_percent: 0 }, 'sla_policy.warn_at_percent'],
    [{ warn_at_percent: 100 }, 'sla_policy.warn_at_percent'],
    [{ holidays: ['2026-02-30'] }, 'sla_policy.holidays.0'],
    [hours({ mon: [['09:00', '17:00']] }, 'Europe/Atlantis'), 'sla_policy.business_hours.timezone'],
    [hours({ mon: [['17:00', '09:00']] }), 'sla_policy.business_hours.weekly.mon.0.1'],
    [hours({ mon: [['09:00', '09:00']] }), 'sla_policy.business_hours.weekly.mon.0.1'],
    [hours({ sun: [['22:00', '06:00']], mon: [['05:00', '09:00']] }), 'sla_policy.business_hours.weekly.mon.0.0'],
    [hours({}), 'sla_policy.business_hours.weekly'],
  ])('%j', async (change, path) => {
    const { status, json } = await policyOf(change);
    expect([status, Object.keys(json.errors)]).toEqual([422, [path]]);
  });
});
