// The way to a provider and back: only the browser that left, for the mailbox as it was, within ten minutes.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { saveMailApp } from '../../../src/desk/mail/mail-apps.ts';
import { changeAgent } from '../../../src/desk/people/agents.ts';
import { revokeToken } from '../../../src/desk/people/tokens.ts';
import { mailAppInput } from '../../../src/domain/input/mailboxes.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { type Issuer, issuerClient, startIssuer } from '../../support/issuer.ts';

let app: TestApp;
let issuer: Issuer;
let mailbox: string;
let elsewhere: string;
beforeAll(async () => {
  app = await testApp();
  issuer = await startIssuer({ redirectUri: `${app.edge.baseUrl}/api/v1/mailbox-consents/return`, isForMail: true });
  const registered = {
    issuer: issuer.url,
    client_id: issuerClient.id,
    client_secret: issuerClient.secret,
    scope: 'mail',
  };
  const ctx = app.desk.context({ kind: 'command_line' }, 'test');
  await app.desk.write((tx) => saveMailApp(tx, ctx, 'other', mailAppInput.parse(registered)));
  const incoming = { host: 'imap.shop.example', user: 'help' };
  const body = { name: 'Support', authentication: 'oauth', incoming };
  const add = async (slug: string, address: string) => {
    const { json } = await app.asTeam('POST', `/api/v1/sites/${slug}/mailboxes`, { ...body, address });
    return `/api/v1/sites/${slug}/mailboxes/${json.data.id}`;
  };
  mailbox = await add(app.site.slug, 'help@shop.example');
  elsewhere = await add(app.other.site.slug, 'help@other.example');
});
afterAll(async () => {
  await app.close();
  await issuer.stop();
});

const local = (url: string) => url.replace(app.edge.baseUrl, '');
const cookieOf = (answer: { headers: Headers }) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const stateNow = async (of = mailbox) => (await app.asTeam('GET', of)).json.data.state;
/** What the page says that the browser ends up at. */
const resultOf = (answer: { headers: Headers }) => {
  const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '');
  return pathname === '/mailbox-consent' ? searchParams.get('result') : pathname;
};

async function link(headers?: Record<string, string>, of = mailbox): Promise<string> {
  const answer = headers
    ? await app.ask('POST', `${of}/connect`, { headers })
    : await app.asTeam('POST', `${of}/connect`);
  return local(answer.json.data.url);
}

/** Goes to the provider and agrees there. */
async function agree(at: string) {
  const gone = await app.ask('GET', at);
  expect(gone.status).toBe(302);
  const back = await issuer.signIn(gone.headers.get('location') ?? '', 'help');
  return { cookie: cookieOf(gone), back: local(back.href) };
}

test('a stolen code is of no use in another browser, and a slipped in one not in the right one', async () => {
  const mine = await agree(await link());
  const other = await agree(await link());
  expect(resultOf(await app.ask('GET', mine.back))).toBe('expired');
  const slippedIn = await app.ask('GET', other.back, { headers: { Cookie: mine.cookie } });
  expect(resultOf(slippedIn)).toBe('unavailable');
  expect(await stateNow()).toBe('consent_needed');
});

test('a redirect with the state of another site connects neither', async () => {
  const mine = await agree(await link());
  const other = await agree(await link(undefined, elsewhere));
  const swapped = new URL(mine.back, app.edge.baseUrl);
  swapped.searchParams.set('state', new URL(other.back, app.edge.baseUrl).searchParams.get('state') ?? '');
  const comesBack = async (to: string, cookie: string) =>
    resultOf(await app.ask('GET', to, { headers: { Cookie: cookie } }));
  expect(await comesBack(other.back, mine.cookie)).toBe('unavailable');
  expect(await comesBack(local(swapped.href), mine.cookie)).toBe('unavailable');
  // The state is that browser's, but the provider gave the code to another one.
  expect(await comesBack(local(swapped.href), other.cookie)).toBe('refused');
  expect([await stateNow(), await stateNow(elsewhere)]).toEqual(['consent_needed', 'consent_needed']);
});

test('a link ends after ten minutes, and a cookie or text of another kind is none', async () => {
  const at = await link();
  const { cookie, back } = await agree(at);
  const swapped = new URLSearchParams({ link: decodeURIComponent(cookie.split('=').slice(1).join('=')) });
  expect(resultOf(await app.ask('GET', `/api/v1/mailbox-consents?${swapped}`))).toBe('expired');
  expect(resultOf(await app.ask('GET', '/api/v1/mailbox-consents?link=forged'))).toBe('expired');
  app.clock.advance(10 * 60_000);
  expect(resultOf(await app.ask('GET', at))).toBe('expired');
  expect(resultOf(await app.ask('GET', back, { headers: { Cookie: cookie } }))).toBe('expired');
});

test('a link of someone who lost the right to manage the site meanwhile gives nothing', async () => {
  const { headers, agentId } = await app.person('admin', [app.site.id]);
  const { cookie, back } = await agree(await link(headers));
  const ctx = app.desk.context({ kind: 'command_line' }, 'test');
  await app.desk.write((tx) => changeAgent(tx, ctx, agentId, { role: 'member' }));
  expect(resultOf(await app.ask('GET', back, { headers: { Cookie: cookie } }))).toBe('expired');
  expect(await stateNow()).toBe('consent_needed');
});

test('a link of a token that was revoked meanwhile gives nothing', async () => {
  const { secret, id } = await app.token(['read', 'manage']);
  const { cookie, back } = await agree(await link({ Authorization: `Bearer ${secret}` }));
  await app.desk.write((tx) => revokeToken(tx, app.desk.context({ kind: 'command_line' }, 'test'), id));
  expect(resultOf(await app.ask('GET', back, { headers: { Cookie: cookie } }))).toBe('expired');
  expect(await stateNow()).toBe('consent_needed');
});

test('who agrees connects the mailbox, once, in words, and the audit log says who asked', async () => {
  const { headers, agentId } = await app.person('admin', [app.site.id]);
  const { cookie, back } = await agree(await link(headers));
  const connected = await app.ask('GET', back, { headers: { Cookie: cookie } });
  const shown = new URL(connected.headers.get('location') ?? '');
  expect([connected.status, shown.pathname + shown.search]).toEqual([
    302,
    `/mailbox-consent?result=connected&mailbox=${mailbox.split('/').at(-1)}&site_id=${app.site.id}`,
  ]);
  expect(cookieOf(connected)).toEndWith('=');
  expect(await stateNow()).toBe('waiting');
  expect(resultOf(await app.ask('GET', back, { headers: { Cookie: cookie } }))).toBe('expired');
  const { json } = await app.asTeam('GET', '/api/v1/audit?action=mailbox.connected');
  expect(json.data.map((row: { actor: { id: number } }) => row.actor.id)).toEqual([agentId]);
});

test('a person who says no is told that nothing happened', async () => {
  const gone = await app.ask('GET', await link());
  const state = new URL(gone.headers.get('location') ?? '').searchParams.get('state') ?? '';
  const query = new URLSearchParams({ error: 'access_denied', state, iss: issuer.url });
  const back = await app.ask('GET', `/api/v1/mailbox-consents/return?${query}`, {
    headers: { Cookie: cookieOf(gone) },
  });
  expect(resultOf(back)).toBe('refused');
});
