// The settings of webhooks: one is added, tested, fixed, sent again, paused and removed; those who cannot change it see why.

import { afterAll, expect, test } from 'bun:test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
import { keys } from './journey.ts';
import { owner, signInAs, startShop } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let status = 204;
const got: { headers: Record<string, unknown>; body: string }[] = [];
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    got.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(status).end(status === 204 ? undefined : 'It is <b>broken</b>.');
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

let desk: BrowserDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startShop({ HELPDESK_WEBHOOK_ALLOW: '127.0.0.1', HELPDESK_WEBHOOK_RETRY_DELAYS: '' });
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
  },
});
afterAll(async () => await new Promise((resolve) => receiver.close(resolve)));

const section = () => `${desk.url}/settings/webhooks`;
const textOf = (selector: string) =>
  visitor.page.$eval(selector, (element) => (element as HTMLElement).innerText).catch(() => '');

test('a webhook is added, tested, fixed, sent again and removed', async () => {
  await visitor.open(section());
  await visitor.see(t.noWebhooks);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', t.addWebhook);
  await visitor.focusOn('name', 'name');
  await visitor.page.keyboard.type('App');
  await visitor.fill(t.webhookUrl, 'http://10.0.0.1/x');
  await visitor.press('checkbox', `${t.eventReplied} ticket.replied`);
  await visitor.see('--events ticket.created');
  visitor.expectStatus(422);
  await visitor.press('button', t.addWebhook);
  await visitor.see('HELPDESK_WEBHOOK_ALLOW');
  await visitor.fill(t.webhookUrl, url);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.addWebhook);

  // Its secret is shown once.
  await visitor.see(t.signingSecretOnce);
  const secret = await textOf('.shown-secret code');
  expect(secret).toMatch(/^whsec_/);
  await visitor.see(t.webhookUnused);
  expect(await violations(visitor)).toEqual([]);

  status = 404;
  await visitor.press('button', t.testWebhook);
  await visitor.see(t.testFailed);
  await visitor.see(t.answerNotFound);
  status = 204;
  await visitor.press('button', t.testWebhook);
  await visitor.see(t.testWorked);
  expect(got.at(-1)?.headers['x-helpdesk-event']).toBe('channel.test');

  // The log has both, with what was sent and what came back.
  await waitUntil('both are in the log', () => visitor.page.$$eval('.deliveries > li', (rows) => rows.length === 2));
  await visitor.page.$$eval('.deliveries summary', (rows) => (rows[1] as HTMLElement).click());
  await visitor.see('It is <b>broken</b>.');
  await visitor.see('"event": "channel.test"');
  expect(await violations(visitor)).toEqual([]);
  status = 200;
  await visitor.press('button', t.redeliver);
  await visitor.see(t.requeuedOne);
  await waitUntil('it came again', () => got.length === 3);

  // Nothing failed any more, so there is nothing to send again.
  await waitUntil('it is delivered', () =>
    visitor.page.$$eval('.deliveries .mailbox-state.good', (rows) => rows.length === 2),
  );
  await visitor.press('button', t.redeliverFailed);
  await visitor.see(t.redeliverText);
  expect(await violations(visitor)).toEqual([]);
  await keys(visitor, 'Tab', 'Tab', 'Tab', 'Tab', 'Enter');
  await visitor.see(t.requeuedNone);

  await visitor.press('button', t.rotateSecret);
  await visitor.see(t.rotateSecretText);
  await visitor.page.$$eval('dialog .button.primary', ([button]) => (button as HTMLElement).click());
  await waitUntil('another secret is shown', async () => {
    const shown = await textOf('.shown-secret code');
    return shown.startsWith('whsec_') && shown !== secret;
  });
  await visitor.press('button', t.secretStored);
  await waitUntil('it is gone', async () => (await textOf('.shown-secret')) === '');

  await visitor.press('button', t.removeWebhook);
  await visitor.see(t.removeWebhookText);
  await keys(visitor, 'Tab', 'Tab', 'Tab', 'Enter');
  await visitor.see(t.webhookRemoved('App'));
  await visitor.see(t.noWebhooks);
});

async function added(name: string): Promise<string> {
  const { data } = await desk.command(
    ...['channel', 'add', '--site', 'demo-shop', '--name', name, '--type', 'custom'],
    ...['--url', 'https://8.8.8.8/hook', '--events', 'ticket.created'],
  );
  return String(data.id);
}

test('changes can be taken back, a pause too, and an abandoned one says what it holds', async () => {
  const id = await added('Orders');
  const shown = async () =>
    (await desk.command('channel', 'list', '--site', 'demo-shop')).data.find(
      (one: { id: number }) => one.id === Number(id),
    );
  await visitor.open(`${section()}/${id}`);
  await visitor.press('checkbox', `${t.eventSlaBreached} ticket.sla_breached`);
  await visitor.see(t.unsavedChanges);
  await visitor.press('button', t.save);
  await visitor.see(t.webhookSaved('Orders'));
  expect((await shown()).events).toEqual(['ticket.created', 'ticket.sla_breached']);
  await visitor.press('button', t.undo);
  await waitUntil('it is taken back', async () => (await shown()).events.length === 1);
  await visitor.press('button', t.pause);
  await visitor.see(t.advicePausedWebhook);
  await visitor.press('button', t.resume);
  await visitor.see(t.webhookResumed);
  desk.sql(
    `UPDATE channels SET is_active = 0, consecutive_failures = 10, disabled_reason = 'Ten failed.' WHERE id = ${id}`,
  );
  await visitor.see(t.adviceDisabled);
  await visitor.see(t.failedInRow('10'));
  expect(await violations(visitor)).toEqual([]);
});

test('a member sees how it goes, but neither the whole address nor a way to change it', async () => {
  const id = await added('Read only');
  await visitor.page.goto('about:blank');
  desk.sql(`UPDATE agents SET role = 'member' WHERE email = '${owner.email}'`);
  try {
    await visitor.open(`${section()}/${id}`);
    await visitor.see(t.onlyManagersChange);
    await visitor.see(t.noDeliveries);
    for (const name of [t.testWebhook, t.pause, t.rotateSecret, t.removeWebhook, t.redeliverFailed])
      expect(await visitor.isThere('button', name)).toBe(false);
    expect(await visitor.page.$$eval('.settings-section form input:enabled', (inputs) => inputs.length)).toBe(0);
    expect(await visitor.page.content()).not.toContain('/hook');
  } finally {
    await visitor.page.goto('about:blank');
    desk.sql(`UPDATE agents SET role = 'owner' WHERE email = '${owner.email}'`);
  }
});
