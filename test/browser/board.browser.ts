// Saved reports in the console, and the live board: by a link alone, on a television and on a phone, true to the desk, and blank once the link is revoked.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, startChromium, type Visitor } from './browser.ts';
import { cutOff } from './cut-off.ts';
import type { BrowserDesk } from './desk.ts';
import { owner, signInAs, startShop } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
beforeAll(async () => {
  chromium = await startChromium();
  desk = await startShop();
  const words = ['--email', 'mia@example.org', '--subject', 'Secret', '--body', 'Help'];
  await desk.command('ticket', 'open', '--site', 'demo-shop', ...words);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

const sizes = [
  [1920, 1080],
  [1280, 720],
  [820, 1180],
  [390, 844],
  [320, 568],
] as const;

const numbers = ({ page }: Visitor) =>
  page.$$eval('dd', (found) => found.map((one) => one.firstChild?.textContent?.trim() ?? ''));
const overflow = ({ page }: Visitor) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

test('a screen shows the board with a link alone, until the link is revoked', async () => {
  const { data, url } = await desk.command('report', 'board', '--name', 'Kitchen');
  const link = `${desk.url}/reports/board#${url.split('#')[1]}`;
  for (const theme of ['light', 'dark'] as const) {
    const visitor = await chromium.visitor({ theme });
    await visitor.open(link);
    await waitUntil(
      'the numbers are there',
      () => numbers(visitor),
      ([open]) => open === '1',
    );
    expect((await numbers(visitor)).slice(0, 2)).toEqual(['1', '1']);
    await visitor.find('heading', 'Kitchen');
    expect(await visitor.page.evaluate(() => document.body.innerText)).not.toMatch(/mia|Secret|Demo shop/);
    expect(await violations(visitor), theme).toEqual([]);
    for (const [width, height] of sizes) {
      await visitor.page.setViewport({ width, height });
      expect([await overflow(visitor), await visitor.page.evaluate(cutOff)], `${width}`).toEqual([0, []]);
    }
    expect(visitor.faults()).toEqual([]);
    await visitor.close();
  }

  const wall = await chromium.visitor();
  await wall.open(link);
  await waitUntil(
    'the numbers are there',
    () => numbers(wall),
    ([open]) => open === '1',
  );
  await desk.command('report', 'revoke-board', String(data.id), '--yes');
  // The screen would ask again by itself within half a minute.
  await wall.page.reload();
  await wall.find('heading', t.linkExpiredTitle);
  expect(await numbers(wall)).toEqual([]);
  expect(await violations(wall)).toEqual([]);
  await wall.close();
}, 120_000);

test('a report is saved, shared, mailed and opened again; a link to the board is made and revoked', async () => {
  const visitor = await chromium.visitor();
  await signInAs(visitor, desk, owner.email);
  await visitor.open(`${desk.url}/reports/response?period=last_7_days&status=open,pending&compare=1`);
  await visitor.press('button', t.saveReport);
  await visitor.fill(t.name, 'Open this week');
  await visitor.page.click('dialog input[type=checkbox]');
  await visitor.page.select('dialog select[name=every]', 'week');
  await visitor.page.select('dialog select[name=weekday]', 'tue');
  await visitor.see(t.reportMailTo);
  await waitUntil(
    'the owner is among the readers',
    () => visitor.page.$eval('.schedule-readers', (list) => list.textContent ?? ''),
    (text) => text.includes(owner.name),
  );
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.save);
  await visitor.find('link', 'Open this week');
  const { data } = await desk.command('report', 'saved');
  expect(data).toMatchObject([
    {
      ...{ name: 'Open this week', report: 'response', is_shared: true },
      query: { period: 'last_7_days', status: ['open', 'pending'], compare: true },
      schedule: { every: 'week', weekday: 'tue', at: '08:00', agent_ids: [1] },
    },
  ]);
  await visitor.open(`${desk.url}/reports`);
  await visitor.press('link', 'Open this week');
  await visitor.at('/reports/response');
  expect(new URL(visitor.page.url()).search).toBe('?period=last_7_days&compare=1&status=open,pending');
  expect(await visitor.page.$eval('.saved-reports [aria-current]', (link) => link.textContent)).toBe('Open this week');
  expect(await violations(visitor)).toEqual([]);

  await visitor.press('button', t.savedMenu('Open this week'));
  await visitor.press('menuitem', t.deleteSaved);
  await waitUntil('it is deleted', async () => (await desk.command('report', 'saved')).data.length === 0);

  await visitor.press('button', t.liveBoard);
  await visitor.fill(t.boardName, 'Hall');
  await visitor.press('button', t.makeBoardLink);
  await visitor.see(t.boardShownOnce);
  const url = await visitor.page.$eval('dialog code', (code) => code.textContent ?? '');
  expect(url).toMatch(/\/reports\/board#hdb_/);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.revokeBoard('Hall'));
  await waitUntil('it is revoked', async () => (await desk.command('report', 'boards')).data.length === 0);
  expect(visitor.faults()).toEqual([]);
  await visitor.close();
}, 120_000);
