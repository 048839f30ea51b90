// Signing in at a real OpenID Connect issuer: who gets in, as whom, and where everyone else ends.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { systemClock } from '../../../src/base/clock.ts';
import { query } from '../../../src/engine/database.ts';
import { createOidc } from '../../../src/identity/oidc.ts';
import { parseAllowList } from '../../../src/net/allow-list.ts';
import { type Answered, baseUrl, type TestApp, testApp } from '../../support/app.ts';
import { addPasskey, addTotp } from '../../support/factors.ts';
import { type Issuer, issuerClient, startIssuer } from '../../support/issuer.ts';

const redirectUri = `${baseUrl}/api/v1/auth/oidc/callback`;
let issuer: Issuer;
let app: TestApp;
const apps: TestApp[] = [];
const noted: string[] = [];

beforeAll(async () => {
  issuer = await startIssuer({ redirectUri });
});
afterAll(async () => {
  await issuer.stop();
  for (const one of apps) await one.close();
});
beforeEach(async () => {
  app = await testApp();
  apps.push(app);
  use(issuer.url);
});

function use(url: string, domains: string[] = [], roleClaim: string | null = null): void {
  const client = createOidc({
    issuer: url,
    clientId: issuerClient.id,
    clientSecret: issuerClient.secret,
    roleClaim,
    allow: parseAllowList(''),
    timeoutMs: 2000,
    clock: systemClock,
  });
  app.edge.signIn.oidc = { label: 'Example', client, domains, note: (fault) => noted.push(fault.message) };
}

const agents = () =>
  query<{ id: number; email: string; name: string; role: string; oidc_subject: string | null }>(
    app.desk.store.writing,
    'SELECT id, email, name, role, oidc_subject FROM agents ORDER BY id',
  ).all();
const emailOf = (id: number) => agents().find((one) => one.id === id)?.email ?? '';
const cookiesOf = (answer: Answered) => answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
const locationOf = (answer: Answered) => answer.headers.get('location') ?? '';

async function leave(returnTo?: string) {
  const search = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  const answer = await app.ask('GET', `/api/v1/auth/oidc${search}`);
  expect(answer.status).toBe(302);
  return { location: locationOf(answer), cookie: cookiesOf(answer)[0] ?? '' };
}

async function comeBack(callback: URL, cookie: string) {
  return await app.ask('GET', callback.pathname + callback.search, { headers: { Cookie: cookie } });
}

async function signIn(subject: string, claims: object, returnTo?: string) {
  issuer.accounts.set(subject, { email_verified: true, ...claims });
  const { location, cookie } = await leave(returnTo);
  return await comeBack(await issuer.signIn(location, subject), cookie);
}

async function sessionOf(answer: Answered) {
  const cookie = cookiesOf(answer).find((one) => /^helpdesk=./.test(one)) ?? '';
  return await app.ask('GET', '/api/v1/session', { headers: { Cookie: cookie } });
}

