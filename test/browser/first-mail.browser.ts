// The docs' first five minutes in the console: from an empty directory to the first answered mail, with a password and with consent.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { type Dovecot, hasDovecot, startDovecot } from '../support/dovecot.ts';
import { type Issuer, issuerClient, startIssuer } from '../support/issuer.ts';
import { type Chromium, startChromium, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { keys, seeRow, typeReply } from './journey.ts';
import { owner, setupLink } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

const address = 'help@shop.example';
let chromium: Chromium;
let visitor: Visitor;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await chromium.close();
});

/** The mail server of the shop: takes mail with the password, or with a token of the provider. */
async function shopServer(password: string, ownerOf: (token: string) => Promise<string | null>) {
  const taken: ParsedMail[] = [];
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    async onAuth(auth, _session, done) {
      const isOwner =
        auth.accessToken === undefined ? auth.password === password : (await ownerOf(auth.accessToken)) !== null;
      done(null, isOwner ? { user: 'help' } : { data: { status: '401', schemes: 'bearer', scope: 'mail' } });
    },
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        taken.push(mail);
        done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, taken };
}

async function enter(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = await visitor.page.waitForSelector(`[name="${name}"]`, { visible: true });
    if ((await field?.evaluate(({ tagName }) => tagName)) === 'SELECT') await field?.select(value);
    else {
      await field?.evaluate((input) => (input as HTMLInputElement).select());
      await field?.type(value);
    }
  }
}

const servers = (dovecot: Dovecot, smtpPort: number) => ({
  ...{ imap_host: 'localhost', imap_port: String(dovecot.ports.plain), imap_tls: 'none', imap_user: dovecot.user },
  ...{ smtp_host: 'localhost', smtp_port: String(smtpPort), smtp_tls: 'none', smtp_user: dovecot.user },
});

/** Leaves the visitor at the first steps, with a site. */
async function begin(desk: BrowserDesk): Promise<void> {
  visitor = await chromium.visitor();
  await visitor.open(setupLink(desk));
  await visitor.fill('E-mail', owner.email);
  await visitor.fill(t.name, owner.name);
  await visitor.fill('Password', owner.password);
  await visitor.press('button', t.createDesk);
  await visitor.press('link', t.beginFirstSteps);
  await visitor.fill(t.siteName, 'Web shop');
  await visitor.press('button', t.makeSite);
  await visitor.see(t.siteWasMade('Web shop'));
}

async function answerTheFirstMail(dovecot: Dovecot, taken: readonly ParsedMail[]): Promise<void> {
  dovecot.deliver(`From: Mia <mia@customer.example>\nTo: ${address}\nSubject: Where is my order\n\nIt has not come.\n`);
  await keys(visitor, 'g', 'o');
  await visitor.at('/inbox/open');
  await seeRow(visitor, 'Where is my order');
  await keys(visitor, 'Enter');
  await visitor.find('textbox', t.reply);
  await typeReply(visitor, 'It is on its way.');
  await keys(visitor, 'Control+Enter');
  await visitor.see(t.replyHeld);
  const answer = await waitUntil(
    'the server of the shop has the answer',
    async () => taken.find(({ text }) => text?.includes('It is on its way.')) ?? null,
    (found) => found !== null,
  );
  expect(answer?.from?.value[0]?.address).toBe(address);
  expect([answer?.to].flat()[0]?.value[0]?.address).toBe('mia@customer.example');
}

