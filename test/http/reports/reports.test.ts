// Reports over HTTP: every number against a naive count of the stored facts, the tickets behind it, CSV, scope.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { addTeam } from '../../../src/desk/people/teams.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import { type MetricName, metricOf, percentile, reportNames, reports } from '../../../src/domain/reports/metrics.ts';
import { bucketsOf, periodOf } from '../../../src/domain/reports/periods.ts';
import { query } from '../../../src/engine/database.ts';
import { priorityRows } from '../../../src/store/sites/catalogue.ts';
import { ticketByUlid } from '../../../src/store/tickets/tickets.ts';
import { type TestApp, testApp } from '../../support/app.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 8, 14, 6);
let app: TestApp;
let secondAgent: number;

/** A sequence that is the same in every run. */
function sequence(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

beforeAll(async () => {
  app = await testApp({ ingestCaller: 1e6, ingestSite: 1e6, other: 1e6 });
  secondAgent = (await app.person('member')).agentId;
  const next = sequence(11);
  const actor = (agentId: number): Actor => ({
    ...{ kind: 'agent', agentId, name: 'Ana', role: 'owner', scope: 'all', sessionId: 1 },
    abilities: ['read', 'note', 'write', 'manage', 'own'],
  });
  const priorities = app.desk.read((tx) => priorityRows.list(tx, app.site.id).map(({ id }) => id));
  const teams = await Promise.all(
    ['First level', 'Second level'].map((name) =>
      app.desk.write((tx) => addTeam(tx, app.desk.context({ kind: 'command_line' }, 'test'), { name })),
    ),
  );
  const tokens = [app.siteToken, app.other.siteToken];
  for (let count = 0; count < 60; count += 1) {
    app.clock.set(start + count * 7 * hour + next(60) * 60_000);
    const site = next(4) === 0 ? 1 : 0;
    const body = {
      ...{ email: `c${count}@example.org`, subject: 'Help', message: 'Please.' },
      tags: [['billing'], ['billing', 'urgent'], []][next(3)],
      ...(site === 0 ? { priority_id: priorities[next(priorities.length)] } : {}),
    };
    const made = await app.ask('POST', '/api/v1/public/tickets', {
      headers: { 'X-Site-Token': tokens[site] ?? '' },
      body,
    });
    expect(made.status).toBe(201);
    const id = app.desk.read((tx) => ticketByUlid(tx, made.json.ticket.ulid)?.id ?? 0);
    const team = [...teams, null][next(3)]?.id ?? null;
    await app.desk.write((tx) =>
      changeTicket(tx, app.desk.context({ kind: 'command_line' }, 'test'), id, { team_id: team }, null),
    );
    const by = actor(next(2) === 0 ? app.agentId : secondAgent);
    const act = (verb: 'reply' | 'resolved' | 'open') => {
      app.clock.set(app.clock.now() + (1 + next(500)) * 60_000);
      return app.desk.write((tx) => {
        const ctx = app.desk.context(by, 'test');
        if (verb === 'reply') replyAsAgent(tx, ctx, id, { body: 'Yes.' });
        else changeTicket(tx, ctx, id, { status: verb }, null);
        return null;
      });
    };
    if (next(5) > 0) await act('reply');
    if (next(3) > 0) await act('resolved');
    else continue;
    if (next(3) > 0) continue;
    await act('open');
    if (next(2) === 0) await act('resolved');
  }
  app.clock.set(start + 40 * 24 * hour);
}, 60_000);
afterAll(() => app.close());

interface Fact {
  ticket_id: number;
  kind: string;
  number: number;
  site_id: number;
  at: number;
  until_at: number | null;
  ticket_created_at: number;
  agent_id: number | null;
  calendar_ms: number | null;
  working_ms: number | null;
  amount: number | null;
  is_last: number;
  priority_id: number;
  tags: string;
  status: string;
  assignee_id: number | null;
  team_id: number | null;
}
const all = <Row>(text: string) => app.desk.read((tx) => query<Row>(tx, text).all());
const factsWithTickets = () =>
  all<Fact>(
    'SELECT f.*, priority_id, tags, status, assignee_id, team_id FROM report_facts AS f JOIN tickets ON id = ticket_id',
  );
const created = () =>
  all<Fact>(
    "SELECT id AS ticket_id, 'tickets' AS kind, site_id, created_at AS at, NULL AS until_at, created_at AS ticket_created_at, assignee_id AS agent_id, assignee_id, team_id, priority_id, tags, status, 0 AS is_last, 1 AS number FROM tickets WHERE is_test = 0 AND is_spam = 0",
  );

const dates = { from: '2026-09-15', to: '2026-09-29' };
const zone = 'Pacific/Auckland';
const ask = (path: string, given: Record<string, string> = {}) =>
  app.asTeam('GET', `/api/v1/reports/${path}?${new URLSearchParams({ ...dates, time_zone: zone, ...given })}`);

/** The rows behind a metric, by plain loops over everything that is stored. */
function behind(name: MetricName, by: string): { fact: Fact; moment: number }[] {
  const period = periodOf(dates.from, dates.to, zone);
  const { of, moment, counts } = metricOf(name);
  const among = of === 'tickets' ? created() : factsWithTickets().filter(({ kind }) => kind === of);
  return among.flatMap((fact) => {
    const isCounted = counts({
      ...{ ticketId: fact.ticket_id, at: fact.at, untilAt: fact.until_at, createdAt: 0, agentId: null, group: null },
      ...{ calendarMs: fact.calendar_ms, workingMs: fact.working_ms, amount: fact.amount },
      ...{ isLast: fact.is_last === 1, number: fact.number },
    });
    const own = moment === 'at' ? fact.at : (fact.until_at ?? -1);
    const at = by === 'cohort' ? fact.ticket_created_at : own;
    return isCounted && at >= period.fromAt && at < period.toAt ? [{ fact, moment: at }] : [];
  });
}

function groupsOf({ fact, moment }: { fact: Fact; moment: number }, groupBy: string): (string | number | null)[] {
  const wall = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
  const date = wall.toPlainDate();
  const tags = JSON.parse(fact.tags) as string[];
  switch (groupBy) {
    case 'day':
      return [date.toString()];
    case 'week':
      return [date.subtract({ days: date.dayOfWeek - 1 }).toString()];
    case 'month':
      return [date.with({ day: 1 }).toString()];
    case 'hour':
      return [
        `${['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'][date.dayOfWeek - 1]}-${String(wall.hour).padStart(2, '0')}`,
      ];
    case 'site':
      return [fact.site_id];
    case 'agent':
      return [fact.agent_id];
    case 'team':
      return [fact.team_id];
    case 'priority':
      return [fact.priority_id];
    default:
      return tags.length === 0 ? [null] : tags;
  }
}

const nearest = (values: number[], percent: number) => {
  const sorted = values.toSorted((one, other) => one - other);
  for (const [index, value] of sorted.entries()) if ((index + 1) * 100 >= percent * sorted.length) return value;
  return null;
};

function cellOf(name: MetricName, facts: Fact[], time: string) {
  const { shape } = metricOf(name);
  const minutes = (percent: number) => {
    const ms = nearest(
      facts.map((fact) => (time === 'working' ? fact.working_ms : fact.calendar_ms) ?? 0),
      percent,
    );
    return ms === null ? null : ms / 60_000;
  };
  if (shape === 'count') return { n: facts.length };
  if (shape === 'duration') return { n: facts.length, median_minutes: minutes(50), p90_minutes: minutes(90) };
  if (shape === 'amount') {
    const some = facts.flatMap(({ amount }) => (amount ? [amount] : []));
    return { n: some.length, median: nearest(some, 50), p90: nearest(some, 90), none: facts.length - some.length };
  }
  const n = facts.filter((fact) => (name === 'reopened' ? fact.until_at !== null : fact.amount === 1)).length;
  return { n, of: facts.length, share: facts.length === 0 ? null : Math.round((n / facts.length) * 1e4) / 1e4 };
}

/** Of each day's end, by looking at every ticket. */
function backlogAt(at: number): number[] {
  const closings = factsWithTickets().filter(({ kind }) => kind === 'resolution' || kind === 'merge');
  return created()
    .filter((ticket) => ticket.at < at)
    .filter(
      ({ ticket_id }) =>
        !closings.some((one) => one.ticket_id === ticket_id && one.at < at && (one.until_at ?? at) >= at),
    )
    .map(({ ticket_id }) => ticket_id);
}

const idsOf = async (path: string, given: Record<string, string>) => {
  const { json } = await ask(`${path}/tickets`, { ...given, per_page: '100' });
  return json.data.map(({ id }: { id: number }) => id).toSorted((one: number, other: number) => one - other);
};
const unique = (ids: number[]) => [...new Set(ids)].toSorted((one, other) => one - other);

describe('each number is what a naive count finds', () => {
  for (const name of reportNames)
    for (const [groupBy, by, time] of [
      ['day', 'event', 'working'],
      ['week', 'cohort', 'calendar'],
      ['month', 'event', 'calendar'],
      ['hour', 'event', 'working'],
      ['site', 'event', 'working'],
      ['agent', 'cohort', 'working'],
      ['team', 'event', 'calendar'],
      ['priority', 'event', 'calendar'],
      ['tag', 'event', 'working'],
    ] as const)
      test(`${name} by ${groupBy}, ${by}, ${time}`, async () => {
        const given = { group_by: groupBy, by, time };
        const { status, json } = await ask(name, given);
        expect(status).toBe(200);
        for (const metric of reports[name].metrics) {
          if (metric === 'backlog') continue;
          const found = behind(metric, by);
          expect([metric, json.data.total[metric]]).toEqual([
            metric,
            cellOf(
              metric,
              found.map(({ fact }) => fact),
              time,
            ),
          ]);
          const wanted = new Map<string | number | null, Fact[]>();
          for (const one of found)
            for (const group of groupsOf(one, groupBy)) wanted.set(group, [...(wanted.get(group) ?? []), one.fact]);
          for (const row of json.data.rows)
            expect([metric, row.group, row[metric]]).toEqual([
              metric,
              row.group,
              cellOf(metric, wanted.get(row.group) ?? [], time),
            ]);
          for (const group of wanted.keys())
            expect(json.data.rows.map((row: { group: unknown }) => row.group)).toContain(group);
          const [first] = wanted;
          if (first === undefined) continue;
          expect(await idsOf(name, { ...given, metric, group: String(first[0] ?? '(none)') })).toEqual(
            unique(first[1].map((fact) => fact.ticket_id)),
          );
        }
      });
});

test('filtered by a team, a report counts only its tickets', async () => {
  const found = behind('created', 'event').map(({ fact }) => fact.team_id);
  for (const id of new Set(found.filter((team) => team !== null))) {
    const { json } = await ask('overview', { team_id: String(id) });
    expect([id, json.data.total.created.n]).toEqual([id, found.filter((team) => team === id).length]);
  }
  expect(found.some((team) => team !== null)).toBe(true);
});

test('the backlog is that of the end of each day, also with a filter', async () => {
  const period = periodOf(dates.from, dates.to, zone);
  const buckets = bucketsOf(period, 'day');
  const { json } = await ask('overview', {});
  for (const [index, row] of json.data.rows.entries())
    expect([row.group, row.backlog.n]).toEqual([
      row.group,
      backlogAt(buckets[index + 1]?.fromAt ?? period.toAt).length,
    ]);
  expect(json.data.total.backlog.n).toBe(backlogAt(period.toAt).length);
  const day = buckets[4];
  const ids = backlogAt(buckets[5]?.fromAt ?? 0).toSorted((one, other) => one - other);
  expect(await idsOf('overview', { metric: 'backlog', group: day?.key ?? '' })).toEqual(ids);
  const billing = created().filter(({ tags }) => tags.includes('billing'));
  const filtered = (await ask('overview', { tag: 'billing' })).json.data.total.backlog.n;
  expect(filtered).toBe(
    backlogAt(period.toAt).filter((id) => billing.some(({ ticket_id }) => ticket_id === id)).length,
  );
  const bySite = (await ask('categories', { group_by: 'site' })).json.data.rows;
  expect(bySite.reduce((sum: number, row: { backlog: { n: number } }) => sum + row.backlog.n, 0)).toBe(
    json.data.total.backlog.n,
  );
});

test('a comparison is the same report of the days before', async () => {
  const { json } = await ask('overview', { from: '2026-09-22', to: '2026-09-28', compare: '1' });
  expect(json.meta.previous).toEqual({ from: '2026-09-15', to: '2026-09-21' });
  const before = await ask('overview', { from: '2026-09-15', to: '2026-09-21' });
  expect(json.data.previous).toEqual({ rows: before.json.data.rows, total: before.json.data.total });
});

test('a percentile is the value at the nearest rank', () => {
  expect(percentile([1, 2, 3, 4], 50)).toBe(2);
  expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 90)).toBe(9);
  expect(percentile([7], 90)).toBe(7);
  expect(percentile([], 50)).toBeNull();
});

