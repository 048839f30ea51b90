// The timed rules of a site: put together, refused at their field, changed by two at once, removed and brought back, and seen at work.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { keys } from './journey.ts';
import { owner, signInAs } from './owner.ts';
import { bothValues, choose, findScreen, hasActed, takeBack } from './rule-builder.ts';
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

const rules = async () => (await desk.api('GET', `/sites/${desk.site.id}/timed-rules`)).data;
const made = async (rule: object) =>
  (
    await desk.api('POST', `/sites/${desk.site.id}/timed-rules`, {
      ...{ name: 'Wait', since: 'created', minutes: 60, actions: [{ type: 'add_tags', value: ['late'] }] },
      ...rule,
    })
  ).data;

test('a timed rule is put together by keys, and what is wrong is said beside it', async () => {
  await visitor.open(`${desk.url}/settings/timed-rules`);
  await visitor.see(t.noTimedRules);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', t.addTimedRule);
  await visitor.focusOn('name', 'name');
  await visitor.page.keyboard.type('Close');
  await (await visitor.find('textbox', t.timedAmount)).focus();
  await keys(visitor, 'Control+a');
  await visitor.page.keyboard.type('400');
  await choose(visitor, t.conditionField('1'), 'status');
  await choose(visitor, t.conditionValue('1'), 'resolved');
  await choose(visitor, t.actionKind('1'), 'set_status');
  await choose(visitor, t.actionValue('1'), 'closed');
  await visitor.press('button', t.addSender);
  await visitor.see(t.timedRefused);
  await visitor.focusOn('aria-label', t.timedAmount);
  expect(await violations(visitor)).toEqual([]);
  await keys(visitor, 'Control+a');
  await visitor.page.keyboard.type('7');
  await visitor.see('helpdesk rule add-timed-rule');
  await keys(visitor, 'Enter');
  await visitor.at('/settings/timed-rules');
  await visitor.find('link', 'Close');
  const [rule] = await rules();
  expect(rule).toMatchObject({
    ...{ name: 'Close', since: 'status_changed', minutes: 7 * 24 * 60, time: 'calendar' },
    conditions: [{ field: 'status', operator: 'equals', value: 'resolved', negate: false }],
    actions: [{ type: 'set_status', value: 'closed' }],
  });
});

test('days become hours of working time, and two who change the time at once see both', async () => {
  const { id } = await made({ name: 'Shared', minutes: 2880 });
  await visitor.open(`${desk.url}/settings/timed-rules/${id}`);
  await choose(visitor, t.timedTime, 'working');
  await visitor.see(t.unsavedChanges);
  await visitor.see(`helpdesk rule update-timed-rule ${id} '{"time":"working"}' --site web-shop`);
  await desk.api('PATCH', `/sites/${desk.site.id}/timed-rules/${id}`, { minutes: 90 });
  await visitor.page.reload();
  const both = await bothValues(visitor);
  expect(both).toContain(t.theirValue(t.timedAmount, '90 minutes', t.timedOfWorking('48 hours')));
  await visitor.press('button', t.save);
  await visitor.see(t.siteSaved('Shared'));
  expect((await rules()).find((one: { id: number }) => one.id === id)).toMatchObject({
    minutes: 2880,
    time: 'working',
  });
  await takeBack(visitor, t.siteSaved('Shared'));
  await visitor.see(t.changesTakenBack);
});

test('a timed rule that is removed comes back, and shows the tickets that it found', async () => {
  const { id } = await made({ name: 'Late' });
  await desk.openTicket('Still waiting', 'Hello?');
  hasActed(desk, 'timed_rule', id);
  await visitor.open(`${desk.url}/settings/timed-rules/${id}`);
  await visitor.find('link', '#1 Still waiting');
  await visitor.see(t.ruleMatchesOf('1', '1'));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.remove);
  await visitor.see(t.ruleRemoved('Late'));
  await takeBack(visitor, t.ruleRemoved('Late'));
  await visitor.see(t.changesTakenBack);
  await visitor.find('link', 'Late');
});

test('timed rules are found by another word for them', async () => {
  const screen = { name: t.timedRules, lead: t.timedRulesLead, path: '/settings/timed-rules' };
  await findScreen(visitor, screen, ['reminder', 'escalation']);
});
