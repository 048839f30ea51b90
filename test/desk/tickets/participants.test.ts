// Who takes part in a ticket beside its author (docs/spec/conversations.md#participants).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite, createSite } from '../../../src/desk/sites/sites.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { addParticipant, listParticipants, removeParticipant } from '../../../src/desk/tickets/participants.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { splitTicket } from '../../../src/desk/tickets/split-ticket.ts';
import { query } from '../../../src/engine/database.ts';
import { authorsByEmail } from '../../../src/store/customers/authors.ts';
import { kinds, type Workbench, workbench } from '../workbench.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

const people = (...emails: string[]) => emails.map((email) => ({ email, name: null }));
const all = (ticketId: number) => bench.do((tx, ctx) => listParticipants(tx, ctx, ticketId));
/** Addresses; of who was removed, in brackets. */
const on = (ticketId: number) =>
  all(ticketId).map(({ person, removedAt }) => (removedAt === null ? person.email : `(${person.email})`));
const add = (ticketId: number, email: string, name?: string) =>
  bench.do((tx, ctx) => addParticipant(tx, ctx, ticketId, { email, name }));
const remove = (ticketId: number, email: string) => {
  const id = all(ticketId).find(({ person }) => person.email === email)?.id ?? 0;
  return bench.do((tx, ctx) => removeParticipant(tx, ctx, ticketId, id));
};

test('a ticket opens with those whom the application names, once each, and mails no one else', () => {
  const { ticket } = bench.open({
    cc: people('bo@example.org', 'mia@example.org', 'cy@example.org', 'bo@example.org'),
  });
  expect(kinds(bench)).toEqual(['ticket.created']);
  expect(on(ticket.id)).toEqual(['bo@example.org', 'cy@example.org']);
  const mailed = query<{ recipient: string }>(bench.tx, 'SELECT recipient FROM deliveries').all();
  expect(mailed.map(({ recipient }) => recipient)).toEqual(['mia@example.org']);
});

test('a ticket without them writes no row for them', () => {
  const before = bench.everything();
  bench.open();
  const after = bench.everything();
  expect(after.participants).toEqual(before.participants ?? []);
});

test('an agent adds and removes someone, and the history has one line for each', () => {
  const { ticket } = bench.open();
  const { participant } = add(ticket.id, 'bo@example.org', 'Bo');
  expect(participant).toMatchObject({ removedAt: null, pausedAt: null, addedBy: { type: 'command_line' } });
  expect(bench.events.map(({ kind, data }) => [kind, data])).toEqual([
    ['ticket.participants_changed', { ticket_ulid: ticket.ulid, added: [{ email: 'bo@example.org', name: 'Bo' }] }],
  ]);
  expect(bench.ticket(ticket.id).version).toBe(ticket.version + 1);
  add(ticket.id, 'bo@example.org');
  expect(bench.events).toEqual([]);
  remove(ticket.id, 'bo@example.org');
  expect(bench.events[0]?.data).toMatchObject({ removed: [{ email: 'bo@example.org', name: 'Bo' }] });
  expect(on(ticket.id)).toEqual(['(bo@example.org)']);
  remove(ticket.id, 'bo@example.org');
  expect(bench.events).toEqual([]);
  add(ticket.id, 'bo@example.org');
  expect(bench.events[0]?.data).toMatchObject({ back: [{ email: 'bo@example.org', name: 'Bo' }] });
  expect(on(ticket.id)).toEqual(['bo@example.org']);
});

test('no more than thirty take part at a time', () => {
  const { ticket } = bench.open();
  for (let at = 0; at < 30; at += 1) add(ticket.id, `p${at}@example.org`);
  expect(bench.refusal((tx, ctx) => addParticipant(tx, ctx, ticket.id, { email: 'more@example.org' })).reason).toBe(
    'too_many_participants',
  );
  remove(ticket.id, 'p3@example.org');
  add(ticket.id, 'more@example.org');
  expect(on(ticket.id).filter((one) => !one.startsWith('('))).toHaveLength(30);
});

