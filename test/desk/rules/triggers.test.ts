// Triggers act in the transaction of a change, say why, and end (docs/spec/automation.md).

import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { rateTicket } from '../../../src/desk/customers/satisfaction.ts';
import { actorOf } from '../../../src/desk/customers/visits.ts';
import { addChannel } from '../../../src/desk/outbox/channels.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { addTeam } from '../../../src/desk/people/teams.ts';
import { countAsked } from '../../../src/desk/rules/prepared-triggers.ts';
import { triggers } from '../../../src/desk/rules/triggers.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { openFromMail } from '../../../src/desk/tickets/tickets.ts';
import { type TriggerInput, triggerInput } from '../../../src/domain/input/automation.ts';
import type { TicketChangeInput } from '../../../src/domain/input/tickets.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { followersOf } from '../../../src/store/notifications/followers.ts';
import { automationCounts, runsOfRule } from '../../../src/store/rules/automation.ts';
import { priorityRows, triggerRows } from '../../../src/store/sites/catalogue.ts';
import { messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { start, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const agent = token(['read', 'write']);
type Given = Partial<Record<keyof TriggerInput, unknown>>;

const add = (input: Given) =>
  bench.do((tx, ctx) =>
    triggers.add(
      tx,
      ctx,
      bench.site.slug,
      triggerInput.parse({ name: 'Rule', on: ['created'], conditions: [], actions: [], ...input }),
    ),
  ).row;
const refused = (input: Given) =>
  bench.refusal((tx, ctx) =>
    triggers.add(
      tx,
      ctx,
      bench.site.slug,
      triggerInput.parse({
        name: 'Rule',
        on: ['created'],
        conditions: [],
        actions: [{ type: 'unassign' }],
        ...input,
      }),
    ),
  ).errors;
const change = (ticket: Ticket, input: TicketChangeInput) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, input, null), agent);
const doing = (type: string, value?: unknown) => [{ type, value }];
const when = (field: string, operator: string, value?: unknown, negate = false) => ({ field, operator, value, negate });
const messages = (ticket: Ticket) => messagesOfTicket(bench.tx, ticket.id);
const counts = (id: number) => automationCounts(bench.tx, bench.clock.now(), 'trigger', id);
const deliveries = (event: string) =>
  query<{ recipient: string | null; channelId: number | null }>(
    bench.tx,
    'SELECT recipient, channel_id AS channelId FROM deliveries WHERE event = ? ORDER BY id',
  ).all(event);
const ruled = () => bench.events.filter(({ actor }) => actor.type === 'rule');

const urgent = bench.do((tx) => priorityRows.list(tx, bench.site.id).at(-1)!);
const { row: billing } = bench.do((tx, ctx) => categories.add(tx, ctx, bench.site.slug, { name: 'Billing' }));
bench.do((tx, ctx) => customFields.add(tx, ctx, bench.site.slug, { key: 'order', label: 'Order', type: 'text' }));
const ids = ['ada@example.com', 'bo@example.com'].map(
  (email) => bench.do((tx, ctx) => addAgent(tx, ctx, { email, name: email, role: 'member' } as never)).id,
);

afterEach(() => {
  bench.do((tx, ctx) => {
    for (const { id } of triggerRows.list(tx, bench.site.id)) triggers.remove(tx, ctx, bench.site.slug, id, null);
  });
});

