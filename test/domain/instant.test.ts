// Times from outside.

import { expect, test } from 'bun:test';
import { isDate, parseTime } from '../../src/domain/instant.ts';

test('a date is one that exists', () => {
  expect(['2026-09-11', '2000-02-29', '1900-02-29', '2026-13-01', '2026-00-10', ''].map(isDate)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('a time is RFC 3339 on a day that exists, or a date alone', () => {
  const noon = Date.UTC(2026, 8, 11, 12);
  for (const text of [
    '2026-09-11T12:00:00Z',
    '2026-09-11t12:00:00.000z',
    '2026-09-11 14:00+02:00',
    '2026-09-11T12:00Z',
  ])
    expect(parseTime(text)).toBe(noon);
  expect(parseTime('2026-09-11')).toBe(Date.UTC(2026, 8, 11));
  for (const text of [
    '',
    '1',
    'now',
    'Fri Sep 11 2026',
    '2026-02-30',
    '2026-02-30T12:00:00Z',
    '2026-09-11T25:00:00Z',
    '2026-09-11T12:00:00',
    '11.09.2026',
    '2026-09-11T12:00:00Z (😀)',
  ])
    expect(parseTime(text), text).toBeNull();
});
