// Saved reports by mail: each period once, with the numbers and the language of each reader, by their rights when it leaves.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { unsubscribe } from '../../src/desk/notifications/unsubscribe.ts';
import { addAgent, changeAgent } from '../../src/desk/people/agents.ts';
import { mailDueReports } from '../../src/desk/reports/mailed-reports.ts';
import { changeSavedReport, createSavedReport } from '../../src/desk/reports/saved-reports.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import type { SavedReportInput } from '../../src/domain/input/reports.ts';
import type { Locale } from '../../src/domain/people/preferences.ts';
import { mailedPeriod, nextMailAt, type ReportSchedule } from '../../src/domain/reports/schedule.ts';
import { mailAllReports } from '../../src/jobs/small-steps.ts';
import type { ComposedMail } from '../../src/mail/outgoing/compose.ts';
import { updateAgent } from '../../src/store/people/agents.ts';
import { fixedClock } from '../support/clock.ts';
import { type SendingDesk, sendingDesk, until } from './sending.ts';

const day = 86_400_000;
// A Wednesday.
const start = Date.UTC(2026, 8, 9, 12);
const clock = fixedClock(start);
let desk: SendingDesk;
let left: ComposedMail[] = [];
beforeEach(async () => {
  clock.set(start);
  left = [];
  desk = await sendingDesk({
    clock,
    transport: {
      atOnce: 1,
      send: async (mail) => {
        left.push(mail);
        return { ended: { kind: 'accepted' }, response: '250', error: null };
      },
      giveUp: () => undefined,
      close: () => undefined,
    },
  });
});
afterEach(() => desk.close());

const ctx = () => desk.desk.context({ kind: 'command_line' }, 'test');
const person = async (name: string, siteIds: number[] = [], locale: Locale | null = null) => {
  const input = { email: `${name}@desk.example`, name, role: 'member' as const, sites: siteIds };
  const { id } = await desk.desk.write((tx) => addAgent(tx, ctx(), input));
  await desk.desk.write((tx) => updateAgent(tx, id, { locale }) ?? null);
  return id;
};
const weekly = (...agentIds: number[]) => ({
  ...{ every: 'week' as const, weekday: 'mon' as const, at: '08:00', time_zone: 'Europe/Amsterdam' },
  agent_ids: agentIds,
});
const save = (input: Partial<SavedReportInput>) =>
  desk.desk.write((tx) => createSavedReport(tx, ctx(), { name: 'Weekly', report: 'overview', ...input }));
/** A minute later than Monday, 8 o'clock in Amsterdam, so many weeks from now. */
const toMonday = (weeks = 0) => clock.set(Date.UTC(2026, 8, 14, 6, 1) + weeks * 7 * day);
async function leave(): Promise<ComposedMail[]> {
  await mailAllReports(desk.desk);
  const before = left.length;
  await desk.dispatcher().runDue();
  // Outcomes are recorded together, a moment later; until then the clock must not pass the end of a claim.
  await until(() => desk.sent("status = 'queued'").length === 0);
  // Who writes gets an acknowledgement.
  return left.slice(before).filter(({ to }) => to[0]?.address.endsWith('@desk.example'));
}
const subjectsTo = (mails: ComposedMail[]) =>
  mails.map(({ to, subject }) => `${to[0]?.address}: ${subject.replaceAll(/\s/gu, ' ')}`);

