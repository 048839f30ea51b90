// The triggers of a site: put together by keys, refused at their field, changed by two at once, ordered, removed and brought back, and seen at work.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { keys } from './journey.ts';
import { owner, signInAs } from './owner.ts';
import { bothValues, choose, chooseAlso, findScreen, plainText, takeBack, type } from './rule-builder.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

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

const triggers = async () => (await desk.api('GET', `/sites/${desk.site.id}/triggers`)).data;
const names = async (): Promise<string[]> => (await triggers()).map(({ name }: { name: string }) => name);
const made = async (rule: object) =>
  (
    await desk.api('POST', `/sites/${desk.site.id}/triggers`, {
      ...{ name: 'A trigger', on: ['created'], actions: [{ type: 'add_tags', value: ['x'] }] },
      ...rule,
    })
  ).data;

test('a trigger is put together as a sentence, and what is missing or refused is said beside it', async () => {
  await visitor.open(`${desk.url}/settings/triggers`);
  await visitor.see(t.noTriggers);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', t.addTrigger);
  await visitor.focusOn('name', 'name');
  await visitor.page.keyboard.type('Escalate');
  await chooseAlso(visitor, t.triggerOn, t.onPriority);
  await choose(visitor, t.conditionField('1'), 'priority');
  await choose(visitor, t.conditionOperator('1'), 'changed_to');
  await chooseAlso(visitor, t.conditionValue('1'), 'High');
  await visitor.press('button', t.addGroup);
  await choose(visitor, t.conditionField('2.1'), 'is_verified');
  await type(visitor, t.conditionValue('2.2'), 'urgent');
  await choose(visitor, t.actionKind('1'), 'reply');
  await visitor.press('button', t.addSender);
  await visitor.see(t.required);
  await visitor.focusOn('aria-label', t.actionPart('1', t.rulePartText));
  await visitor.page.keyboard.type('We look at it, {{customer.name}}.');
  expect(await violations(visitor)).toEqual([]);
  visitor.expectStatus(422);
  await visitor.press('button', t.addSender);
  await visitor.see('{{customer.name}}');
  await visitor.focusOn('aria-label', t.actionPart('1', t.rulePartText));
  await keys(visitor, 'Control+a');
  await visitor.page.keyboard.type('We look at it, {{author.name}}.');
  await visitor.press('button', t.addAction);
  await choose(visitor, t.actionKind('2'), 'assign');
  await choose(visitor, t.actionValue('2'), String(desk.site.owner.id));
  await visitor.see('helpdesk rule add-trigger');
  await visitor.press('button', t.addSender);
  await visitor.at('/settings/triggers');
  await visitor.find('link', 'Escalate');
  const [high] = (await desk.api('GET', `/sites/${desk.site.id}/priorities`)).data.filter(
    ({ name }: { name: string }) => name === 'High',
  );
  const [rule] = await triggers();
  expect(rule).toMatchObject({
    ...{ name: 'Escalate', on: ['created', 'priority_changed'], match: 'all', stop_processing: false },
    conditions: [
      { field: 'priority', operator: 'changed_to', value: String(high.id), negate: false },
      {
        match: 'any',
        conditions: [
          { field: 'is_verified', operator: 'equals', value: true, negate: false },
          { field: 'subject', operator: 'contains', value: 'urgent', negate: false },
        ],
      },
    ],
    actions: [
      { type: 'reply', value: { body: 'We look at it, {{author.name}}.', as: 'desk', is_repeated: false } },
      { type: 'assign', value: desk.site.owner.id },
    ],
  });
});

test('a trigger shows its tickets and what held, and says when it no longer runs', async () => {
  const category = (await desk.api('POST', `/sites/${desk.site.id}/categories`, { name: 'Refunds' })).data;
  const { id } = await made({
    name: 'Refunds',
    conditions: [{ field: 'subject', operator: 'contains', value: 'refund' }],
    actions: [{ type: 'set_category', value: category.id }],
  });
  await desk.openTicket('My refund', 'Where is it?');
  await visitor.open(`${desk.url}/settings/triggers`);
  await visitor.see(t.ruleMatchesOf('1', '1'));
  await visitor.press('link', 'Refunds');
  await visitor.at(`/settings/triggers/${id}`);
  await visitor.find('link', '#1 My refund');
  const why = await visitor.page.$eval('.rule-matches li', (row) => row.textContent ?? '');
  expect(plainText(why)).toContain(`${t.ruleSubject} ${t.opContains} ${t.ruleQuoted('refund')}`);
  expect(await violations(visitor)).toEqual([]);
  await desk.api('PATCH', `/sites/${desk.site.id}/categories/${category.id}`, { is_active: false });
  await visitor.see(t.ruleBrokenText);
  await visitor.open(`${desk.url}/settings/triggers`);
  await visitor.see(t.ruleBroken);
  expect(await violations(visitor)).toEqual([]);
});

test('two who change a trigger at once see both values, and what was typed survives a reload', async () => {
  const { id } = await made({ name: 'Shared', conditions: [{ field: 'tag', operator: 'equals', value: 'a' }] });
  await visitor.open(`${desk.url}/settings/triggers/${id}`);
  await chooseAlso(visitor, t.triggerOn, t.onNote);
  await visitor.see(t.unsavedChanges);
  await visitor.see(`helpdesk rule update-trigger ${id} '{"on":["created","note"]}' --site web-shop`);
  await desk.api('PATCH', `/sites/${desk.site.id}/triggers/${id}`, { on: ['assigned'] });
  await visitor.page.reload();
  const both = await bothValues(visitor);
  expect(both).toContain(t.theirValue(t.triggerOn, t.onAssigned, `${t.onCreated} or ${t.onNote}`));
  await visitor.press('button', t.useTheirValue(t.triggerOn));
  await visitor.fill(t.name, 'Both');
  await visitor.press('button', t.save);
  await visitor.see(t.siteSaved('Both'));
  expect((await triggers()).find((one: { id: number }) => one.id === id).on).toEqual(['assigned']);
  await takeBack(visitor, t.siteSaved('Both'));
  await visitor.see(t.changesTakenBack);
  expect(await names()).toContain('Shared');
});

test('triggers are ordered with keys, switched off, removed and brought back', async () => {
  await made({ name: 'Last' });
  await visitor.open(`${desk.url}/settings/triggers`);
  const before = await names();
  await (await visitor.find('button', t.orderOf('Last'))).focus();
  await keys(visitor, 'Alt+ArrowUp');
  await waitUntil('Last moved up', async () => (await names()).indexOf('Last') === before.length - 2);
  await visitor.press('checkbox', t.ruleIsOn('Last'));
  await visitor.see(t.ruleOff('Last'));
  await visitor.press('button', t.removeRule('Last'));
  await visitor.see(t.ruleRemoved('Last'));
  expect(await names()).not.toContain('Last');
  await takeBack(visitor, t.ruleRemoved('Last'));
  await visitor.see(t.changesTakenBack);
  const back = await triggers();
  expect((await names()).indexOf('Last')).toBe(before.length - 2);
  expect(back[before.length - 2]).toMatchObject({ is_active: false, on: ['created'] });
});

test('triggers are found by another word for them, in the palette and in the settings', async () => {
  const screen = { name: t.triggers, lead: t.triggersLead, path: '/settings/triggers' };
  await findScreen(visitor, screen, ['escalation', 'workflow']);
});
