// Reports of a few tickets whose numbers were worked out by hand: as figures, charts and tables, each opening its tickets, by pointer and by keys.

import { expect, test } from 'bun:test';
import { plusDays } from '../../src/web/console/reports/dates.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { keys } from './journey.ts';
import { signInAs } from './owner.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let desk: TicketDesk;
let visitor: Visitor;
const ulids: Record<string, string> = {};
/** Of the tickets. */
let day: string;

/** Four tickets of today: two resolved with one reply, one answered, one with a tag and no reply. All targets are met. */
visitForEachTest({
  async open() {
    desk = await startTicketDesk();
    for (const subject of ['A flat tyre', 'A loose chain', 'A broken bell', 'A bent wheel'])
      ulids[subject] = (await desk.openTicket(subject, 'Please help.')).ulid;
    day = (await desk.api('GET', `/tickets/${ulids['A flat tyre']}`)).data.created_at.slice(0, 10);
    const say = (subject: string, body: object) => desk.api('POST', `/tickets/${ulids[subject]}/messages`, body);
    await say('A flat tyre', { body: 'Pump it up.', status: 'resolved' });
    await say('A broken bell', { body: 'Turn the screw.', status: 'resolved' });
    await say('A loose chain', { body: 'Which bicycle?' });
    await desk.api('PATCH', `/tickets/${ulids['A bent wheel']}`, { tags: ['wheels'] });
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk);
    await visitor.see(t.emptyMine);
  },
});

/** What the figures of the panels say. */
const figures = () =>
  visitor.page.$$eval('.figure', (all) =>
    all.map((one) => `${one.querySelector('h2')?.textContent}: ${one.querySelector('.figure-value a')?.textContent}`),
  );
const listed = () =>
  visitor.page.$$eval('.behind .ticket-subject > bdi', (all) => all.map((one) => one.textContent ?? '').sort());
const seeTickets = (...subjects: string[]) =>
  waitUntil(
    `${subjects.join(', ')} are listed`,
    listed,
    (found) => JSON.stringify(found) === JSON.stringify(subjects.toSorted()),
  );
const focused = () => visitor.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

test('numbers are those worked out by hand, and each opens its tickets', async () => {
  await keys(visitor, 'g', 'r');
  await visitor.at('/reports');
  await visitor.find('heading', t.reportOverview);
  await waitUntil('the numbers are there', figures, (found) => found.length === 7);
  expect(
    (await figures()).filter((one) => !one.startsWith(t.metricResolution) && !one.startsWith(t.dueFirstResponse)),
  ).toEqual([
    `${t.metricCreated}: 4`,
    `${t.metricResolved}: 2`,
    `${t.metricBacklog}: 2`,
    `${t.metricResolutionInTarget}: 100%`,
  ]);
  await visitor.press('link', `${t.metricBacklog}: 2`);
  await seeTickets('A bent wheel', 'A loose chain');
  await visitor.see('2 tickets');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.close);
  await waitUntil('the list is closed', async () => !visitor.page.url().includes('metric='));
  await visitor.press('button', t.asTableOf(t.metricBacklog));
  const table = await visitor.find('region', t.asTableOf(t.metricBacklog));
  expect(await table.$eval('tfoot', (foot) => foot.textContent)).toBe(`${t.reportTotal}2`);
  expect(await violations(visitor)).toEqual([]);

  await visitor.open(`${desk.url}/reports/resolution?time=calendar`);
  await waitUntil('the numbers are there', figures, (found) => found.includes(`${t.metricOneTouch}: 100%`));
  await visitor.open(`${desk.url}/reports/response`);
  await waitUntil('the numbers are there', figures, (found) => found.includes(`${t.metricReplies}: 3`));
  await visitor.press('link', `${t.metricReplies}: 3`);
  await seeTickets('A broken bell', 'A flat tyre', 'A loose chain');
  await visitor.page.$$eval('.behind .ticket-line', (all) => (all[0] as HTMLElement).click());
  await visitor.find('textbox', t.reply);
});

