// Issuers that lie, stall or flood: nothing is believed, and nothing waits or grows without end.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/base/clock.ts';
import { createOidc, newOidcSecrets, type OidcSecrets } from '../../src/identity/oidc.ts';
import { OidcFault } from '../../src/identity/oidc-fault.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { type ForgedIssuer, metadataOf, publicPem, signatures, startForgedIssuer } from '../support/forged-issuer.ts';

const redirectUri = 'http://localhost:8080/api/v1/auth/oidc/callback';
const discovery = '/.well-known/openid-configuration';
const clientSecret = 'a shared secret of the desk';

let issuer: ForgedIssuer;
let secrets: OidcSecrets;
/** @param timeoutMs patience, which only a test of silence comes to the end of */
const start = (url = issuer.url, timeoutMs = 30_000, roleClaim: string | null = null) =>
  createOidc({
    issuer: url,
    clientId: 'desk',
    clientSecret,
    roleClaim,
    allow: parseAllowList(''),
    timeoutMs,
    clock: systemClock,
  });

function goodClaims(): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer.url,
    aud: 'desk',
    sub: 'mia',
    nonce: secrets.nonce,
    iat: now,
    exp: now + 60,
    email: 'mia@example.org',
    email_verified: true,
  };
}

beforeEach(() => {
  issuer = startForgedIssuer();
  secrets = newOidcSecrets();
  issuer.claims = goodClaims();
});
afterEach(() => issuer.stop());

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => 'believed',
    (error) => (error instanceof OidcFault ? error.problem : error),
  );
  if (typeof outcome !== 'string') throw outcome;
  return outcome;
}

const finish = (oidc = start()) =>
  outcomeOf(oidc.finish(redirectUri, new URLSearchParams({ code: 'c', state: secrets.state }), secrets));

describe('user info', () => {
  const personOf = (oidc: ReturnType<typeof start>) =>
    oidc.finish(redirectUri, new URLSearchParams({ code: 'c', state: secrets.state }), secrets);

  test.each([[{}], [{ email: 'eve@example.org' }], [{ email: 'eve@example.org', email_verified: true }]])(
    'with %p and a role leaves the verified address of the ID token alone',
    async (told) => {
      issuer.answers['/me'] = () => Response.json({ sub: 'mia', roles: ['member'], ...told });
      expect(await personOf(start(issuer.url, undefined, 'roles'))).toMatchObject({
        email: 'mia@example.org',
        role: 'member',
      });
    },
  );

  test('does not verify the address of the ID token, and its own address counts only if it is verified there', async () => {
    issuer.claims = { ...goodClaims(), email_verified: false };
    issuer.answers['/me'] = () => Response.json({ sub: 'mia', roles: 'member', email_verified: true });
    expect(await outcomeOf(personOf(start(issuer.url, undefined, 'roles')))).toBe('refused');
    issuer.answers['/me'] = () => Response.json({ sub: 'mia', roles: 'member', email: 'eve@example.org' });
    expect(await outcomeOf(personOf(start(issuer.url, undefined, 'roles')))).toBe('unverified_email');
  });

  test('does not raise the role of the ID token', async () => {
    issuer.claims = { ...goodClaims(), email_verified: undefined, roles: ['viewer'] };
    issuer.answers['/me'] = () =>
      Response.json({ sub: 'mia', roles: 'owner', email: 'mia@example.org', email_verified: true });
    expect(await personOf(start(issuer.url, undefined, 'roles'))).toMatchObject({ role: 'viewer' });
  });
});

