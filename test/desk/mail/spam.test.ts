// What an agent marked as spam: in no list and no count, its clocks stand still, it tells no one (docs/spec/console.md#spam).

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { explainSla, scanStep } from '../../../src/desk/sla/sla.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { writeWaiting } from '../../../src/store/lists/documents.ts';
import type { TicketFilter } from '../../../src/store/lists/filter.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { noFilter } from '../../store/lists/many-tickets.ts';
import { countTickets, listTicketIds } from '../../support/ticket-lists.ts';
import { kinds, minute, workbench } from '../workbench.ts';
import { type MailDesk, mail, mailDesk } from './mail-desk.ts';

describe('spam', () => {
  const bench = workbench();
  afterAll(() => bench.close());
  const mark = (ticket: Ticket, isSpam: boolean) =>
    bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, { is_spam: isSpam }, null));
  const listed = (filter: Partial<TicketFilter>) => {
    writeWaiting(bench.tx);
    const whole = { ...noFilter, ...filter };
    const page = { sort: 'created_at', direction: 'asc', limit: 100, from: { offset: 0 } } as const;
    const ids = listTicketIds(bench.tx, whole, page, bench.clock.now()).map(({ id }) => id);
    expect(countTickets(bench.tx, whole, bench.clock.now())).toBe(ids.length);
    return ids;
  };
  const deliveries = () => query<{ event: string }>(bench.tx, 'SELECT event FROM deliveries').all();

  test('is in no list, search or count, except in that of spam', () => {
    const { ticket } = bench.open({ subject: 'Cheap watches', tags: ['offer'] });
    const { ticket: other } = bench.open();
    mark(ticket, true);
    expect(bench.events.map(({ kind, data }) => [kind, data.changes])).toEqual([
      ['ticket.updated', { is_spam: { from: false, to: true } }],
    ]);
    for (const filter of [
      {},
      { statuses: ['open'] },
      { tags: ['offer'] },
      { search: 'watches' },
      { ids: [ticket.id] },
    ] as const)
      expect(listed(filter)).not.toContain(ticket.id);
    expect(listed({})).toContain(other.id);
    expect(listed({ isSpam: true })).toEqual([ticket.id]);
    expect(listed({ isSpam: true, search: 'watches' })).toEqual([ticket.id]);
    mark(ticket, true);
    expect(kinds(bench)).toEqual([]);
    mark(ticket, false);
    expect(listed({})).toContain(ticket.id);
    expect(listed({ isSpam: true })).toEqual([]);
  });

  test('is never due, and its ledger shows why', () => {
    bench.do((tx, ctx) => changeSite(tx, ctx, 'web-shop', { sla_policy: { pause_while_pending: true } }, null));
    const { ticket } = bench.open();
    bench.clock.advance(10 * minute);
    mark(ticket, true);
    bench.clock.advance(10_000 * minute);
    bench.do((tx, ctx) => scanStep(tx, ctx), { kind: 'scan' });
    expect(bench.events.filter(({ ticketId }) => ticketId === ticket.id)).toEqual([]);
    mark(ticket, false);
    bench.clock.advance(5 * minute);
    const ledger = bench.do((tx, ctx) => explainSla(tx, ctx, ticket.id));
    for (const { entries, elapsedMs, pausedMs } of ledger.clocks) {
      expect(
        entries.filter(({ isProjected }) => !isProjected).map(({ kind, workingMs }) => [kind, workingMs / minute]),
      ).toEqual([
        ['counted', 10],
        ['spam', 10_000],
        ['counted', 5],
      ]);
      expect(elapsedMs).toBe(15 * minute);
      expect(pausedMs).toBe(10_000 * minute);
    }
    expect(bench.ticket(ticket.id).resolutionDueAt).toBe((ticket.resolutionDueAt ?? 0) + 10_000 * minute);
  });

  test('of a pending ticket shows both stretches, one after the other', () => {
    const { ticket } = bench.open();
    const set = (status: 'pending' | 'open') =>
      bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { status }, null));
    set('pending');
    bench.clock.advance(10 * minute);
    mark(ticket, true);
    bench.clock.advance(20 * minute);
    mark(ticket, false);
    bench.clock.advance(30 * minute);
    set('open');
    const { clocks } = bench.do((tx, ctx) => explainSla(tx, ctx, ticket.id));
    expect(
      clocks[1]?.entries
        .filter(({ isProjected }) => !isProjected)
        .map(({ kind, workingMs }) => [kind, workingMs / minute]),
    ).toEqual([
      ['paused', 10],
      ['spam', 20],
      ['paused', 30],
    ]);
    expect(clocks[1]?.pausedMs).toBe(60 * minute);
    expect(bench.ticket(ticket.id)).toMatchObject({ slaPausedAt: null });
  });

  test('is merged only with spam', () => {
    const [one, two] = [bench.open().ticket, bench.open().ticket];
    mark(one, true);
    const merge = (from: Ticket, into: Ticket) =>
      bench.refusal((tx, ctx) => mergeTickets(tx, ctx, from.ulid, into.ulid)).reason;
    expect([merge(one, two), merge(two, one)]).toEqual(['spam_ticket', 'spam_ticket']);
    mark(two, true);
    expect(bench.do((tx, ctx) => mergeTickets(tx, ctx, one.ulid, two.ulid)).target.isSpam).toBe(true);
  });

  test('tells no one, except the author whom an agent answers', () => {
    const { ticket } = bench.open();
    mark(ticket, true);
    const before = deliveries().length;
    const author = authorById(bench.tx, ticket.authorId);
    if (!author) throw new Error('no author');
    bench.do((tx, ctx) => replyAsCustomer(tx, ctx, bench.ticket(ticket.id), author, { body: 'Buy now.' }));
    bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { status: 'resolved' }, null));
    expect(deliveries()).toHaveLength(before);
    const said = bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'Please stop.' }));
    expect(said.message.delivery?.status).toBe('queued');
    expect(deliveries().slice(before)).toEqual([{ event: 'mail.agent_reply' }]);
  });
});

