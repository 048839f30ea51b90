// Replies with a time: nothing before it, everything at it, and once (docs/spec/console.md#scheduled-replies).

import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { newUlid } from '../../../src/base/ids.ts';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import { changeSite, createSite } from '../../../src/desk/sites/sites.ts';
import { attachAsAgent } from '../../../src/desk/tickets/attachments.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { writeDraft } from '../../../src/desk/tickets/drafts.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { answerTicket, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { type Scheduled, sendDue, withdrawReply } from '../../../src/desk/tickets/scheduled-replies.ts';
import { type AgentReplyInput, agentReplyInput } from '../../../src/domain/input/tickets.ts';
import { dayMs } from '../../../src/domain/instant.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { draftOf } from '../../../src/store/tickets/drafts.ts';
import { attachmentByUlid, messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { scheduledRepliesOfTicket, ulidsOfScheduledReplies } from '../../../src/store/tickets/scheduled-replies.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { kinds, minute, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
beforeEach(() => bench.tx.client.run('DELETE FROM scheduled_replies'));
const agent = token(['read', 'write']);
const second = 1000;

type Given = Partial<Record<keyof AgentReplyInput, unknown>>;
const read = (given: Given) => agentReplyInput.parse({ body: 'Here you are.', ...given });
const answer = (ticket: Ticket, given: Given) =>
  bench.do((tx, ctx) => answerTicket(tx, ctx, ticket.ulid, read(given)), agent);
const schedule = (ticket: Ticket, given: Given = { hold_seconds: 10 }) => answer(ticket, given) as Scheduled;
const refused = (ticket: Ticket, given: Given) =>
  bench.refusal((tx, ctx) => answerTicket(tx, ctx, ticket.ulid, read(given)), agent);
const scan = () => bench.do((tx, ctx) => sendDue(tx, ctx).done, { kind: 'scan' });
const bodies = (ticket: Ticket) => messagesOfTicket(bench.tx, ticket.id).map(({ body }) => body);
const queued = (ticket: Ticket) =>
  query<{ event: string }>(bench.tx, 'SELECT event FROM deliveries WHERE ticket_id = ? ORDER BY id')
    .all(ticket.id)
    .map(({ event }) => event);
const withdraw = (ticket: Ticket, ulid: string) =>
  bench.do((tx, ctx) => withdrawReply(tx, ctx, ticket.ulid, ulid), agent);
const attach = (ticket: Ticket) =>
  bench.do((tx, ctx) => {
    const file = { filename: 'a.txt', contentType: 'text/plain', size: 1, sha256: '0'.repeat(64) };
    return attachAsAgent(tx, ctx, ticket.ulid, { ulid: newUlid(bench.clock.now()), ...file }, null);
  }, agent);
const fromCustomer = (ticket: Ticket) => {
  const author = authorById(bench.tx, ticket.authorId);
  if (!author) throw new Error('no author');
  const actor = { kind: 'author', siteId: ticket.siteId, authorId: author.id, name: author.name } as const;
  const words = { body: 'Never mind.' };
  return bench.do((tx, ctx) => replyAsCustomer(tx, ctx, bench.ticket(ticket.id), author, words), actor);
};

describe('until its time, a reply', () => {
  test('changes nothing that anyone but agents can see', () => {
    const { ticket } = bench.open();
    const before = queued(ticket);
    bench.clock.advance(minute);
    const { reply } = schedule(ticket, { hold_seconds: 10, status: 'resolved', body: 'secret walrus' });
    expect(kinds(bench)).toEqual(['ticket.reply_scheduled']);
    expect(JSON.stringify(bench.events)).not.toContain('walrus');
    expect({ ...bench.ticket(ticket.id), version: 0 }).toEqual({ ...ticket, version: 0 });
    expect(bodies(ticket)).toEqual(['The button does nothing.']);
    expect(queued(ticket)).toEqual(before);
    expect(bench.search('walrus')).toEqual([]);
    bench.clock.advance(9 * second);
    expect(scan()).toEqual([]);
    expect(ulidsOfScheduledReplies(bench.tx, ticket.id)).toEqual([reply.ulid]);
  });

  test('gives the ticket a new version, since agents see something else', () => {
    const { ticket } = bench.open();
    expect(schedule(ticket).ticket.version).toBe(ticket.version + 1);
  });
});

describe('at its time, a reply', () => {
  test('does everything that a reply does, in the name of who wrote it', () => {
    const { ticket } = bench.open();
    const file = attach(ticket);
    const { reply } = schedule(ticket, { hold_seconds: 10, status: 'resolved', attachment_ids: [file.id] });
    bench.clock.advance(10 * second);
    const [said] = scan();
    expect(kinds(bench)).toEqual(['ticket.replied', 'ticket.status_changed']);
    expect(bench.events.map(({ actor }) => actor)).toEqual([
      { type: 'token', id: 1, name: 'Team' },
      { type: 'token', id: 1, name: 'Team' },
    ]);
    expect(said?.message).toMatchObject({ ulid: reply.ulid, body: 'Here you are.', createdAt: bench.clock.now() });
    expect(bench.ticket(ticket.id)).toMatchObject({
      status: 'resolved',
      messageCount: 2,
      firstResponseAt: bench.clock.now(),
      lastAgentMessageAt: bench.clock.now(),
    });
    expect(attachmentByUlid(bench.tx, file.ulid)).toMatchObject({
      messageId: said?.message.id,
      isInternal: false,
      scheduledReplyId: null,
    });
    expect(queued(ticket)).toContain('mail.agent_reply');
    expect(scan()).toEqual([]);
  });

  test('comes after what was said in the meantime', () => {
    const { ticket } = bench.open();
    schedule(ticket);
    fromCustomer(ticket);
    bench.clock.advance(10 * second);
    scan();
    expect(bodies(ticket)).toEqual(['The button does nothing.', 'Never mind.', 'Here you are.']);
  });

  test('and others of the same moment go in the order of their times', () => {
    const { ticket } = bench.open();
    schedule(ticket, { hold_seconds: 30, body: 'second' });
    schedule(ticket, { hold_seconds: 20, body: 'first' });
    bench.clock.advance(minute);
    scan();
    expect(bodies(ticket).slice(1)).toEqual(['first', 'second']);
  });

  test('a breach that came first is recorded first', () => {
    const { ticket } = bench.open();
    const due = ticket.firstResponseDueAt ?? 0;
    schedule(ticket, { send_at: new Date(due + minute).toISOString() });
    bench.clock.set(due + minute);
    scan();
    expect(kinds(bench)).toEqual(['ticket.sla_breached', 'ticket.replied']);
    expect(bench.ticket(ticket.id)).toMatchObject({
      firstResponseBreachedAt: due + minute,
      firstResponseAt: due + minute,
    });
  });

  test('does not open a closed ticket, and leaves out a state that it cannot get', () => {
    const { ticket } = bench.open();
    schedule(ticket, { hold_seconds: 10, status: 'pending' });
    bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, { status: 'closed' }, null), agent);
    bench.clock.advance(10 * second);
    expect(scan()).toHaveLength(1);
    expect(bench.ticket(ticket.id).status).toBe('closed');
    expect(bodies(ticket)).toHaveLength(2);
  });

  test('follows the site’s setting when it names no state', () => {
    const { ticket } = bench.open();
    bench.do((tx, ctx) =>
      changeSite(tx, ctx, bench.site.slug, { settings: { status_after_agent_reply: 'pending' } }, null),
    );
    schedule(ticket);
    bench.clock.advance(10 * second);
    scan();
    expect(bench.ticket(ticket.id).status).toBe('pending');
    bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: { status_after_agent_reply: null } }, null));
  });

  test('goes with a merge, and its files too', () => {
    const source = bench.open().ticket;
    const target = bench.open().ticket;
    const file = attach(source);
    const { reply } = schedule(source, { hold_seconds: 10, attachment_ids: [file.id] });
    bench.do((tx, ctx) => mergeTickets(tx, ctx, source.ulid, target.ulid), agent);
    expect(scheduledRepliesOfTicket(bench.tx, target.id).map(({ ulid }) => ulid)).toEqual([reply.ulid]);
    bench.clock.advance(10 * second);
    const [said] = scan();
    expect(said?.ticket.id).toBe(target.id);
    expect(attachmentByUlid(bench.tx, file.ulid)).toMatchObject({ ticketId: target.id, messageId: said?.message.id });
  });

  test('holds up a merge into the ticket of another customer, who would get it', () => {
    const source = bench.open().ticket;
    const target = bench.open({ external_id: null, email: 'tom@example.org' } as never).ticket;
    schedule(source, { hold_seconds: 10 });
    const merge = () => bench.do((tx, ctx) => mergeTickets(tx, ctx, source.ulid, target.ulid), agent);
    expect(merge).toThrow('another customer');
    bench.clock.advance(10 * second);
    scan();
    expect(merge().target.id).toBe(target.id);
  });

  test('of an agent who was deleted is sent under their name', () => {
    const { ticket } = bench.open();
    schedule(ticket, { hold_seconds: 10, agent_name: 'Ana' });
    bench.tx.client.run('UPDATE scheduled_replies SET agent_id = NULL');
    bench.clock.advance(10 * second);
    expect(scan()[0]?.message).toMatchObject({ agentName: 'Ana', agentId: null });
  });
});

