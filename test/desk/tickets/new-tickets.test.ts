// Tickets that agents open: who speaks first, who is mailed, and when the clocks start (docs/spec/console.md#new-tickets).

import { afterAll, describe, expect, test } from 'bun:test';
import { newUlid } from '../../../src/base/ids.ts';
import { eraseAuthor, findOrCreateAuthor } from '../../../src/desk/customers/authors.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { explainSla } from '../../../src/desk/sla/sla.ts';
import { readDraft } from '../../../src/desk/tickets/drafts.ts';
import {
  attachToNewTicket,
  readNewTicketDraft,
  removeNewTicketFile,
  writeNewTicketDraft,
} from '../../../src/desk/tickets/new-ticket-draft.ts';
import { replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import { agentTicketInput, draftInput } from '../../../src/domain/input/tickets.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { attachmentsOfTicket, knownAttachments, messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { kinds, minute, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
const site = bench.site;
bench.do((tx, ctx) => changeSite(tx, ctx, site.slug, { settings: { notify_resolved: true } }, null));
const ana = bench.do((tx, ctx) => addAgent(tx, ctx, { name: 'Ana', email: 'ana@desk.example', role: 'member' }));
const asAna: Actor = {
  ...{ kind: 'agent', agentId: ana.id, name: 'Ana', role: 'owner', scope: 'all', sessionId: 1 },
  abilities: ['read', 'note', 'write', 'manage'],
};

let count = 0;
const freshAddress = () => {
  count += 1;
  return `mia${count}@example.org`;
};
type Given = Record<string, unknown>;
const read = (given: Given) =>
  agentTicketInput.parse({
    ...{ site_id: site.id, email: freshAddress(), subject: 'Your order', message: 'About your order.' },
    ...given,
  });
const open = (given: Given, actor: Actor = asAna) =>
  bench.do((tx, ctx) => openTicketAsAgent(tx, ctx, read(given)), actor).ticket;
const mails = (ticket: Ticket) =>
  query<{ event: string }>(
    bench.tx,
    "SELECT event FROM deliveries WHERE ticket_id = ? AND event LIKE 'mail.%' ORDER BY id",
  )
    .all(ticket.id)
    .map(({ event }) => event);
const first = (ticket: Ticket) => {
  const [message] = messagesOfTicket(bench.tx, ticket.id);
  if (!message) throw new Error('it has no message');
  return message;
};
const fromCustomer = (ticket: Ticket) => {
  const author = authorById(bench.tx, ticket.authorId);
  if (!author) throw new Error('no author');
  const actor = { kind: 'author', siteId: site.id, authorId: author.id, name: author.name } as const;
  return bench.do((tx, ctx) => replyAsCustomer(tx, ctx, bench.ticket(ticket.id), author, { body: 'Yes?' }), actor)
    .ticket;
};
const fromAgent = (ticket: Ticket) =>
  bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'Here you are.' }), asAna).ticket;
const ledgerOf = (ticket: Ticket) => {
  const [clock] = bench.do((tx, ctx) => explainSla(tx, ctx, ticket.ulid)).clocks;
  if (!clock) throw new Error('no clock');
  return clock;
};

