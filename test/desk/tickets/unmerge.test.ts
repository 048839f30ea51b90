// Undoing a merge: everything goes back, and what came after it stays (docs/spec/console.md#undoing-a-merge).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newUlid } from '../../../src/base/ids.ts';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { policyOf, termsOf } from '../../../src/desk/sla/clocks.ts';
import { explainSla, scanStep } from '../../../src/desk/sla/sla.ts';
import { attachAsAgent, attachAsCustomer } from '../../../src/desk/tickets/attachments.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { writeDraft } from '../../../src/desk/tickets/drafts.ts';
import { openThread } from '../../../src/desk/tickets/find-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { addParticipant, listParticipants, removeParticipant } from '../../../src/desk/tickets/participants.ts';
import { addNote, answerTicket, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { sendDue } from '../../../src/desk/tickets/scheduled-replies.ts';
import { startSideConversation, writeInSideConversation } from '../../../src/desk/tickets/side-conversations.ts';
import { wakeStep } from '../../../src/desk/tickets/snooze.ts';
import { splitTicket } from '../../../src/desk/tickets/split-ticket.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import { undoableMerges, unmergeTicket } from '../../../src/desk/tickets/unmerge-ticket.ts';
import type { AgentActor } from '../../../src/domain/actor.ts';
import { DeskError } from '../../../src/domain/errors.ts';
import { agentReplyInput, agentTicketInput } from '../../../src/domain/input/tickets.ts';
import { dayMs } from '../../../src/domain/instant.ts';
import { notBegun } from '../../../src/domain/sla/clock.ts';
import * as sla from '../../../src/domain/sla/sla.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { draftOf, draftsOfTicket } from '../../../src/store/tickets/drafts.ts';
import { purgeMerges } from '../../../src/store/tickets/merges.ts';
import { attachmentsOfTicket, messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { scheduledRepliesOfTicket } from '../../../src/store/tickets/scheduled-replies.ts';
import { sideConversationsOf, sideMessagesOf } from '../../../src/store/tickets/side-conversations.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { caseCount } from '../../support/case-count.ts';
import { kinds, minute, token, type Workbench, workbench } from '../workbench.ts';

let bench: Workbench;
let ana: AgentActor;

function setUp() {
  bench = workbench();
  const { id } = bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'ana@desk.example', name: 'Ana', role: 'owner' }));
  const abilities = ['read', 'note', 'write', 'manage', 'own'] as const;
  ana = { kind: 'agent', agentId: id, name: 'Ana', role: 'owner', abilities, scope: 'all', sessionId: 1 };
}
beforeEach(setUp);
afterEach(() => bench.close());

const merge = (from: Ticket, into: Ticket) => bench.do((tx, ctx) => mergeTickets(tx, ctx, from.id, into.id), ana);
const unmerge = (ticket: Ticket) => bench.do((tx, ctx) => unmergeTicket(tx, ctx, ticket.id), ana);
const refused = (ticket: Ticket) => bench.refusal((tx, ctx) => unmergeTicket(tx, ctx, ticket.id), ana).reason;
const now = (ticket: Ticket) => bench.ticket(ticket.id);
const set = (ticket: Ticket, change: Parameters<typeof changeTicket>[3]) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, change, null), ana);
const file = () => ({
  ulid: newUlid(bench.clock.now()),
  ...{ filename: 'a.txt', contentType: 'text/plain', size: 1, sha256: '0'.repeat(64) },
});
const attach = (ticket: Ticket) => bench.do((tx, ctx) => attachAsAgent(tx, ctx, ticket.id, file(), null), ana);
const draft = (ticket: Ticket, body: string, ids: number[] = []) =>
  bench.do((tx, ctx) => writeDraft(tx, ctx, ticket.id, { body, attachment_ids: ids }), ana);
const say = (ticket: Ticket, given: object = {}) =>
  bench.do((tx, ctx) => answerTicket(tx, ctx, ticket.id, agentReplyInput.parse({ body: 'Yes.', ...given })), ana);
const note = (ticket: Ticket) =>
  bench.do((tx, ctx) => addNote(tx, ctx, ticket.id, { body: 'Hm.', mentions: [ana.agentId] }), ana);