describe('who asks', () => {
  test('of one site never sees another in any number', async () => {
    const { secret } = await app.token(['read'], app.other.site.id);
    const get = (path: string) =>
      app.ask('GET', `/api/v1/reports/${path}`, { headers: { Authorization: `Bearer ${secret}` } });
    const search = new URLSearchParams({ ...dates, time_zone: zone });
    const whole = await get(`overview?${search}`);
    const own = await ask('overview', { site_id: String(app.other.site.id) });
    expect(whole.json.data).toEqual(own.json.data);
    const listed = await get(`overview/tickets?${search}&metric=created&per_page=100`);
    expect(new Set(listed.json.data.map(({ site_id }: { site_id: number }) => site_id))).toEqual(
      new Set([app.other.site.id]),
    );
    expect((await get(`overview?${search}&site_id=${app.site.id}`)).status).toBe(404);
    const bySite = await get(`overview?${search}&group_by=site`);
    expect(bySite.json.data.rows.map(({ group }: { group: number }) => group)).toEqual([app.other.site.id]);
  });

  test('sees what single agents did as far as the desk allows', async () => {
    const { headers, agentId } = await app.person('member');
    const get = (path: string) => app.ask('GET', `/api/v1/reports/${path}`, { headers });
    const allow = (setting: string) =>
      app.desk.write((tx) => query(tx, 'UPDATE desk_settings SET agent_reports = ?').run(setting) as never);
    expect((await get('agents?from=2026-09-15&to=2026-09-29')).json.data.rows.length).toBeGreaterThan(1);
    await allow('own');
    expect((await get('agents?from=2026-09-15&to=2026-09-29')).json.data).toMatchObject({
      rows: [],
      total: { replies: { n: 0 } },
    });
    expect((await get(`overview?assigned_to=${agentId}`)).status).toBe(200);
    for (const path of [
      `overview?assigned_to=${secondAgent}`,
      `agents/tickets?metric=replies&assigned_to=${secondAgent}`,
    ])
      expect((await get(path)).json.code).toBe('agent_reports_off');
    expect((await ask('agents')).status).toBe(403);
    await allow('off');
    for (const path of ['agents', 'overview?group_by=agent', 'agents/tickets?metric=replies'])
      expect((await get(path)).json.code).toBe('agent_reports_off');
    expect((await get('overview')).status).toBe(200);
    await allow('all');
  });
});

