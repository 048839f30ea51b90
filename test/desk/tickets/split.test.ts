// Splitting a ticket: what moves, what stays, and what both histories say (docs/spec/console.md#split).

import { afterAll, describe, expect, test } from 'bun:test';
import { newUlid } from '../../../src/base/ids.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { attachAsAgent, attachAsCustomer } from '../../../src/desk/tickets/attachments.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { openThread } from '../../../src/desk/tickets/find-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { listParticipants } from '../../../src/desk/tickets/participants.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { splitTicket } from '../../../src/desk/tickets/split-ticket.ts';
import { unmergeTicket } from '../../../src/desk/tickets/unmerge-ticket.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById, insertAuthor } from '../../../src/store/customers/authors.ts';
import { attachmentsOfTicket, messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { kinds, minute, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
bench.do((tx, ctx) => changeSite(tx, ctx, 'web-shop', { settings: { acknowledge: true } } as never, null));

bench.do((tx, ctx) => customFields.add(tx, ctx, bench.site.slug, { key: 'order', label: 'Order', type: 'text' }));

const agent = token(['read', 'write']);
const bodies = (ticket: Ticket) => messagesOfTicket(bench.tx, ticket.id).map(({ body }) => body);
const messageUlid = (ticket: Ticket, at: number) => messagesOfTicket(bench.tx, ticket.id)[at]?.ulid ?? '';
const split = (ticket: Ticket, message: string, subject?: string) =>
  bench.do((tx, ctx) => splitTicket(tx, ctx, ticket.ulid, { message, subject }), agent);
const refused = (ticket: Ticket, message: string) =>
  bench.refusal((tx, ctx) => splitTicket(tx, ctx, ticket.ulid, { message }), agent);

function customer(ticket: Ticket, body: string, authorId = ticket.authorId) {
  const author = authorById(bench.tx, authorId);
  if (!author) throw new Error('no author');
  bench.clock.advance(minute);
  const actor = { kind: 'author', siteId: ticket.siteId, authorId, name: author.name } as const;
  return bench.do((tx, ctx) => replyAsCustomer(tx, ctx, bench.ticket(ticket.id), author, { body }), actor);
}

function say(ticket: Ticket, body: string, isNote = false) {
  bench.clock.advance(minute);
  return bench.do((tx, ctx) => (isNote ? addNote : replyAsAgent)(tx, ctx, ticket.id, { body }), agent);
}

test('a message and all after it become a ticket of their own', () => {
  const { ticket } = bench.open({ tags: ['eu'], context: { source: 'web', extra: { a: 1 } } as never });
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { tags: ['eu', 'vip'], priority_id: 4 }, null));
  say(ticket, 'First answer');
  const asked = customer(ticket, 'Where is my invoice?').ticket.lastCustomerMessageAt;
  say(ticket, 'A note', true);
  bench.clock.advance(minute);
  const before = query(bench.tx, 'SELECT 1 FROM deliveries').all().length;
  const made = split(ticket, messageUlid(ticket, 2), 'Invoice');
  expect(bodies(made)).toEqual(['Where is my invoice?', 'A note']);
  expect(bodies(ticket)).toEqual(['The button does nothing.', 'First answer']);
  expect(bench.ticket(made.id)).toEqual(made);
  expect(made).toMatchObject({
    subject: 'Invoice',
    status: 'open',
    authorId: ticket.authorId,
    splitFromId: ticket.id,
    tags: ['eu', 'vip'],
    priorityId: 4,
    priorityLevel: bench.ticket(ticket.id).priorityLevel,
    context: null,
    messageCount: 2,
    lastCustomerMessageAt: asked,
    lastAgentMessageAt: null,
    firstResponseAt: null,
    createdAt: bench.clock.now(),
  });
  expect(bench.ticket(ticket.id)).toMatchObject({ messageCount: 2, lastCustomerMessageAt: ticket.createdAt });
  expect(made.accessTokenHash).not.toBe(ticket.accessTokenHash);
  expect(bench.events.map(({ kind, ticketId, data }) => [kind, ticketId, data.into ?? data.from ?? null])).toEqual([
    ['ticket.created', made.id, null],
    ['ticket.split', ticket.id, { id: made.id, ulid: made.ulid }],
    ['ticket.split', made.id, { id: ticket.id, ulid: ticket.ulid }],
  ]);
  // No acknowledgement: the author has written nothing new.
  expect(query(bench.tx, 'SELECT 1 FROM deliveries').all()).toHaveLength(before);
  expect(bench.search('invoice')).toEqual([made.id]);
  expect(bench.search('button')).toContain(ticket.id);
});