describe('a trigger', () => {
  test('changes the ticket in the transaction of the change, and says which rule and why', () => {
    const { id } = add({
      name: 'Escalate VIP',
      conditions: [when('subject', 'contains', 'save')],
      actions: [...doing('set_priority', urgent.id), ...doing('add_tags', ['vip'])],
    });
    const { ticket } = bench.open();
    expect(bench.ticket(ticket.id)).toMatchObject({ priorityId: urgent.id, tags: ['vip'] });
    expect(ruled().map(({ actor, data }) => [actor, data.rule])).toEqual(
      [0, 1].map(() => [
        { type: 'rule', id, name: 'Escalate VIP', rule_kind: 'trigger' },
        {
          kind: 'trigger',
          id,
          name: 'Escalate VIP',
          because: [{ field: 'subject', operator: 'contains', value: 'save', negate: false }],
        },
      ]),
    );
    expect(counts(id)).toEqual({ ran: 0, matched: 1, changed: 1, skipped: 0 });
    countAsked(bench.tx, bench.clock.now());
    expect(counts(id).ran).toBe(1);
    const [run] = runsOfRule(bench.tx, 'trigger', id, Number.MAX_SAFE_INTEGER, start - 1, 10);
    expect(run).toMatchObject({ ticketId: ticket.id, firstSeq: ruled()[0]!.seq, lastSeq: ruled()[1]!.seq });
  });

  test('without a match writes nothing', () => {
    const { id } = add({ conditions: [when('subject', 'equals', 'other')], actions: doing('add_tags', ['x']) });
    bench.open();
    expect(ruled()).toEqual([]);
    expect(counts(id)).toEqual({ ran: 0, matched: 0, changed: 0, skipped: 0 });
    countAsked(bench.tx, bench.clock.now());
    expect(counts(id).ran).toBe(1);
  });

  test('knows what was before: changed, changed_from and changed_to', () => {
    add({
      on: ['status_changed'],
      conditions: [when('status', 'changed_from', 'resolved'), when('status', 'changed_to', ['open', 'pending'])],
      actions: doing('add_tags', ['again']),
    });
    add({
      on: ['field_changed'],
      conditions: [when('field:order', 'changed')],
      actions: doing('add_tags', ['ordered']),
    });
    const { ticket } = bench.open();
    change(ticket, { status: 'pending' });
    expect(bench.ticket(ticket.id).tags).toEqual([]);
    change(ticket, { status: 'resolved' });
    change(ticket, { status: 'open' });
    expect(bench.ticket(ticket.id).tags).toEqual(['again']);
    change(ticket, { custom_fields: { order: '17' } });
    expect(bench.ticket(ticket.id).tags).toEqual(['again', 'ordered']);
  });

  test('has groups of one level', () => {
    add({
      match: 'all',
      conditions: [
        { match: 'any', conditions: [when('subject', 'contains', 'nothing'), when('body', 'matches', 'butt?on')] },
        when('author_domain', 'equals', 'example.org'),
        when('is_verified', 'equals', true),
      ],
      actions: doing('add_tags', ['grouped']),
    });
    expect(bench.ticket(bench.open().ticket.id).tags).toEqual([]);
    add({
      conditions: [{ match: 'any', conditions: [when('language', 'equals', 'en'), when('tag', 'exists')] }],
      actions: doing('add_tags', ['grouped']),
    });
    expect(bench.ticket(bench.open().ticket.id).tags).toEqual(['grouped']);
  });

  test('sees one change of a step once, and later rules see what earlier ones did', () => {
    add({ on: ['status_changed', 'assigned', 'priority_changed'], actions: doing('note', 'Changed.') });
    add({ on: ['assigned'], conditions: [when('message_count', 'gt', 1)], actions: doing('add_tags', ['noted']) });
    const { ticket } = bench.open();
    change(ticket, { status: 'pending', assigned_to: ids[0]!, priority_id: urgent.id });
    expect(messages(ticket).filter(({ isInternal }) => isInternal)).toHaveLength(1);
    expect(bench.ticket(ticket.id).tags).toEqual(['noted']);
  });

  test('acts on what a customer says of the help', () => {
    add({ on: ['satisfaction_given'], actions: doing('add_tags', ['rated']) });
    const { ticket } = bench.open();
    const author = authorById(bench.tx, ticket.authorId)!;
    bench.do((tx, ctx) => rateTicket(tx, ctx, ticket, { rating: 'bad' }), actorOf(author));
    expect(bench.ticket(ticket.id)).toMatchObject({ satisfaction: 'bad', tags: ['rated'] });
  });

  test('that stops keeps later ones from the same change', () => {
    add({ actions: doing('add_tags', ['first']), stop_processing: true });
    add({ actions: doing('add_tags', ['second']) });
    expect(bench.ticket(bench.open().ticket.id).tags).toEqual(['first']);
  });

  test('does not run once what it names is gone, and says so', () => {
    const { row: gone } = bench.do((tx, ctx) => categories.add(tx, ctx, bench.site.slug, { name: 'Gone' }));
    add({ actions: [...doing('add_tags', ['x']), ...doing('set_category', gone.id)] });
    bench.do((tx, ctx) => categories.remove(tx, ctx, bench.site.slug, gone.id, null));
    expect(bench.ticket(bench.open().ticket.id).tags).toEqual([]);
  });

  test('leaves spam alone', () => {
    add({ on: ['tagged'], actions: doing('note', 'Tagged.') });
    const { ticket } = bench.open();
    change(ticket, { is_spam: true });
    change(ticket, { add_tags: ['x'] });
    expect(messages(ticket)).toHaveLength(1);
  });
});

