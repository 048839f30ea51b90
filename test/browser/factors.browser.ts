// Second factors and devices: authenticator app, recovery codes, passkeys, confirming the identity, ending sessions elsewhere.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import type { CDPSession } from 'puppeteer-core';
import { type Chromium, startChromium, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { enterPassword, owner, setUp } from './owner.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let visitor: Visitor;
let secret = '';
let recoveryCodes: string[] = [];
beforeAll(async () => {
  [chromium, desk] = await Promise.all([startChromium(), startDesk()]);
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
  await visitor.press('button', 'Turn on the authenticator app');
  await visitor.see('Scan this picture');
  secret = await visitor.page.$eval('.secret', (element) => element.textContent ?? '');
  expect(secret.replaceAll(' ', '')).toMatch(/^[A-Z2-7]{32}$/);
  const modules = await visitor.page.$eval('.qr path', (path) => (path.getAttribute('d') ?? '').length);
  expect(modules).toBeGreaterThan(1000);
  await visitor.fill('Code', codeOf(secret, 5));
  await visitor.see('This code is wrong');
  await visitor.fill('Code', codeOf(secret));
  await visitor.see('They are shown only now.');
  recoveryCodes = await visitor.page.$$eval('.recovery-codes code', (codes) =>
    codes.map((code) => code.textContent ?? ''),
  );
  expect(new Set(recoveryCodes).size).toBe(10);
  await visitor.press('button', 'I have saved them');
  await visitor.see('The authenticator app is on.');
});

test('signing in then takes the code, each only once', async () => {
  await visitor.press('button', 'Sign out');
  await visitor.at('/sign-in');
  await enterPassword(visitor);
  await visitor.see('Enter the six digits');
  expect(await visitor.page.evaluate(() => (document.activeElement as HTMLInputElement).autocomplete)).toBe(
    'one-time-code',
  );
  await visitor.fill('Code', codeOf(secret, 1));
  await visitor.at('/profile');
});

test('or a recovery code', async () => {
  visitor.expectStatus(401);
  await visitor.press('button', 'Sign out');
  await visitor.at('/sign-in');
  await enterPassword(visitor);
  await visitor.press('button', 'Use a recovery code');
  await visitor.fill('Recovery code', 'aaaa-bbbb-cccc-dddd');
  await visitor.press('button', 'Confirm');
  await visitor.see('This code is wrong');
  await visitor.fill('Recovery code', (recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' '));
  await visitor.press('button', 'Confirm');
  await visitor.at('/profile');
});

async function virtualAuthenticator(): Promise<CDPSession> {
  const session = await visitor.page.createCDPSession();
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
  await virtualAuthenticator();
  await visitor.press('button', 'Add a passkey');
  await visitor.fill('Name of the passkey', 'Work laptop');
  await visitor.press('button', 'Add a passkey');
  await visitor.see('The passkey was added.');
  await visitor.see('Work laptop');
  await visitor.press('button', 'Sign out');
  await visitor.at('/sign-in');
  await visitor.press('button', 'Sign in with a passkey');
  await visitor.at('/profile');
  await visitor.see(owner.email);
});

test('a device elsewhere is signed out from here, and its page then leads to sign-in', async () => {
  const elsewhere = await chromium.visitor();
  elsewhere.expectStatus(401);
  const { sign_in_url: link } = await desk.command('agent', 'link', owner.email);
  await elsewhere.open(link);
  await elsewhere.at('/profile');
  await elsewhere.see(owner.email);
  await visitor.open(`${desk.url}/profile`);
  await visitor.press('button', 'Sign out all others');
  await visitor.see('All other devices were signed out.');
  await elsewhere.press('button', 'Save');
  await elsewhere.at('/sign-in');
  expect(elsewhere.faults()).toEqual([]);
  await elsewhere.close();
});

test('a sensitive change asks who it is after a while, and then goes on', async () => {
  // A passkey was used just now; only a session that confirmed nothing lately is asked.
  const later = await chromium.visitor();
  later.expectStatus(401, 403);
  const { sign_in_url: link } = await desk.command('agent', 'link', owner.email);
  await later.open(link);
  await later.at('/profile');
  await later.press('button', 'Remove Work laptop');
  await later.press('button', 'Remove');
  await later.see('This is a sensitive change.');
  await later.fill('Password', 'not the password');
  await later.press('button', 'Confirm');
  await later.see('This is not your current password.');
  await later.fill('Password', owner.password);
  await later.press('button', 'Confirm');
  await later.see('The passkey was removed.');
  expect(later.faults()).toEqual([]);
  await later.close();
});