test('an answer that moves counts as the first response', () => {
  const { ticket } = bench.open();
  customer(ticket, 'And this?');
  say(ticket, 'That too.');
  bench.clock.advance(minute);
  const made = split(ticket, messageUlid(ticket, 1));
  expect(made.firstResponseAt).toBe(bench.clock.now());
  expect(made.subject).toBe(ticket.subject);
  // What was said in time was said in time.
  expect(bench.ticket(ticket.id).firstResponseAt).not.toBeNull();
  expect(bench.ticket(ticket.id).lastAgentMessageAt).toBeNull();
});

test('the new ticket belongs to who wrote on it', () => {
  const { ticket } = bench.open();
  const zoe = bench.do((tx, ctx) =>
    insertAuthor(tx, {
      siteId: bench.site.id,
      externalId: null,
      email: 'zoe@example.org',
      name: 'Zoë',
      isVerified: false,
      anonymisedAt: null,
      erasedExternalId: null,
      erasedEmail: null,
      createdAt: ctx.now,
    }),
  );
  say(ticket, 'Hello');
  customer(ticket, 'I have another problem.', zoe.id);
  expect(split(ticket, messageUlid(ticket, 1)).authorId).toBe(zoe.id);
});

const stored = (filename: string) => ({
  ulid: newUlid(1),
  filename,
  contentType: 'text/plain',
  size: 1,
  sha256: 'a'.repeat(64),
});
const names = (one: Ticket) => attachmentsOfTicket(bench.tx, one.id).map(({ filename }) => filename);

