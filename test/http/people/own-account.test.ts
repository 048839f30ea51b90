// What agents see and change of themselves (docs/spec/people.md#own-account).

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { query } from '../../../src/engine/database.ts';
import { type Answered, type TestApp, testApp } from '../../support/app.ts';
import { addTotp } from '../../support/factors.ts';
import { browserAfter, goodPassword, mailedSecret, withPassword } from '../../support/people.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const code = ({ status, json }: Answered) => [status, json?.code];
const otherPassword = 'quiet river 81 basket';

test('preferences are kept, and what is left out keeps its value', async () => {
  const { headers } = await app.person('viewer');
  const change = (body: object) => app.ask('PATCH', '/api/v1/me', { headers, body });
  const first = await change({
    name: 'Kim Sato',
    locale: 'nl',
    time_zone: 'Europe/Amsterdam',
    signature: 'Kim\nSupport',
    theme: 'dark',
    shortcuts: false,
    notifications: { mail: { assigned: false }, desktop: { sla_warning: false } },
  });
  expect(first.status, first.text).toBe(200);
  const second = await change({ locale: null, notifications: { mail: { assigned: true, sla_breached: false } } });
  expect(second.json.data).toMatchObject({
    name: 'Kim Sato',
    locale: null,
    time_zone: 'Europe/Amsterdam',
    signature: 'Kim\nSupport',
    theme: 'dark',
    shortcuts: false,
    notifications: {
      mail: { assigned: true, customer_replied: true, sla_warning: true, sla_breached: false, channel_disabled: true },
      desktop: { assigned: true, sla_warning: false },
    },
  });
  expect((await app.ask('GET', '/api/v1/me', { headers })).json).toEqual(second.json);
  expect((await app.ask('GET', '/api/v1/session', { headers })).json.data.agent.name).toBe('Kim Sato');
});

test.each([
  [{ locale: 'xx' }, 'locale'],
  [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
  [{ theme: 'neon' }, 'theme'],
  [{ name: '' }, 'name'],
  [{ signature: 'x'.repeat(2001) }, 'signature'],
  [{ notifications: { mail: { assigned: 'maybe' } } }, 'notifications.mail.assigned'],
])('%j is refused', async (body, field) => {
  const { headers } = await app.person('viewer');
  const answer = await app.ask('PATCH', '/api/v1/me', { headers, body });
  expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [field]]);
});

test('role, address and rights are not for agents to change themselves', async () => {
  const { headers } = await app.person('viewer');
  const answer = await app.ask('PATCH', '/api/v1/me', {
    headers,
    body: { role: 'owner', email: 'boss@agents.example', is_active: true, sites: [] },
  });
  expect(answer.json.data.email).toBe('viewer1@agents.example');
  expect((await app.ask('GET', '/api/v1/session', { headers })).json.data.agent.role).toBe('viewer');
});

test('a mail that was switched off is not sent', async () => {
  const { headers, agentId } = await app.person('member');
  const { ulid } = await app.open();
  const assign = (to: number | null) => app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { assigned_to: to });
  const sent = () =>
    query<{ n: number }>(
      app.desk.store.reading,
      "SELECT count(*) AS n FROM deliveries WHERE event = 'mail.assigned'",
    ).get()?.n;
  await assign(agentId);
  expect(sent()).toBe(1);
  await app.ask('PATCH', '/api/v1/me', { headers, body: { notifications: { mail: { assigned: false } } } });
  await assign(null);
  await assign(agentId);
  expect(sent()).toBe(1);
});

test('another password ends sign-ins that began with the old one, and mailed links', async () => {
  const { email, headers: former } = await withPassword(app, 'member');
  const { headers, recoveryCodes } = await addTotp(app, former);
  const half = await app.ask('POST', '/api/v1/session', { body: { email, password: goodPassword } });
  expect(half.status).toBe(202);
  await app.ask('POST', '/api/v1/password-resets', { body: { email } });
  await app.mailAsked();
  const token = mailedSecret(app, 'mail.password_reset');
  expect(token).toStartWith('hdl_');
  const body = { current: goodPassword, password: otherPassword };
  expect((await app.ask('PUT', '/api/v1/me/password', { headers, body })).status).toBe(204);
  const answer = { challenge: half.json.challenge, code: recoveryCodes[0] };
  const second = await app.ask('POST', '/api/v1/session/second-factor', { body: answer });
  expect(code(second)).toEqual([401, 'challenge_expired']);
  const reset = { token, password: goodPassword };
  expect((await app.ask('POST', '/api/v1/password-resets/complete', { body: reset })).status).toBe(410);
});