test('a chart is walked with keys, and Enter opens the tickets of a point', async () => {
  await visitor.open(`${desk.url}/reports/overview?from=${plusDays(day, -6)}&to=${day}`);
  const last = '.chart-points.first a:last-child';
  await visitor.page.waitForSelector(last);
  await visitor.page.$eval('.chart-points.first a', (point) => (point as unknown as HTMLElement).focus());
  expect(await focused()).toContain(`${t.metricCreated}, 0`);
  await keys(visitor, 'End');
  await waitUntil('the last point has the focus', focused, (name) => name.endsWith(`${t.metricCreated}, 4`));
  await keys(visitor, 'ArrowDown');
  await waitUntil('the other line has the focus', focused, (name) => name.endsWith(`${t.metricResolved}, 2`));
  expect(await visitor.page.$eval('.chart-tip', (tip) => (tip as HTMLElement).innerText)).toContain(t.metricCreated);
  await keys(visitor, 'Enter');
  await seeTickets('A broken bell', 'A flat tyre');
  await keys(visitor, 'Escape');
  await waitUntil('the point has the focus again', focused, (name) => name.endsWith(`${t.metricResolved}, 2`));
  // The pointer finds the nearest point.
  const box = await visitor.page.$eval('.chart-points.first a:last-child circle', (dot) => {
    const { x, y, width, height } = dot.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  await visitor.page.mouse.click(box.x - 3, box.y - 1);
  await seeTickets('A bent wheel', 'A broken bell', 'A flat tyre', 'A loose chain');
});

test('what is asked is in the address: groups, filters, comparison, hours and CSV', async () => {
  await visitor.open(`${desk.url}/reports/categories?group_by=tag`);
  const bars = () =>
    visitor.page.$$eval('.bar-row', (all) => all.map((one) => (one as HTMLElement).innerText.replaceAll(/\s+/g, ' ')));
  await waitUntil(
    'the bars are there',
    bars,
    (found) => found.includes('wheels 1') && found.includes(`${t.nothingChosen} 3`),
  );
  await visitor.press('button', t.compareBefore);
  await waitUntil('it is compared', async () => visitor.page.url().includes('compare=1'));
  await visitor.see(`${t.periodBefore}: 0`);
  await visitor.open(`${desk.url}/reports/load?tag=wheels`);
  await visitor.page.waitForSelector('.heat-cell.level-5');
  expect(await figures()).toEqual([`${t.metricCreated}: 1`]);
  await visitor.page.click('.heat-cell.level-5');
  await seeTickets('A bent wheel');
  await keys(visitor, 'Escape');
  await visitor.press('button', t.removeFilter(t.tags));
  await waitUntil('the filter is gone', figures, ([first]) => first === `${t.metricCreated}: 4`);
  const csv = await visitor.page.$eval('.report-head a', async (link) =>
    (await fetch((link as HTMLAnchorElement).href)).text(),
  );
  expect(csv).toContain('total,,4');
  await visitor.open(`${desk.url}/reports/overview?from=2020-01-01&to=2020-01-07`);
  await visitor.see(t.reportEmpty);
});

test('a desk that shows nothing of single agents has no screen of them', async () => {
  desk.sql("UPDATE desk_settings SET agent_reports = 'off'");
  await visitor.open(`${desk.url}/reports/agents`);
  await visitor.see(t.agentReportsOff);
  expect(await visitor.isThere('link', t.reportAgents)).toBe(false);
  visitor.expectStatus(403);
  await visitor.open(`${desk.url}/reports/sla?group_by=agent`);
  await visitor.see(t.agentReportsOff);
  desk.sql("UPDATE desk_settings SET agent_reports = 'own'");
  await visitor.open(`${desk.url}/reports/agents`);
  await visitor.see(t.agentReportsOwn);
  desk.sql("UPDATE desk_settings SET agent_reports = 'all'");
});