describe('its actions', () => {
  const run = (actions: unknown[], input = {}) => {
    const rule = add({ on: ['tagged'], conditions: [when('tag', 'equals', 'go')], actions });
    const { ticket } = bench.open(input);
    change(ticket, { add_tags: ['go'] });
    return { rule, ticket: bench.ticket(ticket.id) };
  };

  test('set fields of the ticket', () => {
    const { ticket } = run([
      ...doing('set_category', billing.id),
      ...doing('set_subject', '{{author.name}}: {{ticket.subject}}'),
      ...doing('set_field', { key: 'order', value: '18' }),
      ...doing('set_metadata', { tier: 'gold' }),
      ...doing('remove_tags', ['go']),
      ...doing('assign', ids[1]),
      ...doing('snooze', 2),
    ]);
    expect(ticket).toMatchObject({
      categoryId: billing.id,
      subject: 'Mia Jansen: Cannot save my settings',
      customFields: { order: '18' },
      metadata: { tier: 'gold' },
      tags: [],
      assigneeId: ids[1]!,
      status: 'pending',
      snoozedUntil: start + 2 * 60 * 60_000,
    });
  });

  test('unassign, and assign in turn or to who last answered', () => {
    const [one, other] = [run(doing('assign', 'round_robin')).ticket, run(doing('assign', 'round_robin')).ticket];
    expect(new Set([one.assigneeId, other.assigneeId]).size).toBe(2);
    expect(run(doing('unassign')).ticket.assigneeId).toBeNull();
    add({ on: ['customer_message'], actions: doing('assign', 'last_answered') });
    const { ticket } = bench.open();
    bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'Hello', agent_id: ids[0]! } as never), agent);
    bench.do((tx, ctx) =>
      replyAsCustomer(tx, ctx, bench.ticket(ticket.id), authorById(tx, ticket.authorId)!, { body: 'Thanks' }),
    );
    expect(bench.ticket(ticket.id).assigneeId).toBe(ids[0]!);
  });

  test('set the team, assign to one of it, and test and name it', () => {
    const team = bench.do((tx, ctx) => addTeam(tx, ctx, { name: 'Second level', members: ids }));
    expect(run(doing('set_team', team.id)).ticket).toMatchObject({ teamId: team.id, assigneeId: null });
    const fromTeam = doing('assign', { team_id: team.id, by: 'round_robin' });
    const [one, other] = [run(fromTeam).ticket, run(fromTeam).ticket];
    expect([one.teamId, one.assigneeId, other.assigneeId]).toEqual([team.id, ids[0]!, ids[1]!]);
    add({
      on: ['assigned'],
      conditions: [when('team', 'equals', 'second level'), when('team', 'changed')],
      actions: doing('add_tags', ['escalated']),
    });
    const { ticket } = bench.open();
    change(ticket, { team_id: team.id });
    expect(bench.ticket(ticket.id).tags).toContain('escalated');
    expect(refused({ actions: doing('assign', { team_id: 999, by: 'round_robin' }) })).toHaveProperty([
      'actions.0.value.team_id',
    ]);
    expect(refused({ actions: doing('assign', { team_id: team.id, by: 'luck' }) })).toHaveProperty([
      'actions.0.value.by',
    ]);
    expect(refused({ conditions: [when('team', 'equals', 'Third level')] })).toHaveProperty(['conditions.0.value']);
  });

  test('note, with variables that are put in once', () => {
    const { ticket } = run(doing('note', 'About {{ticket.reference}}, {{field.order}}{{ticket.subject}}'), {
      subject: '{{author.email}}',
      custom_fields: { order: 'A1' },
    });
    expect(messages(ticket).at(-1)?.body).toBe(`About #${ticket.id}, A1{{author.email}}`);
  });

  test('reply once for each ticket, as no answer of an agent', () => {
    const before = deliveries('mail.agent_reply').length;
    const { ticket } = run(doing('reply', { body: 'We are on it, {{author.name}}.' }));
    change(ticket, { remove_tags: ['go'] });
    change(ticket, { add_tags: ['go', 'more'] });
    const replies = messages(ticket).filter(({ isAgent }) => isAgent);
    expect(replies.map(({ body, isAutomated }) => [body, isAutomated])).toEqual([
      ['We are on it, mia@example.org.', true],
    ]);
    expect(bench.ticket(ticket.id)).toMatchObject({ firstResponseAt: null, lastAgentMessageAt: null, status: 'open' });
    expect(deliveries('mail.agent_reply').length - before).toBe(1);
  });

  test('never answer automatic mail', () => {
    const { id } = add({ actions: doing('reply', { body: 'Hello' }) });
    const mail = {
      ...{ email: 'list@example.org', name: null, subject: 'Digest', body: 'Many', html: null, wholeBody: null },
      ...{ senderVerified: true, cc: [], senderId: null, isSpam: false },
    };
    const inboundId = null as unknown as number;
    const { ticket } = bench.do(
      (tx, ctx) => openFromMail(tx, ctx, bench.freshSite(), { ...mail, inboundId, mayAcknowledge: false }),
      { kind: 'mail', siteId: bench.site.id },
    );
    expect(messages(ticket)).toHaveLength(1);
    expect(counts(id)).toMatchObject({ matched: 1, changed: 0, skipped: 1 });
    expect(ruled().at(-1)?.data.rule_skipped).toBe('reply: Automatic mail is not answered.');
  });

  test('mail people, in one line of a subject', () => {
    run(doing('mail', { to: [ids[0], 'Boss@Example.com'], subject: 'See {{ticket.subject}}', body: 'Look.' }), {
      subject: 'a b',
    });
    expect(deliveries('mail.rule').map(({ recipient }) => recipient)).toEqual(['ada@example.com', 'boss@example.com']);
    expect(ruled().at(-1)?.data.did).toEqual({
      type: 'mail',
      to: ['ada@example.com', 'boss@example.com'],
      subject: 'See a b',
      body: 'Look.',
    });
  });

  test('have agents follow, and open a ticket of the same customer', () => {
    const { ticket } = run([
      ...doing('follow', [ids[0]]),
      ...doing('create_ticket', { subject: 'Call {{author.name}}', body: 'As asked.', tags: ['call'] }),
    ]);
    expect(followersOf(bench.tx, ticket.id).map(({ agentId }) => agentId)).toContain(ids[0]!);
    const { ticket: made } = ruled().at(-1)!.data.did as { ticket: { id: number } };
    expect(bench.ticket(made.id)).toMatchObject({
      subject: 'Call Mia Jansen',
      authorId: ticket.authorId,
      tags: ['call'],
    });
    expect(deliveries('mail.acknowledgement').length).toBeLessThan(20);
  });

  test('give a customer no word of a note', () => {
    const { id } = add({
      on: ['note'],
      actions: [
        ...doing('reply', { body: '{{message.body}}' }),
        ...doing('create_ticket', { subject: '{{message.body}}', body: '{{message.body}}' }),
        ...doing('create_ticket', { subject: 'Call {{message.body}}', body: 'Said: {{message.body}}' }),
        ...doing('set_subject', 'About: {{message.body}}'),
        ...doing('note', 'Noted: {{message.body}}'),
      ],
    });
    const { ticket } = bench.open();
    bench.do((tx, ctx) => addNote(tx, ctx, ticket.ulid, { body: 'Owes us money' } as never), agent);
    expect(
      messages(ticket)
        .slice(1)
        .map(({ body, isInternal }) => [body, isInternal]),
    ).toEqual([
      ['Owes us money', true],
      ['Noted: Owes us money', true],
    ]);
    const opened = ruled().flatMap(({ data }) => (data.did ? [data.did as { ticket: { id: number } }] : []));
    expect(opened).toHaveLength(1);
    const made = bench.ticket(opened[0]!.ticket.id);
    expect(messages(made).map(({ body }) => body)).toEqual(['Said: ']);
    expect([made.subject, bench.ticket(ticket.id).subject]).toEqual(['Call', 'About:']);
    expect(ruled().map(({ data }) => data.rule_skipped)).toContain(
      'reply: Its text would be empty. create_ticket: Its text would be empty.',
    );
    expect(counts(id)).toMatchObject({ matched: 1, changed: 1 });
  });

  test('tell no word of a note to a webhook, nor in mail that does not go to agents only', () => {
    const { channel } = bench.do((tx, ctx) =>
      addChannel(tx, ctx, bench.site.slug, {
        ...{ name: 'App', type: 'custom', webhook_url: 'https://app.example.org', events: ['ticket.created'] },
      } as never),
    );
    const body = 'Said: {{message.body}}';
    add({
      on: ['note', 'customer_message'],
      actions: [
        ...doing('webhook', { channel_id: channel.id, body: { said: ['{{message.body}}'] } }),
        ...doing('mail', { to: [ids[0], 'boss@example.com'], subject: body, body }),
        ...doing('mail', { to: [ids[0]], subject: body, body }),
      ],
    });
    const { ticket } = bench.open();
    const did = () => ruled().flatMap(({ data: { did: one } }) => (one === undefined ? [] : [one]));
    bench.do((tx, ctx) => addNote(tx, ctx, ticket.ulid, { body: 'Owes us money' } as never), agent);
    expect(did()).toMatchObject([
      { type: 'webhook', body: { said: [''] } },
      { type: 'mail', subject: 'Said:', body: 'Said: ' },
      { type: 'mail', subject: 'Said: Owes us money', body: 'Said: Owes us money' },
    ]);
    bench.do((tx, ctx) =>
      replyAsCustomer(tx, ctx, bench.ticket(ticket.id), authorById(tx, ticket.authorId)!, { body: 'Please hurry' }),
    );
    expect(did()).toMatchObject([
      { type: 'webhook', body: { said: ['Please hurry'] } },
      { type: 'mail', subject: 'Said: Please hurry', body: 'Said: Please hurry' },
      { type: 'mail', subject: 'Said: Please hurry', body: 'Said: Please hurry' },
    ]);
  });

  test('that cannot be done leave the others, and history says why', () => {
    const { rule, ticket } = run([...doing('assign', 'last_answered'), ...doing('add_tags', ['done'])]);
    expect(ticket.tags).toEqual(['go', 'done']);
    expect(ruled().map(({ data }) => data.rule_skipped)).toContain('assign: No agent of the site has answered.');
    expect(counts(rule.id)).toMatchObject({ matched: 1, changed: 1, skipped: 1 });
  });
});