describe('a token', () => {
  test('that is right is believed', async () => {
    expect(await finish()).toBe('believed');
  });

  test.each([
    ['with alg none', { alg: 'none' }, signatures.none],
    ['with alg NONE', { alg: 'NONE' }, signatures.none],
    ['without alg', {}, signatures.rs256],
    ['signed with the public key as a secret', { alg: 'HS256', kid: 'k1' }, signatures.hs256(publicPem)],
    ['signed with the secret of the desk', { alg: 'HS256', kid: 'k1' }, signatures.hs256(clientSecret)],
    ['without a signature', { alg: 'RS256', kid: 'k1' }, signatures.none],
    ['with the signature of another text', { alg: 'RS256', kid: 'k1' }, () => signatures.rs256('x.y')],
    ['of a key that was never published', { alg: 'RS256', kid: 'k2' }, signatures.rs256],
    ['that brings its own key', { alg: 'RS256', kid: 'k2', jwk: { kty: 'RSA' } }, signatures.rs256],
    ['that names its own keys', { alg: 'RS256', kid: 'k2', jku: 'http://127.0.0.1:1/jwks' }, signatures.rs256],
    ['with a header that must be understood', { alg: 'RS256', kid: 'k1', crit: ['x'] }, signatures.rs256],
  ])('%s is refused', async (_, header, signature) => {
    issuer.header = header;
    issuer.signature = signature;
    expect(await finish()).toBe('refused');
  });

  test.each([
    ['of another issuer', { iss: 'https://evil.example.org' }],
    ['for another application', { aud: 'other' }],
    ['for several applications, of which another one asked', { aud: ['desk', 'other'], azp: 'other' }],
    ['with another nonce', { nonce: 'other' }],
    ['without a nonce', { nonce: undefined }],
    ['that has expired', { exp: 1_000_000 }],
    ['without an end', { exp: undefined }],
    ['that is not valid yet', { nbf: 4_000_000_000 }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a huge subject', { sub: 'x'.repeat(300) }],
    ['with a subject that is no text', { sub: { toString: 'mia' } }],
  ])('%s is refused', async (_, claims) => {
    Object.assign(issuer.claims, claims);
    expect(await finish()).toBe('refused');
  });

  test('is not completed with the address of another subject', async () => {
    issuer.claims.email = undefined;
    issuer.answers['/me'] = () => Response.json({ sub: 'eve', email: 'mia@example.org', email_verified: true });
    expect(await finish()).toBe('refused');
    issuer.answers['/me'] = () => Response.json({ sub: 'mia', email: 'mia@example.org', email_verified: true });
    expect(await finish()).toBe('believed');
  });

  test('with an address and user info that verifies another one counts with the verified one only', async () => {
    issuer.claims = { ...goodClaims(), email: 'owner@example.org', email_verified: undefined };
    issuer.answers['/me'] = () => Response.json({ sub: 'mia', email: 'mia@example.org', email_verified: true });
    const answer = new URLSearchParams({ code: 'c', state: secrets.state });
    expect(await start().finish(redirectUri, answer, secrets)).toMatchObject({ email: 'mia@example.org' });
  });

  test.each([['{}'], ['[]'], ['null'], ['x'], [''], ['{"access_token":"a","token_type":"Bearer"}']])(
    'endpoint that answers %p is refused',
    async (body) => {
      issuer.answers['/token'] = () => new Response(body, { headers: { 'content-type': 'application/json' } });
      expect(await finish()).toBe('refused');
    },
  );
});

describe('a discovery document', () => {
  const answer = (body: BodyInit, init: ResponseInit = { headers: { 'content-type': 'application/json' } }) => {
    issuer.answers[discovery] = () => new Response(body, init);
  };
  const begin = (oidc = start()) => outcomeOf(oidc.begin(redirectUri, secrets));

  test('that is right leads to the issuer, with PKCE, state and nonce', async () => {
    const url = new URL(await start().begin(redirectUri, secrets));
    expect(url.origin + url.pathname).toBe(`${issuer.url}/auth`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'desk',
      redirect_uri: redirectUri,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge_method: 'S256',
    });
    expect(url.searchParams.get('code_challenge')).not.toBe(secrets.verifier);
    expect(url.href).not.toContain(secrets.verifier);
  });

  test.each([
    ['of another issuer', { issuer: 'https://evil.example.org' }],
    ['without a place to sign in', { authorization_endpoint: undefined }],
    ['with a script as the place to sign in', { authorization_endpoint: 'javascript:alert(1)' }],
    ['with a place to sign in that is not safe', { authorization_endpoint: 'http://issuer.example.org/auth' }],
    ['without tokens', { token_endpoint: undefined }],
    ['with tokens from plain http', { token_endpoint: 'http://192.0.2.1/token' }],
    ['without keys', { jwks_uri: undefined }],
    ['with keys from a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('%s is refused', async (_, changed) => {
    answer(JSON.stringify({ ...metadataOf(issuer.url), ...changed }));
    expect(await begin()).toBe('unavailable');
  });

  test('with keys on a private server is not followed there', async () => {
    answer(JSON.stringify({ ...metadataOf(issuer.url), jwks_uri: 'https://10.0.0.1/jwks' }));
    expect(await finish()).toBe('unavailable');
  });

  test.each([
    ['of ten megabytes', () => answer(`{"issuer":"${'x'.repeat(10_000_000)}"}`)],
    ['nested very deep', () => answer('['.repeat(200_000))],
    ['with very many values', () => answer(JSON.stringify(Array(60_000).fill(1)))],
    ['that is no JSON', () => answer('<html>')],
    ['that is an error', () => answer('{}', { status: 500 })],
    ['that redirects', () => answer('', { status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
    ['that is empty', () => answer('')],
  ])('%s is refused', async (_, prepare) => {
    prepare();
    expect(await begin()).toBe('unavailable');
  });

  test('that never comes, or comes a byte at a time, is given up', async () => {
    issuer.answers[discovery] = () => new Promise(() => undefined);
    expect(await begin(start(issuer.url, 100))).toBe('unavailable');
    issuer.answers[discovery] = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await Bun.sleep(50);
            controller.enqueue(new TextEncoder().encode(' '));
          },
        }),
        { headers: { 'content-type': 'application/json' } },
      );
    expect(await begin(start(issuer.url, 100))).toBe('unavailable');
  });

  test('is fetched once for all who come at the same time, and kept', async () => {
    const oidc = start();
    expect(await Promise.all(Array.from({ length: 10 }, () => begin(oidc)))).toEqual(Array(10).fill('believed'));
    expect(issuer.asked.filter((path) => path === discovery)).toHaveLength(1);
  });
});

test('more people than can wait for a slow issuer are refused at once', async () => {
  issuer.answers[discovery] = () => new Promise(() => undefined);
  const oidc = start(issuer.url, 100);
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcomeOf(oidc.begin(redirectUri, secrets))));
  expect(outcomes).toEqual(Array(100).fill('unavailable'));
});
