// The rules of a site: they are put together as a sentence, ordered, switched, removed and brought back, changed by two at the same time, and tried on a message.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
import { keys } from './journey.ts';
import { owner, signInAs, startShop } from './owner.ts';
import { bothValues, choose, plainText, takeBack, type } from './rule-builder.ts';
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

const rules = async () => (await desk.command('rule', 'list', '--site', 'demo-shop')).data;
const names = async (): Promise<string[]> => (await rules()).map(({ name }: { name: string }) => name);

test('a rule is put together as a sentence, and what is missing is said beside it', async () => {
  await visitor.open(`${desk.url}/settings/rules`);
  await visitor.see(t.noRules);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', t.addRule);
  await visitor.focusOn('name', 'name');
  await visitor.page.keyboard.type('Invoices');
  await visitor.press('button', t.addSender);
  await visitor.see(t.required);
  expect(await violations(visitor)).toEqual([]);
  await type(visitor, t.conditionValue('1'), 'invoice');
  await visitor.press('button', t.addCondition);
  await choose(visitor, t.conditionField('2'), 'size');
  await choose(visitor, t.conditionOperator('2'), 'not gt');
  await type(visitor, t.conditionValue('2'), '1.5');
  await choose(visitor, t.ruleMatchLabel, 'any');
  await choose(visitor, t.actionKind('1'), 'add_participant');
  await type(visitor, t.actionValue('1'), `support@${new URL(desk.url).hostname}`);
  await visitor.press('button', t.addAction);
  await choose(visitor, t.actionKind('2'), 'add_tags');
  await type(visitor, t.actionValue('2'), 'billing, vip');
  await visitor.see("--if 'size not gt 1536'");
  await visitor.see("--then 'add_tags billing,vip' --any");
  await choose(visitor, t.actionKind('1'), 'set_priority');
  const high = (await desk.command('priority', 'list', '--site', 'demo-shop')).data.find(
    ({ name }: { name: string }) => name === 'High',
  );
  await choose(visitor, t.actionValue('1'), String(high.id));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.addSender);
  await visitor.at('/settings/rules');
  await visitor.find('link', 'Invoices');
  const [rule] = await rules();
  expect([rule.match, rule.conditions, rule.actions]).toEqual([
    'any',
    [
      { field: 'subject', operator: 'contains', value: 'invoice', negate: false },
      { field: 'size', operator: 'gt', value: 1536, negate: true },
    ],
    [
      { type: 'set_priority', value: high.id },
      { type: 'add_tags', value: ['billing', 'vip'] },
    ],
  ]);
});