describe('chains', () => {
  test('are four deep, no rule is in one twice, and history says what was left out', () => {
    // A later rule sees what an earlier one did to the same change, so these are asked in the order that needs a chain.
    for (const at of [5, 4, 3, 2, 1, 0])
      add({
        name: `Step ${at}`,
        on: ['tagged'],
        conditions: [when('tag', 'equals', `t${at}`), when('tag', 'equals', `t${at + 1}`, true)],
        actions: doing('add_tags', [`t${at + 1}`]),
      });
    const { ticket } = bench.open();
    change(ticket, { tags: ['t0'] });
    expect(bench.ticket(ticket.id).tags).toEqual(['t0', 't1', 't2', 't3', 't4']);
    expect(bench.events.at(-1)?.data.rules_skipped).toMatchObject({
      why: 'too deep',
      total: 1,
      first: [{ name: 'Step 4' }],
    });
  });

  test('end when two rules set each other off', () => {
    const flip = (from: string, to: string) =>
      add({
        on: ['status_changed'],
        conditions: [when('status', 'equals', from)],
        actions: doing('set_status', to),
      });
    flip('pending', 'open');
    flip('open', 'pending');
    const { ticket } = bench.open();
    change(ticket, { status: 'pending' });
    expect(ruled()).toHaveLength(3);
  });

  test('have at most fifty effects in a step', () => {
    for (let at = 0; at < 6; at += 1)
      add({ actions: Array.from({ length: 10 }, (_, each) => ({ type: 'add_tags', value: [`t${at}-${each}`] })) });
    const { ticket } = bench.open();
    expect(bench.ticket(ticket.id).tags.length).toBeLessThanOrEqual(50);
    expect(ruled().length).toBeLessThanOrEqual(50);
    expect(bench.events.some(({ data }) => data.rules_skipped !== undefined || data.rule_skipped !== undefined)).toBe(
      true,
    );
  });
});

