// Opening, reading and changing tickets: what is stored, what is recorded, and what is refused without a trace.

import { afterAll, describe, expect, test } from 'bun:test';
import { hashSecret } from '../../../src/base/crypto.ts';
import { listScope } from '../../../src/desk/access.ts';
import { addAgent, changeAgent, removeAgent } from '../../../src/desk/people/agents.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { priorities } from '../../../src/desk/sites/catalogue/priorities.ts';
import { changeSite, createSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { readTicket, ticketEtag } from '../../../src/desk/tickets/find-ticket.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import { ingestTicketInput } from '../../../src/domain/input/tickets.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { categoryRows, priorityRows } from '../../../src/store/sites/catalogue.ts';
import { messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { noFilter } from '../../store/lists/many-tickets.ts';
import { countTickets } from '../../support/ticket-lists.ts';
import { commandLine, kinds, minute, start, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const slug = () => bench.site.slug;
const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other shop' })).site;
const agent = token(['read', 'write']);

describe('opening a ticket', () => {
  test('stores it with its first message, its author, its clocks and one event', () => {
    const { ticket, accessToken } = bench.open({ tags: ['billing', 'eu'] });
    expect(accessToken).toMatch(/^hda_[\w-]{43}$/);
    expect(ticket).toMatchObject({
      siteId: bench.site.id,
      status: 'open',
      source: 'api',
      isTest: false,
      tags: ['billing', 'eu'],
      messageCount: 1,
      createdAt: start,
      updatedAt: start,
      lastCustomerMessageAt: start,
      accessTokenHash: hashSecret(accessToken),
      version: 1,
    });
    expect(bench.ticket(ticket.id)).toEqual(ticket);
    expect(JSON.stringify(bench.everything()).includes(accessToken)).toBe(false);
    const normal = priorityRows.list(bench.tx, bench.site.id).find(({ slug: name }) => name === 'normal');
    expect(ticket.priorityId).toBe(normal?.id ?? 0);
    expect(ticket.firstResponseDueAt).toBe(start + (normal?.firstResponseMinutes ?? 0) * minute);
    const [message, ...more] = messagesOfTicket(bench.tx, ticket.id);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ body: 'The button does nothing.', isAgent: false, isInternal: false });
    expect(authorById(bench.tx, ticket.authorId)).toMatchObject({ email: 'mia@example.org', isVerified: false });
    expect(kinds(bench)).toEqual(['ticket.created']);
    expect(bench.events[0]).toMatchObject({
      ticketId: ticket.id,
      siteId: bench.site.id,
      actor: { type: 'author', id: ticket.authorId, name: null },
      data: { ticket_ulid: ticket.ulid, message_ulid: message?.ulid },
    });
    expect(bench.search('settings')).toContain(ticket.id);
  });

  test('takes its source from the context', () => {
    expect(bench.open({ context: { source: 'ios' } }).ticket.source).toBe('ios');
  });

  test('names every field at fault in one answer, and leaves no trace', () => {
    const before = bench.everything();
    const foreign = categoryRows.list(bench.tx, other.id)[0]?.id ?? 0;
    const foreignPriority = priorityRows.list(bench.tx, other.id)[0]?.id ?? 0;
    const input = { category_id: foreign, priority_id: foreignPriority, custom_fields: { nothing: 1 } };
    let refusal: unknown;
    try {
      bench.open(input);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: 'invalid' });
    expect(Object.keys((refusal as { errors: object }).errors).sort()).toEqual([
      'category_id',
      'custom_fields.nothing',
      'priority_id',
    ]);
    expect(bench.everything()).toEqual(before);
  });

  test('takes neither an inactive category nor an inactive priority', () => {
    const category = bench.do((tx, ctx) => categories.add(tx, ctx, slug(), { name: 'Gone', is_active: false })).row;
    const priority = bench.do((tx, ctx) => priorities.add(tx, ctx, slug(), { name: 'Gone', is_active: false })).row;
    expect(() => bench.open({ category_id: category.id })).toThrow('does not name a category');
    expect(() => bench.open({ priority_id: priority.id })).toThrow('does not name a priority');
  });

  test('asks for required fields, and takes from a customer only those that a customer may see', () => {
    const { site } = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Fields' }));
    bench.do((tx, ctx) =>
      customFields.add(tx, ctx, site.slug, { key: 'order_number', label: 'Order', type: 'text', is_required: true }),
    );
    bench.do((tx, ctx) =>
      customFields.add(tx, ctx, site.slug, { key: 'risk', label: 'Risk', type: 'number', is_author_visible: false }),
    );
    expect(() => bench.open({}, site)).toThrow();
    expect(() => bench.open({ custom_fields: { order_number: '7', risk: 3 } }, site)).toThrow();
    const { ticket } = bench.open({ custom_fields: { order_number: '7' } }, site);
    expect(ticket.customFields).toEqual({ order_number: '7' });
    const changed = bench.do(
      (tx, ctx) => changeTicket(tx, ctx, ticket.id, { custom_fields: { risk: 3 } }, null),
      agent,
    );
    expect(changed.customFields).toEqual({ order_number: '7', risk: 3 });
    expect(
      bench.refusal(
        (tx, ctx) => changeTicket(tx, ctx, ticket.id, { custom_fields: { order_number: null } }, null),
        agent,
      ).errors,
    ).toHaveProperty(['custom_fields.order_number']);
  });

  test("that is only a test is in no count, in no list and in no one's mail", () => {
    const filter = { ...noFilter, sites: [bench.site.id] };
    const before = countTickets(bench.tx, filter, start);
    const mails = bench.everything().deliveries?.length;
    const { ticket } = bench.open({ is_test: true });
    expect(countTickets(bench.tx, filter, start)).toBe(before);
    expect(countTickets(bench.tx, { ...filter, includeTest: true }, start)).toBeGreaterThan(before);
    expect(bench.everything().deliveries?.length).toBe(mails ?? 0);
    expect(ticket.slaNextAt).toBeNull();
  });

  test('by an agent can name who works on it', () => {
    const ann = bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'ann@desk.example.org', name: 'Ann' }));
    const input = {
      ...ingestTicketInput.parse({ email: 'a@example.org', subject: 'By phone', message: 'x' }),
      site_id: bench.site.id,
    };
    const { ticket } = bench.do((tx, ctx) => openTicketAsAgent(tx, ctx, { ...input, assigned_to: ann.id }), agent);
    expect(ticket).toMatchObject({ source: 'agent', assigneeId: ann.id });
    expect(kinds(bench)).toEqual(['ticket.created', 'ticket.assigned']);
    expect(bench.events[0]?.actor).toMatchObject({ type: 'token', name: 'Team' });
    expect(bench.refusal((tx, ctx) => openTicketAsAgent(tx, ctx, input), token(['read'])).code).toBe('forbidden');
    const scoped = token(['read', 'write'], other.id);
    expect(bench.refusal((tx, ctx) => openTicketAsAgent(tx, ctx, input), scoped).errors).toHaveProperty('site_id');
  });
});

