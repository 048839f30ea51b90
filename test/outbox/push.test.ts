// Web Push: encryption and signature by the standards, and what follows each answer of a push service.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { keyPairOf, pushKeysOf } from '../../src/base/push-keys.ts';
import { addAgent } from '../../src/desk/people/agents.ts';
import { addPushSubscription, testPushSubscription } from '../../src/desk/people/push-subscriptions.ts';
import { actorOf, endSession, startSession } from '../../src/desk/people/sessions.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { changeTicket } from '../../src/desk/tickets/change-ticket.ts';
import type { AgentActor } from '../../src/domain/actor.ts';
import type { Preferences } from '../../src/domain/notifications/preferences.ts';
import type { Tx } from '../../src/engine/database.ts';
import type { Dispatcher } from '../../src/outbox/dispatcher.ts';
import { encryptPush, mostPushBytes } from '../../src/outbox/web-push.ts';
import { updateDeskSettings } from '../../src/store/desk-settings.ts';
import { readUpTo } from '../../src/store/notifications/notifications.ts';
import { setAgentSites, updateAgent } from '../../src/store/people/agents.ts';
import { pushSubscriptionById } from '../../src/store/people/push-subscriptions.ts';
import { ticketById } from '../../src/store/tickets/tickets.ts';
import { fixedClock } from '../support/clock.ts';
import { type PushService, startPushService, subscribedBrowser, vapidClaims } from '../support/push-service.ts';
import { type SendingDesk, sendingDesk } from './sending.ts';

const clock = fixedClock(Date.UTC(2026, 8, 11, 9, 30));
let service: PushService;
let made: SendingDesk;
let dispatcher: Dispatcher;
beforeEach(async () => {
  service = await startPushService();
  made = await sendingDesk({ clock, allow: 'hooks.example.test', retryDelaysMs: [1000, 2000] });
  dispatcher = made.dispatcher({ guard: { ...made.options.guard, ...service.guard } });
});
afterEach(async () => {
  await made.close();
  await service.close();
});

const ctx = () => made.desk.context({ kind: 'command_line' }, 'test');

const sent = () => made.sent('push_subscription_id > 0');

async function signedIn(email: string): Promise<AgentActor> {
  const { session } = await made.desk.write((tx) => {
    const agent = addAgent(tx, ctx(), { email, name: 'Kim', role: 'member' });
    const browser = { browser: 'Firefox', system: 'Linux' };
    return startSession(tx, ctx(), agent, { method: 'link', hasSecondFactor: false, formerSession: null, ...browser });
  });
  return actorOf(session);
}

async function subscribed(path: string) {
  const actor = await signedIn(`${path.slice(1)}@agents.example`);
  const browser = subscribedBrowser(service.endpoint(path));
  const { id } = await made.desk.write((tx) => addPushSubscription(tx, ctx(), actor, browser.json));
  const push = () =>
    made.desk.write((tx) => {
      testPushSubscription(tx, ctx(), actor, id);
      return null;
    });
  return { actor, browser, id, push, row: () => made.desk.read((tx) => pushSubscriptionById(tx, id)) };
}