describe('a trigger is refused', () => {
  test.each([
    [{ conditions: [when('nothing', 'equals', 'x')] }, 'conditions.0.field'],
    [{ conditions: [when('subject', 'matches', '(a')] }, 'conditions.0.value'],
    [{ conditions: [when('subject', 'matches', '(a{200}){200}')] }, 'conditions.0.value'],
    [{ conditions: [when('body', 'changed')] }, 'conditions.0.operator'],
    [{ conditions: [when('category', 'equals', 'no such')] }, 'conditions.0.value'],
    [{ conditions: [when('field:none', 'equals', 'x')] }, 'conditions.0.field'],
    [{ actions: doing('note', '{{ticket.secret}}') }, 'actions.0.value'],
    [{ actions: doing('note', '{{ {{ticket.subject}} }}') }, 'actions.0.value'],
    [{ actions: doing('mail', { to: ['x@y.z'], subject: 'a\r\nBcc: q@y.z', body: 'x' }) }, 'actions.0.value.subject'],
    [{ actions: doing('mail', { to: [4711], subject: 'a', body: 'x' }) }, 'actions.0.value.to.0'],
    [{ actions: doing('webhook', { channel_id: 99, body: {} }) }, 'actions.0.value.channel_id'],
    [{ actions: doing('assign', 4711) }, 'actions.0.value'],
    [{ actions: doing('set_field', { key: 'order', value: 5 }) }, 'actions.0.value.value'],
    [{ actions: doing('discard') }, 'actions.0.type'],
  ])('%j', (input, path) => {
    expect(Object.keys(refused(input) ?? {})).toContain(path);
  });
});
