// The desk's own mail server and its issuer, set in the browser: tried before they are kept, and in force without a restart.

import { afterAll, expect, test } from 'bun:test';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { type Issuer, issuerClient, startIssuer } from '../support/issuer.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { makeOwner, owner, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
let issuer: Issuer;
let port = 0;
const taken: ParsedMail[] = [];
const server = new SMTPServer({
  allowInsecureAuth: true,
  hideSTARTTLS: true,
  onAuth({ password }, _session, done) {
    if (password === 'for sending') done(null, { user: 'desk' });
    else done(Object.assign(new Error('Invalid login'), { responseCode: 535 }));
  },
  onData(stream, _session, done) {
    simpleParser(stream).then((mail) => {
      taken.push(mail);
      done();
    }, done);
  },
});
server.on('error', () => undefined);
visitForEachTest({
  async open() {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.server.address() as AddressInfo);
    desk = await startDesk('localhost', { HELPDESK_SMTP_URL: '', HELPDESK_MAIL_ALLOW: 'localhost' });
    issuer = await startIssuer({ redirectUri: `${desk.url}/api/v1/auth/oidc/callback` });
    await makeOwner(desk);
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
  },
});
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await issuer.stop();
});

const sound = async () => expect(await violations(visitor)).toEqual([]);
const confirm = async () => (await visitor.page.waitForSelector('dialog .button.danger'))?.click();
const mailTo = (address: string) =>
  waitUntil(
    `mail to ${address}`,
    async () => taken.find(({ to }) => [to].flat()[0]?.value[0]?.address === address) ?? null,
    (mail) => mail !== null,
  );

test('a mail server is tried with a mail to the owner, and then takes invitations', async () => {
  await visitor.open(`${desk.url}/settings/mail-server`);
  await visitor.see(t.mailServerNone);
  await visitor.fill(t.mailServerAddress, 'desk@shop.example');
  await visitor.fill(t.serverHost, 'localhost');
  const field = await visitor.find('spinbutton', t.serverPort);
  await field.click({ count: 3 });
  await visitor.page.keyboard.type(String(port));
  await (await visitor.page.$('[name="tls"]'))?.select('none');
  await visitor.fill(t.serverUser, 'desk');
  await visitor.press('button', t.save);
  await visitor.see(t.required);
  await visitor.fill(t.password, 'wrong');
  await sound();
  visitor.expectStatus(422);
  await visitor.press('button', t.save);
  await visitor.see(`${t.whyPassword} 535 Invalid login`);
  await visitor.fill(t.password, 'for sending');
  await visitor.see(`helpdesk desk mail-server --address desk@shop.example --host localhost --port ${port}`);
  visitor.expectStatus();
  await visitor.press('button', t.save);
  await visitor.see(t.mailServerSaved);
  expect((await mailTo(owner.email))?.from?.value[0]?.address).toBe('desk@shop.example');
  await sound();
  taken.length = 0;
  await visitor.press('button', t.sendTestMail);
  await visitor.see(t.mailLeft(owner.email));
  await mailTo(owner.email);
  await sound();

  await visitor.open(`${desk.url}/settings/people/new`);
  await visitor.fill(t.personEmail, 'kim@shop.example');
  await visitor.fill(t.name, 'Kim Sato');
  await visitor.press('button', t.sendInvitation);
  await visitor.see(t.personWasInvited('Kim Sato'));
  expect((await mailTo('kim@shop.example'))?.text).toContain('/invitation#');

  await visitor.open(`${desk.url}/settings/mail-server`);
  await visitor.press('button', t.remove);
  await visitor.see(t.removeMailServerText);
  await confirm();
  await visitor.see(t.mailServerGone);
  await visitor.see(t.mailServerNone);
});

test('a relay that asks for no user takes mail without one', async () => {
  const relay = new SMTPServer({
    ...{ disabledCommands: ['AUTH'], hideSTARTTLS: true },
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        taken.push(mail);
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  try {
    taken.length = 0;
    await visitor.open(`${desk.url}/settings/mail-server`);
    await visitor.fill(t.mailServerAddress, 'desk@shop.example');
    await visitor.fill(t.serverHost, 'localhost');
    const field = await visitor.find('spinbutton', t.serverPort);
    await field.click({ count: 3 });
    await visitor.page.keyboard.type(String((relay.server.address() as AddressInfo).port));
    await (await visitor.page.$('[name="tls"]'))?.select('none');
    await visitor.press('button', t.save);
    await visitor.see(t.mailServerSaved);
    expect((await mailTo(owner.email))?.from?.value[0]?.address).toBe('desk@shop.example');
    // Undo of the first server leaves none.
    await visitor.press('button', t.undo);
    await visitor.see(t.changesTakenBack);
    await visitor.see(t.mailServerNone);
  } finally {
    await new Promise<void>((resolve) => relay.close(() => resolve()));
  }
});

test('an issuer is asked before it is kept, and the sign-in page then offers it', async () => {
  const signIn = async () => (await (await fetch(`${desk.url}/api/v1/sign-in`)).json()) as { data: { oidc: unknown } };
  await visitor.open(`${desk.url}/settings/sign-in`);
  await visitor.see(`${desk.url}/api/v1/auth/oidc/callback`);
  await visitor.fill(t.issuer, 'http://127.0.0.1:1');
  await visitor.fill(t.clientId, issuerClient.id);
  await visitor.fill(t.clientSecret, issuerClient.secret);
  visitor.expectStatus(422);
  await visitor.press('button', t.save);
  await visitor.see(t.issuerFails);
  expect((await signIn()).data.oidc).toBeNull();
  visitor.expectStatus();
  await visitor.fill(t.issuer, issuer.url);
  await visitor.fill(t.issuerLabel, 'Example');
  await visitor.see(`helpdesk desk issuer --issuer ${issuer.url}`);
  await visitor.press('button', t.save);
  await visitor.see(t.changesSaved);
  await sound();
  await visitor.press('button', t.testIssuer);
  await visitor.see(t.issuerWorks);
  expect((await signIn()).data.oidc).toMatchObject({ label: 'Example' });
  const { headers } = await fetch(`${desk.url}/api/v1/auth/oidc`, { redirect: 'manual' });
  expect(headers.get('location')).toStartWith(issuer.url);

  await visitor.press('button', t.remove);
  await visitor.see(t.removeIssuerText);
  await confirm();
  await visitor.see(t.issuerGone);
  expect((await signIn()).data.oidc).toBeNull();
});
