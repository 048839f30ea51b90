// The settings: a mailbox is added, tested, corrected and removed, with the keyboard alone; and what is unsaved is not lost.

import { afterAll, expect, test } from 'bun:test';
import { type Dovecot, hasDovecot, startDovecot } from '../support/dovecot.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
import { keys } from './journey.ts';
import { giveSession, owner, signInAs, signOut, startShop } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
let dovecot: Dovecot | null = null;
visitForEachTest({
  async open() {
    if (hasDovecot) dovecot = await startDovecot();
    desk = await startShop({ HELPDESK_MAIL_ALLOW: 'localhost,127.0.0.1' });
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
  },
});
afterAll(async () => await dovecot?.stop());

/** Goes on with Tab until the control has the focus. */
async function tabTo(role: string, name: string): Promise<void> {
  await visitor.find(role, name);
  for (let presses = 0; presses < 80; presses += 1) {
    await keys(visitor, 'Tab');
    const found = await visitor.page.$$(`aria/${name}[role="${role}"]`);
    for (const one of found) if (await one.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not lead to ${role} "${name}".`);
}

const type = (text: string) => visitor.page.keyboard.type(text);

test.skipIf(!hasDovecot)('a mailbox is added, corrected and removed with the keyboard alone', async () => {
  await keys(visitor, 'g', 's');
  await visitor.at('/settings/general');
  await tabTo('link', t.mailboxes);
  await keys(visitor, 'Enter');
  await visitor.see(t.noMailboxes);
  await tabTo('link', t.addMailbox);
  await keys(visitor, 'Enter');
  await visitor.focusOn('name', 'address');
  await type('help@shop.example');
  await tabTo('textbox', t.password);
  await type('wrong horse');
  await tabTo('textbox', t.serverHost);
  await type('localhost');
  await tabTo('spinbutton', t.serverPort);
  await type(String(dovecot?.ports.plain));
  await tabTo('combobox', t.serverTls);
  await type(t.tlsNone.slice(0, 1));
  await tabTo('textbox', t.serverUser);
  await type(dovecot?.user ?? '');
  await tabTo('checkbox', t.sendsMail);
  await keys(visitor, 'Space');
  await visitor.see(t.sendsElsewhereHint);
  await visitor.see(`--imap localhost:${dovecot?.ports.plain} --imap-tls none --imap-user help < password`);
  expect(await violations(visitor)).toEqual([]);
  await tabTo('button', t.addAndTest);
  await keys(visitor, 'Enter');

  // The page of the new mailbox tests it at once, and says in words what is wrong.
  await visitor.see(t.readingFails);
  await visitor.see(t.whyPassword);
  expect(await violations(visitor)).toEqual([]);
  await tabTo('textbox', t.password);
  await type(dovecot?.password ?? '');
  await visitor.see(t.unsavedChanges);
  await tabTo('button', t.save);
  await keys(visitor, 'Enter');
  await visitor.see(t.readingWorks);
  await visitor.see(t.stateConnected);
  dovecot?.deliver('From: mia@example.org\nTo: help@shop.example\nSubject: A broken bell\n\nIt does not ring.\n');
  await waitUntil('the mail has come', () => visitor.page.$$eval('.mailbox-times time', (times) => times.length === 2));
  await visitor.see(t.lastChangeBy(owner.name, 'now').slice(0, -5));

  await tabTo('button', t.removeMailbox);
  await keys(visitor, 'Enter');
  await visitor.see(t.removeMailboxText);
  await tabTo('button', t.cancel);
  await keys(visitor, 'Tab', 'Enter');
  await visitor.see(t.mailboxRemoved('help'));
  await visitor.at('/settings/mailboxes');
  await visitor.see(t.noMailboxes);
});

/** By the command line, at a server that is not there. */
async function added(name: string): Promise<string> {
  const [site] = (await desk.command('site', 'list')).data;
  desk.sql(`INSERT INTO mailboxes (site_id, name, address, provider, authentication, incoming, outgoing, secret_sealed,
    first_days, save_sent, is_paused, created_at, version)
    VALUES (${site.id}, '${name}', '${name.toLowerCase()}@shop.example', 'other', 'password', '{"type":"imap","host":"localhost","port":1,
    "tls":"none","user":"help","certificate_sha256":null,"folder":"INBOX","after_filing":"leave","move_to":null}', NULL, 'x',
    NULL, 0, 1, 0, 1)`);
  const [{ id }] = (await desk.command('mailbox', 'list', '--site', 'demo-shop')).data.filter(
    (row: { name: string }) => row.name === name,
  );
  return `${desk.url}/settings/mailboxes/${id}`;
}

test('what is changed survives a reload, and what someone else saves meanwhile loses nothing', async () => {
  const page = await added('Support');
  await visitor.open(page);
  await visitor.fill(t.name, 'Front desk');
  await visitor.fill(t.folder, 'Tickets');
  await visitor.see(t.unsavedChanges);
  await visitor.open(page);
  await visitor.see(t.unsavedChanges);
  const named = (name: string) =>
    waitUntil(
      `its name is ${name}`,
      () => visitor.page.$eval('input[name=name]', (field) => (field as HTMLInputElement).value),
      (found) => found === name,
    );
  await named('Front desk');

  // A colleague calls it otherwise. Both values are shown, and only the field that both changed.
  desk.sql("UPDATE mailboxes SET name = 'Help', version = version + 1 WHERE name = 'Support'");
  visitor.expectStatus(412);
  await visitor.see(t.theirValue(t.name, 'Help', 'Front desk'));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.useTheirValue(t.name));
  await named('Help');
  await visitor.press('button', t.save);
  await visitor.see(t.mailboxSaved('Help'));
  const saved = async () => (await desk.command('mailbox', 'list', '--site', 'demo-shop')).data[0];
  expect((await saved()).incoming.folder).toBe('Tickets');
  await visitor.press('button', t.undo);
  await waitUntil('it is taken back', async () => (await saved()).incoming.folder === 'INBOX');
  await visitor.see(t.changesTakenBack);
});

const keptKeys = () => visitor.page.evaluate(() => Object.keys(sessionStorage).join());

test('what one agent typed and did not save is not for the next one on the tab', async () => {
  const ana = 'ana@demo-shop.example';
  await desk.command('agent', 'add', '--name', 'Ana Duarte', '--email', ana, '--role', 'owner');
  const page = `${desk.url}/settings/general`;
  await visitor.open(page);
  await visitor.fill(t.name, 'Shop of Noor');
  await visitor.see(t.unsavedChanges);
  expect(await keptKeys()).toContain('.name');
  await signOut(visitor);
  expect(await keptKeys()).toBe('');

  // A session can also end without signing out.
  await giveSession(visitor, desk);
  await visitor.open(page);
  await visitor.fill(t.name, 'Shop of Noor');
  await visitor.see(t.unsavedChanges);
  await giveSession(visitor, desk, ana);
  await visitor.open(page);
  const field = await visitor.find('textbox', t.name);
  expect(await field.evaluate((input) => (input as HTMLInputElement).value)).toBe('Demo shop');
  expect(await keptKeys()).toBe('');
});

const ofRules = ['rules', 'triggers', 'timed-rules', 'recurring-tickets'];
const ofSite = ['macros', 'webhooks', 'mailboxes', 'writing', 'categories', 'priorities', 'custom-fields'];
const ofDesk = ['people', 'teams', 'tokens'];
test.each([...ofRules, ...ofSite, ...ofDesk])(
  'what is typed in a new one of %s is marked and survives a reload',
  async (section) => {
    const firstField = '.settings-section form input:is([type=text], [type=email])';
    const typed = 'draft@example.org';
    const now = () => visitor.page.$eval(firstField, (field) => (field as HTMLInputElement).value);
    await visitor.open(`${desk.url}/settings/${section}/new`);
    await (await visitor.page.waitForSelector(firstField))?.type(typed);
    await visitor.see(t.unsavedChanges);
    await visitor.page.reload();
    await visitor.see(t.unsavedChanges);
    expect(await now()).toBe(typed);
    await visitor.press('button', t.cancel);
    await visitor.at(`/settings/${section}`);
    await visitor.open(`${desk.url}/settings/${section}/new`);
    await visitor.page.waitForSelector(firstField);
    expect(await now()).toBe('');
    expect(await keptKeys()).toBe('');
  },
);

test('what is typed for a mail app survives a reload, but for its secret', async () => {
  await visitor.open(`${desk.url}/settings/mail-apps/google`);
  await visitor.fill(t.clientId, 'client-of-noor');
  await visitor.fill(t.clientSecret, 'gravel orbit lantern');
  await visitor.page.reload();
  await visitor.see(t.unsavedChanges);
  const typed = (name: string) =>
    visitor.page.$eval(`input[name=${name}]`, (field) => (field as HTMLInputElement).value);
  expect([await typed('client_id'), await typed('client_secret')]).toEqual(['client-of-noor', '']);
  await visitor.press('button', t.discardChanges);
  expect(await typed('client_id')).toBe('');
  expect(await keptKeys()).toBe('');
});

test('a password is never put into the browser’s storage', async () => {
  await visitor.open(`${desk.url}/settings/mailboxes/new`);
  await visitor.fill(t.name, 'Support');
  await visitor.fill(t.password, 'gravel orbit lantern');
  await visitor.see(t.unsavedChanges);
  const stored = await visitor.page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(stored).toContain('Support');
  expect(stored).not.toContain('gravel');
});

test('what someone else removes meanwhile says so, and what was typed stays readable', async () => {
  const { data } = await desk.command('category', 'add', '--site', 'demo-shop', '--name', 'Returns');
  await visitor.open(`${desk.url}/settings/categories/${data.id}`);
  await visitor.fill(t.siteDescription, 'Parcels that come back');
  await visitor.see(t.unsavedChanges);
  visitor.expectStatus(404);
  desk.sql(`DELETE FROM categories WHERE id = ${data.id}`);
  await visitor.see(t.removedMeanwhile);
  const field = await visitor.find('textbox', t.siteDescription);
  expect(await field.evaluate((area) => (area as HTMLTextAreaElement).value)).toBe('Parcels that come back');
  expect(await visitor.isThere('button', t.save)).toBe(false);
  expect(await violations(visitor)).toEqual([]);
});

test('the focus stays where it was when its button goes away', async () => {
  const focused = (what: string) =>
    waitUntil(
      `the focus is on ${what}`,
      () =>
        visitor.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id),
      (found) => found === what,
    );
  const pressByKey = async (name: string) => {
    await (await visitor.find('button', name)).focus();
    await keys(visitor, 'Enter');
  };
  await visitor.open(`${desk.url}/settings/general`);
  await visitor.fill(t.siteDescription, 'Bikes');
  await pressByKey(t.discardChanges);
  await focused('part-name');
  await visitor.fill(t.siteDescription, 'Bikes and more');
  await pressByKey(t.save);
  await focused('part-name');
  expect(await violations(visitor)).toEqual([]);

  const blocked = ['first@spam.example', 'second@spam.example'] as const;
  await desk.command('site', 'update', 'demo-shop', '--blocked-senders', blocked.join(','));
  await visitor.open(`${desk.url}/settings/senders`);
  await pressByKey(t.removeSender(blocked[0]));
  await focused(t.removeSender(blocked[1]));
  await keys(visitor, 'Enter');
  await focused('blocked_senders');
});

test('two who move rows of one list at the same time both keep their moves', async () => {
  const names = ['Alpha', 'Beta', 'Gamma'];
  for (const name of names) await desk.command('category', 'add', '--site', 'demo-shop', '--name', name);
  const list = async (): Promise<{ id: number; name: string }[]> =>
    (await desk.command('category', 'list', '--site', 'demo-shop')).data;
  const order = async () =>
    (await list())
      .map(({ name }) => name)
      .filter((name) => names.includes(name))
      .join(' ');
  await visitor.open(`${desk.url}/settings/categories`);
  const handle = await visitor.find('button', t.orderOf('Gamma'));
  visitor.expectStatus(412);
  const before = await list();
  const betaFirst = before.toSorted((one, other) => Number(other.name === 'Beta') - Number(one.name === 'Beta'));
  await desk.command('category', 'order', ...betaFirst.map(({ id }) => String(id)), '--site', 'demo-shop');
  await handle.focus();
  await visitor.page.keyboard.down('Alt');
  for (const _ of before) await keys(visitor, 'ArrowUp');
  await visitor.page.keyboard.up('Alt');
  await visitor.see(t.orderChangedByOther);
  await waitUntil('both have moved', order, (found) => found === 'Gamma Beta Alpha');
  // Only the own row goes back.
  await visitor.press('button', t.undo);
  await waitUntil('Beta is first', order, (found) => found.startsWith('Beta'));

  // Who only looks is told too, and sees it, also after a drag that was given up.
  await visitor.open(`${desk.url}/settings/categories`);
  const grip = await (await visitor.find('button', t.orderOf('Gamma'))).boundingBox();
  const { mouse } = visitor.page;
  await mouse.move(grip!.x + 5, grip!.y + 5);
  await mouse.down();
  await mouse.move(grip!.x + 5, grip!.y - 80, { steps: 4 });
  await mouse.move(grip!.x + 5, grip!.y + 5, { steps: 4 });
  await mouse.up();
  await desk.command('category', 'order', ...before.map(({ id }) => String(id)), '--site', 'demo-shop');
  await visitor.see(t.orderChangedByOther);
  const shown = () => visitor.page.$$eval('.sortable-name .row-link', (links) => links.map((one) => one.textContent));
  await waitUntil('the list shows it', shown, (found) => found.join() === before.map(({ name }) => name).join());
});

test('a pause can be taken back, and those who cannot change it see why', async () => {
  const page = await added('Pausing');
  await visitor.open(page);
  await visitor.press('button', t.resume);
  await visitor.press('button', t.pause);
  await visitor.see(t.mailboxPaused('Pausing'));
  await visitor.find('button', t.resume);
  await visitor.press('button', t.undo);
  await visitor.find('button', t.pause);
  // The page asks for nothing more as an owner.
  await visitor.page.goto('about:blank');
  desk.sql(`UPDATE agents SET role = 'member' WHERE email = '${owner.email}'`);
  try {
    await visitor.open(page);
    await visitor.see(t.onlyManagersChange);
    expect(await visitor.isThere('button', t.removeMailbox)).toBe(false);
    expect(await visitor.page.$$eval('.settings-section input:enabled', (inputs) => inputs.length)).toBe(0);
  } finally {
    desk.sql(`UPDATE agents SET role = 'owner' WHERE email = '${owner.email}'`);
  }
});

test('senders are blocked and taken off the list, with Undo', async () => {
  const blocked = async () => (await desk.command('site', 'show', 'demo-shop')).data.settings.blocked_senders;
  await visitor.open(`${desk.url}/settings/senders`);
  await visitor.fill(t.blockSender, 'not a domain');
  visitor.expectStatus(422);
  await keys(visitor, 'Enter');
  await visitor.see(t.senderRefused);
  await visitor.fill(t.blockSender, 'Spam.example');
  await keys(visitor, 'Enter');
  await visitor.see(t.senderAdded('@spam.example'));
  expect(await blocked()).toEqual(['@spam.example']);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.removeSender('@spam.example'));
  await visitor.see(t.senderRemoved('@spam.example'));
  await waitUntil('it is off the list', async () => (await blocked()).length === 0);
});

test('the desk is registered at a provider, and the days of its secret are counted down', async () => {
  await visitor.open(`${desk.url}/settings/mailboxes/new`);
  await visitor.fill(t.mailboxAddress, 'help@gmail.com');
  await visitor.see(t.registerFirst('Google'));
  await visitor.press('link', t.toMailApps);
  await visitor.at('/settings/mail-apps/google');
  await visitor.fill(t.clientId, '123.apps.googleusercontent.com');
  await visitor.fill(t.clientSecret, 'a secret');
  const soon = new Date(Date.now() + 12.5 * 86_400_000).toISOString().slice(0, 10);
  const dateField = await visitor.page.waitForSelector('input[type=date]');
  await dateField?.evaluate((input, value) => {
    (input as HTMLInputElement).value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, soon);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.save);
  await visitor.see(t.registered);
  await visitor.see(t.secretEnds(String(Math.ceil((Date.parse(soon) - Date.now()) / 86_400_000))));
  await visitor.open(`${desk.url}/settings/mailboxes/new`);
  await visitor.fill(t.mailboxAddress, 'help@gmail.com');
  await visitor.find('button', t.addAndConnect('Google'));
  await waitUntil('nothing is missing', async () => !(await visitor.isThere('link', t.toMailApps)));
});

test('a setting is found by its name and by other words, in the settings and in the palette', async () => {
  await visitor.open(`${desk.url}/settings/mailboxes`);
  await visitor.see(t.mailboxesLead);
  await keys(visitor, '/');
  await visitor.focusOn('aria-label', t.findSetting);
  await type('blocklist');
  await visitor.find('option', `${t.listedSenders} blocklist`);
  expect(await violations(visitor)).toEqual([]);
  await visitor.page.keyboard.press('Enter');
  await visitor.at('/settings/senders');
  await keys(visitor, '/');
  await type('xyzzy');
  await visitor.see(t.noSettingFound);
  await visitor.page.keyboard.press('Escape');
  await visitor.find('link', t.mailboxes);
  await visitor.page.keyboard.down('Control');
  await visitor.page.keyboard.press('k');
  await visitor.page.keyboard.up('Control');
  await visitor.focusOn('aria-label', t.paletteField);
  await type('OAuth');
  await visitor.find('option', `${t.settings}: ${t.mailApps} OAuth`);
  await visitor.page.keyboard.press('Enter');
  await visitor.at('/settings/mail-apps');
});

test('in a long list a row is found, and goes to its beginning or end with one key', async () => {
  const page = `${desk.url}/settings/categories`;
  await visitor.open(page);
  await visitor.page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json' };
    for (let shelf = 1; shelf <= 21; shelf += 1) {
      const body = JSON.stringify({ name: `Shelf ${shelf}` });
      await fetch('/api/v1/sites/demo-shop/categories', { method: 'POST', headers, body });
    }
  });
  await visitor.open(page);
  await visitor.fill(t.findSender, 'shelf 21');
  const rows = () => visitor.page.$$eval('.sortable > li', (shown) => shown.map(({ textContent }) => textContent));
  await waitUntil('one row is shown', rows, (shown) => shown.length === 1 && shown[0]?.includes('Shelf 21') === true);
  // Among others that are not shown, it has no place to go to.
  expect(await visitor.isThere('button', t.orderOf('Shelf 21'))).toBe(false);
  await visitor.fill(t.findSender, 'no such shelf');
  await visitor.see(t.noneFound);
  expect(await violations(visitor)).toEqual([]);

  await visitor.open(page);
  const stored = async () =>
    (await desk.command('category', 'list', '--site', 'demo-shop')).data.map(({ name }: { name: string }) => name);
  for (const [key, end] of [
    ['Home', 0],
    ['End', -1],
  ] as const) {
    await (await visitor.find('button', t.orderOf('Shelf 11'))).focus();
    await visitor.page.keyboard.down('Alt');
    await keys(visitor, key);
    await visitor.page.keyboard.up('Alt');
    await waitUntil(`it is there after ${key}`, stored, (names) => names.at(end) === 'Shelf 11');
  }
});