function hear(ticket: Ticket) {
  const author = authorById(bench.tx, now(ticket).authorId);
  if (!author) throw new Error('no author');
  const actor = { kind: 'author', siteId: ticket.siteId, authorId: author.id, name: author.name } as const;
  return bench.do((tx, ctx) => replyAsCustomer(tx, ctx, now(ticket), author, { body: 'And?' }), actor);
}
const aside = (ticket: Ticket) => {
  const input = { to: [{ email: 'parts@supplier.example', name: null }], subject: 'Parts', body: 'Any left?' };
  return bench.do((tx, ctx) => startSideConversation(tx, ctx, ticket.id, input), ana);
};
const add = (ticket: Ticket, email: string) =>
  bench.do((tx, ctx) => addParticipant(tx, ctx, ticket.id, { email }), ana);
const on = (ticket: Ticket) =>
  bench.do((tx, ctx) => listParticipants(tx, ctx, ticket.id)).map(({ person }) => person.email);
const bodies = (ticket: Ticket) => messagesOfTicket(bench.tx, ticket.id).map(({ body }) => body);
const byMail = () =>
  bench.do((tx, ctx) => {
    const input = { site_id: bench.site.id, email: 'oz@example.org', subject: 'Hello', message: 'We call you.' };
    return openTicketAsAgent(tx, ctx, agentTicketInput.parse({ ...input, notify_author: true })).ticket;
  }, ana);

/** All that a merge touches. Of a ticket without its version and the time of its last change. */
function state() {
  const { tx } = bench;
  const table = (name: string) => query<Record<string, unknown>>(tx, `SELECT * FROM ${name} ORDER BY 1, 2`).all();
  const ids = query<{ id: number }>(tx, 'SELECT id FROM tickets ORDER BY id').all();
  const tickets = ids.map(({ id }) => {
    const { version: _, updatedAt: __, ...ticket } = bench.ticket(id);
    // A clock that stands still goes on from the same place; only where it is counted differs.
    const clocks = sla.resume(termsOf(policyOf(tx, bench.site, bench.ticket(id))), bench.ticket(id), bench.clock.now());
    const { slaNextAt: ___, ...rest } = { ...ticket, ...clocks, tags: ticket.tags.toSorted() };
    return { ...rest, isPaused: ticket.slaPausedAt !== null, version: 0, updatedAt: 0 };
  });
  const rows = [
    ...['messages', 'attachments', 'scheduled_replies', 'side_conversations', 'side_messages', 'participants'],
    ...['drafts', 'mentions', 'ticket_tags', 'customer_links', 'read_marks', 'merges'],
  ];
  const counts = table('ticket_counts').filter(({ total }) => total !== 0);
  return { tickets, counts, ...Object.fromEntries(rows.map((name) => [name, table(name)])) };
}

