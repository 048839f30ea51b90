// Merging tickets: what moves, what stays, and whose token opens what (docs/spec/api.md#tickets).

import { afterAll, describe, expect, test } from 'bun:test';
import { newUlid } from '../../../src/base/ids.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { attachAsCustomer } from '../../../src/desk/tickets/attachments.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { openThread, readTicket } from '../../../src/desk/tickets/find-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { splitTicket } from '../../../src/desk/tickets/split-ticket.ts';
import { mostMessagesToMove } from '../../../src/domain/sites/limits.ts';
import { query } from '../../../src/engine/database.ts';
import { messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { kinds, minute, start, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
const agent = token(['read', 'write']);

const merge = (from: string, into: string) => bench.do((tx, ctx) => mergeTickets(tx, ctx, from, into), agent);
const file = () => ({
  ulid: newUlid(start),
  filename: 'a.txt',
  contentType: 'text/plain',
  size: 1,
  sha256: '0'.repeat(64),
});

describe('a merge', () => {
  test('of more messages than one step moves is refused, and so is a split', () => {
    const [a, b] = [bench.open().ticket, bench.open().ticket];
    const set = (id: number, count: number) =>
      bench.do((tx) => query(tx, 'UPDATE tickets SET message_count = ? WHERE id = ?').run(count, id));
    set(a.id, mostMessagesToMove);
    const refused = bench.refusal((tx, ctx) => mergeTickets(tx, ctx, a.ulid, b.ulid), agent);
    expect(refused).toMatchObject({ code: 'conflict', reason: 'too_many_messages' });
    set(a.id, mostMessagesToMove + 1);
    const [first] = messagesOfTicket(bench.tx, a.id);
    const input = { message: first?.ulid ?? '', subject: undefined };
    expect(bench.refusal((tx, ctx) => splitTicket(tx, ctx, a.ulid, input), agent).reason).toBe('too_many_messages');
    set(a.id, mostMessagesToMove - 1);
    expect(merge(a.ulid, b.ulid).target.messageCount).toBe(mostMessagesToMove);
  });

  test('moves messages, attachments and tags, and closes what it empties', () => {
    const a = bench.open({ subject: 'First', message: 'walrus', tags: ['one', 'both'] });
    const b = bench.open({ subject: 'Second', message: 'penguin', tags: ['both', 'two'] });
    bench.do((tx, ctx) => attachAsCustomer(tx, ctx, bench.ticket(a.ticket.id), file(), null));
    bench.clock.advance(minute);
    const { source, target } = merge(a.ticket.ulid, b.ticket.ulid);
    expect(source).toMatchObject({
      status: 'closed',
      mergedIntoId: b.ticket.id,
      messageCount: 0,
      tags: [],
      closedAt: bench.clock.now(),
    });
    expect(target).toMatchObject({ status: 'open', messageCount: 2, tags: ['both', 'two', 'one'] });
    expect([bench.ticket(source.id), bench.ticket(target.id)]).toEqual([source, target]);
    const thread = bench.do((tx, ctx) => readTicket(tx, ctx, b.ticket.ulid), agent);
    expect(messagesOfTicket(bench.tx, target.id).map(({ body }) => body)).toEqual(['walrus', 'penguin']);
    expect(thread.attachments).toHaveLength(1);
    expect(messagesOfTicket(bench.tx, source.id)).toEqual([]);
    expect(bench.search('walrus')).toEqual([target.id]);
    merge(bench.open({ subject: 'Third' }).ticket.ulid, b.ticket.ulid);
    expect(kinds(bench)).toEqual(['ticket.status_changed', 'ticket.merged', 'ticket.merged']);
    expect(bench.events[2]?.data).toMatchObject({
      ticket_ulid: b.ticket.ulid,
      into_ulid: b.ticket.ulid,
      messages_moved: 1,
    });
  });

  test('of very long threads finds the newest words of what came together', () => {
    const words = ['aardvark', 'beaver', 'caribou', 'dormouse', 'echidna', 'flamingo', 'gazelle', 'hedgehog'];
    const [first, ...others] = words.map((word) => bench.open({ subject: 'Long', message: word }).ticket);
    // As long as mail can be.
    query(bench.tx, 'UPDATE messages SET body = body || ? WHERE body IN (SELECT value FROM json_each(?))').run(
      ' filling words'.repeat(7000),
      JSON.stringify(words),
    );
    for (const { ulid } of others) merge(ulid, first?.ulid ?? '');
    expect(words.filter((word) => bench.search(word).includes(first?.id ?? 0))).toEqual(words.slice(-2));
  });

  test('leaves tags that find no room where they were', () => {
    const many = (from: number) => Array.from({ length: 8 }, (_, at) => `t-${from + at}`);
    const a = bench.open({ tags: many(0) }).ticket;
    const b = bench.open({ tags: many(4) }).ticket;
    const { source, target } = merge(a.ulid, b.ulid);
    expect(target.tags).toHaveLength(10);
    expect([...target.tags, ...source.tags].sort()).toEqual([...new Set([...many(0), ...many(4)])].sort());
  });

  test('of a chain leads to its end, from every ticket with its own token, and each speaks as its author', () => {
    const [a, b, c] = ['ann', 'bea', 'cleo'].map((name) => bench.open({ email: `${name}@example.org`, name })) as [
      ReturnType<typeof bench.open>,
      ReturnType<typeof bench.open>,
      ReturnType<typeof bench.open>,
    ];
    merge(a.ticket.ulid, b.ticket.ulid);
    merge(b.ticket.ulid, c.ticket.ulid);
    const enter = (ulid: string, access: string) => openThread(bench.tx, bench.site.id, ulid, access);
    for (const { ticket, accessToken } of [a, b, c]) {
      const own = enter(ticket.ulid, accessToken);
      expect(own.ticket.id).toBe(c.ticket.id);
      expect(own.author.id).toBe(ticket.authorId);
      // And under the name of the thread that it is in now.
      const there = enter(c.ticket.ulid, accessToken);
      expect(there.ticket.id).toBe(c.ticket.id);
      expect(there.author.id).toBe(ticket.authorId);
    }
    expect(() => enter(a.ticket.ulid, c.accessToken)).toThrow('No such ticket');
    expect(() => enter(b.ticket.ulid, c.accessToken)).toThrow('No such ticket');
    expect(enter(b.ticket.ulid, a.accessToken).author.id).toBe(a.ticket.authorId);
    const stranger = bench.open();
    expect(() => enter(c.ticket.ulid, stranger.accessToken)).toThrow('No such ticket');
    expect(() => openThread(bench.tx, bench.site.id + 1, c.ticket.ulid, c.accessToken)).toThrow('No such ticket');
    expect(() => enter(newUlid(start), c.accessToken)).toThrow('No such ticket');
  });

  test('is refused where it makes no sense, and changes nothing', () => {
    const a = bench.open().ticket;
    const b = bench.open().ticket;
    const c = bench.open().ticket;
    const trial = bench.open({ is_test: true }).ticket;
    const { site } = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Elsewhere' }));
    const foreign = bench.open({}, site).ticket;
    merge(b.ulid, c.ulid);
    const before = bench.everything();
    const rows: [from: string, into: string, refusal: object][] = [
      [a.ulid, a.ulid, { code: 'invalid' }],
      [a.ulid, 'nothing', { code: 'invalid' }],
      ['nothing', a.ulid, { code: 'not_found' }],
      [a.ulid, foreign.ulid, { code: 'invalid' }],
      [a.ulid, b.ulid, { code: 'conflict', reason: 'ticket_merged' }],
      [b.ulid, a.ulid, { code: 'conflict', reason: 'ticket_merged' }],
      [a.ulid, trial.ulid, { code: 'conflict', reason: 'test_ticket' }],
    ];
    for (const [from, into, refusal] of rows)
      expect(bench.refusal((tx, ctx) => mergeTickets(tx, ctx, from, into), agent)).toMatchObject(refusal);
    const scoped = token(['read', 'write'], bench.site.id);
    expect(bench.refusal((tx, ctx) => mergeTickets(tx, ctx, a.ulid, foreign.ulid), scoped).errors).toHaveProperty(
      'into',
    );
    expect(bench.refusal((tx, ctx) => mergeTickets(tx, ctx, a.ulid, c.ulid), token(['read'])).code).toBe('forbidden');
    expect(bench.refusal((tx, ctx) => replyAsAgent(tx, ctx, b.ulid, { body: 'x' }), agent).reason).toBe(
      'ticket_merged',
    );
    expect(bench.refusal((tx, ctx) => changeTicket(tx, ctx, b.ulid, { status: 'open' }, null), agent).reason).toBe(
      'ticket_merged',
    );
    expect(bench.everything()).toEqual(before);
  });
});