test('a message is encrypted as in appendix A of RFC 8291', () => {
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const body = encryptPush(
    'When I grow up, I want to be a watermelon',
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    keyPairOf(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw')),
    bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  );
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('the longest message fills one record', () => {
  const { json } = subscribedBrowser('https://push.example');
  expect(mostPushBytes).toBe(3993);
  expect(encryptPush('a'.repeat(mostPushBytes), json.keys).length).toBe(4096);
});

test('a browser gets what another implementation can read, signed with the key of the desk', async () => {
  const { browser, push, row } = await subscribed('/one');
  await push();
  await dispatcher.runDue();
  const [got] = service.received;
  expect(browser.read(got!)).toMatchObject({
    title: 'Helpdesk',
    body: 'Notifications reach this device.',
    path: '/profile#notifications',
    at: clock.now(),
  });
  expect(got!.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '86400',
    urgency: 'normal',
    topic: expect.stringMatching(/^[\w-]{32}$/),
  });
  const { key, claims } = vapidClaims(got!.headers.authorization);
  expect(key).toBe(pushKeysOf(made.desk.seal).publicKey.toString('base64url'));
  expect(claims).toEqual({
    aud: new URL(service.endpoint('/')).origin,
    exp: clock.now() / 1000 + 12 * 3600,
    sub: 'https://desk.example',
  });
  expect(row()).toMatchObject({ lastDeliveredAt: clock.now(), lastError: null });
  expect(sent()).toEqual([]);
});

test.each([404, 410])(
  'a browser that the push service has forgotten (%d) is removed with what waits',
  async (status) => {
    const { push, row } = await subscribed('/one');
    await push();
    await push();
    service.answers.push({ status });
    await dispatcher.runDue();
    expect(row()).toBeUndefined();
    expect(sent()).toEqual([]);
    expect(service.received.length).toBe(1);
  },
);

test.each([429, 503])('a push service that asks to wait (%d) is asked again then, with the same id', async (status) => {
  const { browser, push, row } = await subscribed('/one');
  const other = await subscribed('/two');
  await push();
  service.answers.push({ status, headers: { 'retry-after': '120' } });
  await dispatcher.runDue();
  expect(sent()).toMatchObject([{ status: 'queued', next_at: clock.now() + 120_000 }]);
  expect(row()).toMatchObject({ lastDeliveredAt: null, lastError: `answered ${status}` });
  await other.push();
  await dispatcher.runDue();
  expect(service.received.map(({ path }) => path)).toEqual(['/one', '/two']);
  clock.advance(120_000);
  await dispatcher.runDue();
  const [first, , again] = service.received;
  expect(browser.read(again!).id).toBe(browser.read(first!).id);
  expect(row()).toMatchObject({ lastDeliveredAt: clock.now(), lastError: null });
});

test('what is refused is given up, and no redirect is followed', async () => {
  const { push, row } = await subscribed('/one');
  for (const [status, headers] of [
    [403, {}],
    [307, { location: service.endpoint('/elsewhere') }],
  ] as const) {
    await push();
    service.answers.push({ status, headers });
    await dispatcher.runDue();
    expect(row()?.lastError).toBe(`answered ${status}`);
    expect(sent()).toEqual([]);
  }
  expect(service.received.map(({ path }) => path)).toEqual(['/one', '/one']);
});

test('a name that leads inside is refused when the push leaves', async () => {
  const { push, row } = await subscribed('/one');
  const closed = made.dispatcher({
    guard: { ...made.options.guard, ...service.guard, allow: { permits: () => false } },
  });
  await push();
  await closed.runDue();
  expect(row()?.lastError).toContain('not public');
  expect(service.received).toEqual([]);
});

test('nothing reaches the browser of a session that has ended', async () => {
  const { actor, push, row } = await subscribed('/one');
  await push();
  await made.desk.write((tx) => {
    endSession(tx, ctx(), actor, actor.sessionId);
    return null;
  });
  expect(row()).toBeUndefined();
  const late = await subscribed('/two');
  await late.push();
  clock.advance(400 * 86_400_000);
  await dispatcher.runDue();
  expect(sent()).toEqual([]);
  expect(service.received).toEqual([]);
});

describe('a notification', () => {
  const assign = (ticketId: number, agentId: number) =>
    made.desk.write((tx) => {
      const ticket = ticketById(tx, ticketId);
      if (!ticket) throw new Error('no ticket');
      changeTicket(tx, ctx(), ticketId, { assigned_to: agentId }, null);
      return null;
    });
  const afterHold = () => {
    clock.advance(3000);
    return dispatcher.runDue();
  };
  const read = (browser: ReturnType<typeof subscribedBrowser>) => service.received.map((one) => browser.read(one));

  test('is pushed with what it is about, and in the language of its agent', async () => {
    const { actor, browser } = await subscribed('/one');
    await made.desk.write((tx) => {
      updateAgent(tx, actor.agentId, { locale: 'de' });
      return null;
    });
    const ticket = await made.open('Drucker brennt');
    await assign(ticket.id, actor.agentId);
    await made.reply(ticket, 'Es raucht.');
    await dispatcher.runDue();
    expect(service.received).toEqual([]);
    await afterHold();
    // Of the two only the newest.
    expect(read(browser)).toEqual([
      {
        ...{ id: expect.any(String), at: expect.any(Number), tag: ticket.ulid, path: `/tickets/${ticket.ulid}` },
        ...{ title: `#${ticket.id} Drucker brennt`, body: 'Neue Nachricht von Mia Jansen' },
      },
    ]);
    expect(sent()).toEqual([]);
  });

  test('says neither subject nor name where the desk forbids it', async () => {
    const { actor, browser } = await subscribed('/one');
    await made.desk.write((tx) => {
      updateDeskSettings(tx, { pushContent: false });
      return null;
    });
    const ticket = await made.open('Salary of Kim');
    await assign(ticket.id, actor.agentId);
    await afterHold();
    await made.reply(ticket);
    await afterHold();
    expect(read(browser).map(({ title, body }) => [title, body])).toEqual([
      [`#${ticket.id}`, 'Assigned to you'],
      [`#${ticket.id}`, 'New message'],
    ]);
    expect(service.received.some(({ headers }) => JSON.stringify(headers).includes(ticket.ulid))).toBe(false);
  });

  test.each<[string, (tx: Tx, agentId: number, elsewhere: number) => void]>([
    ['was read', (tx, agentId) => readUpTo(tx, clock.now(), agentId, Number.MAX_SAFE_INTEGER)],
    ['is of a site that they no longer see', (tx, agentId, elsewhere) => setAgentSites(tx, agentId, [elsewhere])],
    ['comes in a pause', (tx, agentId) => prefer(tx, agentId, { paused_until: clock.now() + 60_000 })],
    [
      'comes in quiet hours',
      (tx, agentId) =>
        prefer(tx, agentId, { quiet_hours: { from: '09:00', until: '10:00', lets_urgent_through: true } }),
    ],
    ['is of an agent who is not active', (tx, agentId) => updateAgent(tx, agentId, { isActive: false })],
  ])('is not pushed when it %s by then', async (_, change) => {
    const { actor } = await subscribed('/one');
    const ticket = await made.open();
    await assign(ticket.id, actor.agentId);
    expect(sent()).toHaveLength(1);
    const elsewhere = await made.desk.write((tx) => createSite(tx, ctx(), { name: 'Elsewhere' }).site.id);
    await made.desk.write((tx) => {
      change(tx, actor.agentId, elsewhere);
      return null;
    });
    await afterHold();
    expect(sent()).toEqual([]);
    expect(service.received).toEqual([]);
  });

  test.each<[string, Partial<Preferences>]>([
    ['switched pushes off', { switches: { 'push.assigned': false } }],
    ['has paused', { paused_until: Date.UTC(9999, 0, 1) }],
  ])('is not queued for who %s', async (_, preferences) => {
    const { actor } = await subscribed('/one');
    await made.desk.write((tx) => {
      prefer(tx, actor.agentId, preferences);
      return null;
    });
    await assign((await made.open()).id, actor.agentId);
    expect(sent()).toEqual([]);
  });
});

function prefer(tx: Tx, agentId: number, notificationPreferences: Partial<Preferences>): void {
  updateAgent(tx, agentId, { notificationPreferences });
}