describe('undoing a merge', () => {
  test('brings back messages, files, tags, participants, drafts and what waits, at once', () => {
    const a = bench.open({ subject: 'First', message: 'walrus', tags: ['one', 'both'] });
    const b = bench.open({ subject: 'Second', message: 'penguin', tags: ['both', 'two'] });
    bench.do((tx, ctx) => attachAsCustomer(tx, ctx, now(a.ticket), file(), null));
    say(a.ticket, {
      send_at: new Date(bench.clock.now() + dayMs).toISOString(),
      attachment_ids: [attach(a.ticket).id],
    });
    note(a.ticket);
    draft(a.ticket, 'Mine', [attach(a.ticket).id]);
    draft(b.ticket, 'And there');
    aside(a.ticket);
    for (const [ticket, email] of [
      [a.ticket, 'bo@example.org'],
      [a.ticket, 'cy@example.org'],
      [b.ticket, 'bo@example.org'],
    ] as const)
      add(ticket, email);
    set(a.ticket, { snoozed_until: bench.clock.now() + 2 * dayMs });
    const before = state();
    const versions = [a, b].map(({ ticket }) => now(ticket).version);
    merge(a.ticket, b.ticket);
    expect(draftOf(bench.tx, b.ticket.id, ana.agentId)?.body).toBe('And there\n\nMine');
    expect(state()).not.toEqual(before);
    const { source, target } = unmerge(a.ticket);
    expect(kinds(bench)).toEqual(['ticket.status_changed', 'ticket.unmerged', 'ticket.unmerged']);
    expect(bench.events[2]?.data).toMatchObject({
      ticket_ulid: target.ulid,
      source_ulid: source.ulid,
      into_ulid: target.ulid,
      messages_moved: 2,
    });
    expect(state()).toEqual(before);
    expect([now(a.ticket), now(b.ticket)]).toEqual([source, target]);
    expect([source, target].map(({ version }, at) => version > (versions[at] ?? 0))).toEqual([true, true]);
    expect([bench.search('walrus'), bench.search('penguin')]).toEqual([[a.ticket.id], [b.ticket.id]]);
    const enter = (ticket: Ticket, access: string) => openThread(bench.tx, bench.site.id, ticket.ulid, access);
    expect(enter(a.ticket, a.accessToken).ticket.id).toBe(a.ticket.id);
    expect(enter(b.ticket, b.accessToken).ticket.id).toBe(b.ticket.id);
    expect(() => enter(b.ticket, a.accessToken)).toThrow('No such ticket');
  });

  test('leaves what came after the merge where it is, with its files', () => {
    const [a, b] = [bench.open({ message: 'walrus' }).ticket, bench.open({ message: 'penguin' }).ticket];
    const loose = attach(a);
    draft(a, 'Not sent');
    const { reply } = say(a, { hold_seconds: 10, attachment_ids: [attach(a).id] }) as { reply: { ulid: string } };
    const side = aside(a);
    merge(a, b);
    bench.clock.advance(minute);
    bench.do((tx, ctx) => sendDue(tx, ctx), { kind: 'scan' });
    hear(b);
    draft(b, 'Changed since', [loose.id]);
    const spare = attach(b);
    bench.do(
      (tx, ctx) => writeInSideConversation(tx, ctx, b.id, side.ulid, { body: 'Still?', attachment_ids: [spare.id] }),
      ana,
    );
    unmerge(a);
    expect([bodies(a), bodies(b)]).toEqual([['walrus'], ['penguin', 'Yes.', 'And?']]);
    const sent = messagesOfTicket(bench.tx, b.id).find(({ ulid }) => ulid === reply.ulid);
    expect(attachmentsOfTicket(bench.tx, b.id).map(({ id, messageId }) => [id, messageId])).toEqual([
      [loose.id, null],
      [loose.id + 1, sent?.id ?? 0],
    ]);
    // Its answers cannot be told apart: a side conversation goes back whole, with its files.
    expect(sideConversationsOf(bench.tx, a.id).flatMap(({ id }) => sideMessagesOf(bench.tx, id))).toHaveLength(2);
    expect(attachmentsOfTicket(bench.tx, a.id).map(({ id }) => id)).toEqual([spare.id]);
    expect(draftsOfTicket(bench.tx, b.id).map(({ body }) => body)).toEqual(['Changed since']);
    expect(draftsOfTicket(bench.tx, a.id)).toEqual([]);
    expect([now(a), now(b)]).toMatchObject([
      { messageCount: 1, lastAgentMessageAt: null },
      { messageCount: 3, lastCustomerMessageAt: bench.clock.now(), lastAgentMessageAt: bench.clock.now() },
    ]);
  });

  test('of one of two merges into a ticket leaves the other its tags and participants', () => {
    const [a, b, c] = [
      bench.open({ tags: ['x', 'y'] }).ticket,
      bench.open({ tags: ['x'] }).ticket,
      bench.open().ticket,
    ];
    for (const ticket of [a, b]) add(ticket, 'bo@example.org');
    const before = state();
    merge(a, c);
    merge(b, c);
    unmerge(a);
    expect([now(a).tags, now(c).tags, on(a), on(c)]).toEqual([
      ['x', 'y'],
      ['x'],
      ['bo@example.org'],
      ['bo@example.org'],
    ]);
    unmerge(b);
    expect(state()).toEqual(before);
  });

  test('of a chain goes backwards', () => {
    const [a, b, c] = [bench.open().ticket, bench.open().ticket, bench.open().ticket];
    const before = state();
    merge(a, b);
    merge(b, c);
    expect(refused(a)).toBe('target_merged');
    unmerge(b);
    unmerge(a);
    expect(state()).toEqual(before);
  });

  test('is for who may merge, for thirty days, and once', () => {
    const [a, b] = [bench.open().ticket, bench.open().ticket];
    expect(refused(a)).toBe('not_merged');
    merge(a, b);
    const undoable = () => bench.do((tx, ctx) => undoableMerges(tx, ctx, now(b)));
    expect(undoable()).toMatchObject([
      { ulid: a.ulid, mergedBy: { name: 'Ana' }, until: bench.clock.now() + 30 * dayMs },
    ]);
    expect(bench.refusal((tx, ctx) => unmergeTicket(tx, ctx, a.id), token(['read'])).code).toBe('forbidden');
    expect(bench.refusal((tx, ctx) => unmergeTicket(tx, ctx, a.id), token(['write'], bench.site.id + 1)).code).toBe(
      'not_found',
    );
    bench.clock.advance(30 * dayMs - 1);
    unmerge(a);
    expect([refused(a), undoable()]).toEqual(['not_merged', []]);
    merge(a, b);
    bench.clock.advance(30 * dayMs);
    expect([refused(a), undoable()]).toEqual(['merge_final', []]);
    expect(bench.do((tx, ctx) => purgeMerges(tx, ctx.now - 30 * dayMs, 10))).toBe(1);
    expect(bench.everything().merges).toEqual([]);
    expect(refused(a)).toBe('merge_final');
  });

  test('is refused after a split, until its ticket is merged back', () => {
    const [a, b] = [bench.open({ message: 'walrus' }).ticket, bench.open().ticket];
    const { message } = hear(a);
    merge(a, b);
    const off = bench.do((tx, ctx) => splitTicket(tx, ctx, b.id, { message: message.ulid }), ana);
    expect(refused(a)).toBe('messages_split');
    merge(off, b);
    unmerge(a);
    expect(bodies(a)).toEqual(['walrus', 'And?']);
  });

  test('is refused after an erasure, which leaves nothing of the record', () => {
    const open = (email: string) => bench.open({ email, name: email, tags: ['vip'] }).ticket;
    const cases = [open('mia@example.org'), open('bo@example.org')].map((ticket) => [ticket, open('cy@example.org')]);
    for (const [a, b] of cases) if (a && b) merge(a, b);
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'mia@example.org' }));
    const left = () => query<{ id: number }>(bench.tx, 'SELECT source_id AS id FROM merges').all();
    expect(left()).toEqual([{ id: cases[1]?.[0]?.id ?? 0 }]);
    for (const [a] of cases.slice(0, 1)) expect(a && refused(a)).toBe('merge_final');
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'cy@example.org' }));
    expect(left()).toEqual([]);
  });
});