describe('a reply does not come', () => {
  test('when it was withdrawn: its files are loose again', () => {
    const { ticket } = bench.open();
    const file = attach(ticket);
    const { reply } = schedule(ticket, { hold_seconds: 10, attachment_ids: [file.id] });
    expect(refused(ticket, { attachment_ids: [file.id] }).errors?.attachment_ids).toBeDefined();
    expect(withdraw(ticket, reply.ulid).reply.body).toBe('Here you are.');
    expect(kinds(bench)).toEqual(['ticket.reply_withdrawn']);
    bench.clock.advance(minute);
    expect(scan()).toEqual([]);
    expect(bodies(ticket)).toHaveLength(1);
    const { message } = bench.do(
      (tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'Again', attachment_ids: [file.id] }),
      agent,
    );
    expect(attachmentByUlid(bench.tx, file.ulid)).toMatchObject({ messageId: message.id });
  });

  test('when its author was erased', () => {
    const { ticket } = bench.open({ email: 'leaving@example.org' });
    schedule(ticket, { hold_seconds: 10, body: 'Dear Mia' });
    const { id } = bench.do((tx, ctx) =>
      addAgent(tx, ctx, { email: 'ana@agents.example', name: 'Ana', role: 'owner' }),
    );
    const ana = { kind: 'agent', agentId: id, name: 'Ana', role: 'owner', scope: 'all', sessionId: 1 } as const;
    const as = { ...ana, abilities: ['read', 'note', 'write'] as const };
    const other = bench.open({ email: 'other@example.org' }).ticket;
    for (const { ulid } of [ticket, other])
      bench.do((tx, ctx) => writeDraft(tx, ctx, ulid, { body: 'Dear Mia', tab: 'reply' }), as);
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'leaving@example.org' }));
    expect(scheduledRepliesOfTicket(bench.tx, ticket.id)).toEqual([]);
    expect([draftOf(bench.tx, ticket.id, id), draftOf(bench.tx, other.id, id)?.body]).toEqual([undefined, 'Dear Mia']);
    bench.clock.advance(10 * second);
    expect(scan()).toEqual([]);
  });

  test('when its site was removed, also before its tickets are', () => {
    const site = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Leaving' })).site;
    const { ticket } = bench.open({}, site);
    schedule(ticket);
    bench.do((tx, ctx) => removeSite(tx, ctx, site.slug, site.slug, null));
    bench.clock.advance(10 * second);
    expect(scan()).toEqual([]);
    bench.tx.client.run('DELETE FROM tickets WHERE id = ?', [ticket.id]);
    expect(query(bench.tx, 'SELECT 1 FROM scheduled_replies WHERE ticket_id = ?').all(ticket.id)).toEqual([]);
  });
});

