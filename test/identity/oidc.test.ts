// OpenID Connect with a real issuer: the right person comes back, and nothing else is believed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/base/clock.ts';
import { createOidc, newOidcSecrets, type OidcSettings } from '../../src/identity/oidc.ts';
import { OidcFault } from '../../src/identity/oidc-fault.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { fixedClock } from '../support/clock.ts';
import { type Issuer, issuerClient, startIssuer } from '../support/issuer.ts';

const redirectUri = 'http://localhost:8080/api/v1/auth/oidc/callback';
const mia = { email: 'Mia@Example.org', email_verified: true, name: 'Mia', desk_role: 'admin' };

function clientOf(issuer: { url: string }, changed: Partial<OidcSettings> = {}) {
  return createOidc({
    issuer: issuer.url,
    clientId: issuerClient.id,
    clientSecret: issuerClient.secret,
    roleClaim: null,
    allow: parseAllowList(''),
    timeoutMs: 2000,
    clock: systemClock,
    ...changed,
  });
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => 'believed',
    (error) => (error instanceof OidcFault ? error.problem : error),
  );
  if (typeof outcome !== 'string') throw outcome;
  return outcome;
}

describe.each([
  ['in user info', {}],
  ['in the ID token', { hasClaimsInIdToken: true }],
  ['in user info, with its secret in the body', { isSecretInBody: true }],
] as const)('an issuer with claims %s', (_, options) => {
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await startIssuer({ redirectUri, ...options });
    issuer.accounts.set('mia', mia);
  });
  afterAll(() => issuer.stop());

  async function signIn(oidc = clientOf(issuer), subject = 'mia') {
    const secrets = newOidcSecrets();
    const callback = await issuer.signIn(await oidc.begin(redirectUri, secrets), subject);
    return { secrets, callback, finish: (own = secrets) => oidc.finish(redirectUri, callback.searchParams, own) };
  }

  test('says who came back', async () => {
    const { finish } = await signIn();
    expect(await finish()).toEqual({
      issuer: issuer.url,
      subject: 'mia',
      email: 'mia@example.org',
      name: 'Mia',
      role: null,
      roleFault: null,
      hasSecondFactor: false,
    });
  });

  test('says a role in the claim that is asked for', async () => {
    expect(await (await signIn(clientOf(issuer, { roleClaim: 'desk_role' }))).finish()).toMatchObject({
      role: 'admin',
      roleFault: null,
    });
  });

  test.each([
    [['member'], 'member'],
    [['Desk.Users', 'admin', 42], 'admin'],
    [['owner', 'viewer', 'member'], 'viewer'],
    ['member', 'member'],
  ])('says of the roles %p that it is %s', async (roles, role) => {
    issuer.accounts.set('list', { ...mia, desk_role: roles });
    const person = await (await signIn(clientOf(issuer, { roleClaim: 'desk_role' }), 'list')).finish();
    expect(person).toMatchObject({ role, roleFault: null });
  });

  test.each([[[]], ['Owner'], [['ADMIN']], [[['owner']]], [{ role: 'owner' }], [true], [null], [7], [undefined]])(
    'gives the least for the roles %p, and says so',
    async (roles) => {
      issuer.accounts.set('list', { ...mia, desk_role: roles });
      const person = await (await signIn(clientOf(issuer, { roleClaim: 'desk_role' }), 'list')).finish();
      expect(person.role).toBe('viewer');
      expect(person.roleFault?.message).toContain('desk_role');
    },
  );

  test.each([[false], ['true'], [1], [undefined], [null]])(
    'with e-mail verified as %p is not believed',
    async (verified) => {
      issuer.accounts.set('eve', { ...mia, email_verified: verified });
      expect(await problemOf((await signIn(clientOf(issuer), 'eve')).finish())).toBe('unverified_email');
    },
  );

  test.each([['no address'], [''], ['a@b@c'], [`${'x'.repeat(300)}@example.org`], [undefined]])(
    'with the e-mail address %p is not believed',
    async (email) => {
      issuer.accounts.set('eve', { ...mia, email });
      expect(await problemOf((await signIn(clientOf(issuer), 'eve')).finish())).toBe('refused');
    },
  );

  test('is believed once for each sign-in', async () => {
    const { finish } = await signIn();
    await finish();
    expect(await problemOf(finish())).toBe('refused');
  });

  test.each(['state', 'nonce', 'verifier'] as const)('is not believed with another %s', async (name) => {
    const { secrets, finish } = await signIn();
    const changed = { ...secrets, [name]: newOidcSecrets()[name] };
    expect(await problemOf(finish(changed))).toBe('refused');
  });

  test('is not believed without a state, or with an answer of another issuer', async () => {
    const oidc = clientOf(issuer);
    const { secrets, callback } = await signIn(oidc);
    const without = new URLSearchParams(callback.searchParams);
    without.delete('state');
    expect(await problemOf(oidc.finish(redirectUri, without, secrets))).toBe('refused');
    const mixed = new URLSearchParams(callback.searchParams);
    mixed.set('iss', 'https://evil.example.org');
    expect(await problemOf(oidc.finish(redirectUri, mixed, secrets))).toBe('refused');
  });

  test('can say no', async () => {
    const oidc = clientOf(issuer);
    const secrets = newOidcSecrets();
    await oidc.begin(redirectUri, secrets);
    const answer = new URLSearchParams({ error: 'access_denied', state: secrets.state, iss: issuer.url });
    expect(await problemOf(oidc.finish(redirectUri, answer, secrets))).toBe('denied');
  });

  test('that rotates its keys is understood at once, without another discovery', async () => {
    const oidc = clientOf(issuer);
    await (await signIn(oidc)).finish();
    const discoveries = issuer.asked.get('/.well-known/openid-configuration');
    issuer.rotateKeys();
    await (await signIn(oidc)).finish();
    expect(issuer.asked.get('/.well-known/openid-configuration')).toBe(discoveries);
  });

  test('does not believe a desk with the wrong secret', async () => {
    expect(await problemOf((await signIn(clientOf(issuer, { clientSecret: 'wrong' }))).finish())).toBe('refused');
  });
});

describe('an issuer that is down', () => {
  test('is said to be so, also between the two halves, and is asked again later', async () => {
    const issuer = await startIssuer({ redirectUri });
    issuer.accounts.set('mia', mia);
    const oidc = clientOf(issuer);
    const secrets = newOidcSecrets();
    const callback = await issuer.signIn(await oidc.begin(redirectUri, secrets), 'mia');
    await issuer.stop();
    expect(await problemOf(oidc.finish(redirectUri, callback.searchParams, secrets))).toBe('unavailable');
    const clock = fixedClock(1000);
    const other = clientOf(issuer, { clock });
    expect(await problemOf(other.begin(redirectUri, secrets))).toBe('unavailable');
    const again = await startIssuer({ redirectUri, port: Number(new URL(issuer.url).port) });
    expect(await problemOf(other.begin(redirectUri, secrets))).toBe('unavailable');
    clock.advance(6000);
    expect(await problemOf(other.begin(redirectUri, secrets))).toBe('believed');
    await again.stop();
  });
});
