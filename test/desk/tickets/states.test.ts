// Every change between the states of a ticket: who can make it, and its effects (docs/spec/behaviour.md#states).

import { afterAll, describe, expect, test } from 'bun:test';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { closeResolved } from '../../../src/desk/sla/sla.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { type TicketStatus, ticketStatuses } from '../../../src/domain/tickets/ticket.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { kinds, minute, start, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const agent = token(['read', 'write']);
const setStatus = (ticket: Ticket, status: TicketStatus) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, { status }, null), agent);

function ticketIn(status: TicketStatus): Ticket {
  const { ticket } = bench.open();
  return status === 'open' ? ticket : setStatus(ticket, status);
}

function customerReplies(ticket: Ticket) {
  const author = authorById(bench.tx, ticket.authorId);
  if (!author) throw new Error('no author');
  const actor = { kind: 'author', siteId: ticket.siteId, authorId: author.id, name: author.name } as const;
  return bench.do(
    (tx, ctx) => replyAsCustomer(tx, ctx, bench.ticket(ticket.id), author, { body: 'Still broken' }),
    actor,
  );
}

const ways: Record<TicketStatus, TicketStatus[]> = {
  open: ['pending', 'resolved', 'closed'],
  pending: ['open', 'resolved', 'closed'],
  resolved: ['open', 'closed'],
  closed: ['open'],
};

describe('an agent', () => {
  for (const from of ticketStatuses) {
    for (const to of ticketStatuses) {
      if (from === to) {
        test(`setting ${to} again is no event`, () => {
          const ticket = ticketIn(from);
          const after = setStatus(ticket, to);
          expect(after).toEqual(ticket);
          expect(bench.events).toEqual([]);
        });
      } else if (ways[from].includes(to)) {
        test(`may take a ticket from ${from} to ${to}`, () => {
          const ticket = ticketIn(from);
          bench.clock.advance(7 * minute);
          const at = bench.clock.now();
          const after = setStatus(ticket, to);
          expect(after.status).toBe(to);
          expect(bench.ticket(ticket.id)).toEqual(after);
          expect(after.version).toBeGreaterThan(ticket.version);
          expect(after.updatedAt).toBe(at);
          const wasDone = from === 'resolved' || from === 'closed';
          expect(after.resolvedAt).toBe(
            to === 'resolved' || to === 'closed' ? (wasDone ? ticket.resolvedAt : at) : null,
          );
          expect(after.closedAt).toBe(to === 'closed' ? at : null);
          expect(kinds(bench)).toEqual(['ticket.status_changed']);
          expect(bench.events[0]).toMatchObject({
            ticketId: ticket.id,
            siteId: ticket.siteId,
            actor: { type: 'token', name: 'Team' },
            data: { ticket_ulid: ticket.ulid, old_status: from, new_status: to, changes: { status: { from, to } } },
            createdAt: at,
          });
        });
      } else {
        test(`cannot take a ticket from ${from} to ${to}`, () => {
          const ticket = ticketIn(from);
          const before = bench.everything();
          const refusal = bench.refusal(
            (tx, ctx) => changeTicket(tx, ctx, ticket.ulid, { status: to, subject: 'Other' }, null),
            agent,
          );
          expect(refusal).toMatchObject({ code: 'conflict', reason: 'no_such_transition' });
          expect(bench.everything()).toEqual(before);
        });
      }
    }
  }
});

describe("a customer's reply", () => {
  for (const from of ticketStatuses) {
    test(`leaves a ${from} ticket open`, () => {
      const ticket = ticketIn(from);
      bench.clock.advance(minute);
      const { ticket: after, message } = customerReplies(ticket);
      expect(after).toMatchObject({
        status: 'open',
        resolvedAt: null,
        closedAt: null,
        messageCount: 2,
        lastCustomerMessageAt: bench.clock.now(),
      });
      expect(kinds(bench)).toEqual(from === 'open' ? ['ticket.replied'] : ['ticket.replied', 'ticket.status_changed']);
      expect(bench.events.map(({ actor }) => actor.type)).toEqual(bench.events.map(() => 'author'));
      expect(bench.events[0]?.data).toMatchObject({ message_ulid: message.ulid, is_agent: false });
      expect(bench.search('broken')).toContain(ticket.id);
    });
  }
});

