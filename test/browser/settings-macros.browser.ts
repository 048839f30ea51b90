// The settings of macros: written with placeholders, changed beside someone else, and removed.

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
const kim = 'kim@agents.example';
visitForEachTest({
  async open() {
    desk = await startShop();
    await desk.command('agent', 'add', '--email', kim, '--name', 'Kim');
    return desk;
  },
  async come(each) {
    visitor = each;
  },
});

interface Shown {
  id: number;
  name: string;
  body: string;
  changes: Record<string, unknown>;
  position: number;
}
const macros = async (): Promise<Shown[]> => (await desk.command('macro', 'list')).data;

test('a macro is written, changed beside someone else, and removed', async () => {
  await signInAs(visitor, desk, owner.email);
  await visitor.open(`${desk.url}/settings/macros`);
  await visitor.see(t.noMacros);
  await visitor.press('link', t.addMacro);
  await visitor.focusOn('name', 'name');
  await visitor.page.keyboard.type('Which order');
  await keys(visitor, 'Enter');
  await visitor.see(t.macroEmpty);
  await visitor.fill(t.macroText, 'Hello {{author.nick}}');
  await keys(visitor, 'Tab');
  await visitor.press('button', t.addSender);
  await visitor.see(t.macroUnknown('{{author.nick}}'));
  await visitor.fill(t.macroText, 'Hello ');
  await visitor.press('button', t.insertPlaceholder('{{author.name}}'));
  await visitor.page.select('select[name=status]', 'resolved');
  await visitor.page.select('select[name=assigned_to]', 'me');
  await (await visitor.find('spinbutton', t.macroSnooze)).focus();
  await visitor.page.keyboard.type('24');
  await visitor.fill(t.macroAddTags, 'Waiting');
  await visitor.press('button', t.addSender);
  await visitor.see(t.macroTagsRefused);
  await visitor.see(t.macroSnoozeStatus(t.statusPending));
  await visitor.fill(t.macroAddTags, 'waiting order');
  await visitor.page.select('select[name=status]', 'pending');
  for (const done of [t.macroDoesText, t.macroDoesAddTags('waiting, order'), t.macroDoesSnooze('24')])
    await visitor.see(done);
  await visitor.see(
    "helpdesk macro create --name 'Which order' --body 'Hello {{author.name}}' --status pending --assign me --add-tags waiting,order --snooze-hours 24 --site demo-shop",
  );
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.addSender);
  await visitor.at('/settings/macros');
  const [made] = await macros();
  const changes = { status: 'pending', assigned_to: 'me', add_tags: ['waiting', 'order'], snooze_hours: 24 };
  expect(made).toMatchObject({ name: 'Which order', body: 'Hello {{author.name}}', changes });

  await visitor.press('link', 'Which order');
  await visitor.see(t.macroPlaceHint);
  await visitor.page.select('select[name=status]', '');
  await visitor.see(`helpdesk macro update ${made?.id} --assign me --add-tags waiting,order --snooze-hours 24`);
  await desk.command('macro', 'update', `${made?.id}`, '--name', 'Which one', '--status', 'open');
  // Their name is taken over; the status, which both have changed, is asked for in words.
  await visitor.see(t.theirValue(t.macroStatus, t.statusOpen, t.macroLeaves));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.save);
  await visitor.see(t.siteSaved('Which one'));
  expect((await macros())[0]).toMatchObject({ name: 'Which one', changes: {} });
  await keys(visitor, 'Control+z');
  await visitor.see(t.changesTakenBack);
  expect((await macros())[0]?.changes).toEqual({ status: 'open' });

  await visitor.press('button', t.remove);
  await visitor.see(t.macroRemoveSharedText);
  expect(await violations(visitor)).toEqual([]);
  await (await visitor.find('button', t.cancel)).focus();
  await keys(visitor, 'Tab', 'Enter');
  await visitor.see(t.catalogueRemoved('Which one'));
  expect(await macros()).toEqual([]);
});

test('a macro of a colleague is found among many, and read by an agent who cannot change it', async () => {
  await signInAs(visitor, desk, owner.email);
  // Of this agent: one that the command line makes belongs to the whole team.
  await visitor.page.evaluate(async () => {
    for (let n = 1; n <= 16; n += 1)
      await fetch('/api/v1/macros', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: `Answer ${n}`, body: `Text ${n}`, is_shared: true }),
      });
  });
  await signInAs(visitor, desk, kim);
  await visitor.open(`${desk.url}/settings/macros`);
  await visitor.see('Answer 16');
  await visitor.fill(t.findSender, 'text 12');
  await waitUntil('only one is shown', async () => (await visitor.page.$$('.sortable > li')).length === 1);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', 'Answer 12');
  await visitor.see(t.macroReadOnly);
  expect(await visitor.isThere('button', t.remove)).toBe(false);
});
