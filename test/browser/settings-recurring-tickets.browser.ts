// The recurring tickets of a site: put together by keys, refused at their field, changed by two at once, removed and brought back, and seen at work.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { keys } from './journey.ts';
import { owner, signInAs } from './owner.ts';
import { bothValues, choose, findScreen, hasActed, takeBack, type } from './rule-builder.ts';
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

const recurring = async () => (await desk.api('GET', `/sites/${desk.site.id}/recurring-tickets`)).data;
const ticket = { email: 'ops@example.org', subject: 'Check the backups', message: 'Restore one.' };
const made = async (rule: object) =>
  (
    await desk.api('POST', `/sites/${desk.site.id}/recurring-tickets`, {
      ...{ name: 'Backups', schedule: '0 9 * * 1', ticket },
      ...rule,
    })
  ).data;

test('a recurring ticket is put together by keys, and what is missing or refused is said beside it', async () => {
  await visitor.open(`${desk.url}/settings/recurring-tickets`);
  await visitor.see(t.noRecurringTickets);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', t.addRecurringTicket);
  await visitor.focusOn('name', 'name');
  await visitor.page.keyboard.type('Backups');
  await choose(visitor, t.recurringPace, 'month');
  await choose(visitor, t.recurringDay, '15');
  await visitor.press('button', t.addSender);
  await visitor.see(t.required);
  await visitor.focusOn('name', 'email');
  await visitor.page.keyboard.type('ops@example.org');
  await type(visitor, t.rulePartSubject, 'Check the backups');
  await type(visitor, t.rulePartText, 'Restore one, and look at it.');
  await choose(visitor, t.recurringAssignee, String(desk.site.owner.id));
  await type(visitor, t.rulePartTags, 'monthly');
  expect(await violations(visitor)).toEqual([]);
  await visitor.see('helpdesk rule add-recurring-ticket');
  // A schedule that no time fits is the desk's to refuse.
  await choose(visitor, t.recurringPace, 'own');
  await (await visitor.find('textbox', t.recurringCron)).focus();
  await keys(visitor, 'Control+a');
  await visitor.page.keyboard.type('0 9 31 2 *');
  visitor.expectStatus(422);
  await visitor.press('button', t.addSender);
  await visitor.focusOn('aria-label', t.recurringCron);
  expect(await violations(visitor)).toEqual([]);
  await keys(visitor, 'Control+a');
  await visitor.page.keyboard.type('0 9 15 * *');
  await keys(visitor, 'Enter');
  await visitor.at('/settings/recurring-tickets');
  await visitor.find('link', 'Backups');
  expect((await recurring())[0]).toMatchObject({
    ...{ name: 'Backups', schedule: '0 9 15 * *' },
    ticket: {
      ...{ email: 'ops@example.org', subject: 'Check the backups', message: 'Restore one, and look at it.' },
      ...{ notify_author: false, assigned_to: desk.site.owner.id, tags: ['monthly'] },
    },
  });
  const row = await visitor.page.$eval('.sortable > li', (one) => (one as HTMLElement).innerText);
  expect(row).toContain(t.recurringNext(''));
});

test('two who change a recurring ticket at once see both, and what the form does not show stays', async () => {
  const { id } = await made({ name: 'Shared', ticket: { ...ticket, status: 'pending' } });
  await visitor.open(`${desk.url}/settings/recurring-tickets/${id}`);
  await choose(visitor, t.recurringWeekday, '5');
  await visitor.see(t.unsavedChanges);
  await visitor.see(`helpdesk rule update-recurring-ticket ${id} '{"schedule":"0 9 * * 5"}' --site web-shop`);
  await desk.api('PATCH', `/sites/${desk.site.id}/recurring-tickets/${id}`, { schedule: '0 9 * * 2' });
  await visitor.page.reload();
  const both = await bothValues(visitor);
  expect(both).toContain('Tuesday');
  expect(both).toContain('Friday');
  await visitor.press('button', t.save);
  await visitor.see(t.siteSaved('Shared'));
  expect((await recurring()).find((one: { id: number }) => one.id === id)).toMatchObject({
    ...{ schedule: '0 9 * * 5', ticket: { ...ticket, status: 'pending' } },
  });
  await takeBack(visitor, t.siteSaved('Shared'));
  await visitor.see(t.changesTakenBack);
});

test('a recurring ticket shows what it opened, is switched off, removed and brought back', async () => {
  const { id } = await made({ name: 'Weekly' });
  await desk.openTicket('Check the backups', 'Restore one.');
  hasActed(desk, 'recurring_ticket', id);
  await visitor.open(`${desk.url}/settings/recurring-tickets/${id}`);
  await visitor.find('link', '#1 Check the backups');
  await visitor.see(t.recurringOpened('1'));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.ruleTurnOff);
  await visitor.see(t.ruleOff('Weekly'));
  await visitor.press('button', t.remove);
  await visitor.see(t.ruleRemoved('Weekly'));
  await takeBack(visitor, t.ruleRemoved('Weekly'));
  await visitor.see(t.changesTakenBack);
  await visitor.find('link', 'Weekly');
  expect((await recurring()).at(-1)).toMatchObject({ name: 'Weekly', is_active: false, next_at: null, ticket });
});

test('recurring tickets are found by another word for them', async () => {
  const screen = { name: t.recurringTickets, lead: t.recurringTicketsLead, path: '/settings/recurring-tickets' };
  await findScreen(visitor, screen, ['checklist', 'cron']);
});