describe('a scheduled report', () => {
  test('goes to each reader once a week, with their numbers, as text and as a table', async () => {
    const [{ site: other }] = [await desk.desk.write((tx) => createSite(tx, ctx(), { name: 'Other shop' }))];
    const [ana, bo] = [await person('ana'), await person('bo', [other.id], 'de')];
    await desk.open();
    await desk.open('Another', 'bob@example.org', 'Bob');
    await save({ schedule: weekly(ana, bo), query: { from: '2020-01-01', to: '2020-01-31', category_id: [] } });
    expect(await leave()).toEqual([]);
    toMonday();
    const [first, second, ...rest] = (await leave()).sort((one, two) =>
      one.to[0]!.address < two.to[0]!.address ? -1 : 1,
    );
    expect(rest).toEqual([]);
    expect(subjectsTo([first!, second!])).toEqual([
      'ana@desk.example: Weekly: 7 – 13 September 2026 (Helpdesk)',
      'bo@desk.example: Weekly: 7.–13. September 2026 (Helpdesk)',
    ]);
    expect(first?.text).toMatch(/^Created +2 +0$/m);
    expect(second?.text).toMatch(/^Erstellt +0 +0$/m);
    expect(first?.html).toContain('<th scope="row" dir="auto"');
    expect(first?.text).toContain('https://desk.example/reports/overview?from=2026-09-07&to=2026-09-13');
    expect(first?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(`${first?.text}${first?.html}`).not.toMatch(/mia@|bob@|Another/);
    expect(await leave()).toEqual([]);
    toMonday(1);
    expect(
      subjectsTo(await leave())
        .map((text) => text.split(':')[0])
        .sort(),
    ).toEqual(['ana@desk.example', 'bo@desk.example']);
  });

  test('is queued and moved on in one step, and after a long stop tells the newest period alone', async () => {
    const ana = await person('ana');
    await save({ schedule: weekly(ana) });
    toMonday(5);
    const crash = desk.desk.write((tx) => {
      mailDueReports(tx, ctx());
      throw new Error('power cut');
    });
    await expect(crash).rejects.toThrow('power cut');
    expect(desk.sent("event = 'mail.report'")).toEqual([]);
    // Two machines, or a restart at the same moment.
    await Promise.all([mailAllReports(desk.desk), mailAllReports(desk.desk)]);
    expect(desk.sent("event = 'mail.report'")).toHaveLength(1);
    expect((await leave())[0]?.subject).toMatch(/12\s–\s18 October 2026/);
  });

  test('leaves only to who may still read it', async () => {
    const [ana, bo, cy] = [await person('ana'), await person('bo'), await person('cy')];
    const report = await save({ schedule: weekly(ana, bo, cy), query: { site_id: 'web-shop' } });
    toMonday();
    await mailAllReports(desk.desk);
    const { site: other } = await desk.desk.write((tx) => createSite(tx, ctx(), { name: 'Other shop' }));
    await desk.desk.write((tx) => changeAgent(tx, ctx(), ana, { is_active: false }, null) && null);
    await desk.desk.write((tx) => changeAgent(tx, ctx(), bo, { sites: [other.id] }, null) && null);
    expect(subjectsTo(await leave()).map((text) => text.split('@')[0])).toEqual(['cy']);
    expect(desk.sent("event = 'mail.report' AND status = 'failed'").map(({ last_error: error }) => error)).toEqual(
      Array(2).fill('The report of this delivery no longer exists.'),
    );
    toMonday(1);
    await mailAllReports(desk.desk);
    await desk.desk.write((tx) => changeSavedReport(tx, ctx(), report.id, { schedule: null }) && null);
    expect(await leave()).toEqual([]);
  });

  test('says nothing of single agents on a desk that shows nothing of them', async () => {
    const ana = await person('ana');
    await save({ report: 'agents', schedule: weekly(ana) });
    await desk.desk.write((tx) => {
      tx.client.run("UPDATE desk_settings SET agent_reports = 'off'");
      return null;
    });
    toMonday();
    expect(await leave()).toEqual([]);
  });

  test('ends for one reader by the link in the mail, and with the last of them', async () => {
    const [ana, bo] = [await person('ana'), await person('bo')];
    await save({ schedule: weekly(ana, bo) });
    const stop = async (mail: ComposedMail | undefined) => {
      const token = mail?.headers['List-Unsubscribe']?.match(/unsubscribe\/([^>]+)>/)?.[1] ?? '';
      expect(token).not.toBe('');
      await desk.desk.write((tx) => {
        unsubscribe(tx, ctx(), token);
        return null;
      });
    };
    toMonday();
    await stop((await leave()).find(({ to }) => to[0]?.address.startsWith('ana')));
    toMonday(1);
    const next = await leave();
    expect(subjectsTo(next).map((text) => text.split('@')[0])).toEqual(['bo']);
    await stop(next[0]);
    toMonday(2);
    expect(await leave()).toEqual([]);
  });
});

describe('the time of a mail', () => {
  const monthly: ReportSchedule = {
    every: 'month',
    weekday: 'mon',
    day: 1,
    at: '02:30',
    time_zone: 'Europe/Amsterdam',
  };
  const at = (text: string) => Date.parse(text);

  test('is by the clock on the wall, also when it changes', () => {
    expect(nextMailAt(monthly, at('2026-10-01T00:29:59Z'))).toBe(at('2026-10-01T00:30:00Z'));
    expect(nextMailAt(monthly, at('2026-10-01T00:30:00Z'))).toBe(at('2026-11-01T01:30:00Z'));
    const sundays = { ...monthly, every: 'week' as const, weekday: 'sun' as const };
    // 02:30 does not exist on that night in March, and exists twice on one in October.
    expect(nextMailAt(sundays, at('2026-03-28T12:00:00Z'))).toBe(at('2026-03-29T01:30:00Z'));
    expect(nextMailAt(sundays, at('2026-10-24T12:00:00Z'))).toBe(at('2026-10-25T00:30:00Z'));
    expect(nextMailAt(sundays, at('2026-10-25T00:30:00Z'))).toBe(at('2026-11-01T01:30:00Z'));
  });

  test('tells the week or the month before it', () => {
    expect(mailedPeriod(monthly, at('2026-03-01T01:30:00Z'))).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    const weekly = { ...monthly, every: 'week' as const, weekday: 'mon' as const };
    expect(mailedPeriod(weekly, at('2026-09-14T00:30:00Z'))).toEqual({ from: '2026-09-07', to: '2026-09-13' });
  });
});
