// Identifiers increase in the order in which they are made.

import { expect, test } from 'bun:test';
import { systemClock, toWire } from '../../src/base/clock.ts';
import { continueUlids, newUlid } from '../../src/base/ids.ts';
import { isUlid } from '../../src/domain/ulid.ts';
import { fixedClock } from '../support/clock.ts';

test('ulids of one millisecond rise, and none comes twice', () => {
  const at = systemClock.now();
  const many = Array.from({ length: 20_000 }, () => newUlid(at));
  expect([...many].sort()).toEqual(many);
  expect(new Set(many).size).toBe(many.length);
  expect(many.every(isUlid)).toBe(true);
});

test('ulids go on rising when the clock goes back', () => {
  const at = systemClock.now() + 1000;
  const first = newUlid(at);
  expect(newUlid(at - 500) > first).toBe(true);
  expect(newUlid(at + 1) > first).toBe(true);
});

test('what is no ulid is told', () => {
  const good = newUlid(systemClock.now());
  expect(isUlid(good.toLowerCase())).toBe(true);
  for (const bad of [
    '',
    good.slice(1),
    `${good}0`,
    good.replace(/^./, '8'),
    good.replace(/.$/, 'U'),
    good.replace(/.$/, '\n'),
    `${good}\n`,
  ])
    expect(isUlid(bad)).toBe(false);
});

test('a clock for tests stands still until it is moved', () => {
  const clock = fixedClock(1000);
  clock.advance(5);
  expect(clock.now()).toBe(1005);
  clock.set(7);
  expect(clock.now()).toBe(7);
  expect(toWire(clock.now())).toBe('1970-01-01T00:00:00.007Z');
  expect(toWire(null)).toBeNull();
});

test('they rise above what was given while the clock was ahead, and no import lifts them out of reach', () => {
  const now = Date.now();
  const ahead = newUlid(now + 400 * 24 * 60 * 60 * 1000);
  continueUlids(ahead, now);
  const next = newUlid(now);
  expect(next > ahead).toBe(true);
  continueUlids('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', now);
  expect(newUlid(now) > next).toBe(true);
  expect(newUlid(now)).toStartWith('01');
});
