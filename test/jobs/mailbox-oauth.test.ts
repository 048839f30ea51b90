// A mailbox that is opened by consent: oidc-provider as the provider, Dovecot and an SMTP server that take its tokens.

import { afterAll, afterEach, test as anyTest, beforeAll, expect, setDefaultTimeout } from 'bun:test';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { systemClock } from '../../src/base/clock.ts';
import { deleteMailApp, saveMailApp } from '../../src/desk/mail/mail-apps.ts';
import { expiriesOf } from '../../src/desk/mail/mailbox-alarms.ts';
import { askedMailbox, consentFor, keepConsent } from '../../src/desk/mail/mailbox-consents.ts';
import { stateOf } from '../../src/desk/mail/mailboxes.ts';
import { mailAppInput } from '../../src/domain/input/mailboxes.ts';
import { createProvider } from '../../src/identity/mailbox-exchange.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { trySending } from '../../src/outbox/mailbox-servers.ts';
import { type Dovecot, hasDovecot, startDovecot } from '../support/dovecot.ts';
import { type Issuer, issuerClient, startIssuer } from '../support/issuer.ts';
import { letter, quick, type ReadingDesk, readingDesk, until } from './reading-desk.ts';

setDefaultTimeout(30_000);
const test = anyTest.skipIf(!hasDovecot);

const redirectUri = 'http://localhost:8080/api/v1/mailbox-consents/return';
const secrets = { state: 'of this consent', verifier: 'v'.repeat(43) };
let issuer: Issuer;
let dovecot: Dovecot;
let made: ReadingDesk;
beforeAll(async () => {
  if (!hasDovecot) return;
  issuer = await startIssuer({ redirectUri, isForMail: true, refreshSeconds: 7 * 86_400 });
  dovecot = await startDovecot(`${issuer.url}/introspection`);
}, 30_000);
afterEach(() => made?.close());
afterAll(async () => {
  await dovecot?.stop();
  await issuer?.stop();
});

const app = (changed: object = {}) =>
  mailAppInput.parse({
    issuer: issuer.url,
    client_id: issuerClient.id,
    client_secret: issuerClient.secret,
    scope: 'mail offline_access',
    ...changed,
  });

async function desk(more: object = {}): Promise<ReadingDesk> {
  const server = { host: 'localhost', port: dovecot.ports.plain, tls: 'none', user: dovecot.user };
  return await readingDesk(
    { authentication: 'oauth', password: null, incoming: server, ...more },
    { times: { ...quick, silentMs: 5_000, pingMs: 5_000 }, app: app() },
  );
}

const ctx = () => made.desk.context({ kind: 'command_line' }, 'test');
const state = () => stateOf(made.mailbox(), made.reading());

async function consent(): Promise<void> {
  const link = made.desk.read((tx) => consentFor(tx, ctx(), made.site.slug, made.mailboxId));
  const { mailbox, app } = made.desk.read((tx) => askedMailbox(tx, made.desk, link));
  const settings = { allow: parseAllowList('127.0.0.1'), timeoutMs: 5000, clock: systemClock };
  const provider = createProvider(app, settings);
  const back = await issuer.signIn(await provider.consentPage(redirectUri, mailbox.address, secrets), dovecot.user);
  const { refreshToken, refreshUntil } = await provider.redeem(redirectUri, back.searchParams, secrets);
  await made.desk.write((tx) => keepConsent(tx, ctx(), link, refreshToken ?? '', refreshUntil));
}

