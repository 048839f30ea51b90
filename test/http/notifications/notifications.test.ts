// The inbox, the preferences and following over HTTP.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

type Person = Awaited<ReturnType<TestApp['person']>>;
const ask = (who: Person, method: string, path: string, body?: unknown) =>
  app.ask(method, `/api/v1${path}`, { headers: who.headers, body });
const assigned = async (to: Person) => {
  const { ulid } = await app.open();
  await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { assigned_to: to.agentId });
  return ulid;
};

test('the inbox is one’s own, in pages, by kind, and read by id, by ticket and up to one', async () => {
  const [ana, ben] = [await app.person('member'), await app.person('member')];
  const tickets = [await assigned(ana), await assigned(ana), await assigned(ana), await assigned(ben)];
  const first = await ask(ana, 'GET', '/notifications?per_page=2');
  expect(first.json.data.map((one: { ticket: { ulid: string } }) => one.ticket.ulid)).toEqual([tickets[2], tickets[1]]);
  expect(first.json.data[0]).toMatchObject({ kind: 'assigned', reason: 'assignee', read_at: null });
  expect(first.json.meta).toMatchObject({ unread: 3, per_page: 2 });
  const second = await ask(ana, 'GET', `/notifications?per_page=2&cursor=${first.json.meta.next_cursor}`);
  expect(second.json.data).toHaveLength(1);
  expect(second.json.meta.next_cursor).toBeNull();
  expect((await ask(ana, 'GET', '/notifications?kind=mentioned')).json.data).toEqual([]);
  const unread = async () => (await ask(ana, 'GET', '/notifications?unread=1')).json.meta.unread;
  // Someone else's stays as it is.
  await ask(ben, 'POST', '/notifications/read', { ids: [first.json.data[0].id] });
  expect(await unread()).toBe(3);
  await ask(ana, 'POST', '/notifications/read', { ids: [first.json.data[0].id] });
  expect(await unread()).toBe(2);
  await ask(ana, 'POST', '/notifications/read', { ticket: tickets[1] });
  expect(await unread()).toBe(1);
  await ask(ana, 'POST', '/notifications/read', { up_to: second.json.data[0].id });
  expect(await unread()).toBe(0);
  expect((await ask(ana, 'POST', '/notifications/read', {})).status).toBe(422);
});

test('preferences keep what a change leaves out, and refuse what the desk has fixed', async () => {
  const [ana, owner] = [await app.person('member'), await app.person('owner')];
  const changed = await ask(ana, 'PATCH', '/me/notification-preferences', {
    events: { assigned: { push: false } },
    quiet_hours: { from: '22:00', until: '07:00' },
  });
  expect(changed.json.data.events.assigned).toEqual({
    ...{ inbox: true, desktop: true, sound: false, push: false, mail: true },
  });
  const kept = await ask(ana, 'PATCH', '/me/notification-preferences', { mail_after_minutes: 10 });
  expect(kept.json.data).toMatchObject({
    quiet_hours: { from: '22:00', until: '07:00', lets_urgent_through: true },
    mail_after_minutes: 10,
    fixed: [],
  });
  for (const wrong of [
    { quiet_hours: { from: '24:00', until: '07:00' } },
    { events: { nothing: {} } },
    { muted_sites: [999] },
  ])
    expect([404, 422]).toContain((await ask(ana, 'PATCH', '/me/notification-preferences', wrong)).status);
  const fixed = { notifications: { defaults: { events: { assigned: { push: true } } }, fixed: ['push.assigned'] } };
  expect((await ask(owner, 'PATCH', '/desk', fixed)).status).toBe(200);
  const held = await ask(ana, 'GET', '/me/notification-preferences');
  expect([held.json.data.events.assigned.push, held.json.data.fixed]).toEqual([true, ['push.assigned']]);
  const refused = await ask(ana, 'PATCH', '/me/notification-preferences', { events: { assigned: { push: false } } });
  expect(refused.status).toBe(422);
  await ask(owner, 'PATCH', '/desk', { notifications: { fixed: [] } });
});

test('a ticket says whether one follows it, in a list and in its details', async () => {
  const [ana, ben] = [await app.person('member'), await app.person('member')];
  const { ulid } = await app.open();
  for (const following of ['muted', 'yes']) {
    expect((await ask(ana, 'PUT', `/tickets/${ulid}/following`, { following })).json.data).toEqual({ following });
    expect((await ask(ana, 'GET', `/tickets/${ulid}`)).json.data.following).toBe(following);
    const listed = (await ask(ana, 'GET', '/tickets')).json.data.find((one: { ulid: string }) => one.ulid === ulid);
    expect(listed.following).toBe(following);
  }
  expect((await ask(ben, 'GET', `/tickets/${ulid}`)).json.data.following).toBe('no');
});
