// Links that let people in: each works once, for its purpose and its time (docs/spec/people.md#links).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { addAgent, changeAgent } from '../../../src/desk/people/agents.ts';
import { linkDemoOwner, renewSetupLink } from '../../../src/desk/people/sign-in-links.ts';
import { query } from '../../../src/engine/database.ts';
import { type Answered, type TestApp, testApp } from '../../support/app.ts';
import { addTotp } from '../../support/factors.ts';
import {
  asCommandLine,
  browserAfter,
  goodPassword,
  linkOf,
  mailedSecret,
  setupLink,
  withPassword,
} from '../../support/people.ts';

const dayMs = 24 * 3600_000;
const otherPassword = 'quiet river 81 basket';
let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  app.ask('POST', `/api/v1${path}`, { body, headers });
const code = ({ status, json }: Answered) => [status, json?.code];
const signIn = (email: string, password: string) => post('/session', { email, password });
const isAlive = async (headers: Record<string, string>) =>
  (await app.ask('GET', '/api/v1/session', { headers })).status === 200;
const setUp = (token: string, change: object = {}) =>
  post('/setup', { token, email: 'first@agents.example', name: 'First', password: goodPassword, ...change });
const accept = (token: string, change: object = {}) =>
  post('/invitations/accept', { token, name: 'Kim', password: goodPassword, ...change });

describe('a setup link', () => {
  test('ends when the desk starts as a demo, whose owner gets a link', async () => {
    const token = await setupLink(app);
    await app.desk.write((tx) => {
      const ctx = asCommandLine(app);
      const owner = addAgent(tx, ctx, { email: 'demo@agents.example', name: 'Demo', role: 'owner' });
      return linkDemoOwner(tx, ctx, owner);
    });
    expect((await app.ask('GET', '/api/v1/sign-in')).json.data.setup).toBe(false);
    expect(code(await setUp(token))).toEqual([410, 'link_expired']);
  });

  test('makes the first owner, once', async () => {
    const token = await setupLink(app);
    expect((await app.ask('GET', '/api/v1/sign-in')).json.data.setup).toBe(true);
    const made = await setUp(token);
    expect([made.status, made.json.data.agent.role]).toEqual([201, 'owner']);
    expect(await isAlive(browserAfter(made))).toBe(true);
    expect((await app.ask('GET', '/api/v1/sign-in')).json.data.setup).toBe(false);
    const again = await setUp(token, { email: 'second@agents.example' });
    expect(code(again)).toEqual([410, 'link_expired']);
    expect(again.json.message).toContain('Restart the desk');
    expect((await signIn('first@agents.example', goodPassword)).status).toBe(200);
  });

  test('ends with the next start, and there is none once an owner can sign in', async () => {
    const first = await setupLink(app);
    const second = await setupLink(app);
    expect(code(await setUp(first))).toEqual([410, 'link_expired']);
    expect((await setUp(second)).status).toBe(201);
    expect(await app.desk.write((tx) => renewSetupLink(tx, asCommandLine(app)))).toBeNull();
  });

  test('opened by two browsers together makes one owner', async () => {
    const token = await setupLink(app);
    const both = await Promise.all(['a@x.example', 'b@x.example'].map((email) => setUp(token, { email })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 410]);
  });

  test('makes an owner of an agent who was added before, and does not expire', async () => {
    const { agentId, headers } = await app.person('viewer', [app.site.id]);
    const email = (await app.ask('GET', '/api/v1/me', { headers })).json.data.email;
    const token = await setupLink(app);
    app.clock.advance(400 * dayMs);
    const made = await setUp(token, { email });
    expect(made.json.data.agent).toMatchObject({ id: agentId, role: 'owner', name: 'First' });
    expect(made.json.data.sites).toHaveLength(2);
  });

  test.each([
    [{ password: 'too short' }, 'password', 'at least 10 characters'],
    [{ password: 'first@agents.example' }, 'password', 'must not be the e-mail address'],
    [{ password: 'password1234' }, 'password', 'most common passwords'],
    [{ password: 'x'.repeat(300) }, 'password', 'at most 256 characters'],
    [{ email: 'nope' }, 'email', 'e-mail address'],
    [{ name: '  ' }, 'name', 'required'],
  ])('with %j is refused, and works after that', async (change, field, words) => {
    const token = await setupLink(app);
    const refused = await setUp(token, change);
    expect(refused.status).toBe(422);
    expect(refused.json.errors[field][0]).toContain(words);
    expect((await setUp(token)).status).toBe(201);
  });
});