describe('mail', () => {
  let desk: MailDesk;
  beforeEach(async () => {
    desk = await mailDesk();
  });
  afterEach(() => desk.close());
  const mark = (id: number | null, isSpam: boolean) =>
    desk.do((tx, ctx) => {
      changeTicket(tx, ctx, id ?? 0, { is_spam: isSpam }, null);
      return null;
    });

  test('of the author of spam is held until the ticket is no spam, and filed when it is released', async () => {
    const { ticketId } = await desk.post(mail());
    await mark(ticketId, true);
    const held = await desk.post(mail({ subject: 'More watches' }));
    expect(held).toMatchObject({
      outcome: 'held',
      reason: 'A ticket of mia@customer.example is marked as spam.',
      ticketId: null,
    });
    expect((await desk.post(mail({ from: 'jan@customer.example', subject: 'A question' }))).outcome).toBe(
      'ticket_created',
    );
    const released = await desk.mailroom.replay('web-shop', held.id, { isReleased: true });
    expect(released.row.outcome).toBe('ticket_created');
    await mark(ticketId, false);
    expect((await desk.post(mail({ subject: 'A real question' }))).outcome).toBe('ticket_created');
  });

  test('that answers spam is held, also from others', async () => {
    const { ticketId } = await desk.post(mail());
    await mark(ticketId, true);
    const to = `ticket+${desk.ticket(ticketId).ulid}@desk.example`;
    expect(await desk.post(mail({ from: 'jan@customer.example', to }), { to })).toMatchObject({
      outcome: 'held',
      reason: 'It answers a ticket that is marked as spam.',
    });
    expect(desk.messages(ticketId)).toHaveLength(1);
  });

  test('of the author of spam that a rule discards is discarded', async () => {
    const { ticketId } = await desk.post(mail());
    await mark(ticketId, true);
    await desk.rule({
      conditions: [{ field: 'subject', operator: 'contains', value: 'watches' }],
      actions: [{ type: 'discard', value: 'Offers.' }],
    });
    expect((await desk.post(mail({ subject: 'More watches' }))).outcome).toBe('discarded');
  });

  test('of one site is not held for the spam of another', async () => {
    const { ticketId } = await desk.post(mail());
    await mark(ticketId, true);
    const other = await desk.siteNamed('School');
    expect((await desk.post(mail(), {}, other)).outcome).toBe('ticket_created');
  });
});
