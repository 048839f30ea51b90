// What a file of browser tests starts: both parts, or neither.

import { expect, test } from 'bun:test';
import { startedTogether } from './browser.ts';

function part() {
  const own = {
    closed: 0,
    async close() {
      own.closed += 1;
    },
  };
  return own;
}

test('both are given back in their order, and stay open', async () => {
  const [one, other] = [part(), part()];
  expect(await startedTogether(Promise.resolve(one), Promise.resolve(other))).toEqual([one, other]);
  expect([one.closed, other.closed]).toEqual([0, 0]);
});

test('when one does not start, the other is closed, and the error is told', async () => {
  const failure = new Error('There is no Chromium on this machine.');
  const own = part();
  await expect(startedTogether(Promise.reject(failure), Promise.resolve(own))).rejects.toBe(failure);
  await expect(startedTogether(Promise.resolve(own), Promise.reject(failure))).rejects.toBe(failure);
  expect(own.closed).toBe(2);
});

test('what starts after the other has failed is closed too', async () => {
  const late = Promise.withResolvers<ReturnType<typeof part>>();
  const both = startedTogether(late.promise, Promise.reject(new Error('no desk')));
  const own = part();
  late.resolve(own);
  await expect(both).rejects.toThrow('no desk');
  expect(own.closed).toBe(1);
});

test('when neither starts, the error of the first is told', async () => {
  const [first, second] = [new Error('first'), new Error('second')];
  await expect(startedTogether(Promise.reject(first), Promise.reject(second))).rejects.toBe(first);
});
