// The settings of inbound mail: the URL for a provider is shown after a confirmation, mail that comes is seen, and the URL is rotated.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
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

const shownUrl = () =>
  visitor.page.$eval('.inbound-url code', (element) => (element as HTMLElement).innerText).catch(() => '');
const post = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: 'From: Mia <mia@example.org>\r\nTo: demo-shop@x\r\nSubject: Hello\r\nMessage-ID: <m1@x>\r\n\r\nWhere is it?\r\n',
  });

test('a provider gets its URL, mail arrives, and the URL is rotated', async () => {
  await visitor.open(`${desk.url}/settings/inbound`);
  await visitor.see(t.noMailArrived);
  await visitor.see(t.postmarkStep1);
  expect(await violations(visitor)).toEqual([]);
  desk.sql('UPDATE sessions SET confirmed_at = confirmed_at - 16 * 60000');
  visitor.expectStatus(403);
  await visitor.press('button', t.showUrl);
  await visitor.fill(t.password, owner.password);
  await visitor.press('button', t.confirm);
  await waitUntil('the URL is shown', shownUrl, (url) => url.includes('/api/webhooks/postmark/inbound/'));
  await visitor.page.select('.guide select', 'raw');
  await visitor.see(t.rawStep2);
  const url = await waitUntil('it is that of the provider', shownUrl, (one) => one.includes('/webhooks/raw/'));
  expect((await post(url)).status).toBe(200);
  await visitor.see(t.outcomeTicket);
  await visitor.see('mia@example.org');
  expect(await violations(visitor)).toEqual([]);

  await visitor.press('button', t.rotateUrl);
  await visitor.see(t.rotateUrlText);
  await visitor.page.select('dialog select', '0');
  await visitor.page.$$eval('dialog .button.primary', ([button]) => (button as HTMLElement).click());
  const next = await waitUntil('another URL is shown', shownUrl, (one) => one !== '' && one !== url);
  expect((await post(url)).status).toBe(404);
  expect((await post(next)).status).toBe(200);
  await visitor.see(t.lastChangeBy(owner.name, 'now').slice(0, -5));
  await visitor.press('button', t.hideUrl);
  await waitUntil('it is hidden', async () => (await shownUrl()) === '');
});

test('a member sees the address, but not the URL', async () => {
  await visitor.page.goto('about:blank');
  desk.sql(`UPDATE agents SET role = 'member' WHERE email = '${owner.email}'`);
  try {
    await visitor.open(`${desk.url}/settings/inbound`);
    await visitor.see(t.onlyManagersChange);
    for (const name of [t.showUrl, t.rotateUrl]) expect(await visitor.isThere('button', name)).toBe(false);
  } finally {
    await visitor.page.goto('about:blank');
    desk.sql(`UPDATE agents SET role = 'owner' WHERE email = '${owner.email}'`);
  }
});