describe('an invitation', () => {
  test('shows whom it invites, and lets them choose a password', async () => {
    const { agentId } = await app.person('member');
    const token = await linkOf(app, 'invitation', agentId);
    const shown = await post('/invitations/read', { token });
    expect(shown.json.data).toEqual({
      email: 'member1@agents.example',
      name: 'The member 1',
      desk: 'Helpdesk',
      expires_at: '2026-09-18T09:30:00.000Z',
    });
    const accepted = await accept(token);
    expect([accepted.status, accepted.json.data.agent.name]).toEqual([201, 'Kim']);
    expect(await isAlive(browserAfter(accepted))).toBe(true);
    expect((await signIn('member1@agents.example', goodPassword)).status).toBe(200);
    expect(code(await post('/invitations/read', { token }))).toEqual([410, 'link_expired']);
  });

  test('opened by two browsers together lets one in', async () => {
    const { agentId } = await app.person('member');
    const token = await linkOf(app, 'invitation', agentId);
    const both = await Promise.all([accept(token), accept(token, { password: otherPassword })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 410]);
    const winner = both[0]?.status === 201 ? goodPassword : otherPassword;
    expect((await signIn('member1@agents.example', winner)).status).toBe(200);
  });

  test('ends after seven days, with a new one, and when the agent is deactivated or removed', async () => {
    const { agentId } = await app.person('member');
    const first = await linkOf(app, 'invitation', agentId);
    const second = await linkOf(app, 'invitation', agentId);
    expect((await accept(first)).status).toBe(410);
    app.clock.advance(7 * dayMs);
    expect((await accept(second)).status).toBe(410);
    const third = await linkOf(app, 'invitation', agentId);
    await app.desk.write((tx) => changeAgent(tx, asCommandLine(app), agentId, { is_active: false }));
    expect((await accept(third)).status).toBe(410);
  });

  test('ends all sessions that the agent had, and asks for the second factor that they have', async () => {
    const { agentId, headers } = await app.person('member');
    const invited = await accept(await linkOf(app, 'invitation', agentId));
    expect(await isAlive(headers)).toBe(false);
    const { headers: withFactor } = await addTotp(app, browserAfter(invited));
    const again = await accept(await linkOf(app, 'invitation', agentId), { password: otherPassword });
    expect([again.status, again.json.second_factor]).toEqual([202, ['totp', 'recovery_code']]);
    expect(again.headers.getSetCookie()).toEqual([]);
    expect(await isAlive(withFactor)).toBe(false);
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string) => post('/password-resets', { email });
  const complete = (token: string, password = otherPassword) => post('/password-resets/complete', { token, password });
  const settled = () => app.mailAsked();
  const mails = () =>
    query<{ recipient: string; site_id: number | null }>(
      app.desk.store.reading,
      "SELECT recipient, site_id FROM deliveries WHERE event = 'mail.password_reset'",
    ).all();

  test('is replaced by a mailed link, which ends every session', async () => {
    const { email, headers } = await withPassword(app, 'member');
    expect((await forgot(email)).status).toBe(202);
    await settled();
    expect(mails()).toEqual([{ recipient: email, site_id: null }]);
    const token = mailedSecret(app, 'mail.password_reset');
    const done = await complete(token);
    expect([done.status, done.json.data.agent.email]).toEqual([200, email]);
    expect(await isAlive(headers)).toBe(false);
    expect(await isAlive(browserAfter(done))).toBe(true);
    expect((await signIn(email, goodPassword)).status).toBe(401);
    expect((await signIn(email, otherPassword)).status).toBe(200);
    expect(code(await complete(token))).toEqual([410, 'link_expired']);
  });

  test('is queued after a while, so that the next request does not show by its time whether it was', async () => {
    const { email } = await withPassword(app, 'member');
    await forgot(email);
    await app.desk.write(() => null);
    expect(mails()).toEqual([]);
    await settled();
    expect(mails()).toHaveLength(1);
  });

  test('is answered alike for every address, and mails no one else', async () => {
    const { email, agentId } = await withPassword(app, 'member');
    await app.desk.write((tx) => changeAgent(tx, asCommandLine(app), agentId, { is_active: false }));
    const answers = [await forgot(email), await forgot('no-one@agents.example'), await forgot('nonsense')];
    await settled();
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(mails()).toEqual([]);
  });

  test('is mailed at most once a minute, and the earlier link stays valid', async () => {
    const { email } = await withPassword(app, 'member');
    for (let at = 0; at < 5; at += 1) await forgot(email);
    await settled();
    expect(mails()).toHaveLength(1);
    const first = mailedSecret(app, 'mail.password_reset');
    app.clock.advance(60_000);
    await forgot(email);
    await settled();
    expect(mails()).toHaveLength(2);
    expect((await complete(first)).status).toBe(200);
    expect((await complete(mailedSecret(app, 'mail.password_reset'))).status).toBe(410);
  });

  test('leaves the same rows for every address, before anything is looked up', async () => {
    const { email } = await withPassword(app, 'member');
    const left = [];
    for (const address of [email, 'no-one@agents.example']) {
      const before = app.counts();
      expect((await forgot(address)).status).toBe(202);
      const added = Object.entries(app.counts()).map(([table, rows]) => [table, rows - (before[table] ?? 0)] as const);
      left.push(Object.fromEntries(added.filter(([, rows]) => rows !== 0)));
    }
    expect(left[0]).toMatchObject({ asked_mails: 1 });
    expect(left[1]).toEqual(left[0]);
  });

  test('has an hour', async () => {
    const { email } = await withPassword(app, 'member');
    await forgot(email);
    await settled();
    app.clock.advance(3600_000);
    expect(code(await complete(mailedSecret(app, 'mail.password_reset')))).toEqual([410, 'link_expired']);
  });

  test('does not get around a second factor', async () => {
    const person = await withPassword(app, 'member');
    await addTotp(app, person.headers);
    await forgot(person.email);
    await settled();
    const done = await complete(mailedSecret(app, 'mail.password_reset'));
    expect([done.status, done.headers.getSetCookie()]).toEqual([202, []]);
    expect((await signIn(person.email, otherPassword)).status).toBe(202);
  });

  test('can be asked for ten times a minute from one address of the network', async () => {
    await app.close();
    app = await testApp({ signInFailures: 10 });
    for (let at = 0; at < 10; at += 1) expect((await forgot(`a${at}@x.example`)).status).toBe(202);
    expect((await forgot('b@x.example')).status).toBe(429);
  });
});

describe('a one-time link', () => {
  test('signs in once, within 15 minutes, without the second factor', async () => {
    const person = await withPassword(app, 'owner');
    await addTotp(app, person.headers);
    const token = await linkOf(app, 'sign_in', person.agentId);
    const done = await post('/session/link', { token });
    expect([done.status, done.json.data.agent.id]).toEqual([200, person.agentId]);
    expect(code(await post('/session/link', { token }))).toEqual([410, 'link_expired']);
    const late = await linkOf(app, 'sign_in', person.agentId);
    app.clock.advance(15 * 60_000);
    expect((await post('/session/link', { token: late })).status).toBe(410);
  });

  test('lets the agent choose a password without the old one, for 15 minutes', async () => {
    const person = await withPassword(app, 'member');
    const choose = (headers: Record<string, string>, body: object) =>
      app.ask('PUT', '/api/v1/me/password', { headers, body });
    const enter = async () =>
      browserAfter(await post('/session/link', { token: await linkOf(app, 'sign_in', person.agentId) }));
    expect(code(await choose(person.headers, { password: otherPassword }))).toEqual([401, 'wrong_credentials']);
    const late = await enter();
    app.clock.advance(15 * 60_000);
    expect(code(await choose(late, { password: otherPassword }))).toEqual([403, 'confirm_identity']);
    expect((await choose(await enter(), { password: otherPassword })).status).toBe(204);
    expect((await signIn(person.email, otherPassword)).status).toBe(200);
  });
});

test('no link opens what another kind opens, and no secret of a link is stored', async () => {
  const { agentId } = await app.person('member');
  const tokens = {
    setup: await setupLink(app),
    invitation: await linkOf(app, 'invitation', agentId),
    sign_in: await linkOf(app, 'sign_in', agentId),
  };
  const opens = {
    setup: setUp,
    invitation: accept,
    sign_in: (token: string) => post('/session/link', { token }),
    reset: (token: string) => post('/password-resets/complete', { token, password: otherPassword }),
  };
  for (const [purpose, token] of Object.entries(tokens)) {
    for (const [other, open] of Object.entries(opens))
      if (other !== purpose) expect(code(await open(token)), `${purpose} as ${other}`).toEqual([410, 'link_expired']);
    for (const forged of [`${token}x`, token.slice(0, -1), token.toLowerCase(), ''])
      expect((await opens[purpose as 'setup'](forged)).status, forged).toBe(410);
  }
  const rows = JSON.stringify(query(app.desk.store.reading, 'SELECT * FROM sign_in_links').all());
  for (const token of Object.values(tokens)) expect(rows).not.toContain(token.slice(4));
});
