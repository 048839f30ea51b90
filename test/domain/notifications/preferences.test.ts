// Where an agent hears: what the desk fixes, quiet hours by the clock on the wall, and the time of a digest.

import { expect, test } from 'bun:test';
import { isOn, mayRing, nextDigest, preferencesOf } from '../../../src/domain/notifications/preferences.ts';

const berlin = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);

test('an agent’s choice wins over the desk’s, unless the desk has fixed it', () => {
  const own = {
    switches: { 'mail.assigned': true, 'push.assigned': false },
    mail_after_minutes: 9,
    mail_mode: 'digest',
  } as const;
  const defaults = { switches: { 'mail.assigned': false }, mail_after_minutes: 5, mail_mode: 'at_once' } as const;
  const free = preferencesOf(own, { defaults });
  expect([isOn(free, 'mail', 'assigned'), isOn(free, 'push', 'assigned'), isOn(free, 'inbox', 'assigned')]).toEqual([
    true,
    false,
    true,
  ]);
  expect([free.mail_after_minutes, free.mail_mode]).toEqual([9, 'digest']);
  const held = preferencesOf(own, { defaults, fixed: ['mail.assigned', 'mail_mode'] });
  expect([isOn(held, 'mail', 'assigned'), held.mail_after_minutes, held.mail_mode]).toEqual([false, 9, 'at_once']);
});

const quietAt = (text: string, from = '22:00', until = '07:00') => {
  const preferences = preferencesOf({ quiet_hours: { from, until, lets_urgent_through: true } }, {});
  return !mayRing(preferences, 'assigned', at(text), berlin);
};

test('quiet hours follow the clock on the wall over both changes of the clock', () => {
  // Winter time until 2027-03-28T01:00Z, then summer time until 2027-10-31T01:00Z.
  const table: [string, boolean][] = [
    ['2027-03-27T20:59:00Z', false],
    ['2027-03-27T21:00:00Z', true],
    ['2027-03-28T04:59:00Z', true],
    ['2027-03-28T05:00:00Z', false],
    ['2027-03-28T19:59:00Z', false],
    ['2027-03-28T20:00:00Z', true],
    ['2027-10-30T20:00:00Z', true],
    ['2027-10-31T05:59:00Z', true],
    ['2027-10-31T06:00:00Z', false],
    ['2027-10-31T21:00:00Z', true],
  ];
  for (const [moment, isQuiet] of table) expect([moment, quietAt(moment)]).toEqual([moment, isQuiet]);
  // Between 02:00 and 03:00, an hour that the first of these nights does not have, and the second has twice.
  expect(quietAt('2027-03-28T00:59:00Z', '02:00', '03:00')).toBe(false);
  expect(quietAt('2027-03-28T01:00:00Z', '02:00', '03:00')).toBe(false);
  expect(quietAt('2027-10-31T00:30:00Z', '02:00', '03:00')).toBe(true);
  expect(quietAt('2027-10-31T01:30:00Z', '02:00', '03:00')).toBe(true);
});

test('a breach rings in quiet hours, unless that is off; nothing rings in a pause', () => {
  const night = at('2027-01-10T02:00:00Z');
  const quiet = { from: '22:00', until: '07:00' };
  const open = preferencesOf({ quiet_hours: { ...quiet, lets_urgent_through: true } }, {});
  const shut = preferencesOf({ quiet_hours: { ...quiet, lets_urgent_through: false } }, {});
  expect([mayRing(open, 'sla_breached', night, berlin), mayRing(shut, 'sla_breached', night, berlin)]).toEqual([
    true,
    false,
  ]);
  const paused = preferencesOf({ paused_until: night + 1 }, {});
  expect([mayRing(paused, 'sla_breached', night, berlin), mayRing(paused, 'assigned', night + 1, berlin)]).toEqual([
    false,
    true,
  ]);
});

test('the digest comes at the next such time of the day, also when that day has 23 or 25 hours', () => {
  const next = (from: string) => new Date(nextDigest(at(from), '08:00', berlin)).toISOString();
  expect(next('2027-03-27T06:59:00Z')).toBe('2027-03-27T07:00:00.000Z');
  expect(next('2027-03-27T07:00:00Z')).toBe('2027-03-28T06:00:00.000Z');
  expect(next('2027-10-30T06:00:00Z')).toBe('2027-10-31T07:00:00.000Z');
});
