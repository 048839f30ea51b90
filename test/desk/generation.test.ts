// The counter of commits is read once for what a turn of the event loop brings, and again after each commit.

import { expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSeal } from '../../src/base/crypto.ts';
import { createDesk } from '../../src/desk/desk.ts';
import { migratedStore } from '../support/store.ts';

test('one reading serves a turn of the event loop, until something is committed', async () => {
  const { store } = migratedStore();
  let readings = 0;
  const counted = new Proxy(store, {
    get(target, name) {
      if (name === 'dataVersion') readings += 1;
      return Reflect.get(target, name);
    },
  });
  const desk = createDesk(counted, createSeal(Buffer.alloc(32, 7)));
  const first = desk.generation();
  expect([desk.generation(), desk.generation(), readings]).toEqual([first, first, 1]);
  await nextTurn();
  expect([desk.generation(), readings]).toEqual([first, 2]);
  await desk.write((tx) => {
    tx.client.run('CREATE TABLE one (id INTEGER)');
    return null;
  });
  expect(desk.generation()).not.toBe(first);
  await desk.writer.close();
  store.close();
});