describe('the clocks, after a merge is undone', () => {
  const due = (ticket: Ticket) => now(ticket).firstResponseDueAt ?? 0;

  test('of the ticket that was merged go on where they stopped, and its ledger shows the time in between', () => {
    const [a, b] = [bench.open().ticket, bench.open().ticket];
    const before = due(a);
    bench.clock.advance(minute);
    merge(a, b);
    bench.clock.advance(7 * minute);
    unmerge(a);
    expect(due(a)).toBe(before + 7 * minute);
    const { clocks } = bench.do((tx, ctx) => explainSla(tx, ctx, a.id));
    expect(clocks[0]?.entries.map(({ kind, from, to }) => [kind, (to ?? 0) - from])).toEqual([
      ['counted', minute],
      ['resolved', 7 * minute],
      ['counted', due(a) - bench.clock.now()],
    ]);
    expect(now(a).slaNextAt).not.toBeNull();
  });

  test('of a pending ticket that became spam count its pause once', () => {
    const [source, target] = [bench.open().ticket, byMail()];
    set(target, { status: 'pending' });
    bench.clock.advance(minute);
    for (const one of [source, target]) set(one, { is_spam: true });
    const before = state();
    merge(source, target);
    unmerge(source);
    expect(state()).toEqual(before);
  });

  test('of a pending ticket stand still again, of a resolved one have stopped, and a snooze that is over has ended', () => {
    const later = (days: number) => bench.clock.now() + days * dayMs;
    const [into, open, pending, resolved, closed, asleep, awake] = Array.from({ length: 7 }, () => bench.open().ticket);
    if (!into || !open || !pending || !resolved || !closed || !asleep || !awake) throw new Error('too few');
    bench.do((tx, ctx) => changeSite(tx, ctx, String(bench.site.id), { settings: { notify_resolved: true } }, null));
    set(pending, { status: 'pending' });
    set(resolved, { status: 'resolved' });
    set(closed, { status: 'closed' });
    set(asleep, { snoozed_until: later(3) });
    set(awake, { snoozed_until: later(1) });
    bench.clock.advance(minute);
    const all = [open, pending, resolved, closed, asleep, awake];
    for (const one of all) merge(one, into);
    bench.clock.advance(2 * dayMs);
    for (const one of all) unmerge(one);
    expect(all.map((one) => now(one).status)).toEqual(['open', 'pending', 'resolved', 'closed', 'pending', 'open']);
    expect([pending, asleep].map((one) => now(one).slaPausedAt)).toEqual([bench.clock.now(), bench.clock.now()]);
    expect([now(resolved).resolvedAt, now(resolved).closedAt]).toEqual([bench.clock.now() - 2 * dayMs - minute, null]);
    expect([now(asleep).snoozedUntil, now(awake).snoozedUntil]).toEqual([bench.clock.now() + dayMs - minute, null]);
    const mails = query<{ event: string }>(
      bench.tx,
      "SELECT event FROM deliveries WHERE event = 'mail.ticket_resolved'",
    );
    // By hand, before the merge: undoing it tells no customer anything.
    expect(mails.all()).toHaveLength(1);
  });

  test('of a ticket that waited for its author wait again, unless the author has written since', () => {
    const [source, waiting, heard, answered] = [bench.open().ticket, byMail(), byMail(), byMail()];
    for (const target of [waiting, heard, answered]) {
      merge(source, target);
      const mergedAt = bench.clock.now();
      expect(now(target).firstResponseFrom).toBe(mergedAt);
      bench.clock.advance(minute);
      if (target === heard) hear(target);
      if (target === answered) say(target);
      unmerge(source);
      const expected = { [waiting.id]: notBegun, [heard.id]: bench.clock.now(), [answered.id]: mergedAt };
      expect(now(target).firstResponseFrom).toBe(expected[target.id] ?? null);
    }
    expect([due(waiting), now(waiting).lastCustomerMessageAt]).toEqual([0, null]);
    expect(due(heard) - (now(heard).firstResponseFrom ?? 0)).toBe(due(source) - source.createdAt - 3 * minute);
    expect(now(answered).firstResponseAt).not.toBeNull();
  });
});

