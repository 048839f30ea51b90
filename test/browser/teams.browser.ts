// Teams: made in the settings, given a ticket by keys, found in the list; and an agent who is away.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { ana, keys, openTicketPage, textOf } from './journey.ts';
import { signInAs } from './owner.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let desk: TicketDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startTicketDesk();
    await desk.command('agent', 'add', '--email', ana.email, '--name', ana.name);
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk);
  },
});

const teams = async () => (await desk.api('GET', '/teams')).data as { id: number; name: string; members: number[] }[];

test('a team is made, gets a ticket by keys, and is found; who is away says so', async () => {
  await visitor.open(`${desk.url}/settings/teams`);
  await visitor.see(t.noTeams);
  await visitor.press('link', t.newTeam);
  await visitor.fill(t.name, 'Second level');
  await visitor.press('combobox', t.members);
  await visitor.press('option', `${ana.name} ${ana.email}`);
  await keys(visitor, 'Escape');
  await visitor.press('spinbutton', t.waitMinutes);
  await visitor.page.keyboard.type('30');
  await visitor.see('helpdesk team create --name');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.addTeam);
  await visitor.see(t.personSaved('Second level'));
  const [team] = await teams();
  expect(team).toMatchObject({ name: 'Second level', members: [expect.any(Number)] });
  expect(await violations(visitor)).toEqual([]);

  const { ulid } = await desk.openTicket('The router blinks', 'Red, then green.');
  await desk.openTicket('Not for them', 'Please.');
  await openTicketPage(visitor, desk, ulid);
  await visitor.find('combobox', t.team);
  await keys(visitor, 'Shift+A');
  await visitor.press('option', 'Second level');
  await waitUntil(
    'the team has it',
    async () => (await desk.api('GET', `/tickets/${ulid}`)).data.team?.id === team?.id,
  );
  await waitUntil('the history says so', async () =>
    (await textOf(visitor, 'main')).replace(/[\u2068\u2069]/g, '').includes('to the team Second level'),
  );
  expect(await violations(visitor)).toEqual([]);

  await visitor.open(`${desk.url}/inbox/all?team_id=${team?.id}`);
  await visitor.see('The router blinks');
  await waitUntil('only that one is listed', async () => !(await textOf(visitor, 'main')).includes('Not for them'));

  const menu = () => visitor.page.$eval('.agent-menu', (button) => button.getAttribute('aria-label') ?? '');
  await visitor.press('button', await menu());
  await visitor.press('menuitem', t.awayForAnHour);
  await visitor.see(t.youAreAway);
  const own = async () => (await desk.api('GET', `/sites/${desk.site.id}/agents`)).data[0];
  expect(await own()).toMatchObject({ is_available: false, away_until: expect.any(String) });
  await waitUntil('the menu says so', menu, (label) => label.includes(t.awayUntil('').trim()));
  await visitor.press('button', await menu());
  await visitor.press('menuitem', t.iAmBack);
  await visitor.see(t.youAreBack);
  expect(await own()).toMatchObject({ is_available: true, away_until: null });

  await visitor.open(`${desk.url}/profile#availability`);
  await visitor.press('checkbox', t.isThere);
  await visitor.fill(t.awayNote, 'On holiday');
  expect(await violations(visitor)).toEqual([]);
  await (await visitor.page.waitForSelector('#availability button[type=submit]'))?.click();
  await waitUntil('the note is kept', async () => (await own()).away_note === 'On holiday');
});
