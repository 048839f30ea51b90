// SLA targets are tried out before they are saved, and open tickets move only after a look. Working hours: the week is drawn and changed by keys and by drag, holidays are kept with their names, and the desk's refusal stands beside its day.

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

const policy = async () => (await desk.command('site', 'show', 'demo-shop')).data.sla_policy;
const monday = 'Monday';

async function focus(role: string, name: string): Promise<void> {
  await (await visitor.find(role, name)).focus();
}

test('a week is drawn by keys, saved, and taken back', async () => {
  await visitor.open(`${desk.url}/settings/working-hours`);
  expect((await policy()).business_hours).toBeNull();
  await focus('checkbox', t.alwaysOpen);
  await keys(visitor, 'Space');
  await focus('button', t.shiftOf(monday, '09:00 – 17:00'));
  await keys(visitor, 'ArrowRight', 'ArrowRight');
  await focus('button', t.shiftOf(monday, '09:30 – 17:30'));
  await visitor.page.keyboard.down('Shift');
  await keys(visitor, 'ArrowLeft');
  await visitor.page.keyboard.up('Shift');
  await visitor.find('button', t.shiftOf(monday, '09:30 – 17:15'));
  const said = await visitor.page.$$eval('[role=status]', (all) => all.map((one) => one.textContent));
  expect(said).toContain(t.shiftOf(monday, '09:30 – 17:15'));
  await visitor.see('mon 09:30-17:15; tue-fri 09:00-17:00');
  await visitor.see(t.weekSum('39.8'));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.save);
  await visitor.see(t.workingHoursSaved);
  expect((await policy()).business_hours.weekly.mon).toEqual([['09:30', '17:15']]);
  await visitor.press('button', t.undo);
  await waitUntil('it is taken back', async () => (await policy()).business_hours === null);
  await visitor.see(t.changesTakenBack);
});

test('hours are drawn with the pointer, and Delete removes them', async () => {
  await desk.command('site', 'update', 'demo-shop', '--timezone', 'UTC', '--business-hours', 'mon 09:00-12:00');
  await visitor.open(`${desk.url}/settings/working-hours`);
  const shift = await visitor.find('button', t.shiftOf(monday, '09:00 – 12:00'));
  const box = (await shift.boundingBox())!;
  const track = (await (await visitor.page.$('.week-track'))?.boundingBox())!;
  const x = (hour: number) => track.x + (track.width * hour) / 24;
  const y = box.y + box.height / 2;
  const { mouse } = visitor.page;
  // It is moved by an hour, then made longer at its end, then another one is drawn in the free evening.
  for (const [from, to] of [
    [10.5, 11.5],
    [12.95, 14],
    [18.1, 20],
  ] as const) {
    await mouse.move(x(from), y);
    await mouse.down();
    await mouse.move(x(to), y, { steps: 4 });
    await mouse.up();
  }
  await visitor.find('button', t.shiftOf(monday, '10:00 – 14:00'));
  const [evening = ''] = await visitor.page.$$eval('.week-shift', (all) =>
    all.slice(1).map((one) => one.getAttribute('aria-label') ?? ''),
  );
  expect(evening).toMatch(/, 18:00 – 2[01]:\d\d$/);
  await focus('button', evening);
  await keys(visitor, 'Delete');
  await visitor.see(t.unsavedChanges);
  await visitor.press('button', t.save);
  await visitor.see(t.workingHoursSaved);
  expect((await policy()).business_hours.weekly).toEqual({ mon: [['10:00', '14:00']] });
});

