// Sites are added, get a new token, and are deleted with all that they have.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { open } from './every-setting.ts';
import { owner, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';

let desk: TicketDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startTicketDesk();
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
  },
});

const shownToken = () => visitor.page.$eval('dialog code', (code) => code.textContent ?? '');
const opensTickets = async (token: string) => {
  const answer = await fetch(`${desk.url}/api/v1/public/config`, { headers: { 'X-Site-Token': token } });
  return answer.status === 200;
};

test('a site is added, gets a new token, and is deleted after its slug was typed', async () => {
  await visitor.open(`${desk.url}/settings/sites`);
  await visitor.press('button', t.addSite);
  await visitor.see(t.required);
  await visitor.fill(t.newSiteName, 'Second shop');
  await visitor.press('button', t.addSite);
  await visitor.see(t.newTokenText);
  const first = await shownToken();
  expect(await opensTickets(first)).toBe(true);
  await visitor.press('button', t.secretKept);
  await visitor.at('/settings/first-steps');
  await visitor.press('button', t.stepAction(t.stepShow, t.stepConnect));
  await visitor.see(`X-Site-Token: ${first}`);

  const { id } = (await desk.command('site', 'show', 'second-shop')).data;
  await visitor.open(`${desk.url}/settings/danger?site_id=${id}`);
  await visitor.see(t.deleteTakes(t.ticketCount('0', false)));
  for (const value of ['dark', 'light']) {
    await visitor.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
    expect(await violations(visitor), value).toEqual([]);
  }
  await visitor.press('button', t.makeToken);
  await visitor.see(t.oldTokenFor);
  await visitor.press('button', t.makeToken);
  await visitor.see(t.newTokenText);
  const second = await shownToken();
  expect(await opensTickets(second)).toBe(true);
  expect(await opensTickets(first)).toBe(true);
  await visitor.press('button', t.secretKept);

  await open(visitor, `/settings/first-steps?site_id=${id}`);
  await visitor.press('button', t.stepAction(t.stepShow, t.stepConnect));
  await visitor.see(`X-Site-Token: ${second}`);
  await open(visitor, `/settings/danger?site_id=${id}`);

  await visitor.fill(t.typeSlug('second-shop'), 'second');
  await visitor.press('button', t.deleteSite);
  await visitor.see(t.slugDiffers);
  await visitor.fill(t.typeSlug('second-shop'), 'second-shop');
  await visitor.press('button', t.deleteSite);
  await visitor.see(t.siteWasDeleted('Second shop'));
  expect(await opensTickets(first)).toBe(false);
  expect((await desk.api('GET', '/sites')).data).toHaveLength(1);
});