describe('an agent', () => {
  test('signs in by the verified address first, and by subject from then on', async () => {
    const { agentId } = await app.person('member');
    const first = await signIn('s1', { email: emailOf(agentId).toUpperCase() }, '/tickets?q=a%20b#top');
    expect(locationOf(first)).toBe('/tickets?q=a%20b#top');
    expect((await sessionOf(first)).json.data.agent.id).toBe(agentId);
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');

    const other = await app.person('owner');
    const renamed = await signIn('s1', { email: emailOf(other.agentId) });
    expect((await sessionOf(renamed)).json.data.agent.id).toBe(agentId);
    expect(agents().find(({ id }) => id === other.agentId)?.oidc_subject).toBeNull();
  });

  test('is not taken over by another account with the same address', async () => {
    const { agentId } = await app.person('owner');
    await signIn('s2', { email: emailOf(agentId) });
    const stolen = await signIn('s3', { email: emailOf(agentId) });
    expect(locationOf(stolen)).toBe('/sign-in?error=oidc_other_account');
    expect((await sessionOf(stolen)).status).toBe(401);
  });

  test('who is unknown, unverified or deactivated stays outside, and the audit log says so', async () => {
    const { agentId } = await app.person('member');
    const before = agents().length;
    expect(locationOf(await signIn('s4', { email: 'eve@evil.example' }))).toBe('/sign-in?error=oidc_unknown_agent');
    const unverified = await signIn('s5', { email: emailOf(agentId), email_verified: false });
    expect(locationOf(unverified)).toBe('/sign-in?error=oidc_unverified_email');
    app.desk.store.writing.client.run('UPDATE agents SET is_active = 0 WHERE id = ?', [agentId]);
    expect(locationOf(await signIn('s6', { email: emailOf(agentId) }))).toBe('/sign-in?error=oidc_inactive_agent');
    expect(agents()).toHaveLength(before);
    expect(agents().every(({ oidc_subject }) => oidc_subject === null)).toBe(true);
    expect(refusalReasons()).toEqual(['unknown_agent', 'unverified_email', 'inactive_agent']);
  });

  test('of a listed domain becomes a member, of a similar one does not', async () => {
    use(issuer.url, ['example.org']);
    for (const email of [
      'a@example.org.evil.example',
      'b@evil-example.org',
      'c@sub.example.org',
      'd@example.org@evil.example',
    ]) {
      expect(locationOf(await signIn(email, { email })), email).toMatch(/error=oidc_(unknown_agent|refused)/);
    }
    const joined = await sessionOf(await signIn('s7', { email: 'Mia@Example.org', name: 'Mia' }));
    expect(joined.json.data.agent).toMatchObject({ email: 'mia@example.org', name: 'Mia', role: 'member' });
    expect(joined.json.data.agent.has_password).toBe(false);
  });

  test('has the role of the claim each time; the last owner stays owner', async () => {
    use(issuer.url, ['example.org'], 'desk_role');
    const roleOf = async (claims: object) => {
      const answer = await signIn('s8', { email: 'kim@example.org', ...claims });
      return (await sessionOf(answer)).json.data.agent.role;
    };
    expect(await roleOf({ desk_role: 'admin' })).toBe('admin');
    expect(await roleOf({ desk_role: 'viewer' })).toBe('viewer');
    expect(await roleOf({ desk_role: ['admin', 'other'] })).toBe('admin');
    expect(await roleOf({ desk_role: ['member'] })).toBe('member');
    const unread = () => noted.filter((message) => message.includes('desk_role')).length;
    expect(unread()).toBe(0);
    expect(await roleOf({ desk_role: 'emperor' })).toBe('viewer');
    expect(await roleOf({ desk_role: 'admin' })).toBe('admin');
    expect(await roleOf({})).toBe('viewer');
    expect(unread()).toBe(2);
    expect(await roleOf({ desk_role: 'owner' })).toBe('owner');
    expect(await roleOf({ desk_role: 'member' })).toBe('owner');
    const changes = query(app.desk.store.writing, "SELECT id FROM audit_log WHERE action = 'agent.updated'").all();
    expect(changes.length).toBeGreaterThanOrEqual(4);
  });

  test('with a second factor is asked for it', async () => {
    const person = await app.person('member');
    const { headers } = await addTotp(app, person.headers);
    const { answer } = await addPasskey(app, headers);
    const asked = await signIn('s9', { email: emailOf(person.agentId) }, '/tickets');
    expect((await sessionOf(asked)).status).toBe(401);
    const page = new URL(locationOf(asked), baseUrl);
    expect(page.pathname).toBe('/sign-in');
    expect(page.searchParams.get('second_factor')).toBe('totp,passkey,recovery_code');
    expect(page.searchParams.get('return_to')).toBe('/tickets');
    const challenge = page.hash.slice('#challenge='.length);
    const { options } = (await app.ask('POST', '/api/v1/session/passkey', { body: { challenge } })).json;
    const body = { challenge, code: answer(options) };
    const signed = await app.ask('POST', '/api/v1/session/second-factor', { body });
    expect(signed.status, signed.text).toBe(200);
    expect((await sessionOf(signed)).json.data.agent.id).toBe(person.agentId);
  });
});

const refusalReasons = () =>
  query<{ after: string }>(
    app.desk.store.writing,
    "SELECT after FROM audit_log WHERE action = 'session.refused' ORDER BY id",
  )
    .all()
    .map(({ after }) => JSON.parse(after).reason);