describe("an agent's reply", () => {
  const reply = (ticket: Ticket, input = {}) =>
    bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'Fixed now', ...input }), agent);

  for (const from of ticketStatuses) {
    test(`leaves a ${from} ticket as it is`, () => {
      const ticket = ticketIn(from);
      const { ticket: after, message } = reply(ticket);
      expect(after.status).toBe(from);
      expect(after.lastAgentMessageAt).toBe(bench.clock.now());
      expect(kinds(bench)).toEqual(['ticket.replied']);
      expect(message).toMatchObject({ isAgent: true, isInternal: false, agentName: bench.site.name, authorId: null });
    });

    test(`follows the site's setting on a ${from} ticket, and never reopens one`, () => {
      const ticket = ticketIn(from);
      const setting = (status_after_agent_reply: TicketStatus | null) =>
        bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: { status_after_agent_reply } }, null));
      setting('pending');
      expect(reply(ticket).ticket.status).toBe(from === 'open' || from === 'pending' ? 'pending' : from);
      setting('open');
      const other = ticketIn(from);
      expect(reply(other).ticket.status).toBe(from === 'pending' ? 'open' : from);
      setting(null);
    });
  }

  test('moves the ticket where its own status says, and there is a way', () => {
    expect(reply(ticketIn('open'), { status: 'resolved' }).ticket.status).toBe('resolved');
    expect(kinds(bench)).toEqual(['ticket.replied', 'ticket.status_changed']);
    expect(reply(ticketIn('resolved'), { status: 'open' }).ticket.status).toBe('open');
    const closed = ticketIn('closed');
    const before = bench.everything();
    expect(
      bench.refusal((tx, ctx) => replyAsAgent(tx, ctx, closed.ulid, { body: 'x', status: 'pending' }), agent).reason,
    ).toBe('no_such_transition');
    expect(bench.everything()).toEqual(before);
  });

  test('stops the first-response clock once; a note does not', () => {
    const ticket = ticketIn('open');
    bench.do((tx, ctx) => addNote(tx, ctx, ticket.ulid, { body: 'Seen in the logs' }), agent);
    expect(kinds(bench)).toEqual(['ticket.note_added']);
    expect(bench.ticket(ticket.id)).toMatchObject({ firstResponseAt: null, lastAgentMessageAt: null, messageCount: 2 });
    bench.clock.advance(minute);
    const at = bench.clock.now();
    reply(ticket);
    bench.clock.advance(minute);
    reply(ticket);
    expect(bench.ticket(ticket.id)).toMatchObject({ firstResponseAt: at, messageCount: 4 });
    expect(messagesOfTicket(bench.tx, ticket.id).map(({ isInternal }) => isInternal)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

test('the scan closes what has been resolved for the days that the site says', () => {
  bench.clock.set(start + 1000 * minute);
  const ticket = ticketIn('resolved');
  const day = 24 * 60 * minute;
  const scan = () => bench.do((tx, ctx) => closeResolved(tx, ctx, 1000), { kind: 'scan' });
  bench.clock.advance(400 * day);
  expect(scan()).toBe(0);
  bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: { auto_close_days: 3 } }, null));
  const fresh = ticketIn('resolved');
  expect(scan()).toBeGreaterThan(0);
  expect(bench.ticket(ticket.id)).toMatchObject({
    status: 'closed',
    closedAt: bench.clock.now(),
    resolvedAt: ticket.resolvedAt,
  });
  expect(bench.events.every(({ kind, actor }) => kind === 'ticket.status_changed' && actor.type === 'scan')).toBe(true);
  expect(bench.ticket(fresh.id).status).toBe('resolved');
  bench.clock.advance(3 * day - 1);
  expect(scan()).toBe(0);
  bench.clock.advance(1);
  scan();
  expect(bench.ticket(fresh.id).status).toBe('closed');
  expect(scan()).toBe(0);
});