test('another password needs the current one, ends other sessions and renews this one', async () => {
  const { email, agentId, headers } = await withPassword(app, 'member');
  const elsewhere = await app.signIn(agentId);
  const change = (body: object) => app.ask('PUT', '/api/v1/me/password', { headers, body });
  expect(code(await change({ current: 'not the password', password: otherPassword }))).toEqual([
    401,
    'wrong_credentials',
  ]);
  expect((await change({ current: goodPassword, password: 'short' })).json.errors).toHaveProperty('password');
  const changed = await change({ current: goodPassword, password: otherPassword });
  expect(changed.status).toBe(204);
  const session = (sent: Record<string, string>) => app.ask('GET', '/api/v1/session', { headers: sent });
  expect((await session(browserAfter(changed))).status).toBe(200);
  for (const former of [headers, elsewhere.headers]) expect((await session(former)).status).toBe(401);
  const signIn = (password: string) => app.ask('POST', '/api/v1/session', { body: { email, password } });
  expect([(await signIn(goodPassword)).status, (await signIn(otherPassword)).status]).toEqual([401, 200]);
});

test('sessions are listed and ended one by one or all but this one, and only one’s own', async () => {
  const { agentId, headers, sessionId } = await app.person('member');
  const [second, third] = [await app.signIn(agentId), await app.signIn(agentId)];
  const stranger = await app.person('owner');
  const list = async () =>
    (await app.ask('GET', '/api/v1/me/sessions', { headers })).json.data.map(({ id }: { id: number }) => id).sort();
  const end = (path: string, as = headers) => app.ask('DELETE', `/api/v1/me/sessions${path}`, { headers: as });
  expect(await list()).toEqual([sessionId, second.sessionId, third.sessionId]);
  expect((await end(`/${second.sessionId}`, stranger.headers)).status).toBe(404);
  expect((await end(`/${stranger.sessionId}`)).status).toBe(404);
  expect((await end(`/${second.sessionId}`)).status).toBe(204);
  expect(await list()).toEqual([sessionId, third.sessionId]);
  await app.signIn(agentId);
  expect((await end('')).status).toBe(204);
  expect(await list()).toEqual([sessionId]);
});

test('replies and notes are by the agent who signed in, and by no one else', async () => {
  const { agentId, headers } = await app.person('member');
  const other = await app.person('member');
  const { ulid } = await app.open();
  const reply = (body: object, as = headers) =>
    app.ask('POST', `/api/v1/tickets/${ulid}/messages`, { headers: as, body: { body: 'Hello', ...body } });
  const plain = await reply({});
  expect(plain.json.reply.agent_name).toBe('The member 1');
  expect((await reply({ agent_id: agentId })).json.reply.agent_name).toBe('The member 1');
  expect((await reply({ agent_name: 'Support' })).json.reply.agent_name).toBe('Support');
  for (const body of [{ agent_id: other.agentId }, { agent_name: 'The member 2' }, { agent_name: ' the MEMBER 2 ' }])
    expect(code(await reply(body)), JSON.stringify(body)).toEqual([403, 'other_agent']);
  await app.ask('PATCH', '/api/v1/me', { headers: other.headers, body: { name: 'The member 1' } });
  expect((await reply({ agent_name: 'The member 1' })).status).toBe(201);
  const viewer = await app.person('viewer');
  const note = await app.ask('POST', `/api/v1/tickets/${ulid}/notes`, {
    headers: viewer.headers,
    body: { body: 'Seen' },
  });
  expect([note.status, note.json.note.agent_name, note.json.note.is_internal]).toEqual([201, 'The viewer 3', true]);
  expect(code(await reply({}, viewer.headers))).toEqual([403, 'missing_ability']);
  const { events } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
  expect(events.at(-1).actor).toEqual({ type: 'agent', id: viewer.agentId, name: 'The viewer 3' });
});