describe('withdrawing', () => {
  test('is refused once it is sent, and for what never was', () => {
    const { ticket } = bench.open();
    const other = bench.open().ticket;
    const { reply } = schedule(ticket);
    const refusal = (of: Ticket, ulid: string, who = agent) =>
      bench.refusal((tx, ctx) => withdrawReply(tx, ctx, of.ulid, ulid), who);
    expect(refusal(other, reply.ulid).code).toBe('not_found');
    expect(refusal(ticket, newUlid(bench.clock.now())).code).toBe('not_found');
    expect(refusal(ticket, '1').code).toBe('not_found');
    expect(refusal(ticket, reply.ulid, token(['read'])).code).toBe('forbidden');
    expect(refusal(ticket, reply.ulid, token(['read', 'write'], 999)).code).toBe('not_found');
    bench.clock.advance(10 * second);
    scan();
    expect(refusal(ticket, reply.ulid)).toMatchObject({ code: 'conflict', reason: 'already_sent' });
  });
});

describe('a note that is held', () => {
  const person = (email: string, role: 'member' | 'viewer') => {
    const { id } = bench.do((tx, ctx) => addAgent(tx, ctx, { email, name: email, role }));
    const abilities = role === 'viewer' ? (['read', 'note'] as const) : (['read', 'note', 'write'] as const);
    return { kind: 'agent', agentId: id, name: email, role, scope: 'all', sessionId: 1, abilities } as const;
  };
  const hold = (ticket: Ticket, given: Given, who: typeof agent) =>
    bench.do(
      (tx, ctx) => answerTicket(tx, ctx, ticket.ulid, read({ is_internal: true, hold_seconds: 10, ...given })),
      who,
    );

  test('is added at its time as a note, mentions whom it names then, and mails no customer', () => {
    const [vic, bo] = [person('vic@agents.example', 'viewer'), person('bo@agents.example', 'member')];
    const { ticket } = bench.open();
    const before = queued(ticket);
    const { reply } = hold(ticket, { body: 'secret walrus', mentions: [bo.agentId] }, vic) as Scheduled;
    expect(bench.events.map(({ kind, data }) => [kind, data.is_internal])).toEqual([['ticket.reply_scheduled', true]]);
    expect({ ...bench.ticket(ticket.id), version: 0 }).toEqual({ ...ticket, version: 0 });
    expect(query(bench.tx, 'SELECT 1 FROM mentions WHERE ticket_id = ?').all(ticket.id)).toEqual([]);
    bench.clock.advance(10 * second);
    expect(scan().map(({ message }) => message)).toMatchObject([
      { ulid: reply.ulid, isInternal: true, agentId: vic.agentId, recipients: null },
    ]);
    expect(bench.events.map(({ kind, actor }) => [kind, actor.id])).toEqual([['ticket.note_added', vic.agentId]]);
    expect(query(bench.tx, 'SELECT agent_id FROM mentions WHERE ticket_id = ?').all(ticket.id)).toHaveLength(1);
    expect(bench.ticket(ticket.id)).toMatchObject({ messageCount: 2, firstResponseAt: null, lastAgentMessageAt: null });
    // Beside whom it mentions.
    expect(queued(ticket)).toEqual([...before, 'mail.mentioned']);
  });

  test('is withdrawn by its writer alone, and removes their draft of a note', () => {
    const [vic, bo] = [person('vic2@agents.example', 'viewer'), person('bo2@agents.example', 'member')];
    const { ticket } = bench.open();
    bench.do((tx, ctx) => writeDraft(tx, ctx, ticket.ulid, { body: 'Hm', tab: 'note' }), vic);
    const { reply } = hold(ticket, {}, vic) as Scheduled;
    expect(draftOf(bench.tx, ticket.id, vic.agentId)).toBeUndefined();
    const take = (ulid: string, who: typeof agent) =>
      bench.refusal((tx, ctx) => withdrawReply(tx, ctx, ticket.ulid, ulid), who).reason;
    expect(take(reply.ulid, bo)).toBe('other_agent');
    expect(take(schedule(ticket).reply.ulid, vic)).toBe('missing_ability');
    const mine = bench.do((tx, ctx) => withdrawReply(tx, ctx, ticket.ulid, reply.ulid), vic).reply;
    expect([kinds(bench), mine.body]).toEqual([['ticket.reply_withdrawn'], 'Here you are.']);
    const late = hold(ticket, {}, vic) as Scheduled;
    bench.clock.advance(10 * second);
    scan();
    expect(take(late.reply.ulid, vic)).toBe('already_sent');
    expect(take(late.reply.ulid, bo)).toBe('other_agent');
  });

  test('keeps no ticket of another customer from being merged, and goes along', () => {
    const [a, b] = [bench.open({ email: 'a@example.org' }).ticket, bench.open({ email: 'b@example.org' }).ticket];
    hold(a, {}, agent);
    bench.do((tx, ctx) => mergeTickets(tx, ctx, a.ulid, b.ulid), agent);
    expect(ulidsOfScheduledReplies(bench.tx, b.id)).toHaveLength(1);
  });
});