describe('the first message', () => {
  test.each([
    [{ notify_author: true, source: 'phone' }, { isAgent: true, isInternal: false }, ['mail.agent_reply']],
    [{ notify_author: true }, { isAgent: true, isInternal: false }, ['mail.agent_reply']],
    [{ notify_author: false, source: 'phone' }, { isAgent: false, isInternal: false }, []],
    [{ notify_author: false, source: 'email' }, { isAgent: false, isInternal: false }, []],
    [{ notify_author: false, source: 'agent' }, { isAgent: true, isInternal: true }, []],
    [{}, { isAgent: false, isInternal: false }, ['mail.acknowledgement']],
  ] as const)('with %p is %p, and the mails are %p', (given, who, expected) => {
    const ticket = open(given);
    expect(first(ticket)).toMatchObject({ ...who, body: 'About your order.' });
    expect(mails(ticket)).toEqual([...expected]);
    expect(bench.ticket(ticket.id)).toMatchObject({
      messageCount: 1,
      lastCustomerMessageAt: who.isAgent ? null : bench.clock.now(),
      source: 'source' in given ? given.source : 'agent',
    });
  });

  test('of a call that is over at once mails no one, whatever the site mails about resolved tickets', () => {
    expect(mails(open({ notify_author: false, source: 'phone', status: 'resolved' }))).toEqual([]);
    const told = open({ notify_author: true, status: 'resolved' });
    expect([told.status, ...mails(told)]).toEqual(['resolved', 'mail.agent_reply', 'mail.ticket_resolved']);
  });

  test('is announced without the text of a note', () => {
    open({ notify_author: false, source: 'agent' });
    expect(bench.events.find(({ kind }) => kind === 'ticket.created')?.data).toMatchObject({ message_ulid: null });
    const ticket = open({ notify_author: true, source: 'phone' });
    expect(kinds(bench)).toEqual(['ticket.created', 'ticket.replied']);
    expect(bench.events[0]).toMatchObject({
      actor: { type: 'agent', name: 'Ana' },
      data: { source: 'phone', message_ulid: first(ticket).ulid, acknowledge: false },
    });
  });

  test('comes by no way that only customers have', () => {
    expect(agentTicketInput.safeParse({ ...read({}), source: 'web' }).success).toBe(false);
  });
});

describe('the clock of the first response', () => {
  test('starts with the customer’s first answer if they were mailed, and the resolution clock at once', () => {
    const opened = open({ notify_author: true });
    const { createdAt } = opened;
    expect([opened.firstResponseDueAt, opened.resolutionDueAt]).toEqual([null, expect.any(Number)]);
    bench.clock.advance(50 * minute);
    // A second mail is no response to anything.
    expect(fromAgent(opened)).toMatchObject({ firstResponseAt: null, firstResponseDueAt: null });
    expect(ledgerOf(opened)).toMatchObject({ startedAt: null, entries: [], elapsedMs: 0, isPaused: false });
    bench.clock.advance(10 * minute);
    const answered = fromCustomer(opened);
    const target = (answered.firstResponseTargetMinutes ?? 0) * minute;
    expect(target).toBeGreaterThan(0);
    expect(answered.firstResponseDueAt).toBe(createdAt + 60 * minute + target);
    bench.clock.advance(5 * minute);
    const ledger = ledgerOf(opened);
    expect(ledger).toMatchObject({ startedAt: createdAt + 60 * minute, elapsedMs: 5 * minute });
    expect(ledger.remainingMs).toBe(target - 5 * minute);
    expect(fromCustomer(opened).firstResponseDueAt).toBe(answered.firstResponseDueAt);
    expect(fromAgent(opened).firstResponseAt).toBe(bench.clock.now());
  });

  test('counts no pause from before it started', () => {
    const opened = open({ notify_author: true, status: 'pending' });
    bench.clock.advance(60 * minute);
    const answered = fromCustomer(opened);
    expect(answered).toMatchObject({ status: 'open', firstResponsePausedMs: 0, slaPausedAt: null });
    const target = (answered.firstResponseTargetMinutes ?? 0) * minute;
    expect(answered.firstResponseDueAt).toBe(bench.clock.now() + target);
    expect(ledgerOf(opened).entries.every(({ from }) => from >= bench.clock.now())).toBe(true);
  });

  test.each(['phone', 'agent'])('starts now if no one was mailed (%s), and the first reply stops it', (source) => {
    const opened = open({ notify_author: false, source });
    expect(opened.firstResponseDueAt).toBe(opened.createdAt + (opened.firstResponseTargetMinutes ?? 0) * minute);
    bench.clock.advance(minute);
    expect(fromAgent(opened).firstResponseAt).toBe(bench.clock.now());
  });
});