describe('a token', () => {
  const { ticket } = bench.open();

  test('without the ability is refused', () => {
    expect(bench.refusal((tx, ctx) => readTicket(tx, ctx, ticket.ulid), token(['write'])).code).toBe('forbidden');
    expect(
      bench.refusal((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, { subject: 'x' }, null), token(['read'])).code,
    ).toBe('forbidden');
  });

  test('of another site sees nothing, whatever the name', () => {
    for (const name of [ticket.ulid, ticket.ulid.toLowerCase(), ticket.id, `${ticket.id}`]) {
      expect(bench.refusal((tx, ctx) => readTicket(tx, ctx, name), token(['read'], other.id)).code).toBe('not_found');
      expect(bench.do((tx, ctx) => readTicket(tx, ctx, name), token(['read'], bench.site.id)).ticket.id).toBe(
        ticket.id,
      );
    }
    for (const name of ['', '0', '-1', '999999', 'nothing', '9'.repeat(30), "'"])
      expect(bench.refusal((tx, ctx) => readTicket(tx, ctx, name)).code).toBe('not_found');
  });

  test('confined to a site lists that site', () => {
    expect(bench.do((tx, ctx) => listScope(tx, ctx, null), token(['read'], other.id))).toEqual([other.id]);
    expect(bench.do((tx, ctx) => listScope(tx, ctx, null), token(['read']))).toBe('all');
    expect(bench.refusal((tx, ctx) => listScope(tx, ctx, bench.site.slug), token(['read'], other.id)).code).toBe(
      'not_found',
    );
  });
});