describe('after a wrong merge, what belongs to another customer', () => {
  const people = (...emails: string[]) => emails.map((email) => ({ email, name: null }));
  /** Anna's ticket, with Bert's merged into it. */
  function merged() {
    const anna = bench.open({
      email: 'anna@example.org',
      subject: 'Anna’s order',
      custom_fields: { order: 'A-1' },
      cc: people('friend-of-anna@example.org'),
    });
    const bert = bench.open({
      email: 'bert@example.org',
      subject: 'Bert’s refund',
      custom_fields: { order: 'B-2' },
      cc: people('friend-of-bert@example.org'),
    });
    for (const [{ ticket }, filename] of [
      [anna, 'anna.txt'],
      [bert, 'bert.txt'],
    ] as const)
      bench.do((tx, ctx) => attachAsCustomer(tx, ctx, ticket, stored(filename), null));
    bench.do((tx, ctx) => mergeTickets(tx, ctx, bert.ticket.id, anna.ticket.id), agent);
    return { anna, bert };
  }
  const threadOf = ({ ticket, accessToken }: { ticket: Ticket; accessToken: string }) =>
    openThread(bench.tx, ticket.siteId, ticket.ulid, accessToken).ticket.id;

  test('stays with that customer: fields, subject, participants, files and the thread itself', () => {
    const { anna, bert } = merged();
    const made = split(anna.ticket, messageUlid(anna.ticket, 1));
    expect(made).toMatchObject({
      authorId: bert.ticket.authorId,
      subject: 'Bert’s refund',
      customFields: { order: 'B-2' },
    });
    const taking = bench.do((tx, ctx) => listParticipants(tx, ctx, made.id));
    expect(taking.map(({ person }) => person.email)).toEqual(['friend-of-bert@example.org']);
    expect([names(made), names(anna.ticket)]).toEqual([['bert.txt'], ['anna.txt']]);
    expect(threadOf(bert)).toBe(made.id);
    expect(threadOf(anna)).toBe(anna.ticket.id);
  });

  const send = ({ ticket, accessToken }: { ticket: Ticket; accessToken: string }, filename: string) => {
    const { ticket: thread, author } = openThread(bench.tx, ticket.siteId, ticket.ulid, accessToken);
    const actor = { kind: 'author', siteId: ticket.siteId, authorId: author.id, name: author.name } as const;
    bench.do((tx, ctx) => attachAsCustomer(tx, ctx, thread, stored(filename), null), actor);
  };

  test('stays, too, if it is a file that was sent after the merge', () => {
    const { anna, bert } = merged();
    send(bert, 'later-of-bert.txt');
    send(anna, 'later-of-anna.txt');
    const made = split(anna.ticket, messageUlid(anna.ticket, 1));
    expect(names(made)).toEqual(['bert.txt', 'later-of-bert.txt']);
    expect(names(anna.ticket)).toEqual(['anna.txt', 'later-of-anna.txt']);
  });

  test('files stay where messages of their customer stay', () => {
    const { anna, bert } = merged();
    customer(anna.ticket, 'Bert again', bert.ticket.authorId);
    send(bert, 'later-of-bert.txt');
    bench.do((tx, ctx) => splitTicket(tx, ctx, anna.ticket.ulid, { message: messageUlid(anna.ticket, 1), only: true }));
    expect(names(anna.ticket)).toContain('later-of-bert.txt');
    expect(names(split(anna.ticket, messageUlid(anna.ticket, 1)))).toContain('later-of-bert.txt');
  });

  test('stays also where the customer has no ticket of their own', () => {
    const { ticket } = bench.open({ email: 'anna@example.org', custom_fields: { order: 'A-1' } });
    const { ticket: other } = bench.open({ email: 'carl@example.org' });
    customer(ticket, 'I am Carl.', other.authorId);
    expect(split(ticket, messageUlid(ticket, 1))).toMatchObject({ authorId: other.authorId, customFields: {} });
  });

  test('a link leads to the old thread while messages of its customer are there', () => {
    const { anna, bert } = merged();
    customer(anna.ticket, 'Bert again', bert.ticket.authorId);
    bench.do((tx, ctx) => splitTicket(tx, ctx, anna.ticket.ulid, { message: messageUlid(anna.ticket, 1), only: true }));
    expect(threadOf(bert)).toBe(anna.ticket.id);
    const last = split(anna.ticket, messageUlid(anna.ticket, 1));
    expect(threadOf(bert)).toBe(last.id);
  });

  test('a third customer whose messages all move goes along, and the merge can be undone', () => {
    const { anna, bert } = merged();
    const carl = bench.open({ email: 'carl@example.org' });
    bench.do((tx, ctx) => mergeTickets(tx, ctx, carl.ticket.id, anna.ticket.id), agent);
    const made = split(anna.ticket, messageUlid(anna.ticket, 1));
    expect([threadOf(bert), threadOf(carl), threadOf(anna)]).toEqual([made.id, made.id, anna.ticket.id]);
    bench.do((tx, ctx) => unmergeTicket(tx, ctx, carl.ticket.id), agent);
    expect(threadOf(carl)).toBe(carl.ticket.id);
    expect(bodies(made)).toHaveLength(1);
  });
});

