// The settings of what a site writes: senders, the signature, and the desk's own mails in each language.

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

interface Template {
  name: string;
  locale: string;
  is_custom: boolean;
  body: string;
}
const template = async (name: string, locale: string): Promise<Template | undefined> =>
  (await desk.command('template', 'list', '--site', 'demo-shop')).data.find(
    (one: Template) => one.name === name && one.locale === locale,
  );

test('a mail gets own words in one language, with a preview, a test and a way back', async () => {
  // Of words that cannot be sent.
  visitor.expectStatus(422);
  await visitor.open(`${desk.url}/settings/mail-templates`);
  await visitor.see(t.mailLanguageHint('English'));
  expect(await violations(visitor)).toEqual([]);
  await visitor.page.select('.settings-section select', 'nl');
  await visitor.press('link', t.mailCode);
  await visitor.at('/settings/mail-templates/code-nl');
  // Words of now, as they would be sent.
  await visitor.see('Demo shop');
  await visitor.press('button', t.insertPlaceholder('{{site.name}}'));
  await visitor.see(t.unsavedChanges);
  await visitor.fill(t.mailWords, 'Hallo van {{site.name}}.');
  await visitor.see(t.wordsMissing('{{code}}'));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.insertPlaceholder('{{code}}'));
  await visitor.see('Hallo van Demo shop.');
  await visitor.see(t.testAfterSaving);
  await visitor.press('button', t.save);
  await visitor.see(t.mailSaved(t.mailCode));
  expect(await template('code', 'nl')).toMatchObject({ is_custom: true, body: 'Hallo van {{site.name}}.\n\n{{code}}' });
  expect((await template('code', 'en'))?.is_custom).toBe(false);
  await visitor.press('button', t.sendTest);
  await visitor.see(t.testSent(owner.email));
  expect((await desk.mail()).text).toContain('Hallo van Demo shop.');

  await (await visitor.page.waitForSelector('.own-words summary'))?.click();
  await visitor.press('button', t.useWordsOfDesk);
  await visitor.press('button', t.save);
  await visitor.see(t.mailReset(t.mailCode));
  await waitUntil('it is reset', async () => (await template('code', 'nl'))?.is_custom === false);
  // That of the change before may still be there.
  await (await visitor.page.$$(`aria/${t.undo}[role="button"]`)).at(-1)?.click();
  await waitUntil('it is back', async () => (await template('code', 'nl'))?.is_custom === true);
});

test('a sender is added, made the default and changed; a refused address stands beside its field', async () => {
  await visitor.open(`${desk.url}/settings/writing`);
  await visitor.press('link', t.addSenderAddress);
  await visitor.see(t.addSenderLead);
  visitor.expectStatus(422);
  await visitor.fill(t.senderAddress, 'nothing@');
  await visitor.press('button', t.addSenderAddress);
  await waitUntil('it is refused', async () => (await visitor.page.$('.field-problem')) !== null);
  await visitor.fill(t.senderAddress, 'sales@shop.example');
  await visitor.press('button', t.addSenderAddress);
  await visitor.see(t.senderAdded('sales@shop.example'));
  await visitor.find('link', t.seeRecords);
  expect(await violations(visitor)).toEqual([]);
  await visitor.fill(t.senderName, 'Sales');
  await visitor.press('checkbox', t.isDefault);
  await visitor.press('button', t.save);
  await visitor.see(t.senderSaved('sales@shop.example'));
  const senders = async () => (await desk.command('sender', 'list', '--site', 'demo-shop')).data;
  expect((await senders()).find(({ is_default }: { is_default: boolean }) => is_default)).toMatchObject({
    address: 'sales@shop.example',
    name: 'Sales',
  });
  await visitor.open(`${desk.url}/settings/writing`);
  await visitor.see(t.isDefaultSender);

  await (await visitor.find('button', t.orderOf('sales@shop.example'))).focus();
  await keys(visitor, 'Alt+ArrowUp');
  await visitor.see(t.movedTo('sales@shop.example', '1', '2'));
  await waitUntil('it is first', async () => (await senders())[0].address === 'sales@shop.example');
  expect(await violations(visitor)).toEqual([]);
});

test('the signature of a site is previewed while it is written, and a member only reads', async () => {
  visitor.expectStatus(422);
  await visitor.open(`${desk.url}/settings/writing`);
  await visitor.fill(t.signatureWords, 'Regards from {{site.nam}}');
  await visitor.see('Names the unknown variable');
  await visitor.fill(t.signatureWords, 'Regards from ');
  await visitor.press('button', t.insertPlaceholder('{{site.name}}'));
  await visitor.see('Regards from Demo shop');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.save);
  await visitor.see(t.signatureSaved);
  const { settings } = (await desk.command('site', 'show', 'demo-shop')).data;
  expect(settings.signature).toBe('Regards from {{site.name}}');

  await desk.command('agent', 'add', '--email', 'kim@example.org', '--name', 'Kim', '--role', 'member');
  await visitor.page.deleteCookie(...(await visitor.page.cookies()));
  await signInAs(visitor, desk, 'kim@example.org');
  await visitor.open(`${desk.url}/settings/mail-templates/code-en`);
  await visitor.see(t.onlyManagersChange);
  expect(await visitor.isThere('button', t.sendTest)).toBe(false);
  expect(await violations(visitor)).toEqual([]);
});
