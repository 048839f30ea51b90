// Who searches finds everything that was committed before, though documents are written later.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DeskError } from '../../../src/domain/errors.ts';
import { untilSearchable } from '../../../src/http/searchable.ts';
import { newestWaiting } from '../../../src/store/lists/search-waiting.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const found = async (path: string) => (await app.asTeam('GET', path)).json.data.length as number;

test('a ticket and its customer are found as soon as they are answered', async () => {
  await app.open({ subject: 'The walrus sings', email: 'zebra@example.com' });
  expect(newestWaiting(app.desk.store.reading)).not.toBeNull();
  expect(await found('/api/v1/tickets?q=walrus')).toBe(1);
  await app.open({ subject: 'Another walrus', email: 'giraffe@example.com' });
  expect(await found('/api/v1/customers?q=giraffe')).toBe(1);
  expect(await found('/api/v1/tickets?q=walrus')).toBe(2);
});

test('a machine that cannot write waits for the one that does, and not for ever', async () => {
  await app.open({ subject: 'The walrus sings' });
  let refused = 0;
  app.desk.writer.guard(() => {
    refused += 1;
    throw new DeskError('unavailable', 'This machine is a replica.');
  });
  expect(await found('/api/v1/tickets?q=walrus')).toBe(0);
  expect(refused).toBe(30);
  const waiting = untilSearchable(app.desk);
  app.desk.writer.guard(() => undefined);
  await waiting;
  expect(await found('/api/v1/tickets?q=walrus')).toBe(1);
});
