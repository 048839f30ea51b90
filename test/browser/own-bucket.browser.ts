// The bucket for files, set in the browser: tried before it is kept, and in force without a restart.

import { afterAll, expect, test } from 'bun:test';
import { type FakeS3, fakeS3 } from '../support/s3.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { giveSession, makeOwner } from './owner.ts';
import { t } from './texts.ts';

let desk: BrowserDesk;
let visitor: Visitor;
let store: FakeS3;
visitForEachTest({
  async open() {
    store = await fakeS3('desk', 'the-key', 'eu-1');
    desk = await startDesk('localhost', { HELPDESK_WEBHOOK_ALLOW: '127.0.0.1' });
    await makeOwner(desk);
    return desk;
  },
  async come(each) {
    visitor = each;
    await giveSession(visitor, desk);
  },
});
afterAll(() => store.close());

const sound = async () => expect(await violations(visitor)).toEqual([]);
const confirm = async () => (await visitor.page.waitForSelector('dialog .button.danger'))?.click();

async function fillIn(endpoint: string, key: string): Promise<void> {
  await visitor.open(`${desk.url}/settings/bucket`);
  await visitor.fill(t.bucketEndpoint, endpoint);
  await visitor.fill(t.bucketName, 'desk');
  await visitor.fill(t.bucketRegion, 'eu-1');
  await visitor.fill(t.bucketKey, key);
  await visitor.fill(t.bucketSecret, 'hush');
  await visitor.see(`helpdesk desk bucket --endpoint ${endpoint} --bucket desk --region eu-1`);
}

test('a bucket that refuses, or is at a private address, is not kept', async () => {
  await fillIn(store.endpoint, 'other-key');
  visitor.expectStatus(422);
  await visitor.press('button', t.save);
  await visitor.see(`${t.bucketFails} PUT: 403 AccessDenied`);
  await sound();
  await visitor.fill(t.bucketEndpoint, 'http://10.0.0.5');
  await visitor.press('button', t.save);
  await visitor.see(t.bucketPrivate);
  await visitor.fill(t.bucketEndpoint, 'http://198.41.0.4');
  await visitor.press('button', t.save);
  await visitor.see(t.bucketPlain);
  expect(store.objects.size).toBe(0);
});

test('a bucket is set, takes files, is paused with Undo, and is removed', async () => {
  await fillIn(store.endpoint, 'the-key');
  await visitor.press('button', t.save);
  await visitor.see(t.bucketSaved);
  await visitor.see(t.bucketOther);
  await sound();
  await visitor.press('button', t.bucketTest);
  await visitor.see(t.serviceWorks(t.serviceBucket, '').split('(')[0] ?? '');
  expect(store.requests.some(({ method, key }) => method === 'PUT' && /^desk-[0-9a-z]{26}\//.test(key))).toBe(true);
  await visitor.open(`${desk.url}/settings/system`);
  await visitor.press('button', t.servicesTest);
  await visitor.find('heading', t.services);
  await visitor.see(t.serviceBucket);
  expect(store.requests.some(({ method, key }) => method === 'PUT' && /^desk-[0-9a-z]{26}\//.test(key))).toBe(true);

  await visitor.open(`${desk.url}/settings/bucket`);
  await visitor.see(t.folderOwn);
  await (await visitor.page.$('[name="home"]'))?.select('disk');
  await visitor.press('button', t.save);
  await visitor.press('button', t.undo);
  await visitor.see(t.changesTakenBack);
  await sound();

  await visitor.press('button', t.remove);
  await confirm();
  await visitor.see(t.bucketNone);
});
