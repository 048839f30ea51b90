// From an empty directory to the first ticket answered, without a shell: the first steps of an owner.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { cutOff } from './cut-off.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { typeReply } from './journey.ts';
import { giveSession, owner, setupLink } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startDesk();
    return desk;
  },
  come(each) {
    visitor = each;
  },
});

/** The next mail to this address. */
const mailTo = (address: string) =>
  waitUntil(
    `mail to ${address}`,
    () => desk.mail(),
    ({ to }) => [to].flat()[0]?.value[0]?.address === address,
  );

const cleanIn = async (theme: 'light' | 'dark') => {
  await visitor.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  expect(await violations(visitor), theme).toEqual([]);
};

test('lead from a new desk to a ticket that a program opened and an agent answered', async () => {
  const began = performance.now();
  await visitor.open(setupLink(desk));
  await visitor.fill('E-mail', owner.email);
  await visitor.fill(t.name, owner.name);
  await visitor.fill('Password', owner.password);
  await visitor.press('button', t.createDesk);
  await visitor.press('link', t.beginFirstSteps);

  await visitor.at('/settings/first-steps');
  await visitor.see(t.stepsDone(0, 5));
  await visitor.fill(t.stepsDeskName, 'Lamp support');
  await visitor.press('button', t.makeSite);
  await visitor.see(t.required);
  await visitor.fill(t.siteName, 'Lamp House');
  await visitor.press('button', t.makeSite);
  await visitor.see(t.siteWasMade('Lamp House'));

  await visitor.see(t.stepAddressLead);
  await cleanIn('dark');
  await cleanIn('light');
  // The empty desk leads on, too.
  // By a link: the token of the site is shown once.
  await visitor.press('link', t.toInbox);
  for (const step of [t.stepMail, t.stepForm, t.stepToken, t.stepTicket]) await visitor.find('link', step);
  await cleanIn('dark');
  await cleanIn('light');
  await visitor.press('link', t.toFirstSteps);
  await visitor.see(t.stepAddressLead);
  await visitor.press('button', t.stepAction(t.skipStep, t.stepAddress));

  await visitor.see(t.waitingForMail);
  await visitor.press('button', t.sendTestMail);
  expect((await mailTo(owner.email)).text).toContain('Lamp House');
  await visitor.see(t.mailLeft(owner.email));
  const { inbound_webhook_url: inbound } = (await desk.command('site', 'show', 'lamp-house')).data;
  const body =
    'From: Mia Jansen <mia@example.org>\r\nTo: help@lamp.example\r\nSubject: Hello\r\n\r\nIs there light?\r\n';
  expect((await fetch(inbound, { method: 'POST', body })).status).toBe(200);

  await visitor.see('mia@example.org');
  await visitor.press('button', t.continueSteps);
  // The mail proves the address, too.
  await visitor.see(t.stepsDone(3, 5));
  await mailTo('mia@example.org');
  await visitor.see(t.stepTeamLead);
  await visitor.fill(t.colleagueEmail, 'kim@lamp.example');
  await visitor.fill(t.name, 'Kim Sato');
  await visitor.press('button', t.stepsInvite);
  await mailTo('kim@lamp.example');
  await visitor.see(t.stepsDone(4, 5));
  await visitor.press('button', t.continueSteps);

  await visitor.see(t.waitingForTicket);
  const call = await visitor.page.$eval('.call', (shown) => shown.textContent ?? '');
  expect(call).toContain('hds_');
  const curl = Bun.spawn(['bash', '-c', `${call} --silent --show-error --fail`], { stdout: 'pipe' });
  expect(await curl.exited).toBe(0);
  await visitor.see(t.ticketArrived('Hello, desk'));
  await visitor.see(t.stepsAllDone);
  await cleanIn('light');

  await visitor.press('button', t.stepAction(t.stepAgain, t.stepTest));
  await visitor.press('link', t.toTheTicket);
  await visitor.see('Is there light?');
  await typeReply(visitor, 'Turn it on.');
  await visitor.page.keyboard.down('Control');
  await visitor.page.keyboard.press('Enter');
  await visitor.page.keyboard.up('Control');
  expect((await mailTo('mia@example.org')).text).toContain('Turn it on.');
  console.info(`From the setup link to the first answer: ${((performance.now() - began) / 1000).toFixed(1)} s.`);
});

test('what was skipped is kept on the desk, for each site', async () => {
  const { data } = await desk.command('site', 'create', '--name', 'Shade House');
  const page = `${desk.url}/settings/first-steps?site_id=${data.id}`;
  await giveSession(visitor, desk);
  await visitor.open(page);
  await visitor.press('button', t.stepAction(t.skipStep, t.stepAddress));
  await visitor.press('button', t.stepAction(t.skipStep, t.stepTest));
  const kept = async () => (await desk.command('site', 'show', 'shade-house')).data.settings.skipped_steps;
  await waitUntil('the desk keeps both', async () => (await kept()).join() === 'address,test');
  // Nothing of it is in the browser.
  await visitor.page.evaluate(() => localStorage.clear());
  await visitor.open(page);
  await visitor.see(t.stepSkipped);
  await visitor.press('button', t.stepAction(t.stepShow, t.stepAddress));
  await waitUntil('one is no longer skipped', async () => (await kept()).join() === 'test');
  await visitor.press('button', t.stepAction(t.skipStep, t.stepAddress));
  await visitor.press('button', t.stepAction(t.skipStep, t.stepConnect));
  await visitor.see(t.stepsLeftOut(2, 3, 5));
  await desk.command('site', 'rm', 'shade-house', '--yes');
});

test('fit a phone, and say what is left', async () => {
  await giveSession(visitor, desk);
  await visitor.page.setViewport({ width: 360, height: 740 });
  await visitor.open(`${desk.url}/settings/first-steps`);
  await visitor.see(t.stepsAllDone);
  await visitor.press('button', t.stepAction(t.stepAgain, t.stepConnect));
  await visitor.see(t.tokenIsGone);
  await visitor.press('button', t.makeToken);
  await visitor.see(t.siteTokenText);
  await (await visitor.page.waitForSelector('dialog .button.primary'))?.click();
  // The step stays, with the token in its call.
  await visitor.see(t.tokenShownOnce);
  expect(await visitor.page.$eval('.call', (shown) => shown.textContent)).toMatch(/hds_[\w-]{20}/);
  expect(await visitor.page.evaluate(cutOff)).toEqual([]);
});
