// How fast a desk grows, and when its disk is full.

import { expect, test } from 'bun:test';
import { dayOf, growthOf } from '../../src/domain/growth.ts';
import { dayMs } from '../../src/domain/instant.ts';

const day = (at: number, databaseBytes: number, fileBytes: number, freeBytes: number) => ({
  ...{ day: at, databaseBytes, fileBytes, freeBytes },
});

test('is told from the first and the last day, also with days missing between', () => {
  expect(growthOf([day(100, 1000, 0, 10_000), day(101, 5, 5, 5), day(110, 3000, 500, 8000)])).toEqual({
    days: 10,
    databaseBytesADay: 200,
    fileBytesADay: 50,
    fullAt: (110 + 40) * dayMs,
  });
});

test('of a disk that gains room has no end, and one day says nothing', () => {
  expect(growthOf([day(1, 100, 0, 50), day(2, 60, 0, 90)])).toMatchObject({ databaseBytesADay: -40, fullAt: null });
  expect(growthOf([day(1, 100, 0, 50)])).toBeNull();
  expect(growthOf([])).toBeNull();
  expect(dayOf(3 * dayMs - 1)).toBe(2);
});
