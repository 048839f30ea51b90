// Consent to a mailbox and its access tokens, with a real provider: oidc-provider on loopback.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/base/clock.ts';
import type { MailApp } from '../../src/domain/mail/consent.ts';
import { ConsentNeeded, TokenFault } from '../../src/identity/mailbox-access.ts';
import { createProvider } from '../../src/identity/mailbox-exchange.ts';
import { createMailTokens, type TokenOwner } from '../../src/identity/mailbox-tokens.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { type Issuer, issuerClient, startIssuer } from '../support/issuer.ts';

const redirectUri = 'http://localhost:8080/api/v1/mailbox-consents/return';
const settings = { allow: parseAllowList('127.0.0.1'), timeoutMs: 2000, clock: systemClock };
const secrets = {
  state: 'a state of its own',
  verifier: 'a verifier that is long enough for PKCE: 43 characters'.replaceAll(/[ :]/g, '-'),
};

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer({ redirectUri, isForMail: true });
});
afterAll(() => issuer.stop());

const appOf = (changed: Partial<MailApp> = {}): MailApp => ({
  provider: 'other',
  issuer: issuer.url,
  clientId: issuerClient.id,
  clientSecret: issuerClient.secret,
  scope: 'mail offline_access',
  ...changed,
});

async function consent(app = appOf(), subject = 'help@shop.example') {
  const provider = createProvider(app, settings);
  const page = await provider.consentPage(redirectUri, subject, secrets);
  const back = await issuer.signIn(page, subject);
  return { provider, page: new URL(page), back: back.searchParams };
}

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'granted',
    (error) => (error instanceof ConsentNeeded ? 'consent' : error instanceof TokenFault ? 'fault' : String(error)),
  );

describe('a consent', () => {
  test('asks for the right account and lasting access, and brings both tokens', async () => {
    const { provider, page, back } = await consent();
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      login_hint: 'help@shop.example',
      prompt: 'consent',
      scope: 'mail offline_access',
      code_challenge_method: 'S256',
    });
    const tokens = await provider.redeem(redirectUri, back, secrets);
    expect(tokens.refreshToken).toBeString();
    expect(await issuer.accountOf(tokens.accessToken)).toBe('help@shop.example');
    expect(tokens.until).toBeGreaterThan(Date.now());
  });

  test('is refused with another state, another verifier, and when its code was used', async () => {
    const { provider, back } = await consent();
    expect(await faultOf(provider.redeem(redirectUri, back, { ...secrets, state: 'of another site' }))).toBe('fault');
    expect(await faultOf(provider.redeem(redirectUri, back, { ...secrets, verifier: 'x'.repeat(43) }))).toBe('consent');
    const { provider: other, back: code } = await consent();
    expect(await faultOf(other.redeem(redirectUri, code, secrets))).toBe('granted');
    expect(await faultOf(other.redeem(redirectUri, code, secrets))).toBe('consent');
  });

  test('of a person who says no is said in words', async () => {
    const no = new URLSearchParams({ error: 'access_denied', state: secrets.state, iss: issuer.url });
    expect(await faultOf(createProvider(appOf(), settings).redeem(redirectUri, no, secrets))).toBe('consent');
  });

  test('does not reach a private address that the desk does not allow', async () => {
    const closed = createProvider(appOf(), { ...settings, allow: parseAllowList('') });
    expect(await faultOf(closed.consentPage(redirectUri, 'x@y.example', secrets))).toBe('fault');
  });
});

describe('access tokens', () => {
  let id = 0;
  async function owner(changed: Partial<TokenOwner> = {}): Promise<TokenOwner & { rotated: string[] }> {
    const { provider, back } = await consent();
    const { refreshToken } = await provider.redeem(redirectUri, back, secrets);
    const rotated: string[] = [];
    id += 1;
    const onRotated = async (token: string) => void rotated.push(token);
    return { id, version: '1', app: appOf(), refreshToken: refreshToken ?? '', onRotated, rotated, ...changed };
  }

  test('are asked for once for all who wait, and again when the server refuses one', async () => {
    const tokens = createMailTokens(settings);
    const mine = await owner();
    const before = issuer.asked.get('/token') ?? 0;
    const [first, second] = await Promise.all([tokens.accessToken(mine), tokens.accessToken(mine)]);
    expect(second).toBe(first);
    expect(await tokens.accessToken(mine)).toBe(first);
    expect((issuer.asked.get('/token') ?? 0) - before).toBe(1);
    const refreshToken = mine.rotated.at(-1) ?? mine.refreshToken;
    expect(await tokens.accessToken({ ...mine, refreshToken }, true)).not.toBe(first);
  });

  test('need a person when the consent was withdrawn or the secret has ended', async () => {
    const tokens = createMailTokens(settings);
    const mine = await owner();
    expect(await faultOf(tokens.accessToken({ ...mine, refreshToken: 'withdrawn' }))).toBe('consent');
    const ended = { ...mine, version: '2', app: appOf({ clientSecret: 'ended' }) };
    expect(await faultOf(tokens.accessToken(ended))).toBe('consent');
    expect(await faultOf(tokens.accessToken({ ...mine, version: '3' }))).toBe('granted');
  });

  test('are not asked for in vain for ever: a provider that is down is a fault of now', async () => {
    const down = createMailTokens(settings);
    const app = appOf({ issuer: 'http://127.0.0.1:9' });
    expect(await faultOf(down.accessToken({ ...(await owner()), app }))).toBe('fault');
  });
});