describe('never a participant', () => {
  const refused = (email: string) => {
    const { ticket } = bench.open({ cc: people(email) });
    expect(on(ticket.id)).toEqual([]);
    const refusal = bench.refusal((tx, ctx) => addParticipant(tx, ctx, ticket.id, { email }));
    expect(refusal).toMatchObject({ code: 'invalid', errors: { email: [expect.any(String)] } });
  };
  test('the author', () => refused('mia@example.org'));
  test('the address that a mail to a ticket goes to', () => refused('ticket+01k4vj8q4n7rm2zc6b0t3xwyde@localhost'));
  test('the inbound address of any site', () => {
    bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other shop' }));
    refused('other-shop@localhost');
  });
  test('the sender of the desk', () => refused('helpdesk@localhost'));
  test('the sender of any site', () => {
    const { site } = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other shop' }));
    bench.do((tx, ctx) =>
      changeSite(tx, ctx, String(site.id), { settings: { mail_from_address: 'help@other.example' } }, null),
    );
    refused('help@other.example');
  });
  test('an agent who sees the site, but an agent of another site is like anyone else', () => {
    const { site } = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other shop' }));
    bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'ada@desk.example', name: 'Ada', sites: [bench.site.id] }));
    bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'eve@desk.example', name: 'Eve', sites: [site.id] }));
    refused('ada@desk.example');
    const { ticket } = bench.open({ cc: people('eve@desk.example') });
    expect(on(ticket.id)).toEqual(['eve@desk.example']);
  });
});

test('naming someone does not rename them', () => {
  const { ticket } = bench.open({ cc: [{ email: 'bo@example.org', name: 'Bo Berg' }] });
  bench.open({ cc: [{ email: 'bo@example.org', name: 'You have won' }] });
  expect(all(ticket.id)[0]?.person.name).toBe('Bo Berg');
});

describe('merging and splitting', () => {
  test('a merge brings the participants along, without the author of the other ticket', () => {
    const one = bench.open({ cc: people('bo@example.org', 'cy@example.org', 'zoe@example.org') });
    const other = bench.open({ email: 'zoe@example.org', cc: people('cy@example.org', 'di@example.org') });
    bench.do((tx, ctx) => mergeTickets(tx, ctx, one.ticket.id, other.ticket.id));
    expect(on(other.ticket.id).sort()).toEqual(['bo@example.org', 'cy@example.org', 'di@example.org']);
    expect(on(one.ticket.id).sort()).toEqual(['cy@example.org', 'zoe@example.org']);
  });

  test('a merge keeps to the limit', () => {
    const [one, other] = [bench.open(), bench.open()];
    for (let at = 0; at < 20; at += 1) {
      add(one.ticket.id, `a${at}@example.org`);
      add(other.ticket.id, `b${at}@example.org`);
    }
    bench.do((tx, ctx) => mergeTickets(tx, ctx, one.ticket.id, other.ticket.id));
    expect(on(other.ticket.id)).toHaveLength(30);
    expect(on(one.ticket.id)).toHaveLength(10);
  });

  test('a ticket that is split off has the same participants', () => {
    const { ticket } = bench.open({ cc: people('bo@example.org', 'cy@example.org') });
    remove(ticket.id, 'cy@example.org');
    const said = bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'And another.' }));
    const split = bench.do((tx, ctx) => splitTicket(tx, ctx, ticket.id, { message: said.message.ulid }));
    expect(on(split.id)).toEqual(['bo@example.org']);
  });
});

describe('erasing a person', () => {
  test('takes them from tickets that they never wrote on, with what the history says of them', () => {
    const { ticket } = bench.open();
    add(ticket.id, 'bo@example.org', 'Bo Berg');
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'bo@example.org' }));
    expect(all(ticket.id)).toEqual([]);
    expect(JSON.stringify(bench.everything())).not.toMatch(/bo@example\.org|Berg/);
    expect(authorsByEmail(bench.tx, bench.site.id, 'bo@example.org')).toEqual([]);
  });

  test('also from more tickets than one step takes', () => {
    for (let at = 0; at < 45; at += 1) bench.open({ cc: people('bo@example.org') });
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'bo@example.org' }));
    expect(bench.everything().participants).toEqual([]);
    expect(bench.everything().erasures_under_way).toEqual([]);
  });
});
