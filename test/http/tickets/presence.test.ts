// Who is on a ticket: several sessions of one agent, leaving, expiry, bounds, and what another machine says.

import { expect, test } from 'bun:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { presenceMs, type TicketPresence } from '../../../src/domain/tickets/presence.ts';
import { createPresence } from '../../../src/http/streams/presence.ts';

const ana = { id: 1, name: 'Ana' };
const bo = { id: 2, name: 'Bo' };
const place = (ticketId: number) => ({ ticketId, ulid: `t${ticketId}`, siteId: 7 });

function register({ mostTickets = 20, mostWords = 1000 } = {}) {
  let now = 0;
  const news: TicketPresence[][] = [];
  const presence = createPresence({ mostTickets, mostWords, gatherMs: 0, stayMs: presenceMs }, () => now);
  presence.onChange((changed) => news.push(changed));
  return {
    ...presence,
    advance(ms: number) {
      now += ms;
    },
    /** What was told since the last call, as ticket and names. */
    async told() {
      await sleep(5);
      return news
        .splice(0)
        .flat()
        .map(({ ticketId, agents }) => [ticketId, agents.map(({ name, state }) => `${name} ${state}`)]);
    },
  };
}

test('those who are on a ticket are named until they leave', async () => {
  const { note, of, told } = register();
  note(10, ana, place(1), 'viewing');
  note(20, bo, place(1), 'writing');
  expect(of(1)).toEqual([
    { ...ana, state: 'viewing' },
    { ...bo, state: 'writing' },
  ]);
  expect(await told()).toEqual([[1, ['Ana viewing', 'Bo writing']]]);
  note(20, bo, place(1), 'gone');
  expect(await told()).toEqual([[1, ['Ana viewing']]]);
  note(10, ana, place(1), 'gone');
  expect(await told()).toEqual([[1, []]]);
  expect(of(1)).toEqual([]);
});

test('a repeated word is no news', async () => {
  const { note, told } = register();
  note(10, ana, place(1), 'viewing');
  await told();
  note(10, ana, place(1), 'viewing');
  expect(await told()).toEqual([]);
  note(10, ana, place(1), 'writing');
  expect(await told()).toEqual([[1, ['Ana writing']]]);
});

test('an agent with two browsers is one agent, who writes if one of them does, and stays until both are gone', () => {
  const { note, of } = register();
  note(10, ana, place(1), 'writing');
  note(11, ana, place(1), 'viewing');
  expect(of(1)).toEqual([{ ...ana, state: 'writing' }]);
  note(10, ana, place(1), 'gone');
  expect(of(1)).toEqual([{ ...ana, state: 'viewing' }]);
  note(11, ana, place(1), 'gone');
  expect(of(1)).toEqual([]);
});

test('ten seconds after the last word an agent has left, and others are told', async () => {
  const { note, of, told, advance, all } = register();
  note(10, ana, place(1), 'viewing');
  advance(6000);
  note(20, bo, place(1), 'viewing');
  await told();
  advance(3999);
  expect(of(1)).toHaveLength(2);
  advance(1);
  expect(of(1)).toEqual([{ ...bo, state: 'viewing' }]);
  advance(6000);
  expect(all()).toEqual([]);
});

test('others are told of it without another word', async () => {
  const news: TicketPresence[][] = [];
  const presence = createPresence({ mostTickets: 20, mostWords: 10, gatherMs: 0, stayMs: 20 });
  presence.onChange((changed) => news.push(changed));
  presence.note(10, ana, place(1), 'viewing');
  while (news.length < 2) await sleep(1);
  expect(news.flat().map(({ agents }) => agents.length)).toEqual([1, 0]);
  expect(presence.all()).toEqual([]);
});

test('a session has a limited number of tickets, and the register a limited number of words', () => {
  const { note, of, all } = register({ mostTickets: 3, mostWords: 5 });
  for (const ticketId of [1, 2, 3, 1, 4]) note(10, ana, place(ticketId), 'viewing');
  expect(all().map(({ ticketId }) => ticketId)).toEqual([3, 1, 4]);
  expect(of(2)).toEqual([]);
  for (const ticketId of [1, 2, 3]) note(20, bo, place(ticketId), 'viewing');
  expect(all().reduce((sum, { agents }) => sum + agents.length, 0)).toBe(5);
});

test('what another machine says takes the place of what it said before, and leaves alone what was said here', () => {
  const { note, of, mirror, all } = register();
  note(10, ana, place(1), 'viewing');
  mirror([
    { ...place(1), agents: [{ ...bo, state: 'writing' }] },
    { ...place(2), agents: [{ ...bo, state: 'viewing' }] },
  ]);
  expect(of(1)).toHaveLength(2);
  mirror([{ ...place(1), agents: [] }]);
  expect(all()).toEqual([{ ...place(1), agents: [{ ...ana, state: 'viewing' }] }]);
});