describe('the way back', () => {
  test('needs the cookie of the way there, within ten minutes, in the same browser', async () => {
    const { agentId } = await app.person('member');
    issuer.accounts.set('b1', { email: emailOf(agentId), email_verified: true });
    const begun = async () => {
      const { location, cookie } = await leave();
      return { callback: await issuer.signIn(location, 'b1'), cookie };
    };
    const [one, other, late] = [await begun(), await begun(), await begun()];
    expect(locationOf(await comeBack(one.callback, ''))).toBe('/sign-in?error=oidc_expired');
    expect(locationOf(await comeBack(one.callback, 'helpdesk-issuer=nonsense'))).toBe('/sign-in?error=oidc_expired');
    expect(locationOf(await comeBack(one.callback, `helpdesk-issuer=${app.desk.seal.seal('{}')}`))).toBe(
      '/sign-in?error=oidc_expired',
    );
    // A link of someone else's sign-in, in this browser.
    expect(locationOf(await comeBack(one.callback, other.cookie))).toBe('/sign-in?error=oidc_refused');
    expect(noted.at(-1)).toContain('state');
    const right = await comeBack(other.callback, other.cookie);
    expect(locationOf(right)).toBe('/');
    expect(right.headers.getSetCookie().some((line) => line.startsWith('helpdesk-issuer=; Max-Age=0'))).toBe(true);
    app.clock.advance(10 * 60_000);
    expect(locationOf(await comeBack(late.callback, late.cookie))).toBe('/sign-in?error=oidc_expired');
  });

  test('keeps nothing in its cookie that can be read or changed', async () => {
    const { location, cookie } = await leave();
    const { searchParams } = new URL(location);
    for (const name of ['state', 'nonce', 'code_challenge']) expect(cookie).not.toContain(searchParams.get(name) ?? '');
    const [line = ''] = (await app.ask('GET', '/api/v1/auth/oidc')).headers.getSetCookie();
    expect(line).toContain('; Max-Age=600; Path=/; HttpOnly; SameSite=Lax');
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    'https:evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/x\r\nSet-Cookie: a=b',
    `/${'x'.repeat(5000)}`,
  ])('leads to no other server: %p', async (returnTo) => {
    const { agentId } = await app.person('member');
    const answer = await signIn('r1', { email: emailOf(agentId) }, returnTo);
    expect(locationOf(answer)).toBe('/');
    const refused = await signIn('r2', { email: 'eve@evil.example' }, returnTo);
    expect(locationOf(refused)).toBe('/sign-in?error=oidc_unknown_agent');
  });

  test('with a refusal of the issuer leads to the sign-in page', async () => {
    const { location, cookie } = await leave('/tickets');
    const callback = new URL(redirectUri);
    callback.searchParams.set('error', 'access_denied');
    callback.searchParams.set('state', new URL(location).searchParams.get('state') ?? '');
    callback.searchParams.set('iss', issuer.url);
    expect(locationOf(await comeBack(callback, cookie))).toBe('/sign-in?error=oidc_denied&return_to=%2Ftickets');
    expect(refusalReasons()).toEqual(['denied']);
    await comeBack(callback, '');
    expect(refusalReasons()).toEqual(['denied', 'expired']);
  });
});

describe('an issuer that is down', () => {
  test('is named by the sign-in page, and everything else works', async () => {
    const signInPage = async () => (await app.ask('GET', '/api/v1/sign-in')).json.data.oidc;
    expect(await signInPage()).toEqual({ label: 'Example', is_available: true });
    use('http://127.0.0.1:1');
    expect(await signInPage()).toEqual({ label: 'Example', is_available: false });
    expect(locationOf(await app.ask('GET', '/api/v1/auth/oidc?return_to=/x'))).toBe(
      '/sign-in?error=oidc_unavailable&return_to=%2Fx',
    );
    expect((await app.asTeam('GET', '/api/v1/tickets')).status).toBe(200);
  });

  test('that was never configured leads back too', async () => {
    app.edge.signIn.oidc = null;
    expect(locationOf(await app.ask('GET', '/api/v1/auth/oidc'))).toBe('/sign-in?error=oidc_unavailable');
    expect(locationOf(await app.ask('GET', '/api/v1/auth/oidc/callback?code=x'))).toBe(
      '/sign-in?error=oidc_unavailable',
    );
  });
});

test('owners test the issuer, and hear in words what is wrong', async () => {
  const { headers } = await app.person('owner');
  const tried = async () => (await app.ask('POST', '/api/v1/desk/issuer/test', { headers })).json.data;
  expect(await tried()).toEqual({ is_configured: true, is_working: true, message: null });
  use('http://127.0.0.1:1');
  expect(await tried()).toMatchObject({
    is_configured: true,
    is_working: false,
    message: expect.stringMatching(/\w+/),
  });
  app.edge.signIn.oidc = null;
  expect(await tried()).toEqual({ is_configured: false, is_working: false, message: null });
  const admin = await app.person('admin');
  expect((await app.ask('POST', '/api/v1/desk/issuer/test', { headers: admin.headers })).status).toBe(403);
});
