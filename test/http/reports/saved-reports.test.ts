// Saved reports over HTTP: one's own or shared, with schedules, and nothing of sites that are not seen.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Role } from '../../../src/domain/actor.ts';
import { type Answered, beginning, type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const as = async (role: Role, sites: number[] = []) => {
  const { headers, agentId } = await app.person(role, sites);
  const ask = (method: string, path: string, body?: unknown) =>
    app.ask(method, `/api/v1/reports${path}`, { headers, body });
  return Object.assign(ask, { agentId });
};
type Ask = Awaited<ReturnType<typeof as>>;
const ids = ({ json }: Answered): number[] => json.data.map(({ id }: { id: number }) => id);
const save = (ask: Ask, input: object = {}) =>
  ask('POST', '/saved', { name: 'Weekly', report: 'response', query: { group_by: 'week' }, ...input });
const saved = async (ask: Ask, input: object = {}) => (await save(ask, input)).json.data;
const weekly = (...agentIds: number[]) => ({
  ...{ every: 'week', weekday: 'mon', at: '08:00', time_zone: 'Europe/Amsterdam' },
  agent_ids: agentIds,
});
const faults = ({ status, json }: Answered) => [status, Object.keys(json.errors ?? {})];

describe('a saved report', () => {
  test('is private to its agent, and can be changed and deleted', async () => {
    const [ann, bob] = [await as('viewer'), await as('owner')];
    const report = await saved(ann, { query: { priority_id: [3], unassigned: true } });
    expect(report).toMatchObject({
      name: 'Weekly',
      report: 'response',
      is_shared: false,
      is_own: true,
      schedule: null,
    });
    expect(report.query).toEqual({ priority_id: [3], unassigned: true });
    expect(ids(await bob('GET', '/saved'))).toEqual([]);
    expect((await bob('PATCH', `/saved/${report.id}`, { name: 'x' })).status).toBe(404);
    expect((await bob('DELETE', `/saved/${report.id}`)).status).toBe(404);
    const changed = await ann('PATCH', `/saved/${report.id}`, { name: 'Mine', report: 'sla', query: {} });
    expect(changed.json.data).toEqual({ ...report, name: 'Mine', report: 'sla', query: {} });
    expect((await ann('DELETE', `/saved/${report.id}`)).status).toBe(204);
    expect(ids(await ann('GET', '/saved'))).toEqual([]);
  });

  test('is shared by those who write, and changed by its agent and by those who manage', async () => {
    const [viewer, ann, bob, admin] = [await as('viewer'), await as('member'), await as('member'), await as('admin')];
    const refused = await save(viewer, { is_shared: true });
    expect([refused.status, refused.json.code]).toEqual([403, 'missing_ability']);
    const report = await saved(ann, { is_shared: true });
    expect((await bob('GET', '/saved')).json.data).toEqual([{ ...report, is_own: false }]);
    expect((await bob('PATCH', `/saved/${report.id}`, { name: 'x' })).json.code).toBe('not_yours');
    expect((await bob('DELETE', `/saved/${report.id}`)).status).toBe(403);
    expect(faults(await admin('PATCH', `/saved/${report.id}`, { is_shared: false }))).toEqual([422, ['is_shared']]);
    expect((await admin('DELETE', `/saved/${report.id}`)).status).toBe(204);
  });

  test('of a site is not shown to agents of other sites, nor is what agents of other sites look for', async () => {
    const [owner, near, far] = [
      await as('owner'),
      await as('member', [app.site.id]),
      await as('member', [app.other.site.id]),
    ];
    const ofSite = await saved(owner, { is_shared: true, query: { site_id: app.site.slug } });
    const ofNear = await saved(near, { is_shared: true, query: { email: 'mia@example.org' } });
    const all = [ofSite.id, ofNear.id];
    expect(ids(await near('GET', '/saved'))).toEqual(all);
    expect(ids(await far('GET', '/saved'))).toEqual([]);
    expect(ids(await owner('GET', '/saved'))).toEqual(all);
    expect((await save(near, { query: { site_id: app.other.site.id } })).status).toBe(404);
    // Everyone reads it with the numbers of their own sites.
    await app.open();
    const [here] = [await near('GET', '/overview')];
    expect(here.json.data.total.created.n).toBe(1);
    expect((await far('GET', '/overview')).json.data.total.created.n).toBe(0);
    expect((await far('GET', `/overview?site_id=${app.site.id}`)).status).toBe(404);
  });

  test('of a token is shared, and names no agent who asks', async () => {
    const body = { name: 'All', report: 'overview' };
    const made = await app.asTeam('POST', '/api/v1/reports/saved', body);
    expect(made.json.data).toMatchObject({ is_shared: true, is_own: false, query: {} });
    expect(faults(await app.asTeam('POST', '/api/v1/reports/saved', { ...body, is_shared: false }))[1]).toEqual([
      'is_shared',
    ]);
    await saved(await as('owner'), { is_shared: true, query: { assigned_to: ['me'] } });
    expect(ids(await app.asTeam('GET', '/api/v1/reports/saved'))).toEqual([made.json.data.id]);
  });

  test('is refused with the part of its query that reports do not take', async () => {
    const ask = await as('owner');
    const wrong: [object, string][] = [
      [{ group_by: 'colour' }, 'query.group_by'],
      [{ status: ['lost'] }, 'query.status.0'],
      [{ format: 'csv' }, 'query.format'],
      [{ q: 'refund' }, 'query.q'],
      [{ from: 'yesterday' }, 'query.from'],
    ];
    for (const [query, path] of wrong) expect(faults(await save(ask, { query })), path).toEqual([422, [path]]);
    expect((await save(ask, { report: 'secrets' })).status).toBe(422);
  });

  test('is scrubbed of a person who is erased', async () => {
    const ask = await as('owner');
    const report = await saved(ask, { name: 'About mia@example.org', query: { email: 'mia@example.org' } });
    await app.open({ email: 'mia@example.org', name: 'Mia Jansen' });
    const who = { site_id: app.site.id, email: 'mia@example.org' };
    expect((await app.asTeam('POST', '/api/v1/authors/anonymise', who)).status).toBe(200);
    const after = (await ask('GET', '/saved')).json.data.find(({ id }: { id: number }) => id === report.id);
    expect(JSON.stringify(after)).not.toContain('mia');
  });
});

describe('a schedule', () => {
  test('has a next time, is replaced whole, and ends with null', async () => {
    const ann = await as('viewer');
    const report = await saved(ann, { schedule: weekly(ann.agentId) });
    // The desk's clock begins on a Friday.
    expect(new Date(beginning).getUTCDay()).toBe(5);
    expect(report.schedule).toEqual({ ...weekly(ann.agentId), day: 1, next_at: '2026-09-14T06:00:00.000Z' });
    const monthly = { every: 'month', day: 28, at: '23:30', time_zone: 'America/New_York', agent_ids: [ann.agentId] };
    const changed = await ann('PATCH', `/saved/${report.id}`, { schedule: monthly });
    expect(changed.json.data.schedule).toMatchObject({ ...monthly, next_at: '2026-09-29T03:30:00.000Z' });
    const renamed = await ann('PATCH', `/saved/${report.id}`, { name: 'Other' });
    expect(renamed.json.data.schedule).toEqual(changed.json.data.schedule);
    const ended = await ann('PATCH', `/saved/${report.id}`, { schedule: null });
    expect(ended.json.data.schedule).toBeNull();
  });

  test('is only for agents who see the report', async () => {
    const [owner, near, far] = [
      await as('owner'),
      await as('member', [app.site.id]),
      await as('member', [app.other.site.id]),
    ];
    const readers = ['schedule.agent_ids'];
    expect(faults(await save(owner, { schedule: weekly(near.agentId) }))).toEqual([422, readers]);
    const shared = { is_shared: true, query: { site_id: app.site.id } };
    expect(faults(await save(owner, { ...shared, schedule: weekly(near.agentId, far.agentId) }))).toEqual([
      422,
      readers,
    ]);
    expect(faults(await save(owner, { ...shared, schedule: weekly(99_999) }))).toEqual([422, readers]);
    const report = await saved(owner, { ...shared, schedule: weekly(near.agentId, owner.agentId, near.agentId) });
    expect(report.schedule.agent_ids).toEqual([owner.agentId, near.agentId].sort((one, other) => one - other));
    expect(faults(await owner('PATCH', `/saved/${report.id}`, { is_shared: false }))).toEqual([422, readers]);
    expect(faults(await save(near, { schedule: { ...weekly(near.agentId), at: '25:00' } }))[1]).toEqual([
      'schedule.at',
    ]);
    expect(faults(await save(near, { schedule: { ...weekly(near.agentId), time_zone: 'Mars' } }))[1]).toEqual([
      'schedule.time_zone',
    ]);
  });
});