describe('after one wrong merge on another', () => {
  const open = (name: string) =>
    bench.open({
      email: `${name}@example.org`,
      subject: name,
      cc: [{ email: `friend-of-${name}@example.org`, name: null }],
    });
  type Opened = ReturnType<typeof open>;
  const threadOf = ({ ticket, accessToken }: Opened) =>
    openThread(bench.tx, ticket.siteId, ticket.ulid, accessToken).ticket.id;
  const merge = (one: Opened, into: Opened) =>
    bench.do((tx, ctx) => mergeTickets(tx, ctx, one.ticket.id, into.ticket.id), agent);
  const splitOnly = ({ ticket }: Opened, at: number) =>
    bench.do((tx, ctx) => splitTicket(tx, ctx, ticket.ulid, { message: messageUlid(ticket, at), only: true }), agent);
  const takingPart = (one: Ticket) =>
    bench.do((tx, ctx) => listParticipants(tx, ctx, one.id)).map(({ person }) => person.email);
  function chain() {
    const [anna, bert, carl] = [open('anna'), open('bert'), open('carl')];
    for (const [{ ticket }, filename] of [
      [bert, 'bert.txt'],
      [carl, 'carl.txt'],
    ] as const)
      bench.do((tx, ctx) => attachAsCustomer(tx, ctx, ticket, stored(filename), null));
    merge(bert, carl);
    merge(carl, anna);
    const at = (one: Opened) =>
      messagesOfTicket(bench.tx, anna.ticket.id).findIndex(({ authorId }) => authorId === one.ticket.authorId);
    return { anna, bert, carl, at };
  }

  test('each customer follows their own messages, also from the end of the chain', () => {
    const { anna, bert, carl, at } = chain();
    const berts = splitOnly(anna, at(bert));
    expect(berts).toMatchObject({ authorId: bert.ticket.authorId, subject: 'bert' });
    expect([threadOf(bert), threadOf(carl), threadOf(anna)]).toEqual([berts.id, anna.ticket.id, anna.ticket.id]);
    expect([names(berts), names(anna.ticket)]).toEqual([['bert.txt'], ['carl.txt']]);
    expect(takingPart(berts)).toEqual(['friend-of-bert@example.org']);
    const carls = splitOnly(anna, at(carl));
    expect([threadOf(bert), threadOf(carl), threadOf(anna)]).toEqual([berts.id, carls.id, anna.ticket.id]);
    bench.do((tx, ctx) => unmergeTicket(tx, ctx, bert.ticket.id), agent);
    expect(bodies(bert.ticket)).toHaveLength(1);
  });

  test('and from its middle', () => {
    const { anna, bert, carl, at } = chain();
    const carls = splitOnly(anna, at(carl));
    expect([threadOf(bert), threadOf(carl), threadOf(anna)]).toEqual([anna.ticket.id, carls.id, anna.ticket.id]);
    expect([names(carls), names(anna.ticket)]).toEqual([['carl.txt'], ['bert.txt']]);
    expect(takingPart(carls)).toEqual(['friend-of-carl@example.org']);
    bench.do((tx, ctx) => unmergeTicket(tx, ctx, bert.ticket.id), agent);
    expect([threadOf(bert), bodies(bert.ticket).length]).toEqual([bert.ticket.id, 1]);
  });

  test('a customer who was named on it since takes no part in the other ticket any more', () => {
    const [anna, bert, dora] = [open('anna'), open('bert'), open('dora')];
    const name = ({ ticket }: Opened) => {
      bench.clock.advance(minute);
      const to = ['anna', 'bert', 'dora'].map((one) => ({ email: `${one}@example.org`, name: null }));
      bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'To all', to }), agent);
    };
    const removed = () =>
      bench
        .do((tx, ctx) => listParticipants(tx, ctx, anna.ticket.id))
        .flatMap(({ person, absence }) => (absence === 'removed' ? [person.email] : []));
    merge(bert, anna);
    bench.clock.advance(minute);
    name(anna);
    expect(removed()).toEqual([]);
    splitOnly(anna, 1);
    expect(kinds(bench)).toContain('ticket.participants_changed');
    expect(removed()).toEqual(['bert@example.org']);
    // Dora took part before her ticket was merged.
    bench.clock.advance(minute);
    merge(dora, anna);
    bench.do((tx, ctx) => unmergeTicket(tx, ctx, dora.ticket.id), agent);
    expect(removed()).toEqual(['bert@example.org']);
  });

  test('a ticket is not left with the words of only another customer, whose first message can be split off', () => {
    const [anna, bert] = [open('anna'), open('bert')];
    merge(anna, bert);
    expect(refused(bert.ticket, messageUlid(bert.ticket, 1)).reason).toBe('only_others_left');
    expect(refused(bert.ticket, messageUlid(bert.ticket, 0)).errors).toHaveProperty('message');
    const annas = splitOnly(bert, 0);
    expect(annas).toMatchObject({ authorId: anna.ticket.authorId, subject: 'anna' });
    expect([threadOf(anna), threadOf(bert)]).toEqual([annas.id, bert.ticket.id]);
    expect([bodies(annas).length, bodies(bert.ticket).length]).toEqual([1, 1]);
  });
});