test.skipIf(!hasDovecot)(
  'from an empty directory to the first answered mail takes less than five minutes',
  async () => {
    const dovecot = await startDovecot();
    ends.push(dovecot.stop);
    const { port, taken } = await shopServer(dovecot.password, async () => null);
    const laps: [string, number][] = [];
    const began = performance.now();
    const lap = (what: string) => laps.push([what, performance.now() - began]);

    // Nothing but the browser: no mail server in the environment, and no command after `serve`.
    const desk = await startDesk('localhost', { HELPDESK_MAIL_ALLOW: 'localhost', HELPDESK_SMTP_URL: '' });
    ends.push(desk.close);
    lap('the desk runs');
    await begin(desk);
    lap('it has an owner and a site');
    await visitor.press('link', t.byMailbox);
    await enter({ address, password: dovecot.password, ...servers(dovecot, port) });
    await visitor.press('button', t.addAndTest);
    await visitor.see(t.readingWorks);
    await visitor.see(t.sendingWorks);
    await visitor.see(t.stateConnected);
    lap('its mailbox is connected');
    await visitor.open(`${desk.url}/settings/first-steps`);
    await visitor.press('button', t.sendTestMail);
    await visitor.see(t.mailLeft(owner.email));
    lap('a test mail has left');
    await answerTheFirstMail(dovecot, taken);
    lap('the first mail is answered');
    await visitor.open(`${desk.url}/settings/mail-trace?q=mia%40customer.example`);
    await visitor.see(t.stepAccepted);

    const seconds = laps.map(([what, ms]) => `${(ms / 1000).toFixed(1)} s: ${what}`);
    console.log(seconds.join('\n'));
    expect(laps.at(-1)?.[1]).toBeLessThan(5 * 60_000);
    await visitor.close();
  },
  300_000,
);

test.skipIf(!hasDovecot)(
  'with a provider, the owner of a mailbox consents in the browser, and its mail is read and answered',
  async () => {
    let issuer: Issuer | null = null;
    const desk = await startDesk('localhost', { HELPDESK_MAIL_ALLOW: 'localhost,127.0.0.1' });
    ends.push(desk.close);
    issuer = await startIssuer({ redirectUri: `${desk.url}/api/v1/mailbox-consents/return`, isForMail: true });
    ends.push(issuer.stop);
    const dovecot = await startDovecot(`${issuer.url}/introspection`);
    ends.push(dovecot.stop);
    const { port, taken } = await shopServer('none', issuer.accountOf);
    issuer.become(dovecot.user);
    await begin(desk);

    await visitor.open(`${desk.url}/settings/mail-apps/other`);
    await visitor.see(`${desk.url}/api/v1/mailbox-consents/return`);
    await enter({
      client_id: issuerClient.id,
      client_secret: issuerClient.secret,
      issuer: issuer.url,
      scope: 'mail offline_access',
    });
    await visitor.press('button', t.save);
    await visitor.see(t.registered);
    await visitor.open(`${desk.url}/settings/mailboxes/new`);
    await enter({ address, authentication: 'oauth', ...servers(dovecot, port) });
    await visitor.press('button', t.addAndConnect(t.otherProvider));
    // To the provider and back.
    await visitor.at('/mailbox-consent');
    await visitor.see(t.consentDone);
    expect(issuer.asked.get('/token')).toBeGreaterThan(0);
    await visitor.press('link', t.toMailbox);
    await visitor.see(t.stateConnected);
    await visitor.press('button', t.testMailbox);
    await visitor.see(t.readingWorks);
    await visitor.see(t.sendingWorks);
    await answerTheFirstMail(dovecot, taken);

    // The provider takes its consent back, and the owner of the mailbox gives it again.
    issuer.withdraw();
    const [{ id }] = (await desk.command('mailbox', 'list', '--site', 'web-shop')).data;
    await visitor.open(`${desk.url}/settings/mailboxes/${id}`);
    await desk.stop();
    await desk.start();
    await visitor.open(`${desk.url}/settings/mailboxes/${id}`);
    await visitor.see(t.stateConsentNeeded);
    await visitor.see(t.alarmConsent);
    await visitor.press('button', t.connectAgain);
    await visitor.at('/mailbox-consent');
    await visitor.press('link', t.toMailbox);
    await visitor.see(t.stateConnected);
    await visitor.close();
  },
  300_000,
);
