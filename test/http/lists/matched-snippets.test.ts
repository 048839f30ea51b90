// The snippet of a list with `q`: the piece of a message in which its words stand.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
let ana: Awaited<ReturnType<TestApp['person']>>;
let ticket: string;
const filler = 'and so on '.repeat(40);
beforeAll(async () => {
  app = await testApp();
  ana = await app.person('member');
  ticket = (await app.open({ subject: 'Help', message: `${filler}the **walrus** did it. ${filler}` })).ulid;
  const of = `/api/v1/tickets/${ticket}`;
  await app.ask('POST', `${of}/notes`, { headers: ana.headers, body: { body: 'It was <b>the carpenter</b>' } });
  await app.ask('POST', `${of}/messages`, { headers: ana.headers, body: { body: 'We look into it.' } });
});
afterAll(() => app.close());

const snippet = async (query: string, isAgent = true) => {
  const path = `/api/v1/tickets?${query}`;
  const answer = isAgent ? await app.ask('GET', path, { headers: ana.headers }) : await app.asTeam('GET', path);
  return answer.json.data[0].snippet as string;
};

test('is cut where the words stand, in whichever message', async () => {
  expect(await snippet('q=walrus')).toMatch(/^…(?:\S+ ){1,8}the \*\*walrus\*\* did it\./);
  expect((await snippet('q=walrus')).length).toBeLessThanOrEqual(160);
  expect(await snippet('q=look+-walruses')).toBe('We look into it.');
});

test('is the beginning of the newest public message where no message has the words', async () => {
  expect(await snippet('q=help')).toBe('We look into it.');
  expect(await snippet('tag=')).toBe('We look into it.');
});

test('shows notes to agents only', async () => {
  expect(await snippet('q=carpenter')).toBe('It was <b>the carpenter</b>');
  expect(await snippet('q=carpenter', false)).toBe('We look into it.');
});

test('comes from the newest messages of a long thread', async () => {
  const { ulid } = await app.open({ subject: 'Long', message: 'needle' });
  const reply = (body: string) =>
    app.ask('POST', `/api/v1/tickets/${ulid}/messages`, { headers: ana.headers, body: { body } });
  await reply('b '.repeat(4900));
  expect(await snippet('q=needle')).toBe('needle');
  for (let at = 0; at < 21; at += 1) await reply('b '.repeat(4900));
  expect(await snippet('q=needle')).toStartWith('b b b');
});