describe('the customer', () => {
  test('is not proven by what an agent types, nor renamed', () => {
    const given = { email: freshAddress(), name: 'Mia', context: { user: { external_id: 'u-1', name: 'Eve' } } };
    const author = authorById(bench.tx, open(given).authorId);
    expect(author).toMatchObject({ name: 'Mia', isVerified: false, externalId: null });
    const again = open({ ...given, name: 'Someone else' });
    expect(again.authorId).toBe(author?.id ?? 0);
    expect(authorById(bench.tx, again.authorId)?.name).toBe('Mia');
    // A team token belongs to a server, which may vouch for them.
    const vouched = open(given, token(['write']));
    expect(authorById(bench.tx, vouched.authorId)).toMatchObject({ isVerified: true });
  });

  test('can be one of several with the address', () => {
    const email = freshAddress();
    const proven = bench.do((tx, ctx) =>
      findOrCreateAuthor(tx, ctx, site.id, { externalId: 'u-2', email, name: 'Mia' }),
    );
    expect(open({ email, author_id: proven.id }).authorId).toBe(proven.id);
    expect(open({ email }).authorId).not.toBe(proven.id);
    const elsewhere = (tx: never, ctx: never) =>
      openTicketAsAgent(tx, ctx, read({ email: freshAddress(), author_id: proven.id }));
    expect(bench.refusal(elsewhere as never, asAna).errors).toHaveProperty('author_id');
  });
});

describe('a draft', () => {
  const file = (name: string) => ({
    ...{
      ulid: newUlid(bench.clock.now()),
      filename: name,
      contentType: 'text/plain',
      size: 1,
      sha256: name.padEnd(64, '0'),
    },
  });
  const attach = (name: string, actor = asAna) =>
    bench.do((tx, ctx) => attachToNewTicket(tx, ctx, file(name), null), actor);
  const save = (given: Given) =>
    bench.do((tx, ctx) => writeNewTicketDraft(tx, ctx, draftInput.parse({ body: 'Dear Mia', ...given })), asAna);
  const saved = () => bench.do((tx, ctx) => readNewTicketDraft(tx, ctx), asAna);

  test('holds the whole form and its files, and goes with the ticket that it becomes', () => {
    const [one, two, dropped] = [attach('a.txt'), attach('b.txt'), attach('c.txt')];
    bench.do((tx, ctx) => removeNewTicketFile(tx, ctx, dropped.ulid), asAna);
    save({ attachment_ids: [one.id, two.id], fields: { subject: 'Later', tags: ['vip'] } });
    expect(saved()).toMatchObject({ draft: { body: 'Dear Mia', fields: { tags: ['vip'] } }, files: [one, two] });
    // What waits is not swept away.
    expect(knownAttachments(bench.tx, [one.ulid, two.ulid, dropped.ulid])).toEqual(new Set([one.ulid, two.ulid]));
    const ticket = open({ notify_author: true, attachment_ids: [two.id] });
    expect(attachmentsOfTicket(bench.tx, ticket.id)).toMatchObject([
      { ulid: two.ulid, messageId: first(ticket).id, isAgent: true, isInternal: false, agentId: ana.id },
    ]);
    expect(saved()).toBeNull();
    expect(knownAttachments(bench.tx, [one.ulid, two.ulid])).toEqual(new Set([two.ulid]));
  });

  test('has files of its own agent only', () => {
    const mine = attach('a.txt');
    const bob = bench.do((tx, ctx) => addAgent(tx, ctx, { name: 'Bob', email: 'bob@desk.example', role: 'member' }));
    const asBob = { ...asAna, agentId: bob.id, name: 'Bob' } as Actor;
    for (const actor of [asBob, token(['write'])]) {
      const taking = bench.refusal((tx, ctx) => openTicketAsAgent(tx, ctx, read({ attachment_ids: [mine.id] })), actor);
      expect(taking.errors).toHaveProperty('attachment_ids');
    }
    expect(bench.refusal((tx, ctx) => removeNewTicketFile(tx, ctx, mine.ulid), asBob).code).toBe('not_found');
    expect(bench.refusal((tx, ctx) => attachToNewTicket(tx, ctx, file('z.txt'), null), token(['write'])).code).toBe(
      'forbidden',
    );
    expect(bench.refusal((tx, ctx) => readDraft(tx, ctx, 'new'), asAna).code).toBe('not_found');
  });

  test('forgets a person who is erased', () => {
    const email = freshAddress();
    open({ email, name: 'Zoë Quist' });
    const erase = (address: string) =>
      bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: site.id, email: address }));
    const { id } = attach('Zoë Quist.txt');
    save({ body: 'Zoë Quist called', fields: { email: 'other@example.org' }, attachment_ids: [id] });
    const other = freshAddress();
    open({ email: other });
    erase(email);
    expect(JSON.stringify(saved())).not.toContain('Quist');
    save({ fields: { email: ` ${other.toUpperCase()}` } });
    erase(other);
    expect(saved()).toBeNull();
  });
});
