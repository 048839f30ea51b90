// The addresses of the desk, set in the browser: tried before they are kept, and in force without a restart.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { giveSession, makeOwner } from './owner.ts';
import { t } from './texts.ts';

let desk: BrowserDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startDesk('localhost', { HELPDESK_BASE_URL: '' });
    await makeOwner(desk);
    return desk;
  },
  async come(each) {
    visitor = each;
    await giveSession(visitor, desk);
  },
});

const sound = async () => expect(await violations(visitor)).toEqual([]);

test('the address of this browser becomes that of the desk', async () => {
  await visitor.open(`${desk.url}/settings/addresses`);
  await visitor.see(t.baseUrlNone);
  await sound();
  await visitor.press('button', t.useThisAddress(desk.url));
  await visitor.find('button', t.remove);
  expect(await visitor.isThere('button', t.useThisAddress(desk.url))).toBe(false);
  await sound();
  await visitor.open(`${desk.url}/settings/environment`);
  await visitor.see(t.fromConsole);
  await visitor.open(`${desk.url}/settings/addresses`);
  await visitor.press('button', t.remove);
  await visitor.see(t.baseUrlNone);
});

test('a domain that DNS does not know is not kept', async () => {
  await visitor.open(`${desk.url}/settings/addresses`);
  await visitor.fill(t.inboundDomain, 'support.invalid');
  visitor.expectStatus(422);
  await visitor.press('button', t.save);
  await visitor.see(t.domainFails);
  await sound();
  await visitor.fill(t.inboundDomain, 'not a domain');
  await visitor.press('button', t.save);
  await visitor.see(t.domainRefused);
});
