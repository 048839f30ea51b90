// Notifications of the desk in a browser: turned on in the profile, shown by the service worker, and opened in a tab that is there.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import type { CDPSession } from 'puppeteer-core';
import { subscribedBrowser } from '../support/push-service.ts';
import { violations } from './axe.ts';
import { type Chromium, startChromium, startedTogether, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { setUp } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let visitor: Visitor;
beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startDesk());
  visitor = await chromium.visitor();
});
afterEach(() => {
  expect(visitor.faults()).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

const shown = () =>
  visitor.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    const notifications = (await registration?.getNotifications()) ?? [];
    return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path }));
  });

test('pushes to this browser are turned on, and a second time it is one device', async () => {
  await setUp(visitor, desk);
  await visitor.page.browserContext().overridePermissions(desk.url, ['notifications']);
  // A browser without a window reaches no push service, so what the service would answer stands in.
  const { json } = subscribedBrowser('https://push.example/send/1');
  await visitor.page.evaluateOnNewDocument((given) => {
    PushManager.prototype.subscribe = async () => ({ toJSON: () => given }) as never;
  }, json);
  await visitor.open(`${desk.url}/profile`);
  await visitor.press('button', t.pushTurnOn);
  await visitor.see(t.pushTurnedOn);
  expect(await violations(visitor)).toEqual([]);
  await visitor.page.reload();
  await visitor.find('button', t.pushTurnOff);
  expect(await visitor.page.$$eval('#push .row', (rows) => rows.length)).toBe(1);
});

test('the service worker shows what is pushed, once, and of a ticket only the newest', async () => {
  const session: CDPSession = await visitor.page.createCDPSession();
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, isDeleted } of registrations) if (!isDeleted) resolve(registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const push = (content: object) =>
    session.send('ServiceWorker.deliverPushMessage', {
      ...{ origin: desk.url, registrationId, data: JSON.stringify(content) },
    });
  const newer = { id: 'B', at: 2, tag: 'T', title: '#1 Broken', body: 'New message from Mia', path: '/tickets/T' };
  await push({ ...newer, id: 'A', at: 1, body: 'Assigned to you' });
  await waitUntil('the first is shown', async () => (await shown()).length === 1);
  await push(newer);
  await waitUntil('the newer is shown', async () => (await shown())[0]?.body === newer.body);
  await push(newer);
  await push({ ...newer, id: 'A', at: 1, body: 'Assigned to you' });
  await push({ ...newer, id: 'C', tag: 'other', title: 'Helpdesk', path: '/customers' });
  await waitUntil('the last is shown', async () => (await shown()).length === 2);
  expect(await shown()).toContainEqual({ title: '#1 Broken', body: newer.body, tag: 'T', path: '/tickets/T' });
  await session.detach();
});

test('a click leads the open tab there, without loading the page again', async () => {
  await visitor.page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  const target = await visitor.page.browser().waitForTarget((one) => one.type() === 'service_worker');
  const worker = await target.worker();
  await worker?.evaluate(`registration.getNotifications({ tag: 'other' }).then(([notification]) =>
    dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
  await visitor.at('/customers');
  expect(await visitor.page.evaluate(() => (globalThis as { isSame?: boolean }).isSame)).toBe(true);
  expect((await shown()).map(({ tag }) => tag)).toEqual(['T']);
});

test('no other script of the desk can become the worker of its pages', async () => {
  const refused = await visitor.page.evaluate(async () => {
    const from = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
    return await navigator.serviceWorker.register(from as never, { scope: '/' }).then(
      () => 'registered',
      (error: Error) => error.name,
    );
  });
  expect(refused).toBe('TypeError');
  const faults: string[] = [];
  await waitUntil(
    'both are reported',
    () => faults.push(...visitor.faults()),
    (count) => count === 2,
  );
  expect(faults.join()).toContain('TrustedScriptURL');
});

test('what rings where, and when, is chosen in the profile', async () => {
  await visitor.open(`${desk.url}/profile`);
  await visitor.press('checkbox', t.noticeBy(t.noticeAssigned, t.placePush));
  await visitor.see(t.saved);
  await visitor.press('checkbox', t.quietHours);
  await visitor.see(t.quietFrom);
  await visitor.press('button', t.pauseTomorrow);
  await visitor.find('button', t.resumeNotices);
  await visitor.page.reload();
  await visitor.find('button', t.resumeNotices);
  expect(await visitor.page.$eval('input[name=from]', (field) => (field as HTMLInputElement).value)).toBe('22:00');
  expect(await violations(visitor)).toEqual([]);
});
