// Second factors and devices: authenticator app, recovery codes, passkeys, confirming the identity, ending sessions elsewhere.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import type { CDPSession } from 'puppeteer-core';
import { type Chromium, startChromium, startedTogether, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { enterPassword, openProfile, owner, setUp, signOut } from './owner.ts';
import { t } from './texts.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let visitor: Visitor;
let secret = '';
let recoveryCodes: string[] = [];
beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startDesk());
  visitor = await chromium.visitor();
});
afterEach(() => {
  expect(visitor.faults()).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

/** RFC 6238, written here once more: the desk's own would agree with itself. */
function codeOf(base32: string, stepsAhead = 0): string {
  const bits = [...base32.replaceAll(' ', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('an authenticator app is set up with a picture or a key, and proved by a code', async () => {
  visitor.expectStatus(401, 403, 422);
  await setUp(visitor, desk);
  await visitor.press('button', t.totpTurnOn);
  await visitor.see(t.totpScan);
  secret = await visitor.page.$eval('.secret', (element) => element.textContent ?? '');
  expect(secret.replaceAll(' ', '')).toMatch(/^[A-Z2-7]{32}$/);
  const modules = await visitor.page.$eval('.qr path', (path) => (path.getAttribute('d') ?? '').length);
  expect(modules).toBeGreaterThan(1000);
  await visitor.fill('Code', codeOf(secret, 5));
  await visitor.see(t.codeWrong);
  await visitor.fill('Code', codeOf(secret));
  await visitor.see(t.recoveryCodesOnce);
  recoveryCodes = await visitor.page.$$eval('.recovery-codes code', (codes) =>
    codes.map((code) => code.textContent ?? ''),
  );
  expect(new Set(recoveryCodes).size).toBe(10);
  await visitor.press('button', t.iKeptThem);
  await visitor.see(t.totpOn);
});

test('signing in then takes the code, each only once', async () => {
  await signOut(visitor);
  await enterPassword(visitor);
  await visitor.see(t.enterTotp);
  await visitor.focusOn('autocomplete', 'one-time-code');
  await visitor.fill('Code', codeOf(secret, 1));
  await openProfile(visitor, desk);
});

test('or a recovery code', async () => {
  visitor.expectStatus(401);
  await signOut(visitor);
  await enterPassword(visitor);
  await visitor.press('button', t.useRecoveryCode);
  await visitor.fill(t.recoveryCode, 'aaaa-bbbb-cccc-dddd');
  await visitor.press('button', t.confirm);
  await visitor.see(t.codeWrong);
  await visitor.fill(t.recoveryCode, (recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' '));
  await visitor.press('button', t.confirm);
  await openProfile(visitor, desk);
});

async function virtualAuthenticator({ page }: Visitor): Promise<CDPSession> {
  const session = await page.createCDPSession();
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

test('a passkey is added under a name, and signs in without a password', async () => {
  await virtualAuthenticator(visitor);
  await visitor.press('button', t.addPasskey);
  await visitor.fill(t.passkeyName, 'Work laptop');
  await visitor.press('button', t.addPasskey);
  await visitor.see(t.passkeyAdded);
  await visitor.see('Work laptop');
  await signOut(visitor);
  await visitor.press('button', t.signInWithPasskey);
  await openProfile(visitor, desk);
});

test('a device elsewhere is signed out from here, and goes on where it was after signing in again', async () => {
  const elsewhere = await chromium.visitor();
  elsewhere.expectStatus(401);
  const { sign_in_url: link } = await desk.command('agent', 'link', owner.email);
  await elsewhere.open(link);
  await openProfile(elsewhere, desk);
  await visitor.open(`${desk.url}/profile`);
  await visitor.press('button', t.endOtherSessions);
  await visitor.see(t.sessionsEnded);
  await elsewhere.press('button', t.save);
  await elsewhere.see(t.signedOut);
  await enterPassword(elsewhere);
  await elsewhere.press('button', t.useRecoveryCode);
  await elsewhere.fill(t.recoveryCode, recoveryCodes[1] ?? '');
  await elsewhere.press('button', t.confirm);
  await elsewhere.see(t.saved);
  expect(elsewhere.faults()).toEqual([]);
  await elsewhere.close();
});

test('an agent with only a passkey confirms with it', async () => {
  const ann = await chromium.visitor();
  ann.expectStatus(403);
  await virtualAuthenticator(ann);
  await desk.command('agent', 'invite', '--email', 'ann@agents.example', '--name', 'Ann');
  const { sign_in_url: link } = await desk.command('agent', 'link', 'ann@agents.example');
  await ann.open(link);
  await openProfile(ann, desk, 'ann@agents.example');
  await ann.press('button', t.addPasskey);
  await ann.fill(t.passkeyName, 'Her phone');
  await ann.press('button', t.addPasskey);
  await ann.see(t.recoveryCodesOnce);
  await ann.press('button', t.iKeptThem);
  desk.sql('UPDATE sessions SET confirmed_at = confirmed_at - 16 * 60000');
  await ann.press('button', t.totpTurnOn);
  await ann.see(t.usePasskeyNow);
  await ann.press('button', t.confirm);
  await ann.see(t.totpScan);
  expect(ann.faults()).toEqual([]);
  await ann.close();
});

test('an agent with no password and no factor is told to sign in again', async () => {
  const ben = await chromium.visitor();
  ben.expectStatus(403);
  await desk.command('agent', 'invite', '--email', 'ben@agents.example', '--name', 'Ben');
  const { sign_in_url: link } = await desk.command('agent', 'link', 'ben@agents.example');
  await ben.open(link);
  await openProfile(ben, desk, 'ben@agents.example');
  desk.sql('UPDATE sessions SET confirmed_at = confirmed_at - 16 * 60000');
  await ben.press('button', t.totpTurnOn);
  await ben.see(t.confirmIdentityAgain);
  expect(ben.faults()).toEqual([]);
  await ben.close();
});

test('a sensitive change asks who it is after a while, and then goes on', async () => {
  const later = await chromium.visitor();
  later.expectStatus(401, 403);
  const { sign_in_url: link } = await desk.command('agent', 'link', owner.email);
  await later.open(link);
  await openProfile(later, desk);
  desk.sql('UPDATE sessions SET confirmed_at = confirmed_at - 16 * 60000');
  await later.press('button', t.removePasskey('Work laptop'));
  await later.press('button', t.remove);
  await later.see(t.confirmIdentityLead);
  await later.fill('Password', 'not the password');
  await later.press('button', t.confirm);
  await later.see(t.currentPasswordWrong);
  await later.fill('Password', owner.password);
  await later.press('button', t.confirm);
  await later.see(t.passkeyRemoved);
  expect(later.faults()).toEqual([]);
  await later.close();
});