describe('changing a ticket', () => {
  test('records what was and what is, once', () => {
    const { ticket } = bench.open();
    bench.clock.advance(minute);
    const urgent = priorityRows.list(bench.tx, bench.site.id).find(({ slug: name }) => name === 'urgent');
    const category = categoryRows.list(bench.tx, bench.site.id)[0];
    const after = bench.do(
      (tx, ctx) =>
        changeTicket(
          tx,
          ctx,
          ticket.id,
          { subject: 'Xylophone', tags: ['vip'], priority_id: urgent?.id, category_id: category?.id },
          null,
        ),
      agent,
    );
    expect(after).toMatchObject({
      subject: 'Xylophone',
      tags: ['vip'],
      priorityId: urgent?.id,
      priorityLevel: urgent?.level,
      categoryId: category?.id,
    });
    expect(kinds(bench)).toEqual(['ticket.updated']);
    expect(bench.events[0]?.data.changes).toEqual({
      subject: { from: 'Cannot save my settings', to: 'Xylophone' },
      tags: { from: [], to: ['vip'] },
      priority_id: { from: ticket.priorityId, to: urgent?.id },
      category_id: { from: null, to: category?.id },
    });
    expect(bench.search('xylophone')).toEqual([ticket.id]);
    expect(bench.everything().ticket_tags).toContainEqual({ tag: 'vip', ticket_id: ticket.id });
    const same = bench.do(
      (tx, ctx) => changeTicket(tx, ctx, ticket.id, { subject: 'Xylophone', tags: ['vip'] }, null),
      agent,
    );
    expect(same).toEqual(after);
    expect(bench.events).toEqual([]);
  });

  test('with a state that is older than the present one changes nothing', () => {
    const { ticket } = bench.open();
    const first = ticketEtag(ticket);
    const changed = bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { subject: 'One' }, [first]), agent);
    const refusal = bench.refusal((tx, ctx) => changeTicket(tx, ctx, ticket.id, { subject: 'Two' }, [first]), agent);
    expect(refusal.code).toBe('precondition_failed');
    expect(bench.ticket(ticket.id)).toEqual(changed);
    for (const etags of [['*'], [first, ticketEtag(changed)]])
      bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { subject: `Three ${etags.length}` }, ['*']), agent);
  });

  test('assigns to agents of the site only, and tells so', () => {
    const { ticket } = bench.open();
    const bob = bench.do((tx, ctx) =>
      addAgent(tx, ctx, { email: 'bob@desk.example.org', name: 'Bob', sites: [other.id] }),
    );
    const assign = (assigned_to: number | null) => (tx: typeof bench.tx, ctx: Parameters<typeof changeTicket>[1]) =>
      changeTicket(tx, ctx, ticket.id, { assigned_to }, null);
    expect(bench.refusal(assign(bob.id), agent).errors).toHaveProperty('assigned_to');
    expect(bench.refusal(assign(99_999), agent).errors).toHaveProperty('assigned_to');
    bench.do((tx, ctx) => changeAgent(tx, ctx, bob.id, { sites: [] }));
    expect(bench.do(assign(bob.id), agent).assigneeId).toBe(bob.id);
    expect(kinds(bench)).toEqual(['ticket.assigned']);
    expect(bench.events[0]?.data.changes).toEqual({ assigned_to: { from: null, to: bob.id } });
    expect(bench.do(assign(bob.id), agent).assigneeId).toBe(bob.id);
    expect(bench.events).toEqual([]);
    bench.do((tx, ctx) => changeAgent(tx, ctx, bob.id, { is_active: false }));
    const unassigned = bench.open();
    expect(
      bench.refusal((tx, ctx) => changeTicket(tx, ctx, unassigned.ticket.id, { assigned_to: bob.id }, null), agent)
        .errors,
    ).toHaveProperty('assigned_to');
    bench.do((tx, ctx) => removeAgent(tx, ctx, bob.id));
    expect(bench.ticket(ticket.id).assigneeId).toBeNull();
  });

  test('refuses all of it when any part is refused', () => {
    const { ticket } = bench.open();
    const before = bench.everything();
    expect(
      bench.refusal(
        (tx, ctx) =>
          changeTicket(tx, ctx, ticket.id, { subject: 'New', priority_id: 99_999, category_id: 99_999 }, null),
        agent,
      ).errors,
    ).toEqual({
      priority_id: [expect.any(String)],
      category_id: [expect.any(String)],
    });
    expect(bench.everything()).toEqual(before);
  });
});

