// The executable with a real OpenID Connect issuer, and with one that is down.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Issuer, issuerClient, startIssuer } from '../support/issuer.ts';
import { newDirectory, type Served, serve } from './executable.ts';

let issuer: Issuer;
let running: Served;
const { path, remove } = newDirectory();

/** Where people find the desk: the issuer must know it before the desk starts, and has a port. */
const baseUrl = 'http://desk.example';

beforeAll(async () => {
  issuer = await startIssuer({ redirectUri: `${baseUrl}/api/v1/auth/oidc/callback` });
  const environment = {
    HELPDESK_OIDC_ISSUER: issuer.url,
    HELPDESK_OIDC_CLIENT_ID: issuerClient.id,
    HELPDESK_OIDC_CLIENT_SECRET: issuerClient.secret,
    HELPDESK_OIDC_LABEL: 'Example',
    HELPDESK_OIDC_DOMAINS: 'example.org',
    HELPDESK_PASSWORD_SIGN_IN: 'off',
  };
  running = await serve(path, environment, ['--base-url', baseUrl]);
});
afterAll(async () => {
  running.signal('SIGTERM');
  await running.exited;
  remove();
});

const offer = async () => (await (await fetch(`${running.url}/api/v1/sign-in`)).json()).data;
const leave = () => fetch(`${running.url}/api/v1/auth/oidc?return_to=/profile`, { redirect: 'manual' });
const cookieOf = (answer: Response, name: string) =>
  answer.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';

test('someone of a listed domain signs in as a member, without a password', async () => {
  expect(await offer()).toMatchObject({ password: false, oidc: { label: 'Example', is_available: true } });
  issuer.accounts.set('mia', { email: 'mia@example.org', email_verified: true, name: 'Mia' });
  const gone = await leave();
  const callback = await issuer.signIn(gone.headers.get('location') ?? '', 'mia');
  expect(callback.origin).toBe(baseUrl);
  const here = `${running.url}${callback.pathname}${callback.search}`;
  const back = await fetch(here, { redirect: 'manual', headers: { Cookie: cookieOf(gone, 'helpdesk-issuer') } });
  expect([back.status, back.headers.get('location')]).toEqual([302, '/profile']);
  const headers = { Cookie: cookieOf(back, 'helpdesk') };
  const session = await (await fetch(`${running.url}/api/v1/session`, { headers })).json();
  expect(session.data.agent).toMatchObject({ email: 'mia@example.org', name: 'Mia', role: 'member' });
  expect(running.errors() + running.output()).not.toContain(issuerClient.secret);
});

test('when the issuer stops, the desk goes on and says so', async () => {
  await issuer.stop();
  const back = await fetch(`${running.url}/api/v1/auth/oidc/callback?code=x&state=y`, { redirect: 'manual' });
  expect(back.headers.get('location')).toBe('/sign-in?error=oidc_expired');
  expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
});
