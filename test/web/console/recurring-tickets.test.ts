// Recurring tickets in the settings: nothing is lost between the wire and the form, and schedules that people choose are cron.

import { describe, expect, test } from 'bun:test';
import { recurringTicketInput } from '../../../src/domain/input/automation.ts';
import { nextRun } from '../../../src/domain/rules/recurring.ts';
import {
  bodyOf,
  emptyRecurring,
  problemsIn,
  type Recurring,
  valuesOf,
} from '../../../src/web/console/settings/rules/recurring-ticket.ts';
import { cronOf, type Schedule, scheduleOf } from '../../../src/web/console/settings/rules/schedule.ts';

const least = { email: 'ops@example.org', subject: 'Check', message: 'The backups.' };

const recurring = (part: Partial<Recurring>): Recurring => ({
  ...{ id: 1, name: 'Backups', position: 1, is_active: true, schedule: '0 9 * * 1', ticket: least },
  ...{ next_at: null, broken: null, runs: { ran: 0, matched: 0, changed: 0, skipped: 0 } },
  ...part,
});

const tickets: Recurring['ticket'][] = [
  least,
  { ...least, notify_author: true },
  { ...least, notify_author: false, name: 'Ops', tags: ['weekly', 'backups'] },
  { ...least, category_id: 3, priority_id: 4, assigned_to: 6, team_id: 8 },
  // What the form does not show.
  { ...least, custom_fields: { order: '4711' }, cc: [{ email: 'mia@example.org' }], status: 'pending', from: 5 },
];

describe('a recurring ticket in the settings', () => {
  test.each(tickets)('keeps $#', (ticket) => {
    const values = valuesOf(recurring({ ticket }));
    const body = bodyOf(values);
    expect(body).toEqual({ name: 'Backups', schedule: '0 9 * * 1', ticket });
    expect(problemsIn(values)).toEqual({});
    expect(recurringTicketInput.safeParse(body).success).toBe(true);
  });

  test('says what a new one lacks where the desk would', () => {
    const own = Object.keys(problemsIn(emptyRecurring));
    const { error } = recurringTicketInput.safeParse(bodyOf(emptyRecurring));
    const theirs = error?.issues.map(({ path }) => path.join('.')) ?? [];
    expect(own).toEqual(['name', 'ticket.email', 'ticket.subject', 'ticket.message']);
    expect(new Set(own)).toEqual(new Set(theirs));
    expect(Object.keys(problemsIn({ ...valuesOf(recurring({})), tags: 'Not A Tag' }))).toEqual(['ticket.tags']);
  });
});

const schedules: [cron: string, Partial<Schedule>, next: string][] = [
  ['0 9 * * *', { pace: 'day', time: '09:00' }, '2026-11-29T09:00:00.000Z'],
  ['30 17 * * 1-5', { pace: 'weekdays', time: '17:30' }, '2026-11-30T17:30:00.000Z'],
  ['5 0 * * 0', { pace: 'week', weekday: 0, time: '00:05' }, '2026-11-29T00:05:00.000Z'],
  ['0 9 * * 3', { pace: 'week', weekday: 3, time: '09:00' }, '2026-12-02T09:00:00.000Z'],
  ['0 8 15 * *', { pace: 'month', dayOfMonth: 15, time: '08:00' }, '2026-12-15T08:00:00.000Z'],
];

test.each(schedules)('%s is a schedule that people choose', (cron, chosen, next) => {
  const schedule = scheduleOf(cron);
  expect(schedule).toMatchObject(chosen);
  expect(cronOf(schedule)).toBe(cron);
  const after = Date.parse('2026-11-29T00:00:00Z');
  expect(new Date(nextRun(cron, 'UTC', after) ?? 0).toISOString()).toBe(next);
});

test.each(['*/5 * * * *', '0 9 1 * 1', '0 9 * 1 *', '60 9 * * *', '0 24 * * *', '0 9 32 * *', '0 9 * * mon', ''])(
  '%p is shown as it is',
  (cron) => {
    expect(scheduleOf(cron).pace).toBe('own');
  },
);