describe('a time', () => {
  const at = (ms: number) => new Date(bench.clock.now() + ms).toISOString();

  test('must be in the future, at most 90 days ahead, and only one', () => {
    const { ticket } = bench.open();
    expect(refused(ticket, { send_at: at(0) }).errors).toEqual({ send_at: [expect.stringContaining('in the future')] });
    expect(refused(ticket, { send_at: at(-1) }).code).toBe('invalid');
    expect(refused(ticket, { send_at: at(90 * dayMs + 1) }).errors?.send_at?.[0]).toContain('90 days');
    expect(refused(ticket, { send_at: at(dayMs), hold_seconds: 10 }).errors?.hold_seconds).toBeDefined();
    expect(refused(ticket, { send_at: at(dayMs), is_internal: true }).errors?.send_at).toBeDefined();
    expect(schedule(ticket, { send_at: at(90 * dayMs) }).reply.sendAt).toBe(bench.clock.now() + 90 * dayMs);
    expect(schedule(ticket, { send_at: at(1) }).reply.sendAt).toBe(bench.clock.now() + 1);
    for (const hold of [0, 61, -1, 1.5])
      expect(agentReplyInput.safeParse({ body: 'x', hold_seconds: hold }).success).toBe(false);
  });

  test('with an offset is that moment, whatever the clocks on the wall do', () => {
    const { ticket } = bench.open();
    // The hour that comes twice when summer time ends in Amsterdam.
    const summer = schedule(ticket, { send_at: '2026-10-25T02:30:00+02:00' }).reply.sendAt;
    const winter = schedule(ticket, { send_at: '2026-10-25T02:30:00+01:00' }).reply.sendAt;
    expect(winter - summer).toBe(60 * minute);
  });

  test('leaves room for 50 replies on a ticket', () => {
    const { ticket } = bench.open();
    for (let count = 0; count < 50; count += 1) schedule(ticket);
    expect(refused(ticket, { hold_seconds: 1 }).reason).toBe('too_many_scheduled');
  });
});

