// What rings: once for each ticket, nothing that was known before, and nothing that is in sight.

import { expect, test } from 'bun:test';
import type { News } from '../../src/web/console/live/unread.ts';
import { dueOf } from '../../src/web/console/notifications/due.ts';

const news = (id: number, ticket: string | null, { desktop = true, sound = false } = {}) =>
  ({
    ...{ id, desktop, sound },
    ticket: ticket === null ? null : { ulid: ticket, reference: `#${ticket}`, subject: ticket },
  }) as News;
const idsOf = (newest: News[], seen: number, inSight: string[] = []) =>
  dueOf(newest, seen, (ticket) => inSight.includes(ticket)).shown.map(({ id }) => id);

test('of each ticket the newest rings, and the newest of all last', () => {
  expect(idsOf([news(9, 'B'), news(8, 'A'), news(7, 'B'), news(6, null), news(5, null)], 4)).toEqual([5, 6, 8, 9]);
});

test('what was known before, or is in sight, does not ring', () => {
  expect(idsOf([news(9, 'B'), news(8, 'A'), news(7, 'C')], 7, ['B'])).toEqual([8]);
  const { hasSound } = dueOf([news(9, 'B', { sound: true })], 8, () => true);
  expect(hasSound).toBe(false);
});

test('the sound is a choice of its own', () => {
  const { shown, hasSound } = dueOf([news(9, 'A', { desktop: false, sound: true }), news(8, 'B')], 7, () => false);
  expect([shown.map(({ id }) => id), hasSound]).toEqual([[8], true]);
});
