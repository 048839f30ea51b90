// The settings of the system and of a site as a file: what leaves the desk is sent again, a restore is proven, a file changes a site.

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

/** The desk notes a delivery after the mail server has it. */
const delivered = () =>
  waitUntil(
    'the delivery is noted',
    () => desk.command('outbox', 'list', '--status', 'delivered'),
    ({ meta }) => meta.total === 1,
  );

test('what failed is sent again, one by one or all, and what waits leaves now', async () => {
  const kim = 'kim@agents.example';
  await visitor.page.evaluate(async (email) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ email, name: 'Kim', role: 'member' });
    await fetch('/api/v1/agents', { method: 'POST', headers, body });
  }, kim);
  await desk.mail();
  await delivered();
  const failed = `status = 'failed', next_at = NULL, finished_at = ${Date.now()}, last_error = '550 no such mailbox'`;
  desk.sql(`UPDATE deliveries SET ${failed}`);
  await visitor.open(`${desk.url}/settings/system`);
  await visitor.see('550 no such mailbox');
  await visitor.see('helpdesk outbox retry --status failed');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.outboxAgainTo(kim));
  await visitor.see(t.requeuedOne);
  expect((await desk.mail()).text).toContain('/invitation#');
  await visitor.see(t.outboxNone);
  await delivered();

  desk.sql(`UPDATE deliveries SET ${failed}`);
  await visitor.press('button', t.redeliverFailed);
  await visitor.see(t.outboxAgainText);
  expect(await violations(visitor)).toEqual([]);
  await keys(visitor, 'Tab', 'Tab', 'Tab', 'Tab', 'Enter');
  expect((await desk.mail()).text).toContain('/invitation#');
  await visitor.see(t.outboxNone);
  await delivered();
  desk.sql(
    `UPDATE deliveries SET status = 'queued', tries = 1, finished_at = NULL, next_at = ${Date.now() + 3_600_000}`,
  );
  await visitor.page.select('select[name=outbox]', 'queued');
  await visitor.see(kim);
  await visitor.press('button', t.outboxNow);
  expect((await desk.mail()).text).toContain('/invitation#');
  await visitor.see(t.outboxNone);
});

test('a backup is made, a restore is proven, and growth and changes are told', async () => {
  const today = Math.floor(Date.now() / 86_400_000);
  desk.sql(
    `INSERT INTO storage_days VALUES (${today - 10}, 1000000, 0, 9000000000), (${today}, 2000000, 5000000, 8000000000)`,
  );
  desk.sql("INSERT INTO versions_run (id, version, began_at) VALUES (-1, '0.1.0', 1)");
  await visitor.open(`${desk.url}/settings/system`);
  await visitor.see(t.growthADay('+100 kB', '+500 kB', '10'));
  await visitor.see(t.upgradeSince('0.1.0'));
  await visitor.see(t.restoreNever);
  await visitor.press('button', t.servicesTest);
  await visitor.see(t.serviceNoScanner);
  await visitor.see(t.serviceWorks(t.serviceDisk, '').split('(')[0]?.trim() ?? '');
  await visitor.press('button', t.systemCheckNow);
  // The finding has its own button.
  await waitUntil('the missing backup has a button', () =>
    visitor.page.evaluate((name) => {
      const all = document.querySelectorAll<HTMLElement>('section[aria-labelledby="check"] li .button');
      const button = [...all].find(({ textContent }) => textContent === name);
      button?.click();
      return button !== undefined;
    }, t.backUpNow),
  );
  await visitor.press('button', t.restoreTest);
  await waitUntil('a restore is proven', async () => {
    const text = await visitor.page.$eval('#backups', (part) => part.closest('section')?.textContent ?? '');
    return text.includes(t.restoreTested('', '', '').slice(0, 12));
  });
  expect(await violations(visitor)).toEqual([]);
});

test('a single machine says so, and a cluster shows who was heard when', async () => {
  await visitor.open(`${desk.url}/settings/system`);
  await visitor.see(t.clusterSingle);
  await visitor.page.evaluate(() => {
    const real = window.fetch.bind(window);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    window.fetch = Object.assign(
      async (input: string | URL | Request, init?: RequestInit) => {
        const response = await real(input, init);
        if (String(input) !== '/api/v1/system') return response;
        const body = await response.json();
        body.data.cluster = {
          ...{ role: 'primary', host: 'desk-1', primary: null, lag_ms: 0, former_primaries: ['desk-9'] },
          replicas: [
            { host: 'desk-2', version: '1.2.3', lag_ms: 1500, heard_at: ago(3) },
            { host: 'desk-3', version: '1.2.2', lag_ms: null, heard_at: ago(900) },
          ],
        };
        return new Response(JSON.stringify(body), response);
      },
      { preconnect: () => undefined },
    );
  });
  await visitor.press('button', t.systemCheckNow);
  await visitor.see(t.clusterFormer('desk-9'));
  await visitor.see(t.clusterVersion('1.2.3'));
  await visitor.see(t.clusterLagUnknown);
  const states = await visitor.page.$$eval('#cluster', ([heading]) =>
    [...(heading?.closest('section')?.querySelectorAll('.mailbox-state') ?? [])].map((one) => one.className),
  );
  expect(states).toEqual(['mailbox-state good', 'mailbox-state good', 'mailbox-state bad']);
  expect(await violations(visitor)).toEqual([]);
});

test('a file of settings shows its plan, and changes just that', async () => {
  visitor.expectStatus(422, 409);
  await visitor.open(`${desk.url}/settings/settings-file`);
  const choose = async (text: string) => {
    const field = await visitor.page.waitForSelector('input[type=file]');
    await field?.evaluate((input, yaml) => {
      const files = new DataTransfer();
      files.items.add(new File([yaml], 'shop.yaml'));
      (input as HTMLInputElement).files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, text);
  };
  await choose('version: 1\nname: [');
  await visitor.see('The file cannot be read as YAML');
  const file = 'version: 1\nname: Wheels\ncategories:\n  - { slug: bikes, name: Bikes }\n';
  await choose(file);
  await visitor.see(t.filePlan('shop.yaml', '2'));
  expect(await violations(visitor)).toEqual([]);
  const [site] = (await desk.command('site', 'list')).data;
  expect(site.name).toBe('Demo shop');
  // Someone else does a part of it meanwhile: the plan is shown again before anything changes.
  await desk.command('category', 'add', '--site', 'demo-shop', '--name', 'Bikes', '--slug', 'bikes');
  await visitor.press('button', t.fileApply);
  await visitor.see(t.filePlan('shop.yaml', '1'));
  await visitor.press('button', t.fileApply);
  await visitor.see(t.fileApplied('1'));
  expect((await desk.command('site', 'list')).data[0].name).toBe('Wheels');
  await choose(file);
  await visitor.see(t.fileSame('shop.yaml'));
});