const acts = [
  ...['hear', 'say', 'note', 'file', 'draft', 'schedule', 'aside', 'tag', 'untag', 'add', 'remove', 'pending', 'open'],
  ...['resolved', 'closed', 'snooze', 'spam', 'no spam', 'split', 'merge', 'unmerge', 'send'],
] as const;
const step = fc.record({
  act: fc.constantFrom(...acts),
  on: fc.nat(5),
  other: fc.nat(5),
  pick: fc.nat(3),
  after: fc.nat(300),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** What the desk refuses is no part of the history. */
function take({ act, on: at, other, pick, after }: Step, tickets: Ticket[]) {
  bench.clock.advance(after * minute);
  bench.do((tx, ctx) => scanStep(tx, ctx), { kind: 'scan' });
  bench.do((tx, ctx) => wakeStep(tx, ctx), { kind: 'scan' });
  const [ticket, second] = [tickets[at % tickets.length], tickets[other % tickets.length]];
  if (!ticket || !second) return;
  const tag = `t-${pick}`;
  const email = `p${pick}@example.org`;
  const does: Record<(typeof acts)[number], () => unknown> = {
    hear: () => now(ticket).mergedIntoId ?? hear(ticket),
    say: () => say(ticket),
    note: () => note(ticket),
    file: () => attach(ticket),
    draft: () => draft(ticket, 'word '.repeat(pick), pick > 1 ? [attach(ticket).id] : []),
    schedule: () => say(ticket, { hold_seconds: 60 - pick }),
    aside: () => aside(ticket),
    tag: () => set(ticket, { add_tags: [tag] }),
    untag: () => set(ticket, { remove_tags: [tag] }),
    add: () => add(ticket, email),
    remove() {
      const one = bench.do((tx, ctx) => listParticipants(tx, ctx, ticket.id))[pick];
      if (one) bench.do((tx, ctx) => removeParticipant(tx, ctx, ticket.id, one.id), ana);
    },
    pending: () => set(ticket, { status: 'pending' }),
    open: () => set(ticket, { status: 'open' }),
    resolved: () => set(ticket, { status: 'resolved' }),
    closed: () => set(ticket, { status: 'closed' }),
    snooze: () => set(ticket, { snoozed_until: bench.clock.now() + (1 + pick) * dayMs }),
    spam: () => set(ticket, { is_spam: true }),
    'no spam': () => set(ticket, { is_spam: false }),
    split() {
      const message = messagesOfTicket(bench.tx, ticket.id)[1 + pick];
      const input = { message: message?.ulid ?? '', only: pick > 1 };
      tickets.push(bench.do((tx, ctx) => splitTicket(tx, ctx, ticket.id, input), ana));
    },
    merge: () => merge(ticket, second),
    unmerge: () => unmerge(ticket),
    send: () => bench.do((tx, ctx) => sendDue(tx, ctx), { kind: 'scan' }),
  };
  try {
    does[act]();
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
  }
}

test('after any history, a merge that is undone at once leaves no trace, and later loses nothing', () => {
  const steps = fc.array(step, { minLength: 5, maxLength: 40 });
  fc.assert(
    fc.property(steps, steps, fc.nat(), (history, later, seed) => {
      bench.close();
      setUp();
      const tickets = [bench.open(), bench.open({ email: 'bo@example.org' }), bench.open(), bench.open()].map(
        ({ ticket }) => ticket,
      );
      tickets.push(byMail());
      for (const one of history) take(one, tickets);
      const free = tickets.filter((one) => now(one).mergedIntoId === null);
      const source = free[seed % free.length];
      const target = free.filter((one) => one !== source)[seed % (free.length - 1 || 1)];
      if (!source || !target) return;
      const before = state();
      try {
        merge(source, target);
      } catch (error) {
        if (error instanceof DeskError) return;
        throw error;
      }
      unmerge(source);
      expect(state()).toEqual(before);

      merge(source, target);
      const whole = everythingOn(tickets);
      const known = new Set(messagesOfTicket(bench.tx, target.id).map(({ id }) => id));
      const moved = query<{ moved: string }>(bench.tx, 'SELECT moved FROM merges WHERE source_id = ?').get(source.id);
      const own = new Set((JSON.parse(moved?.moved ?? '{}') as { messages: number[] }).messages);
      const apart: Step['act'][] = ['merge', 'unmerge', 'split'];
      for (const one of later) if (!apart.includes(one.act)) take(one, tickets);
      const grown = everythingOn(tickets);
      expect(whole.messages.filter((id) => !grown.messages.includes(id))).toEqual([]);
      unmerge(source);
      expect(everythingOn(tickets)).toEqual(grown);
      for (const { id, ticketId } of [source, target].flatMap((one) => messagesOfTicket(bench.tx, one.id)))
        expect([id, ticketId]).toEqual([id, own.has(id) ? source.id : target.id]);
      expect([...own].every((id) => known.has(id))).toBe(true);
      for (const ticket of [source, target]) {
        const messages = messagesOfTicket(bench.tx, ticket.id);
        const shown = messages.filter(({ isInternal }) => !isInternal);
        expect(now(ticket)).toMatchObject({
          messageCount: messages.length,
          lastCustomerMessageAt: shown.findLast(({ isAgent }) => !isAgent)?.createdAt ?? null,
          lastAgentMessageAt: shown.findLast(({ isAgent }) => isAgent)?.createdAt ?? null,
        });
        const files = attachmentsOfTicket(bench.tx, ticket.id);
        for (const { messageId } of files)
          if (messageId !== null) expect(messages.some(({ id }) => id === messageId)).toBe(true);
        for (const { attachmentIds } of draftsOfTicket(bench.tx, ticket.id))
          for (const id of attachmentIds) expect(files.some((one) => one.id === id)).toBe(true);
      }
    }),
    { numRuns: caseCount(25, 400) },
  );
});

/** The ids of all rows, wherever they are. */
function everythingOn(tickets: readonly Ticket[]) {
  const { tx } = bench;
  const ids = (rows: (ticketId: number) => { id: number }[]) =>
    tickets.flatMap((one) => rows(one.id).map(({ id }) => id)).sort((one, other) => one - other);
  return {
    messages: ids((id) => messagesOfTicket(tx, id)),
    files: ids((id) => attachmentsOfTicket(tx, id)),
    waiting: ids((id) => scheduledRepliesOfTicket(tx, id)),
    asides: ids((id) => sideConversationsOf(tx, id)),
    participants: query<{ id: number }>(tx, 'SELECT id FROM participants ORDER BY id').all(),
    drafts: tickets.reduce((sum, one) => sum + draftsOfTicket(tx, one.id).length, 0) > 0,
  };
}