test('the desk’s refusal stands beside its part, and both values of a conflict are shown', async () => {
  await desk.command(
    'rule',
    'add',
    '--site',
    'demo-shop',
    '--name',
    'Pattern',
    '--if',
    'subject contains a',
    '--then',
    'discard',
  );
  const { id } = (await rules()).find(({ name }: { name: string }) => name === 'Pattern');
  await visitor.open(`${desk.url}/settings/rules/${id}`);
  await choose(visitor, t.conditionOperator('1'), 'matches');
  await type(visitor, t.conditionValue('1'), '(');
  visitor.expectStatus(422);
  await visitor.press('button', t.save);
  await waitUntil('the refusal is in the row', () => visitor.page.$('.rule-row [aria-invalid="true"]'));
  await visitor.press('button', t.discardChanges);
  // Someone else changes the same part meanwhile; what was typed survives a reload.
  await type(visitor, t.conditionValue('1'), 'b');
  await visitor.see(t.unsavedChanges);
  const { token } = await desk.command('token', 'issue', '--name', 'Other', '--abilities', 'read,manage');
  const changed = await fetch(`${desk.url}/api/v1/sites/demo-shop/inbound-rules/${id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ conditions: [{ field: 'subject', operator: 'contains', value: 'theirs' }] }),
  });
  expect(changed.status).toBe(200);
  await visitor.page.reload();
  const both = await bothValues(visitor);
  expect(both).toContain(
    t.theirValue(
      t.ruleWhen,
      `${t.ruleSubject} ${t.opContains} ${t.ruleQuoted('theirs')}`,
      `${t.ruleSubject} ${t.opContains} ${t.ruleQuoted('ab')}`,
    ),
  );
  await visitor.see(t.unsavedChanges);
  await visitor.press('button', t.save);
  await visitor.see(t.siteSaved('Pattern'));
  await takeBack(visitor, t.siteSaved('Pattern'));
  await visitor.see(t.changesTakenBack);
});

test('rules are ordered with keys, switched off, removed and brought back', async () => {
  await desk.command('rule', 'add', '--site', 'demo-shop', '--name', 'Last', '--then', 'add_tags last', '--stop');
  await visitor.open(`${desk.url}/settings/rules`);
  const before = await names();
  await (await visitor.find('button', t.orderOf('Last'))).focus();
  await keys(visitor, 'Alt+ArrowUp');
  await waitUntil('Last moved up', async () => (await names()).indexOf('Last') === before.length - 2);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('checkbox', t.ruleIsOn('Last'));
  await visitor.see(t.ruleOff('Last'));
  expect((await rules()).find(({ name }: { name: string }) => name === 'Last').is_active).toBe(false);
  await visitor.press('button', t.removeRule('Last'));
  await visitor.see(t.ruleRemoved('Last'));
  expect(await names()).not.toContain('Last');
  await takeBack(visitor, t.ruleRemoved('Last'));
  await visitor.see(t.changesTakenBack);
  const back = await rules();
  expect(back.map(({ name }: { name: string }) => name).indexOf('Last')).toBe(before.length - 2);
  expect(back.find(({ name }: { name: string }) => name === 'Last')).toMatchObject({
    ...{ is_active: false, stop_processing: true, actions: [{ type: 'add_tags', value: ['last'] }] },
  });
});

test('the rules are tried on a pasted and on a stored message, and show what they matched', async () => {
  await desk.command(
    'rule',
    'add',
    '--site',
    'demo-shop',
    '--name',
    'Refunds',
    '--if',
    'subject contains refund',
    '--then',
    'add_tags refund',
  );
  await visitor.open(`${desk.url}/settings/rules`);
  await type(visitor, t.messageSource, 'From: mia@example.org\nTo: help@example.org\nSubject: My refund\n\nHello');
  await visitor.press('button', t.tryRulesNow);
  await visitor.see(t.wouldCreate);
  const tried = await visitor.page.$$eval('.rule-tried > ol > li', (all) => all.map((one) => one.textContent ?? ''));
  const refunds = tried.find((text) => text.startsWith('Refunds')) ?? '';
  expect(refunds).toContain(t.ruleMatched);
  expect(plainText(refunds)).toContain(`${t.ruleSubject} ${t.opContains} ${t.ruleQuoted('refund')}`);
  expect(refunds).toContain(t.ruleDoes(t.doTags, 'refund'));
  expect((await desk.command('ticket', 'list')).data).toEqual([]);

  // A mail arrives: it can be tried, and counts.
  const { inbound_webhook_url: address } = (await desk.command('site', 'show', 'demo-shop')).data;
  const arrived = await fetch(address.replace(/webhooks\/\w+\//, 'webhooks/raw/'), {
    method: 'POST',
    body: 'From: mia@example.org\nTo: help@example.org\nSubject: A refund, please\n\nHello',
  });
  expect(arrived.status).toBe(200);
  await visitor.page.reload();
  await visitor.see(t.ruleMatchesOf('1', '1'));
  await (await visitor.find('link', 'Refunds')).click();
  await visitor.find('link', '#1 A refund, please');
  const message = await visitor.page.waitForSelector('.rule-test select');
  expect(await message?.evaluate((field) => (field as HTMLSelectElement).selectedOptions[0]?.text)).toContain(
    'mia@example.org · A refund, please',
  );
  await visitor.press('button', t.tryRulesNow);
  await visitor.see(t.wouldCreate);
  expect(await visitor.page.$$eval('.rule-tried > ol > li', (all) => all.length)).toBe(1);
  expect(await violations(visitor)).toEqual([]);
});