test('holidays have names, and a refusal stands beside what it is about', async () => {
  await desk.command(
    'site',
    'update',
    'demo-shop',
    '--timezone',
    'Europe/Amsterdam',
    '--business-hours',
    'mon 09:00-12:00',
  );
  await visitor.open(`${desk.url}/settings/working-hours`);
  const setDate = async (name: string, date: string) => {
    const field = await visitor.page.waitForSelector(`input[name=${name}]`);
    await field?.evaluate((input, value) => {
      (input as HTMLInputElement).value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }, date);
  };
  await setDate('holiday-first', '2026-12-24');
  await setDate('holiday-last', '2026-12-26');
  await visitor.fill(t.holidayName, 'Christmas');
  await keys(visitor, 'Enter');
  await visitor.see('--holidays 2026-12-24,2026-12-25,2026-12-26');
  await visitor.page.$eval('#holiday-file', (input) => {
    const day = 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20261226\nSUMMARY:Boxing Day\nEND:VEVENT\n';
    const files = new DataTransfer();
    files.items.add(new File([`BEGIN:VCALENDAR\n${day}END:VCALENDAR\n`], 'days.ics'));
    (input as HTMLInputElement).files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await visitor.see('Boxing Day');
  await visitor.press('button', t.enterTimes);
  // The preview asks the desk too.
  visitor.expectStatus(422);
  const overnight = await visitor.page.waitForSelector('.shift-times input:nth-of-type(2)');
  await overnight?.evaluate((input) => {
    (input as HTMLInputElement).value = '09:00';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.save);
  await visitor.see(t.hoursEndRefused);
  await overnight?.evaluate((input) => {
    (input as HTMLInputElement).value = '17:00';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await visitor.press('button', t.save);
  await visitor.see(t.workingHoursSaved);
  const saved = await policy();
  expect(saved.holiday_names).toEqual({
    '2026-12-24': 'Christmas',
    '2026-12-25': 'Christmas',
    '2026-12-26': 'Boxing Day',
  });
  expect(saved.business_hours.weekly).toEqual({ mon: [['09:00', '17:00']] });
  await visitor.see(t.lastChangeBy(owner.name, 'now').slice(0, -5));
});

test('targets are tried out, saved and taken back, and open tickets are moved after a look', async () => {
  await desk.command('site', 'update', 'demo-shop', '--business-hours', 'always');
  await desk.command(
    'ticket',
    'open',
    '--site',
    'demo-shop',
    '--subject',
    'A broken bell',
    '--body',
    'It does not ring.',
    '--email',
    'mia@example.org',
    '--notify',
    'no',
  );
  await desk.command(
    'site',
    'update',
    'demo-shop',
    '--timezone',
    'Europe/Amsterdam',
    '--business-hours',
    'mon-fri 09:00-17:00',
  );
  await visitor.open(`${desk.url}/settings/sla`);
  await visitor.fill(t.targetOf('Normal', t.targetFirst), '30m');
  const opened = await visitor.page.waitForSelector('#preview-opened');
  await opened?.evaluate((input) => {
    (input as HTMLInputElement).value = '2026-11-20T16:40';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await visitor.see(t.previewDue('Normal', 'Fri 20 Nov, 16:40', 'Mon 23 Nov, 09:10'));
  await visitor.see(t.previewClosed);
  await visitor.see('--first-response 30');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.save);
  await visitor.see(t.slaTargetsSaved);
  const normal = async () =>
    (await desk.command('priority', 'list', '--site', 'demo-shop')).data.find(
      ({ slug }: { slug: string }) => slug === 'normal',
    ).first_response_minutes;
  expect(await normal()).toBe(30);

  await visitor.press('button', t.checkTickets);
  await visitor.see(t.ticketsWouldMove('1'));
  await visitor.see(t.movingIsFinal);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.moveTickets);
  await visitor.see(t.ticketsMoved('1'));
  await visitor.press('button', t.checkTickets);
  await visitor.see(t.nothingMoves);

  await visitor.press('button', t.undo);
  await waitUntil('it is taken back', normal, (minutes) => minutes !== 30);
  await visitor.fill(t.targetOf('Normal', t.targetFirst), 'soon');
  await visitor.press('button', t.save);
  await visitor.see(t.targetRefused);
});