describe('after_message', () => {
  const newest = (ticket: Ticket) => messagesOfTicket(bench.tx, ticket.id).at(-1)?.ulid ?? '';

  test('refuses an answer to a thread that has moved on', () => {
    const { ticket } = bench.open();
    const seen = newest(ticket);
    fromCustomer(ticket);
    for (const given of [{}, { hold_seconds: 10 }]) {
      const refusal = refused(ticket, { after_message: seen, ...given });
      expect(refusal).toMatchObject({ code: 'conflict', reason: 'stale_thread' });
      expect(refusal.errors?.after_message).toHaveLength(1);
    }
    expect(bodies(ticket)).toHaveLength(2);
    answer(ticket, { after_message: newest(ticket).toLowerCase() });
    expect(bodies(ticket)).toHaveLength(3);
  });

  test('does not mind notes', () => {
    const { ticket } = bench.open();
    const seen = newest(ticket);
    answer(ticket, { is_internal: true });
    answer(ticket, { after_message: seen });
    expect(bodies(ticket)).toHaveLength(3);
  });

  test('can name a reply that waits, or waited until now', () => {
    const { ticket } = bench.open();
    const { reply } = schedule(ticket);
    answer(ticket, { after_message: reply.ulid, body: 'one more' });
    bench.clock.advance(10 * second);
    fromCustomer(ticket);
    expect(refused(ticket, { after_message: reply.ulid }).reason).toBe('stale_thread');
  });

  test('must name a message of the ticket', () => {
    const { ticket } = bench.open();
    const other = newest(bench.open().ticket);
    expect(refused(ticket, { after_message: other }).errors?.after_message).toBeDefined();
    expect(agentReplyInput.safeParse({ body: 'x', after_message: '41' }).success).toBe(false);
  });
});
