// People whom an application names with cc: no mail goes to them until an agent answers.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { query } from '../../../src/engine/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const mailed = () => [
  ...new Set(
    query<{ recipient: string }>(app.desk.store.reading, 'SELECT recipient FROM deliveries WHERE recipient IS NOT NULL')
      .all()
      .map(({ recipient }) => recipient),
  ),
];
const crowd = (count: number) => Array.from({ length: count }, (_, at) => ({ email: `victim${at}@example.net` }));

test('whatever the application, the customer and the settings do', async () => {
  const settings = { notify_resolved: true, acknowledge: true };
  await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings });
  const tickets = [];
  for (let at = 0; at < 5; at += 1) tickets.push(await app.open({ cc: crowd(10), subject: `Buy now ${at}` }));
  for (const { ulid, accessToken } of tickets) {
    const own = `/api/v1/public/tickets/${ulid}`;
    const said = await app.asSite('POST', `${own}/messages?access_token=${accessToken}`, { body: 'And again.' });
    expect(said.status).toBe(201);
    for (const change of [{ status: 'resolved' }, { status: 'open' }, { assigned_to: app.agentId }])
      expect((await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, change)).status).toBe(200);
    expect((await app.asTeam('POST', `/api/v1/tickets/${ulid}/notes`, { body: 'Odd.' })).status).toBe(201);
  }
  expect(mailed().filter((address) => address.startsWith('victim'))).toEqual([]);
  const { ulid } = tickets[0]!;
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Try again.' });
  const [message] = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data.messages.slice(-1);
  expect(message.recipients).toHaveLength(11);
});

test('at most ten, each an address', async () => {
  for (const cc of [
    crowd(11),
    [{ email: 'victim' }],
    [{ email: 'a@example.net\r\nBcc: b@example.net' }],
    'a@example.net',
  ]) {
    const refused = await app.asSite('POST', '/api/v1/public/tickets', {
      email: 'mia@example.org',
      subject: 'x',
      message: 'x',
      cc,
    });
    expect([cc.length, refused.status]).toEqual([cc.length, 422]);
  }
});
