// Counting down what a mailbox needs: when the owners are told, and in which words.

import { expect, test } from 'bun:test';
import { dayMs, hourMs } from '../../../src/domain/instant.ts';
import {
  certificateExpiry,
  consentExpiry,
  countdownStep,
  expiryInWords,
  isQuiet,
  sameHours,
  secretExpiry,
} from '../../../src/domain/mail/mailbox-alarms.ts';

const end = Date.UTC(2026, 11, 31);

test.each([
  [31, null],
  [30, 30],
  [7.1, 30],
  [7, 7],
  [2, 7],
  [1, 1],
  [0.1, 1],
  [0, 0],
  [-5, 0],
])('a secret that ends in %p days is told as step %p', (days, step) => {
  expect(countdownStep(secretExpiry(end), end - days * dayMs)).toBe(step);
});

test.each([
  [365, 14],
  [90, 14],
  [40, 10],
  [6, 1.5],
])('a certificate for %p days is told %p days before', (term, before) => {
  const expiry = certificateExpiry('incoming_certificate', { from: end - term * dayMs, until: end });
  expect((end - expiry.warnAt) / dayMs).toBe(before);
});

test.each([
  [2.5, 'in 3 days'],
  [1, 'in 1 day'],
  [-1, 'ended on 2026-12-31'],
])('with %p days left, the owners read %p', (days, words) => {
  expect(expiryInWords(secretExpiry(end), end - days * dayMs)).toContain(words);
});

test.each([
  [0.9, [0.1, 0.1, 0.1, 0.1], false],
  [1, [0.1, 0.2, 0.1, 0.1], true],
  [5, [1, 3, 1, 1], false],
  [7, [1, 3, 1, 1], true],
  [99, [1, 3, 1, null], false],
])('%p hours without mail, where %p were usual: quiet is %p', (pause, usual, quiet) => {
  expect(
    isQuiet(
      pause * hourMs,
      usual.map((hours) => (hours === null ? null : hours * hourMs)),
    ),
  ).toBe(quiet);
});

test('the same hours are those of one, two, three and four weeks ago', () => {
  const hours = sameHours(Date.UTC(2026, 10, 30, 9, 41));
  expect(hours.map(({ from }) => new Date(from).toISOString().slice(0, 13))).toEqual([
    '2026-11-23T09',
    '2026-11-16T09',
    '2026-11-09T09',
    '2026-11-02T09',
  ]);
  expect(hours.every(({ from, until }) => until - from === hourMs)).toBe(true);
});

test('a consent is counted down from a quarter of its term on, at most thirty days; a short one is renewed in time', () => {
  const day = 86_400_000;
  const days = (term: number) => {
    const expiry = consentExpiry({ from: 0, until: term * day });
    return expiry && (expiry.at - expiry.warnAt) / day;
  };
  expect([1, 8, 90, 365].map(days)).toEqual([null, 2, 22.5, 30]);
});
