// A snoozed ticket is pending until its time, and any other state ends the snooze (docs/spec/console.md#snooze).

import { afterAll, describe, expect, test } from 'bun:test';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import type { TicketChangeInput } from '../../../src/domain/input/tickets.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { kinds, minute, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const agent = token(['read', 'write']);
const change = (ticket: Ticket, input: TicketChangeInput) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, input, null), agent);
const refused = (ticket: Ticket, input: TicketChangeInput) =>
  bench.refusal((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, input, null), agent);
const merge = (ticket: Ticket, target = bench.open().ticket) =>
  bench.do((tx, ctx) => mergeTickets(tx, ctx, ticket.ulid, target.ulid), agent);
const inHours = (hours: number) => bench.clock.now() + hours * 60 * minute;
const wire = (at: number) => new Date(at).toISOString();

function snoozed(until = inHours(2)): Ticket {
  return change(bench.open().ticket, { snoozed_until: until });
}

describe('snoozing', () => {
  test('makes the ticket pending, with two events', () => {
    const { ticket } = bench.open();
    const until = inHours(2);
    const after = change(ticket, { snoozed_until: until });
    expect(after).toMatchObject({ status: 'pending', snoozedUntil: until });
    expect(bench.ticket(ticket.id)).toEqual(after);
    expect(bench.events.map(({ kind, data }) => [kind, data.changes])).toEqual([
      ['ticket.updated', { snoozed_until: { from: null, to: wire(until) } }],
      ['ticket.status_changed', { status: { from: 'open', to: 'pending' } }],
    ]);
  });

  test('again moves the time, and the same time is no event', () => {
    const ticket = snoozed();
    const later = inHours(5);
    change(ticket, { snoozed_until: later });
    expect(kinds(bench)).toEqual(['ticket.updated']);
    expect(change(ticket, { snoozed_until: later, status: 'pending' })).toEqual(bench.ticket(ticket.id));
    expect(kinds(bench)).toEqual([]);
  });

  test('is refused in the past, for over a year, and together with another state', () => {
    const { ticket } = bench.open();
    const before = bench.everything();
    for (const [input, message] of [
      [{ snoozed_until: bench.clock.now() }, 'The snoozed until field must be in the future.'],
      [{ snoozed_until: inHours(24 * 366) + 1 }, 'The snoozed until field must be at most a year ahead.'],
      [
        { snoozed_until: inHours(1), status: 'resolved' },
        'The snoozed until field must not be sent with a status other than pending.',
      ],
    ] as const)
      expect(refused(ticket, input).errors).toEqual({ snoozed_until: [message] });
    expect(bench.everything()).toEqual(before);
  });

  test('is refused for what is resolved, closed or merged', () => {
    for (const status of ['resolved', 'closed'] as const) {
      const ticket = change(bench.open().ticket, { status });
      expect(refused(ticket, { snoozed_until: inHours(1) }).reason).toBe('no_such_transition');
    }
    const { ticket } = bench.open();
    merge(ticket);
    expect(refused(ticket, { snoozed_until: inHours(1) }).reason).toBe('ticket_merged');
    expect(refused(ticket, { is_spam: true }).reason).toBe('ticket_merged');
  });
});

describe('a snooze ends', () => {
  test('with null, which opens the ticket again', () => {
    const ticket = snoozed();
    const { snoozedUntil } = ticket;
    expect(change(ticket, { snoozed_until: null })).toMatchObject({ status: 'open', snoozedUntil: null });
    expect(bench.events.map(({ kind, data }) => [kind, data.changes])).toEqual([
      [
        'ticket.status_changed',
        { status: { from: 'pending', to: 'open' }, snoozed_until: { from: wire(snoozedUntil ?? 0), to: null } },
      ],
    ]);
  });

  test('with null and pending, which only forgets the time', () => {
    expect(change(snoozed(), { snoozed_until: null, status: 'pending' })).toMatchObject({
      status: 'pending',
      snoozedUntil: null,
    });
    expect(kinds(bench)).toEqual(['ticket.updated']);
  });

  test('with every other state, but not with pending', () => {
    for (const status of ['open', 'resolved', 'closed'] as const)
      expect(change(snoozed(), { status })).toMatchObject({ status, snoozedUntil: null });
    const ticket = snoozed();
    expect(change(ticket, { status: 'pending' })).toEqual(ticket);
  });

  test("with a customer's message, not with an agent's", () => {
    const ticket = snoozed();
    bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'I look into it.' }));
    expect(bench.ticket(ticket.id)).toMatchObject({ status: 'pending', snoozedUntil: ticket.snoozedUntil });
    const author = authorById(bench.tx, ticket.authorId);
    if (!author) throw new Error('no author');
    bench.do((tx, ctx) => replyAsCustomer(tx, ctx, bench.ticket(ticket.id), author, { body: 'Any news?' }), {
      kind: 'author',
      siteId: ticket.siteId,
      authorId: author.id,
      name: author.name,
    });
    expect(bench.ticket(ticket.id)).toMatchObject({ status: 'open', snoozedUntil: null });
  });

  test('by a merge into another ticket', () => {
    const ticket = snoozed();
    merge(ticket);
    expect(bench.ticket(ticket.id)).toMatchObject({ status: 'closed', snoozedUntil: null });
  });

  test('nothing ends where there is none', () => {
    const { ticket } = bench.open();
    expect(change(ticket, { snoozed_until: null })).toEqual(bench.ticket(ticket.id));
    expect(kinds(bench)).toEqual([]);
  });
});

describe('tags', () => {
  test('are added and removed without naming the others', () => {
    const { ticket } = bench.open({ tags: ['billing', 'eu'] });
    expect(change(ticket, { add_tags: ['vip', 'eu'], remove_tags: ['billing'] }).tags).toEqual(['eu', 'vip']);
    expect(bench.events[0]?.data.changes).toEqual({ tags: { from: ['billing', 'eu'], to: ['eu', 'vip'] } });
    expect(change(ticket, { add_tags: ['vip'], remove_tags: ['never'] }).tags).toEqual(['eu', 'vip']);
    expect(kinds(bench)).toEqual([]);
  });

  test('beyond ten are refused', () => {
    const { ticket } = bench.open({ tags: Array.from({ length: 9 }, (_, at) => `tag-${at}`) });
    expect(refused(ticket, { add_tags: ['one', 'two'] }).errors).toEqual({
      add_tags: ['The add tags field must leave the ticket with at most 10 tags.'],
    });
    expect(change(ticket, { add_tags: ['one', 'two'], remove_tags: ['tag-0'] }).tags).toHaveLength(10);
  });
});