test('files go with their messages, and loose ones stay', () => {
  const { ticket } = bench.open();
  const { message } = customer(ticket, 'See the picture.');
  bench.do((tx, ctx) =>
    attachAsCustomer(
      tx,
      { ...ctx, actor: { kind: 'author', siteId: ticket.siteId, authorId: ticket.authorId, name: null } },
      bench.ticket(ticket.id),
      stored('a.txt'),
      message.id,
    ),
  );
  bench.do((tx, ctx) => attachAsAgent(tx, ctx, ticket.ulid, stored('loose.txt'), null), agent);
  const made = split(ticket, message.ulid);
  expect([names(made), names(ticket)]).toEqual([['a.txt'], ['loose.txt']]);
});

test('spam is left behind, and a test ticket makes a test ticket', () => {
  const { ticket } = bench.open({ is_test: true });
  customer(ticket, 'A real question');
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { is_spam: true }, null));
  expect(split(ticket, messageUlid(ticket, 1))).toMatchObject({
    isSpam: false,
    isTest: true,
    slaNextAt: null,
    slaPausedAt: null,
  });
});

test('a message becomes a ticket alone, and those after it stay', () => {
  const { ticket } = bench.open();
  say(ticket, 'First answer');
  customer(ticket, 'Where is my invoice?');
  say(ticket, 'Last answer');
  const made = bench.do(
    (tx, ctx) => splitTicket(tx, ctx, ticket.ulid, { message: messageUlid(ticket, 2), only: true }),
    agent,
  );
  expect(bodies(made)).toEqual(['Where is my invoice?']);
  expect(bodies(ticket)).toEqual(['The button does nothing.', 'First answer', 'Last answer']);
  expect([made.messageCount, bench.ticket(ticket.id).messageCount]).toEqual([1, 3]);
});

test('is refused at the first message, of another ticket, of a merged one, and leaves no trace', () => {
  const { ticket } = bench.open();
  const { ticket: other } = bench.open();
  customer(ticket, 'More');
  expect(refused(ticket, messageUlid(ticket, 0)).errors).toHaveProperty('message');
  expect(refused(ticket, messageUlid(other, 0)).errors).toHaveProperty('message');
  const theirs = token(['read', 'write'], 999);
  const message = messageUlid(ticket, 1);
  expect(bench.refusal((tx, ctx) => splitTicket(tx, ctx, ticket.ulid, { message }), theirs).code).toBe('not_found');
  bench.do((tx, ctx) => mergeTickets(tx, ctx, ticket.ulid, other.ulid), agent);
  expect(refused(ticket, message).reason).toBe('ticket_merged');
});

test('and merged back, everything is in one thread again', () => {
  const { ticket } = bench.open();
  customer(ticket, 'Two');
  customer(ticket, 'Three');
  const made = split(ticket, messageUlid(ticket, 1));
  bench.do((tx, ctx) => mergeTickets(tx, ctx, made.ulid, ticket.ulid), agent);
  expect(kinds(bench)).toContain('ticket.merged');
  expect(bodies(ticket)).toEqual(['The button does nothing.', 'Two', 'Three']);
  expect(bench.ticket(ticket.id).messageCount).toBe(3);
});
