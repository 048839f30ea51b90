// Access to operations: an unknown word admits no one, and neither does an operation without an ability.

import { expect, test } from 'bun:test';
import type { Access } from '../../src/http/credentials/access.ts';
import { authenticate } from '../../src/http/credentials/authenticate.ts';
import { operation } from '../../src/http/operation.ts';
import { allOperations } from '../../src/http/operations.ts';
import { emptyReply } from '../../src/http/wire/respond.ts';
import { testApp } from '../support/app.ts';

const made = (access: Access) =>
  operation({
    method: 'GET',
    path: '/api/v1/careless',
    id: 'careless',
    tag: 'Desk',
    summary: 'Careless',
    access,
    answer: { status: 204, schema: null, description: 'Nothing' },
    handle: () => emptyReply(204),
  });

test('an operation with an unknown access is refused', () => {
  for (const access of ['toString', 'cookie', ''])
    expect(() => authenticate(made(access as Access), 'GET', {} as never)).toThrow('admits no one');
});

test('a secret that signs someone in stands in no path', async () => {
  const feed = { next: () => Promise.resolve(), close: () => undefined };
  const all = (await allOperations(feed, 'http://x')).filter(({ access }) => access === 'sign_in');
  expect(all.length).toBeGreaterThan(8);
  expect(all.filter(({ path }) => path.includes('{')).map(({ id }) => id)).toEqual([]);
});

test('an operation of the agent API that names no ability is refused', async () => {
  const app = await testApp({}, undefined, [made('team')]);
  const headers = (await app.person('owner')).headers;
  expect((await app.ask('GET', '/api/v1/careless', { headers })).status).toBe(403);
  expect((await app.asTeam('GET', '/api/v1/careless')).status).toBe(403);
  await app.close();
});