describe('the default priority', () => {
  const { site } = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Defaults' }));
  const rows = () => priorityRows.list(bench.tx, site.id);
  const idOf = (name: string) => rows().find(({ slug: one }) => one === name)?.id ?? 0;

  test('is Normal, and what a ticket without one gets', () => {
    expect(rows().map(({ name }) => name)).toEqual(['Low', 'Normal', 'High', 'Urgent']);
    expect(site.defaultPriorityId).toBe(idOf('normal'));
    expect(bench.open({}, site).ticket.priorityId).toBe(idOf('normal'));
  });

  test('moves by the priority or by the site', () => {
    bench.do((tx, ctx) => priorities.change(tx, ctx, site.slug, idOf('high'), { is_default: true }, null));
    expect(bench.open({}, site).ticket.priorityId).toBe(idOf('high'));
    bench.do((tx, ctx) => changeSite(tx, ctx, site.slug, { default_priority_id: idOf('low') }, null));
    expect(bench.open({}, site).ticket.priorityId).toBe(idOf('low'));
  });

  test('can be neither removed nor made inactive nor merely unset', () => {
    const low = idOf('low');
    expect(bench.refusal((tx, ctx) => priorities.remove(tx, ctx, site.slug, low, null)).reason).toBe(
      'default_priority',
    );
    expect(
      bench.refusal((tx, ctx) => priorities.change(tx, ctx, site.slug, low, { is_active: false }, null)).reason,
    ).toBe('default_priority');
    expect(
      bench.refusal((tx, ctx) => priorities.change(tx, ctx, site.slug, low, { is_default: false }, null)).code,
    ).toBe('invalid');
    expect(
      bench.refusal((tx, ctx) => changeSite(tx, ctx, site.slug, { default_priority_id: 99_999 }, null)).errors,
    ).toHaveProperty('default_priority_id');
    bench.do((tx, ctx) => priorities.change(tx, ctx, site.slug, idOf('urgent'), { is_active: false }, null));
    expect(
      bench.refusal((tx, ctx) => changeSite(tx, ctx, site.slug, { default_priority_id: idOf('urgent') }, null)).errors,
    ).toHaveProperty('default_priority_id');
    expect(
      bench.refusal((tx, ctx) => priorities.change(tx, ctx, site.slug, idOf('urgent'), { is_default: true }, null))
        .code,
    ).toBe('conflict');
    expect(bench.freshSite(site.id).defaultPriorityId).toBe(low);
  });

  test('of a new priority that asks to be it takes over', () => {
    const { row } = bench.do(
      (tx, ctx) => priorities.add(tx, ctx, site.slug, { name: 'Critical', is_default: true, level: 9 }),
      commandLine,
    );
    expect(bench.freshSite(site.id).defaultPriorityId).toBe(row.id);
    expect(bench.open({}, site).ticket).toMatchObject({ priorityId: row.id, priorityLevel: 9 });
  });

  test('in use cannot be removed, and its level follows to its tickets', () => {
    const { ticket } = bench.open({ priority_id: idOf('high') }, site);
    expect(bench.refusal((tx, ctx) => priorities.remove(tx, ctx, site.slug, idOf('high'), null)).reason).toBe(
      'priority_in_use',
    );
    bench.do((tx, ctx) => priorities.change(tx, ctx, site.slug, idOf('high'), { level: 77 }, null));
    expect(bench.ticket(ticket.id).priorityLevel).toBe(77);
  });
});