test('is read after someone consented, until the consent is withdrawn, and again after the next', async () => {
  made = await desk({ first_days: null });
  expect(state()).toBe('consent_needed');
  made.start();
  await consent();
  await until(
    () => state() === 'connected',
    () => made.reading(),
  );
  // The provider says how long its consent lasts.
  const mailbox = made.mailbox();
  expect(made.desk.read((tx) => expiriesOf(tx, mailbox)).map(({ of }) => of)).toEqual(['consent']);
  dovecot.deliver(letter('By consent'));
  await until(
    () => made.subjects().length === 1,
    () => made.log(),
  );

  issuer.withdraw();
  dovecot.doveadm('kick', dovecot.user);
  await until(
    () => state() === 'connected' && made.reading().lookedAt !== null,
    () => made.reading(),
  );
  await made.change({ name: 'Begins a new connection' });
  await until(
    () => state() === 'consent_needed',
    () => made.reading(),
  );
  expect(made.reading().reason).toContain('invalid_grant');
  // Not before anyone had consented at all.
  expect(made.rows("SELECT event FROM deliveries WHERE event = 'mail.mailbox_alarm'")).toHaveLength(1);

  await consent();
  await until(
    () => state() === 'connected',
    () => made.reading(),
  );
  dovecot.deliver(letter('Consented again'));
  await until(
    () => made.subjects().length === 2,
    () => made.log(),
  );
  expect(made.rows("SELECT action FROM audit_log WHERE action = 'mailbox.connected'")).toHaveLength(2);
});

test('waits for a person while the app’s secret is wrong, and goes on when an owner has set the right one', async () => {
  made = await desk();
  await consent();
  await made.desk.write((tx) => saveMailApp(tx, ctx(), 'other', app({ client_secret: 'ended' })));
  made.start();
  await until(
    () => state() === 'consent_needed',
    () => made.reading(),
  );
  expect(made.reading().reason).toContain('invalid_client');
  await made.desk.write((tx) => saveMailApp(tx, ctx(), 'other', app()));
  await until(
    () => state() === 'connected',
    () => made.reading(),
  );
  await expect(made.desk.write((tx) => deleteMailApp(tx, ctx(), 'other'))).rejects.toThrow('are opened with it');
});

test('forgets the consent when its server changes: a token goes nowhere else', async () => {
  made = await desk();
  await consent();
  expect(made.mailbox().secretSealed).not.toBeNull();
  const { incoming } = made.mailbox();
  await made.change({ incoming: { ...incoming, host: 'other.localhost' } });
  expect(state()).toBe('consent_needed');
});

test('forgets the consent when the desk is registered elsewhere: a refresh token goes to no other issuer', async () => {
  made = await desk();
  await consent();
  await made.desk.write((tx) => saveMailApp(tx, ctx(), 'other', app({ scope: 'mail offline_access openid' })));
  expect(made.mailbox().secretSealed).not.toBeNull();
  await made.desk.write((tx) => saveMailApp(tx, ctx(), 'other', app({ issuer: 'https://login.example.org' })));
  expect([made.mailbox().secretSealed, state()]).toEqual([null, 'consent_needed']);
});

test('of a link that is older than the mailbox’s last change is not kept', async () => {
  made = await desk();
  const link = made.desk.read((tx) => consentFor(tx, ctx(), made.site.slug, made.mailboxId));
  await made.change({ name: 'Other' });
  await expect(made.desk.write((tx) => keepConsent(tx, ctx(), link, 'x', null))).rejects.toThrow('no longer good');
});

test('is sent through with a token, and with a new one when the server refuses the first', async () => {
  const given: string[] = [];
  const server = new SMTPServer({
    authMethods: ['XOAUTH2'],
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth({ username, accessToken = '' }, _session, done) {
      given.push(accessToken);
      const isRefused = given.length === 1;
      done(null, isRefused ? { data: { status: '401', schemes: 'bearer', scope: 'mail' } } : { user: username });
    },
    onData(stream, _session, done) {
      stream.resume().once('end', () => done());
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.server.address() as AddressInfo;
    const outgoing = { host: 'localhost', port, tls: 'none', user: dovecot.user };
    made = await desk({ incoming: null, outgoing });
    const mail = { from: 'help@shop.example', to: 'help@shop.example', subject: 'Test', text: 'Test' };
    const refused = { reason: 'consent', message: expect.stringContaining('No one has consented yet') };
    expect(await trySending(made, made.mailbox(), mail)).toEqual(refused as never);
    await consent();
    expect(await trySending(made, made.mailbox(), mail)).toBeNull();
    expect(given).toHaveLength(2);
    expect(given[1]).not.toBe(given[0]);
    expect(await issuer.accountOf(given[1] ?? '')).toBe(dovecot.user);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});
