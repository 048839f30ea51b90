// The settings of a site: its name, its catalogue, macros, and what cannot be taken back.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
import { keys } from './journey.ts';
import { owner, signInAs, startShop } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startShop();
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
  },
});

/** In the form of this name, which is the only one that is changed. */
async function save(said: string): Promise<void> {
  await visitor.see(t.unsavedChanges);
  await visitor.press('button', t.save);
  await visitor.see(said);
}

async function takeBack(said: string, then: string | null = t.changesTakenBack): Promise<void> {
  const toast = (await waitUntil(`“${said}” can be taken back`, async () => {
    for (const one of await visitor.page.$$('.toast')) {
      if (await one.evaluate((element, text) => element.textContent?.includes(text) ?? false, said)) return one;
    }
    return null;
  })) as Awaited<ReturnType<typeof visitor.find>>;
  await (await toast.$('button'))?.click();
  if (then !== null) await visitor.see(then);
}

async function fillNumber(name: string, text: string): Promise<void> {
  await (await visitor.find('spinbutton', name)).focus();
  await visitor.page.keyboard.type(text);
}

test('a site is renamed, closes its tickets and takes more files', async () => {
  await visitor.open(`${desk.url}/settings`);
  await visitor.at('/settings/general');
  const read = async () => (await desk.command('site', 'show', 'front-shop')).data;
  expect(await violations(visitor)).toEqual([]);
  await visitor.fill(t.siteSlug, 'Not a slug');
  await visitor.fill(t.name, 'Front shop');
  await visitor.press('button', t.save);
  await visitor.see(t.slugRefused);
  await visitor.fill(t.siteSlug, 'front-shop');
  await visitor.see(t.slugBreaksPages('/s/demo-shop', '/s/front-shop'));
  await visitor.see("helpdesk site update demo-shop --name 'Front shop' --slug front-shop");
  expect(await violations(visitor)).toEqual([]);
  await save(t.siteSaved(t.theSite));
  expect((await read()).name).toBe('Front shop');

  await fillNumber(t.autoClose, '14');
  await visitor.see('--auto-close-days 14');
  await save(t.siteSaved(t.ticketsPart));
  expect((await read()).settings.auto_close_days).toBe(14);

  await visitor.press('checkbox', t.notifyResolved);
  await save(t.siteSaved(t.mailPart));
  expect((await read()).settings.notify_resolved).toBe(true);

  const older = await read();
  await visitor.fill(t.fileTypes, '.heic, mp4');
  await save(t.siteSaved(t.filesPart));
  expect((await read()).settings.attachment_types).toEqual(['heic', 'mp4']);
  expect((await read()).settings.refused_attachment_types).toEqual(older.settings.refused_attachment_types);
  // What the desk refuses stands beside the field.
  visitor.expectStatus(422);
  await visitor.fill(t.fileTypes, 'exe');
  await visitor.press('button', t.save);
  await visitor.see('Must not have refused types: exe.');
  await visitor.press('button', t.discardChanges);
  // Another part was saved since.
  await takeBack(t.siteSaved(t.mailPart));
  expect((await read()).settings.notify_resolved).toBe(false);
  await desk.command('site', 'update', 'front-shop', '--slug', 'demo-shop');
});

test('categories are added, ordered with keys, taken out of use and removed', async () => {
  const page = `${desk.url}/settings/categories`;
  await visitor.open(page);
  await visitor.see('General');
  await visitor.press('link', t.addCategory);
  await visitor.focusOn('name', 'name');
  await visitor.page.keyboard.type('Shipping');
  await visitor.see('helpdesk category add --site demo-shop --name Shipping');
  expect(await violations(visitor)).toEqual([]);
  await keys(visitor, 'Enter');
  await visitor.at('/settings/categories');
  const order = async (): Promise<string[]> =>
    (await desk.command('category', 'list', '--site', 'demo-shop')).data.map(({ name }: { name: string }) => name);
  await (await visitor.find('button', t.orderOf('Shipping'))).focus();
  expect(await violations(visitor)).toEqual([]);
  await keys(visitor, 'Alt+ArrowUp');
  await visitor.see(t.movedTo('Shipping', '1', '2'));
  await waitUntil('Shipping is first', async () => (await order())[0] === 'Shipping');
  await takeBack(t.movedTo('Shipping', '1', '2'), null);
  await waitUntil('General is first', async () => (await order())[0] === 'General');

  const [{ id }] = (await desk.command('category', 'list', '--site', 'demo-shop')).data;
  await visitor.open(`${page}/${id}`);
  await visitor.fill(t.siteDescription, 'Everything else');
  await visitor.see("--description 'Everything else'");
  await save(t.siteSaved('General'));
  await visitor.press('button', t.takeOutOfUse);
  await visitor.see(t.notInUseText);
  await visitor.press('button', t.remove);
  await visitor.see(t.removeUnusedText);
  expect(await violations(visitor)).toEqual([]);
  await (await visitor.find('button', t.cancel)).focus();
  await keys(visitor, 'Tab', 'Enter');
  await visitor.see(t.catalogueRemoved('General'));
  expect(await order()).toEqual(['Shipping']);
});

test('another priority becomes the default, and one that tickets have stays', async () => {
  await visitor.open(`${desk.url}/settings/priorities`);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', 'High');
  await visitor.press('button', t.makeDefault);
  await visitor.see(t.nowDefault('High'));
  const [site] = (await desk.command('site', 'list')).data;
  const { site_token: siteToken } = await desk.command('site', 'rotate-token', site.slug);
  const made = await fetch(`${desk.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Site-Token': siteToken },
    body: JSON.stringify({ email: 'mia@example.org', subject: 'A bell', message: 'It is silent.' }),
  });
  expect(made.status).toBe(201);
  await takeBack(t.nowDefault('High'), null);
  await visitor.press('button', t.remove);
  await visitor.see(t.priorityInUseText(t.ticketCount('1', false)));
});

test('a field with choices is added and changed', async () => {
  await visitor.open(`${desk.url}/settings/custom-fields`);
  await visitor.see(t.noCustomFields);
  await visitor.press('link', t.addCustomField);
  await visitor.fill(t.fieldLabel, 'Size');
  await visitor.page.select('select[name=type]', 'select');
  await visitor.fill(t.fieldKey, 'Size');
  await visitor.press('button', t.addSender);
  await visitor.see(t.fieldKeyRefused);
  await visitor.fill(t.fieldKey, 'size');
  await visitor.fill(t.fieldOptions, 'Small\nLarge');
  await visitor.see('--options Small,Large');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.addSender);
  await visitor.press('link', 'Size');
  await visitor.press('checkbox', t.fieldRequired);
  await visitor.see('--required yes');
  await save(t.siteSaved('Size'));
  const [field] = (await desk.command('field', 'list', '--site', 'demo-shop')).data;
  expect([field.options, field.is_required]).toEqual([['Small', 'Large'], true]);
});