test('as CSV, a spreadsheet runs nothing of it', async () => {
  await app.desk.write(
    (tx) => query(tx, `UPDATE tickets SET tags = '["=cmd()"]' WHERE id = (SELECT max(id) FROM tickets)`).run() as never,
  );
  const csv = await ask('categories', { group_by: 'tag', format: 'csv', to: '2026-10-20' });
  expect(csv.headers.get('content-type')).toContain('text/csv');
  const lines = csv.text.trim().split('\r\n');
  expect(lines[0]).toBe(
    'period,group,label,created,resolved,backlog,first_response,first_response_median_minutes,first_response_p90_minutes,resolution,resolution_median_minutes,resolution_p90_minutes',
  );
  expect(lines.some((line) => line.includes(",'=cmd()"))).toBe(true);
  expect(lines.some((line) => line.includes(',=cmd()'))).toBe(false);
  expect(lines.at(-1)).toContain(',total,');
});

test('what is asked wrongly is named', async () => {
  const refusal = async (given: Record<string, string>, path = 'overview') => {
    const { status, json } = await ask(path, given);
    return `${status} ${json.message}`;
  };
  expect(await refusal({ from: '2026-10-01' })).toBe('400 from must not be after to.');
  expect(await refusal({ from: '1990-01-01' })).toContain('400 from must be at most');
  expect(await refusal({ time_zone: 'Nowhere' })).toMatch(/^400 .*time_zone/);
  expect(await refusal({ group_by: 'moon' })).toMatch(/^400 .*group_by/);
  expect(await refusal({ metric: 'replies' }, 'overview/tickets')).toContain('400 metric must be one of');
  expect((await ask('nothing')).status).toBe(404);
});
