// Whom a reply goes to, as the composer shows and sends it.

import { expect, test } from 'bun:test';
import {
  addressesFor,
  asFields,
  chosenSender,
  type GoesTo,
  goesToIn,
  peopleOf,
  removedFrom,
  senderToKeep,
} from '../../../src/web/console/composer/goes-to.ts';
import type { Sender, TicketDetail } from '../../../src/web/console/wire.ts';

const person = (email: string, removed_at: string | null = null) => ({ email, name: null, removed_at });
const ticket = (...participants: ReturnType<typeof person>[]) =>
  ({ author: { email: 'mia@example.org', name: 'Mia', anonymised_at: null }, participants }) as unknown as TicketDetail;
const goesTo = (change: Partial<GoesTo> = {}): GoesTo => ({ leftOut: [], added: [], from: null, ...change });
const of = (to: string, ...cc: string[]) => ({ to: [{ email: to }], cc: cc.map((email) => ({ email })) });

test('a reply goes to those who are shown, without who was removed or is left out', () => {
  const three = ticket(
    person('bo@example.org'),
    person('cy@example.org', '2026-01-01T00:00:00Z'),
    person('di@example.org'),
  );
  expect(peopleOf(three).map(({ email }) => email)).toEqual(['mia@example.org', 'bo@example.org', 'di@example.org']);
  expect(addressesFor(three, goesTo())).toEqual(of('mia@example.org', 'bo@example.org', 'di@example.org'));
  expect(addressesFor(three, goesTo({ leftOut: ['bo@example.org'] }))).toEqual(of('mia@example.org', 'di@example.org'));
  expect(addressesFor(three, goesTo({ leftOut: ['mia@example.org'] }))).toEqual(of('bo@example.org', 'di@example.org'));
});

test('who was removed is brought back by being added, but not who is an agent by now', () => {
  const gone = '2026-01-01T00:00:00Z';
  const agent = { ...person('ada@example.org', gone), is_agent: true };
  const two = ticket(person('bo@example.org'), person('cy@example.org', gone), agent);
  expect(removedFrom(two, goesTo()).map(({ email }) => email)).toEqual(['cy@example.org']);
  const back = goesTo({ added: [{ email: 'cy@example.org', name: null, as: 'cc' }] });
  expect(removedFrom(two, back)).toEqual([]);
  expect(addressesFor(two, back)).toEqual(of('mia@example.org', 'bo@example.org', 'cy@example.org'));
});

test('a ticket on which no one takes part leaves it to the desk', () => {
  expect(addressesFor(ticket(), goesTo())).toEqual({});
});

test('who is added gets it in Cc or Bcc, and once if they are on the ticket by now', () => {
  const added = (email: string, as: 'cc' | 'bcc') => ({ email, name: null, as });
  const both = [added('ed@example.org', 'cc'), added('flo@example.org', 'bcc')];
  const bcc = [{ email: 'flo@example.org' }];
  const sent = { ...of('mia@example.org', 'ed@example.org'), bcc };
  expect(addressesFor(ticket(), goesTo({ added: both }))).toEqual(sent);
  expect(addressesFor(ticket(person('ed@example.org')), goesTo({ added: both }))).toEqual(sent);
  expect(addressesFor(ticket(), goesTo({ leftOut: ['mia@example.org'], added: both }))).toEqual({
    ...of('ed@example.org'),
    bcc,
  });
});

test('a draft keeps what was chosen, and only that', () => {
  const chosen = goesTo({
    leftOut: ['bo@example.org'],
    added: [{ email: 'ed@example.org', name: 'Ed', as: 'bcc' }],
    from: 3,
  });
  expect(goesToIn(asFields(chosen))).toEqual(chosen);
  expect(asFields(goesTo())).toEqual({});
});

test.each([
  {},
  { left_out: 'bo@example.org', added: { email: 'ed@example.org' }, from: '3' },
  { left_out: [3, null], added: [null, 'ed', { email: 'ed@example.org' }, { email: 'erased', as: 'cc' }] },
])('of a draft with %p nothing is taken', (fields) => {
  expect(goesToIn(fields)).toEqual(goesTo());
});

test('the sender of the ticket is no choice, and one that was removed neither', () => {
  const sender = (id: number, is_default = false) => ({ id, is_default }) as Sender;
  const rows = [sender(1, true), sender(2)];
  const of = (sender_id: number | null) => ({ ...ticket(), sender_id });
  expect(rows.map((row) => senderToKeep(of(null), row))).toEqual([null, 2]);
  expect(rows.map((row) => senderToKeep(of(2), row))).toEqual([1, null]);
  expect([null, 2, 9].map((from) => chosenSender(goesTo({ from }), rows))).toEqual([null, 2, null]);
  expect(chosenSender(goesTo({ from: 9 }), null)).toBe(9);
});
