// What leaves the desk: the rows that each event queues, for whom, and what becomes of them and their channel.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Context } from '../../../src/desk/context.ts';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { recordAttempt, takeDue, takeOver } from '../../../src/desk/outbox/attempts.ts';
import { addChannel, channels, rotateSigningSecret } from '../../../src/desk/outbox/channels.ts';
import { type DeliveryMaterial, loadDelivery } from '../../../src/desk/outbox/content.ts';
import {
  heldMs,
  listChannelDeliveries,
  redeliver,
  redeliverFailed,
  testChannel,
} from '../../../src/desk/outbox/log.ts';
import { retryDelivery, retrySome } from '../../../src/desk/outbox/retry.ts';
import { addAgent, changeAgent } from '../../../src/desk/people/agents.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import { changeSite, createSite } from '../../../src/desk/sites/sites.ts';
import { scanStep } from '../../../src/desk/sla/sla.ts';
import { changeInBulk } from '../../../src/desk/tickets/bulk.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { resendReply } from '../../../src/desk/tickets/resend-reply.ts';
import { changeStatus } from '../../../src/desk/tickets/ticket-status.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import { undoMs, type WebhookEvent, webhookEvents } from '../../../src/domain/event.ts';
import type { AttemptResult } from '../../../src/domain/outbox/delivery.ts';
import { abilitiesOf } from '../../../src/domain/people/roles.ts';
import { query } from '../../../src/engine/database.ts';
import { mailOf } from '../../../src/outbox/delivery-content.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { lanesAhead } from '../../../src/store/outbox/lanes.ts';
import {
  attemptsOfDelivery,
  type Delivery,
  expireHeld,
  firstHeld,
  purgeDeliveries,
} from '../../../src/store/outbox/outbox.ts';
import { catchUpSome, hasCatchUps, promoteSome } from '../../../src/store/outbox/requeue.ts';
import type { Agent } from '../../../src/store/people/agents.ts';
import { type Channel, channelRows } from '../../../src/store/sites/catalogue.ts';
import { insertAttachment, messageById, messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { minute, start, token, type Workbench, workbench } from '../workbench.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

type Row = Pick<Delivery, 'id' | 'event' | 'recipient' | 'status' | 'channelId' | 'ticketId' | 'nextAt' | 'lastError'>;

function rows(where = '1'): Row[] {
  return query<Row>(
    bench.tx,
    `SELECT id, event, recipient, status, channel_id AS channelId, ticket_id AS ticketId, next_at AS nextAt, last_error AS lastError
     FROM deliveries WHERE ${where} ORDER BY id`,
  ).all();
}

/** What the last step queued, as `event` for a channel and `event > recipient` for a mail. */
function queuedBy(step: () => unknown): string[] {
  const before = rows().at(-1)?.id ?? 0;
  step();
  return rows(`id > ${before}`).map(({ event, recipient, channelId }) =>
    recipient === null ? `${event} to channel ${channelId}` : `${event} > ${recipient}`,
  );
}

function channelFor(events: readonly WebhookEvent[] = webhookEvents, isActive = true): Channel {
  return bench.do((tx, ctx) =>
    addChannel(tx, ctx, 'web-shop', {
      name: 'Hook',
      type: 'custom',
      webhook_url: 'https://hooks.example.org/x',
      events: [...events],
      is_active: isActive,
    }),
  ).channel;
}

const fresh = ({ id, siteId }: Channel) => channelRows.get(bench.tx, siteId, id) as Channel;
const agent = (email: string, role: 'owner' | 'admin' | 'member' = 'member') =>
  bench.do((tx, ctx) => addAgent(tx, ctx, { email, name: email.split('@')[0] ?? '', role }));
const settings = (change: object) => bench.do((tx, ctx) => changeSite(tx, ctx, 'web-shop', { settings: change }, null));
const change = (ticket: Ticket, to: Parameters<typeof changeTicket>[3]) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, to, null));
const answer = (ticket: Ticket, body = 'Try again.', more = {}) =>
  bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body, ...more }));
const write = (ticket: Ticket, body = 'Still broken.') =>
  bench.do((tx, ctx) => {
    const author = authorById(tx, ticket.authorId);
    if (!author) throw new Error('no author');
    return replyAsCustomer(tx, ctx, bench.ticket(ticket.id), author, { body });
  });
const enable = (channel: Channel, isActive = true) =>
  bench.do((tx, ctx) => channels.change(tx, ctx, 'web-shop', channel.id, { is_active: isActive }, null));

const me = { by: 'host:1:1', ms: 60_000 };
const due = (lane: number | null, limit = 100) =>
  bench.do((tx, ctx) => takeDue(tx, ctx, lane, limit, { by: 'look', ms: 0 }));
const delivered: AttemptResult = { outcome: 'delivered' };
const failed: AttemptResult = { outcome: 'failed', isGone: false };
const gone: AttemptResult = { outcome: 'failed', isGone: true };
const tried = (id: number, result: AttemptResult, error: string | null = null, responseStatus: number | null = 500) =>
  bench.do((tx, ctx) =>
    recordAttempt(tx, ctx, { deliveryId: id, result, durationMs: 12.4, responseStatus, responseExcerpt: 'oh', error }),
  );
const only = (event: string) => rows(`event = '${event}'`).at(-1) as Row;

const actorOf = ({ id, name, role }: Agent) => ({
  agentId: id,
  name,
  role,
  abilities: abilitiesOf(role),
  scope: 'all' as const,
  sessionId: 1,
});
/** As if everything that waits had been sent. */
const letAllGo = (tx: Workbench['tx'], ctx: Context) => {
  for (const { id } of rows("status = 'queued'"))
    recordAttempt(tx, ctx, {
      deliveryId: id,
      result: delivered,
      durationMs: 1,
      responseStatus: 250,
      responseExcerpt: '',
      error: null,
    });
  return null;
};
const eventsOf = (ids: readonly number[]) => ids.map((id) => rows(`id = ${id}`)[0]?.event).sort();

describe('a ticket that is opened', () => {
  test('is told to each subscribed channel of its site, and acknowledged', () => {
    const first = channelFor();
    const second = channelFor(['ticket.created']);
    channelFor(['ticket.replied']);
    const other = bench.do((tx, ctx) =>
      addChannel(tx, ctx, 'web-shop', {
        name: 'Off',
        type: 'custom',
        webhook_url: 'https://hooks.example.org/off',
        events: ['ticket.created'],
        is_active: false,
      }),
    );
    expect(other.channel.disabledAt).toBeNull();
    expect(queuedBy(() => bench.open())).toEqual([
      `ticket.created to channel ${first.id}`,
      `ticket.created to channel ${second.id}`,
      'mail.acknowledgement > mia@example.org',
    ]);
  });

  test('is not acknowledged where the site does not want it', () => {
    settings({ acknowledge: false });
    expect(queuedBy(() => bench.open())).toEqual([]);
  });

  test('as a test notifies no one, whatever happens to it', () => {
    channelFor();
    agent('owner@desk.example', 'owner');
    const { id } = agent('eve@desk.example');
    settings({ notify_resolved: true });
    const { ticket } = bench.open({ is_test: true });
    answer(ticket);
    write(ticket);
    change(ticket, { assigned_to: id, status: 'resolved' });
    bench.clock.advance(30 * 24 * 60 * minute);
    bench.do(scanStep);
    expect(rows()).toEqual([]);
  });
});

test('a reply in a step that is undone leaves no row, even if others wrote in the same commit', async () => {
  channelFor();
  const { ticket } = bench.open();
  const before = rows().length;
  const reply = (body: string) => (tx: Workbench['tx']) =>
    replyAsAgent(tx, bench.desk.context({ kind: 'command_line' }, 'test'), ticket.id, { body }).message.ulid;
  const steps = [
    bench.desk.write(reply('kept')),
    bench.desk.write((tx) => {
      reply('undone')(tx);
      throw new Error('undone');
    }),
    bench.desk.write(reply('kept too')),
  ];
  const settled = await Promise.allSettled(steps);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(rows().length).toBe(before + 4);
});

describe("an agent's reply", () => {
  test('goes to the customer, and its message says how it fares', () => {
    const { ticket } = bench.open();
    const { message } = answer(ticket);
    expect(message.delivery).toEqual({ status: 'queued', at: new Date(start).toISOString(), error: null });
    const row = only('mail.agent_reply');
    tried(row.id, { outcome: 'retry', at: start + minute }, 'connection refused', null);
    expect(messageById(bench.tx, message.id)?.delivery?.status).toBe('queued');
    bench.clock.advance(minute);
    tried(row.id, delivered);
    const at = new Date(start + minute).toISOString();
    expect(messageById(bench.tx, message.id)?.delivery).toEqual({ status: 'sent', at, error: null });
  });

  test('that is refused for good is shown as failed, with the reason', () => {
    const { ticket } = bench.open();
    const { message } = answer(ticket);
    tried(only('mail.agent_reply').id, failed, 'no such mailbox', 550);
    expect(messageById(bench.tx, message.id)?.delivery).toMatchObject({ status: 'failed', error: 'no such mailbox' });
  });

  test('that is a note stays inside', () => {
    channelFor();
    const { ticket } = bench.open();
    expect(queuedBy(() => answer(ticket, 'He is angry.', { is_internal: true }))).toEqual([]);
  });

  test('answers the last words of the customer and carries its own attachments, also when the tickets are merged meanwhile', () => {
    const { ticket } = bench.open();
    const target = bench.open({ subject: 'The same again' }).ticket;
    write(ticket, 'My last words.');
    const file = bench.do((tx, ctx) =>
      insertAttachment(tx, {
        ulid: '01J8ZQ4T5M7N8P9Q0R1S2T3V4W',
        siteId: ticket.siteId,
        ticketId: ticket.id,
        messageId: null,
        filename: 'how-to.pdf',
        contentType: 'application/pdf',
        size: 10,
        sha256: 'x',
        isInternal: false,
        isAgent: true,
        createdAt: ctx.now,
      }),
    );
    answer(ticket, 'See the file.', { attachment_ids: [file.id] });
    bench.do((tx, ctx) => mergeTickets(tx, ctx, ticket.id, target.id));
    const material = bench.do((tx, ctx) => loadDelivery(tx, ctx, only('mail.agent_reply').id));
    expect(material?.attachments.map(({ filename }) => filename)).toEqual(['how-to.pdf']);
    expect(material?.answered?.body).toBe('My last words.');
    expect(material?.ticket?.id).toBe(ticket.id);
  });
});

const mailSettings = {
  baseUrl: 'https://desk.example',
  inboundDomain: 'desk.example',
  from: 'help@desk.example',
  deskId: 'd',
  hasServer: true,
};

test.each([null, 'ANNA@Example.org'])(
  'a reply on a merged ticket quotes its readers only, and gives the address of one named %j to no other',
  async (name) => {
    const open = (email: string, message: string) => bench.open({ email, name, message }).ticket;
    const [bo, anna] = [open('bo@example.com', 'Words of Bo.'), open('anna@example.org', 'Words of Anna.')];
    bench.do((tx, ctx) => mergeTickets(tx, ctx, anna.id, bo.id));
    const textTo = async (...emails: string[]) => {
      const to = emails.map((email) => ({ email, name: null }));
      bench.do((tx, ctx) => replyAsAgent(tx, ctx, bo.id, { body: 'Both of you.', to } as never));
      const { id } = only('mail.agent_reply');
      const material = bench.desk.read((tx) => loadDelivery(tx, bench.desk.context({ kind: 'desk' }, 'test'), id));
      return (await mailOf(material as DeliveryMaterial, mailSettings, [])).text;
    };
    expect(await textTo('bo@example.com')).toMatch(/wrote:\n+> Words of Bo/);
    expect(await textTo('anna@example.org')).toMatch(/anna@example.org wrote:\n+> Words of Anna/i);
    expect(await textTo('bo@example.com', 'anna@example.org')).toMatch(/a…@e….org wrote:\n+> Words of Anna/);
    expect(await textTo('cy@example.com')).not.toContain('wrote:');
  },
);

describe('mail about a ticket', () => {
  test('tells the customer that it is resolved only where the site wants it', () => {
    expect(queuedBy(() => change(bench.open().ticket, { status: 'resolved' }))).toEqual([
      'mail.acknowledgement > mia@example.org',
    ]);
    settings({ notify_resolved: true });
    const { ticket } = bench.open();
    expect(queuedBy(() => change(ticket, { status: 'resolved' }))).toEqual(['mail.ticket_resolved > mia@example.org']);
    expect(queuedBy(() => change(ticket, { status: 'closed' }))).toEqual([]);
  });

  test('does not tell the customer what they said themselves, except where anyone with the link could have', () => {
    settings({ notify_resolved: true });
    const solve = () => {
      const { ticket } = bench.open();
      const actor = { kind: 'author', siteId: ticket.siteId, authorId: ticket.authorId, name: 'Mia Jansen' } as const;
      return queuedBy(() =>
        bench.do((tx, ctx) => changeStatus(tx, { ...ctx, actor }, bench.freshSite(), ticket, 'resolved')),
      );
    };
    expect(solve()).toEqual([]);
    settings({ customer_links: 'open' });
    expect(solve()).toEqual(['mail.ticket_resolved > mia@example.org']);
  });

  test('tells an agent that it was assigned to them, and no one when it is taken away', () => {
    const eve = agent('Eve@desk.example');
    const { ticket } = bench.open();
    expect(queuedBy(() => change(ticket, { assigned_to: eve.id }))).toEqual(['mail.assigned > eve@desk.example']);
    expect(queuedBy(() => change(ticket, { assigned_to: eve.id }))).toEqual([]);
    expect(queuedBy(() => change(ticket, { assigned_to: null }))).toEqual([]);
  });

  test('tells no one what they did themselves, by hand, with many others or as the customer of the ticket', () => {
    const eve = agent('eve@desk.example');
    const asEve: Actor = { ...actorOf(eve), kind: 'agent' };
    const { ticket } = bench.open({ email: 'eve@desk.example' });
    const byEve = (to: number | null) => () =>
      bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { assigned_to: to }, null), asEve);
    expect(queuedBy(byEve(eve.id))).toEqual([]);
    expect(queuedBy(() => write(ticket))).toEqual([]);
    expect(queuedBy(byEve(null))).toEqual([]);
    const inBulk = () =>
      bench.do((tx, ctx) => changeInBulk(tx, ctx, ticket.ulid, { assigned_to: eve.id }, null), asEve);
    expect(queuedBy(inBulk)).toEqual([]);
    const opened = () =>
      bench.do(
        (tx, ctx) =>
          openTicketAsAgent(tx, ctx, {
            site_id: bench.site.id,
            email: 'zoe@example.org',
            subject: 'For me',
            message: 'Hello',
            assigned_to: eve.id,
          }),
        asEve,
      );
    expect(queuedBy(opened)).toEqual(['mail.acknowledgement > zoe@example.org']);
  });

  test('about what can be taken back leaves after ten seconds, and not if it was', () => {
    const [eve, zoe] = [agent('eve@desk.example'), agent('zoe@desk.example')];
    settings({ notify_resolved: true });
    const { ticket } = bench.open();
    bench.do((tx, ctx) => letAllGo(tx, ctx));
    change(ticket, { assigned_to: eve.id, status: 'resolved' });
    bench.clock.advance(undoMs - 1);
    expect(due(null)).toEqual([]);
    bench.clock.advance(1);
    expect(eventsOf(due(null))).toEqual(['mail.assigned', 'mail.ticket_resolved']);
    bench.do((tx, ctx) => letAllGo(tx, ctx));
    const links = () => query(bench.tx, 'SELECT 1 FROM customer_links').all().length;
    const before = links();
    bench.clock.advance(minute);
    change(ticket, { status: 'open' });
    change(ticket, { assigned_to: zoe.id, status: 'resolved' });
    expect(links()).toBe(before + 1);
    expect(queuedBy(() => change(ticket, { assigned_to: eve.id, status: 'open' }))).toEqual([]);
    bench.clock.advance(undoMs);
    expect(due(null)).toEqual([]);
    expect(rows("status = 'queued'")).toEqual([]);
    expect(links()).toBe(before);
  });

  test('one mail names all tickets that someone assigns to the same person together, as far as they still are', async () => {
    const [eve, zoe] = [agent('eve@desk.example'), agent('zoe@desk.example')];
    const tickets = [1, 2, 3, 4].map((number) => bench.open({ subject: `Story ${number}` }).ticket);
    bench.do((tx, ctx) => letAllGo(tx, ctx));
    const [first, second, third, fourth] = tickets as [Ticket, Ticket, Ticket, Ticket];
    const told = queuedBy(() => {
      for (const ticket of [first, second, third]) change(ticket, { assigned_to: eve.id });
      change(fourth, { assigned_to: zoe.id });
    });
    expect(told).toEqual(['mail.assigned > eve@desk.example', 'mail.assigned > zoe@desk.example']);
    change(first, { assigned_to: null });
    bench.clock.advance(undoMs);
    const [id = 0] = due(null);
    const material = bench.desk.read((tx) => loadDelivery(tx, bench.desk.context({ kind: 'desk' }, 'test'), id));
    expect(material?.assigned.map(({ subject }) => subject)).toEqual(['Story 2', 'Story 3']);
    const mail = await mailOf(material as DeliveryMaterial, mailSettings, []);
    expect(mail.subject).toBe('Assigned to you: 2 tickets (Web shop)');
    expect(mail.replyTo).toBeUndefined();
    for (const { ulid, subject } of [second, third]) {
      expect(mail.text).toContain(`${subject}\nhttps://desk.example/tickets/${ulid}`);
      expect(mail.html).toContain(`https://desk.example/tickets/${ulid}`);
    }
    expect(mail.text).not.toContain('Story 1');
    const other = queuedBy(() =>
      bench.do((tx, ctx) => changeTicket(tx, ctx, first.id, { assigned_to: eve.id }, null), token(['write'])),
    );
    expect(other).toEqual(['mail.assigned > eve@desk.example']);
  });

  test('one mail of the desk names the tickets of several sites, without those of a site out of sight or removed', async () => {
    settings({ mail_from_address: 'shop@shop.example' });
    const siteCalled = (name: string) => bench.do((tx, ctx) => createSite(tx, ctx, { name }).site);
    const [blog, forum] = [siteCalled('Blog'), siteCalled('Forum')];
    const sites = [bench.site, bench.site, blog, forum];
    const tickets = sites.map((site, at) => bench.open({ subject: `Story ${at}` }, site).ticket);
    const eve = bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'eve@desk.example', name: 'Eve', role: 'member' }));
    bench.do((tx, ctx) => letAllGo(tx, ctx));
    const told = queuedBy(() => {
      for (const ticket of tickets) change(ticket, { assigned_to: eve.id });
    });
    expect(told).toEqual(['mail.assigned > eve@desk.example']);
    bench.clock.advance(undoMs);
    const [id = 0] = due(null);
    const mail = () => {
      const material = bench.desk.read((tx) => loadDelivery(tx, bench.desk.context({ kind: 'desk' }, 'test'), id));
      const from = 'help@desk.example';
      const desk = {
        baseUrl: 'https://desk.example',
        inboundDomain: 'desk.example',
        from,
        deskId: 'd',
        hasServer: true,
      };
      return mailOf(material as DeliveryMaterial, desk, []);
    };
    const all = await mail();
    expect(all.from).toEqual({ name: 'Helpdesk', address: 'help@desk.example' });
    expect(all.subject).toBe('Assigned to you: 4 tickets (Helpdesk)');
    expect(all.text).toMatch(/Web shop:.*Story 0.*Story 1.*Blog:.*Story 2.*Forum:.*Story 3/s);
    expect([all.inReplyTo, all.references, all.replyTo]).toEqual([undefined, undefined, undefined]);
    bench.do((tx, ctx) => changeAgent(tx, ctx, eve.id, { sites: [bench.site.id, forum.id] }));
    expect((await mail()).text).not.toContain('Story 2');
    bench.do((tx, ctx) => removeSite(tx, ctx, forum.slug, forum.slug, null));
    const ofOne = await mail();
    expect(ofOne.from.address).toBe('shop@shop.example');
    expect(ofOne.text).not.toMatch(/Story 3|Web shop:/);
    // A mail about a single ticket looks like any other mail about it.
    for (const ticket of tickets.slice(1, 2)) change(ticket, { assigned_to: null });
    const { subject, replyTo } = await mail();
    expect([subject, replyTo?.address]).toEqual([
      `[#${tickets[0]?.id}] Assigned to you: Story 0`,
      expect.stringMatching(/^agent\+[0-9a-z-]{36,58}@desk\.example$/),
    ]);
  });

  test("tells the assignee what the customer replied, and no one else's", () => {
    agent('other@desk.example');
    const eve = agent('eve@desk.example');
    const { ticket } = bench.open();
    expect(queuedBy(() => write(ticket))).toEqual([]);
    change(ticket, { assigned_to: eve.id });
    // The mail about the assignment has left by then.
    bench.clock.advance(minute);
    expect(queuedBy(() => write(ticket))).toEqual(['mail.customer_replied > eve@desk.example']);
    bench.do((tx, ctx) => changeAgent(tx, ctx, eve.id, { is_active: false }));
    expect(queuedBy(() => write(ticket))).toEqual([]);
  });

  test('warns the assignee, or the owners and admins where there is none, and so of a breach', () => {
    agent('owner@desk.example', 'owner');
    agent('admin@desk.example', 'admin');
    const eve = agent('eve@desk.example');
    const hook = channelFor(['ticket.sla_warning', 'ticket.sla_breached']);
    const mine = bench.open().ticket;
    change(mine, { assigned_to: eve.id });
    const unassigned = bench.open().ticket;
    const signals = (event: string) =>
      queuedBy(() => bench.do(scanStep))
        .filter((line) => line.includes(event))
        .sort();
    bench.clock.set((mine.firstResponseDueAt ?? 0) - 1);
    expect(signals('sla_warning')).toEqual([
      'mail.sla_warning > admin@desk.example',
      'mail.sla_warning > eve@desk.example',
      'mail.sla_warning > owner@desk.example',
      `ticket.sla_warning to channel ${hook.id}`,
      `ticket.sla_warning to channel ${hook.id}`,
    ]);
    bench.clock.set((unassigned.firstResponseDueAt ?? 0) + 1);
    expect(signals('sla_breached')).toEqual([
      'mail.sla_breached > admin@desk.example',
      'mail.sla_breached > eve@desk.example',
      'mail.sla_breached > owner@desk.example',
      `ticket.sla_breached to channel ${hook.id}`,
      `ticket.sla_breached to channel ${hook.id}`,
    ]);
  });

  test('goes to no author that was erased; what was on its way to them is stopped', () => {
    const { ticket } = bench.open();
    answer(ticket);
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'mia@example.org' }));
    expect(rows("status = 'queued'")).toEqual([]);
    expect(JSON.stringify(rows())).not.toContain('mia@example.org');
    expect(messagesOfTicket(bench.tx, ticket.id).at(-1)?.delivery).toMatchObject({
      status: 'failed',
      error: 'The author was erased.',
    });
    settings({ notify_resolved: true });
    expect(
      queuedBy(() => {
        answer(bench.ticket(ticket.id));
        change(ticket, { status: 'resolved' });
      }),
    ).toEqual([]);
    expect(messagesOfTicket(bench.tx, ticket.id).at(-1)?.delivery).toBeNull();
  });

  test('keeps no address in what a mail server said of a reply to an erased author', () => {
    const { ticket } = bench.open();
    tried(only('mail.acknowledgement').id, delivered);
    answer(ticket);
    tried(only('mail.agent_reply').id, failed, '550 <mia@example.org>: no such user');
    const shown = () => messagesOfTicket(bench.tx, ticket.id).at(-1)?.delivery;
    expect(shown()?.error).toContain('mia@');
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'mia@example.org' }));
    expect(shown()).toMatchObject({ status: 'failed', error: null });
  });

  test.each([
    ['not taken', { outcome: 'retry', at: start + minute } as const, 'failed'],
    ['refused', failed, 'failed'],
    ['taken', delivered, 'delivered'],
  ])(
    'that was on its line when its author was erased, and was %s, is not tried again and names no one',
    (_, result, status) => {
      const { ticket } = bench.open();
      const { id } = only('mail.acknowledgement');
      bench.do((tx, ctx) => takeDue(tx, ctx, null, 1, me));
      bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'mia@example.org' }));
      tried(id, result, '550 <mia@example.org>: no such user', 550);
      expect(only('mail.acknowledgement')).toMatchObject({ status, nextAt: null });
      expect(rows(`status = 'queued' AND ticket_id = ${ticket.id}`)).toEqual([]);
      expect(JSON.stringify([rows(), attemptsOfDelivery(bench.tx, id)])).not.toContain('mia@');
      expect(attemptsOfDelivery(bench.tx, id)).toMatchObject([
        { responseStatus: 550, responseExcerpt: '', error: null },
      ]);
    },
  );

  test('that waited behind one of an erased author is not left waiting', () => {
    const eve = agent('mia@example.org');
    const { ticket } = bench.open();
    change(ticket, { assigned_to: eve.id });
    expect(due(null)).toEqual([only('mail.acknowledgement').id]);
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'mia@example.org' }));
    bench.clock.advance(undoMs);
    expect(due(null)).toEqual([only('mail.assigned').id]);
  });

  test('carries the thread of its recipient: the very first and the newest before it', () => {
    const { ticket } = bench.open();
    for (let turn = 0; turn < 25; turn += 1) answer(ticket, `Answer ${turn}`);
    const ids = rows("recipient = 'mia@example.org'").map(({ id }) => id);
    const messageIds = query<{ id: string }>(
      bench.tx,
      "SELECT mail_message_id AS id FROM deliveries WHERE recipient = 'mia@example.org' ORDER BY id",
    )
      .all()
      .map(({ id }) => id);
    const load = (id: number | undefined) => bench.do((tx, ctx) => loadDelivery(tx, ctx, id ?? 0))?.references;
    expect(load(ids[0])).toEqual([]);
    expect(load(ids[1])).toEqual(messageIds.slice(0, 1));
    expect(load(ids[25])).toEqual([messageIds[0] ?? '', ...messageIds.slice(6, 25)]);
    expect(new Set(messageIds).size).toBe(26);
  });
});

describe('what is due', () => {
  test('is the first of each ticket; the next one when that is done', () => {
    const hook = channelFor(['ticket.created', 'ticket.replied']);
    const one = bench.open().ticket;
    const two = bench.open().ticket;
    write(one);
    write(one);
    const ids = rows(`channel_id = ${hook.id}`).map(({ id }) => id);
    expect(due(hook.id)).toEqual(ids.slice(0, 2));
    expect(rows(`channel_id = ${hook.id} AND next_at IS NULL`).map(({ id }) => id)).toEqual(ids.slice(2));
    tried(ids[0] ?? 0, { outcome: 'retry', at: start + minute });
    expect(due(hook.id)).toEqual([ids[1] ?? 0]);
    bench.clock.advance(minute);
    tried(ids[0] ?? 0, failed);
    expect(due(hook.id)).toEqual([ids[1], ids[2]].map(Number));
    tried(ids[2] ?? 0, delivered);
    expect(due(hook.id)).toEqual([ids[1], ids[3]].map(Number));
    expect(two.id).toBeGreaterThan(one.id);
  });

  test('is claimed once, until the claim runs out', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    const take = () => bench.do((tx, ctx) => takeDue(tx, ctx, hook.id, 10, me));
    expect(take()).toHaveLength(1);
    expect(take()).toHaveLength(0);
    bench.clock.advance(me.ms);
    expect(take()).toHaveLength(1);
  });

  test('is taken over from processes that have ended, and from no other', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    bench.open();
    bench.do((tx, ctx) => takeDue(tx, ctx, hook.id, 1, { by: 'dead', ms: minute }));
    bench.do((tx, ctx) => takeDue(tx, ctx, hook.id, 1, { by: 'alive', ms: minute }));
    expect(bench.do((tx) => takeOver(tx, (name) => name === 'dead'))).toBe(1);
    expect(due(hook.id)).toEqual([rows(`channel_id = ${hook.id}`)[0]?.id ?? 0]);
  });

  test('what waits behind nothing is made due, some at a time', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    const { id } = only('ticket.created');
    const extra = (ticket: string) =>
      bench.do((tx) =>
        tx.client.run(
          `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 700)
           INSERT INTO deliveries (ulid, site_id, channel_id, ticket_id, event, payload, next_at, created_at)
           SELECT hex(randomblob(8)), site_id, channel_id, ${ticket}, event, payload, NULL, created_at FROM n, deliveries WHERE id = ${id}`,
        ),
      );
    extra('NULL');
    extra('ticket_id');
    const waiting = () => rows(`channel_id = ${hook.id} AND next_at IS NULL`).length;
    expect(waiting()).toBe(1400);
    const after = bench.do((tx) => promoteSome(tx, 0));
    expect(waiting()).toBe(900);
    const last = bench.do((tx) => promoteSome(tx, after ?? 0));
    expect(waiting()).toBe(700);
    expect(bench.do((tx) => promoteSome(tx, last ?? 0))).toBeNull();
    expect(waiting()).toBe(700);
  });

  test('is known lane by lane, with the moment of what comes next', () => {
    const hook = channelFor(['ticket.created']);
    const held = channelFor(['ticket.created']);
    bench.open();
    enable(held, false);
    tried(only('mail.acknowledgement').id, { outcome: 'retry', at: start + 5 * minute });
    const ahead = () => bench.do((tx, ctx) => lanesAhead(tx, ctx.now));
    expect(ahead()).toEqual([
      { lane: hook.id, isDue: true, nextAt: null },
      { lane: held.id, isDue: false, nextAt: null },
      { lane: null, isDue: false, nextAt: start + 5 * minute },
    ]);
    bench.do((tx, ctx) => testChannel(tx, ctx, 'web-shop', held.id));
    expect(ahead()[1]).toEqual({ lane: held.id, isDue: true, nextAt: null });
    expect(due(held.id)).toEqual([only('channel.test').id]);
  });
});

describe('a channel that fails', () => {
  function fail(hook: Channel, times: number, result: AttemptResult = failed) {
    for (let turn = 0; turn < times; turn += 1) {
      bench.open();
      tried(rows(`channel_id = ${hook.id} AND status = 'queued'`)[0]?.id ?? 0, result, null, 503);
    }
  }

  test('ten times in a row is disabled, and who manages the site gets one mail', () => {
    agent('owner@desk.example', 'owner');
    agent('admin@desk.example', 'admin');
    const hook = channelFor(['ticket.created']);
    fail(hook, 9);
    expect(fresh(hook)).toMatchObject({ isActive: true, consecutiveFailures: 9 });
    fail(hook, 2);
    expect(fresh(hook)).toMatchObject({ isActive: false, consecutiveFailures: 11, disabledAt: start });
    expect(fresh(hook).disabledReason).toBe('10 deliveries in a row failed. Last error: answered 503.');
    expect(rows("event = 'mail.channel_disabled'").map(({ recipient }) => recipient)).toEqual([
      'owner@desk.example',
      'admin@desk.example',
    ]);
    const mail = bench.do((tx, ctx) => loadDelivery(tx, ctx, only('mail.channel_disabled').id));
    expect(mail?.subjectChannel?.id).toBe(hook.id);
  });

  test('is not disabled by tries that will be repeated, nor when one is taken in between', () => {
    const hook = channelFor(['ticket.created']);
    fail(hook, 9);
    fail(hook, 1, delivered);
    expect(fresh(hook)).toMatchObject({ consecutiveFailures: 0, lastDeliveryAt: start, lastSuccessAt: start });
    fail(hook, 9);
    for (let turn = 0; turn < 5; turn += 1) fail(hook, 1, { outcome: 'retry', at: start });
    expect(fresh(hook)).toMatchObject({ isActive: true, consecutiveFailures: 9 });
  });

  test('with 410 is disabled at once', () => {
    const hook = channelFor(['ticket.created', 'channel.disabled']);
    const other = channelFor(['channel.disabled']);
    fail(hook, 1, gone);
    expect(fresh(hook)).toMatchObject({ isActive: false, disabledReason: 'The receiver answered 410 Gone.' });
    // Other channels can tell of it.
    expect(rows("event = 'channel.disabled'").map(({ channelId }) => channelId)).toEqual([other.id]);
  });

  test('a test is no delivery that counts, and leaves also a channel that is disabled', () => {
    const hook = channelFor(['ticket.created']);
    fail(hook, 9);
    bench.do((tx, ctx) => testChannel(tx, ctx, 'web-shop', hook.id));
    tried(only('channel.test').id, gone);
    expect(fresh(hook)).toMatchObject({ isActive: true, consecutiveFailures: 9 });
    enable(hook, false);
    bench.open();
    bench.do((tx, ctx) => testChannel(tx, ctx, 'web-shop', hook.id));
    expect(due(hook.id)).toEqual([only('channel.test').id]);
    tried(only('channel.test').id, delivered);
    expect(fresh(hook)).toMatchObject({ isActive: false, lastSuccessAt: null });
  });
});

describe('a disabled channel', () => {
  test('holds its events, and enabling it sends what it failed to take and what it held, in order', () => {
    const hook = channelFor(['ticket.created', 'ticket.replied']);
    const { ticket } = bench.open();
    tried(only('ticket.created').id, delivered);
    bench.clock.advance(minute);
    const missed = [];
    for (let turn = 0; turn < 10; turn += 1) {
      write(ticket);
      missed.push(only('ticket.replied').id);
      tried(only('ticket.replied').id, failed);
    }
    expect(fresh(hook).isActive).toBe(false);
    write(ticket);
    const held = only('ticket.replied').id;
    const other = bench.open().ticket;
    expect(due(hook.id)).toEqual([]);
    expect(rows(`id = ${held}`)[0]?.status).toBe('queued');

    enable(hook);
    expect(fresh(hook)).toMatchObject({
      isActive: true,
      consecutiveFailures: 0,
      disabledAt: null,
      disabledReason: null,
    });
    const order: number[] = [];
    for (let next = due(hook.id); next.length > 0; next = due(hook.id)) {
      order.push(next[0] ?? 0);
      tried(next[0] ?? 0, delivered);
    }
    const ofTicket = rows(`ticket_id = ${other.id} AND channel_id = ${hook.id}`)[0]?.id ?? 0;
    expect(order.filter((id) => id !== ofTicket)).toEqual([...missed, held]);
    expect(order).toContain(ofTicket);
  });

  test('gives what was between two tries all its retries again', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    const { id } = only('ticket.created');
    for (let turn = 0; turn < 3; turn += 1) tried(id, { outcome: 'retry', at: start + 60 * minute });
    enable(hook, false);
    expect(due(hook.id)).toEqual([]);
    enable(hook);
    expect(due(hook.id)).toEqual([id]);
    const { delivery } =
      bench.do((tx, ctx) => listChannelDeliveries(tx, ctx, 'web-shop', hook.id, null, 1, 0)).rows[0] ?? {};
    expect(delivery).toMatchObject({ tries: 0, attempts: 3, firstTriedAt: null });
  });

  test('with very much to catch up with, it takes steps, and sends nothing before the last', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    const [{ id } = { id: 0 }] = rows(`channel_id = ${hook.id}`);
    tried(id, failed);
    enable(hook, false);
    bench.do((tx) =>
      tx.client.run(
        `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1200)
         INSERT INTO deliveries (ulid, site_id, channel_id, ticket_id, event, payload, status, tries, next_at, finished_at, created_at)
         SELECT 'copy' || at, site_id, channel_id, ticket_id, event, payload, iif(at % 2 = 0, 'failed', 'queued'), 3,
           iif(at % 2 = 0, NULL, ${start + 1440 * minute}), iif(at % 2 = 0, finished_at, NULL), created_at FROM n, deliveries WHERE id = ${id}`,
      ),
    );
    enable(hook);
    expect(fresh(hook).isActive).toBe(true);
    const failedLeft = () => rows(`channel_id = ${hook.id} AND status = 'failed'`).length;
    expect(failedLeft()).toBeGreaterThan(300);
    expect(due(hook.id)).toEqual([]);
    expect(bench.do((tx, ctx) => lanesAhead(tx, ctx.now)).find(({ lane }) => lane === hook.id)?.isDue).toBe(false);
    // A test is sent anyway.
    bench.do((tx, ctx) => testChannel(tx, ctx, 'web-shop', hook.id));
    expect(due(hook.id)).toEqual([only('channel.test').id]);
    let steps = 0;
    for (; bench.do((tx) => hasCatchUps(tx)); steps += 1) bench.do((tx) => catchUpSome(tx));
    expect(steps).toBe(2);
    expect(failedLeft()).toBe(0);
    expect(rows(`channel_id = ${hook.id} AND tries > 0`)).toEqual([]);
    // All belong to one ticket, so they go one after the other.
    expect(due(hook.id)).toContain(id);
    expect(
      rows(`channel_id = ${hook.id} AND ticket_id IS NOT NULL AND next_at IS NOT NULL AND id < ${id + 3}`)[0]?.id,
    ).toBe(id);
  });

  test('gives up after seven days, and not before; that is not sent when it is enabled', () => {
    const hook = channelFor(['ticket.created', 'ticket.replied']);
    enable(hook, false);
    const { ticket } = bench.open();
    write(ticket);
    bench.clock.advance(minute);
    write(ticket);
    const failed = () => rows(`channel_id = ${hook.id} AND status = 'failed'`).length;
    const next = (place: typeof firstHeld, limit: number) =>
      bench.do((tx, ctx) => expireHeld(tx, ctx.now - heldMs, ctx.now, place, limit));
    const expireAll = (limit: number) => {
      const seen: number[] = [];
      for (let place: typeof firstHeld | null = firstHeld; place !== null; place = next(place, limit))
        seen.push(failed());
      return [...new Set(seen)];
    };
    bench.clock.set(start + heldMs);
    expect(expireAll(100)).toEqual([0]);
    bench.clock.advance(1);
    expect(expireAll(1)).toEqual([0, 1, 2]);
    expect(expireAll(2)).toEqual([2]);
    const kept = rows(`channel_id = ${hook.id}`);
    expect(kept.map(({ status }) => status)).toEqual(['failed', 'failed', 'queued']);
    expect(kept[0]?.lastError).toBe('held for seven days by a disabled channel');
    enable(hook);
    expect(due(hook.id)).toEqual([kept[2]?.id ?? 0]);
    expect(fresh(hook).consecutiveFailures).toBe(0);
  });

  test('that never was active holds nothing', () => {
    const hook = channelFor(['ticket.created'], false);
    bench.open();
    enable(hook);
    expect(due(hook.id)).toEqual([]);
    bench.open();
    expect(due(hook.id)).toHaveLength(1);
  });
});

describe('sending again', () => {
  test('one delivery, whatever became of it, but not one that is on its way', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    const { id } = only('ticket.created');
    const again = (name: string) => bench.do((tx, ctx) => redeliver(tx, ctx, 'web-shop', hook.id, name));
    expect(bench.refusal((tx, ctx) => redeliver(tx, ctx, 'web-shop', hook.id, `${id}`)).code).toBe('conflict');
    tried(id, delivered);
    bench.clock.advance(minute);
    const { delivery, attempts } = again(`${id}`);
    expect(delivery).toMatchObject({
      status: 'queued',
      tries: 0,
      attempts: 1,
      nextAt: start + minute,
      finishedAt: null,
    });
    expect(attempts).toHaveLength(1);
    expect(due(hook.id)).toEqual([id]);
    for (const name of ['999', 'x', `${only('mail.acknowledgement').id}`])
      expect(bench.refusal((tx, ctx) => redeliver(tx, ctx, 'web-shop', hook.id, name)).code).toBe('not_found');
    const other = channelFor();
    expect(bench.refusal((tx, ctx) => redeliver(tx, ctx, 'web-shop', other.id, `${id}`)).code).toBe('not_found');
  });

  test('waits for an earlier one of its ticket, and goes before a later one', () => {
    const hook = channelFor(['ticket.created', 'ticket.replied']);
    const { ticket } = bench.open();
    const first = only('ticket.created').id;
    tried(first, failed);
    write(ticket);
    const second = only('ticket.replied').id;
    bench.do((tx, ctx) => redeliver(tx, ctx, 'web-shop', hook.id, `${first}`));
    expect(due(hook.id)).toEqual([first]);
    tried(first, delivered);
    expect(due(hook.id)).toEqual([second]);
  });

  test('what failed in a stretch of time', () => {
    const hook = channelFor(['ticket.created']);
    const at: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      bench.open();
      at.push(bench.clock.now());
      tried(only('ticket.created').id, turn === 2 ? delivered : failed);
      bench.clock.advance(minute);
    }
    const ids = rows(`channel_id = ${hook.id}`).map(({ id }) => id);
    const again = (since = 0, until = 0) =>
      bench.do((tx, ctx) => redeliverFailed(tx, ctx, 'web-shop', hook.id, { since, until })).total;
    expect(again(at[1], at[2])).toBe(1);
    expect(due(hook.id)).toEqual([ids[1] ?? 0]);
    expect(again(0, at[3])).toBe(2);
    expect(due(hook.id)).toEqual([ids[0], ids[1], ids[3]].map(Number));
  });

  test('is for those who may manage the site, and seen by its readers alone', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    const id = `${only('ticket.created').id}`;
    for (const actor of [token(['read', 'write']), token(['write'])]) {
      expect(bench.refusal((tx, ctx) => redeliver(tx, ctx, 'web-shop', hook.id, id), actor).code).toBe('forbidden');
      expect(
        bench.refusal((tx, ctx) => redeliverFailed(tx, ctx, 'web-shop', hook.id, { since: 0, until: 1 }), actor).code,
      ).toBe('forbidden');
      expect(bench.refusal((tx, ctx) => testChannel(tx, ctx, 'web-shop', hook.id), actor).code).toBe('forbidden');
    }
    const foreign = token(['read', 'write', 'manage'], 999);
    expect(bench.refusal((tx, ctx) => redeliver(tx, ctx, 'web-shop', hook.id, id), foreign).code).toBe('not_found');
    expect(
      bench.refusal((tx, ctx) => listChannelDeliveries(tx, ctx, 'web-shop', hook.id, null, 10, 0), foreign).code,
    ).toBe('not_found');
  });
});

describe('sending again from the system', () => {
  const again = (status: 'queued' | 'failed', since = 0) =>
    bench.do((tx, ctx) => retrySome(tx, ctx, { status, since })).total;

  test('queues what failed again, in the order of its tickets, and tells the message', () => {
    const hook = channelFor(['ticket.created', 'ticket.replied']);
    const { ticket } = bench.open();
    const { message } = answer(ticket);
    const failing = rows("status = 'queued' AND event <> 'mail.acknowledgement'").map(({ id }) => id);
    for (const id of failing) tried(id, failed, 'no route', null);
    expect(messageById(bench.tx, message.id)?.delivery?.status).toBe('failed');
    bench.clock.advance(minute);
    expect(again('failed', start + 1)).toBe(0);
    expect(again('failed')).toBe(failing.length);
    expect(messageById(bench.tx, message.id)?.delivery).toMatchObject({ status: 'queued', error: null });
    expect(due(hook.id)).toEqual([only('ticket.created').id]);
    tried(only('mail.agent_reply').id, delivered);
    expect(messageById(bench.tx, message.id)?.delivery?.status).toBe('sent');
    expect(again('failed')).toBe(0);
  });

  test('lets what waits for its next try leave now, and nothing that can still be undone', () => {
    const { ticket } = bench.open();
    settings({ notify_resolved: true });
    tried(only('mail.acknowledgement').id, { outcome: 'retry', at: start + 60 * minute }, 'connection refused', null);
    change(ticket, { status: 'resolved' });
    expect(again('queued')).toBe(1);
    expect(due(null)).toEqual([only('mail.acknowledgement').id]);
    expect(again('queued')).toBe(0);
  });

  test('does not repeat a reply that was sent again meanwhile, nor write to who was erased', () => {
    const { ticket } = bench.open();
    const { message } = answer(ticket);
    const first = only('mail.agent_reply').id;
    tried(first, failed, 'no such mailbox', 550);
    bench.do((tx, ctx) => resendReply(tx, ctx, ticket.id, message.ulid));
    expect(bench.do((tx, ctx) => retryDelivery(tx, ctx, first))).toBe(false);
    tried(only('mail.agent_reply').id, failed, 'no such mailbox', 550);
    tried(only('mail.acknowledgement').id, failed, 'no such mailbox', 550);
    bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'mia@example.org' }));
    expect(again('failed')).toBe(0);
  });

  test('is for owners of the whole desk', () => {
    bench.open();
    for (const actor of [token(['read', 'write', 'manage']), token(['read', 'write', 'manage'], bench.site.id)])
      for (const step of [
        () => bench.refusal((tx, ctx) => retrySome(tx, ctx, { status: 'failed', since: 0 }), actor),
        () => bench.refusal((tx, ctx) => retryDelivery(tx, ctx, only('mail.acknowledgement').id), actor),
      ])
        expect(step().code).toBe('forbidden');
  });
});

describe('the log', () => {
  test('has every try: when, how long, what was answered', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    const { id } = only('ticket.created');
    tried(id, { outcome: 'retry', at: start + minute }, 'connection refused', null);
    bench.clock.advance(minute);
    tried(id, delivered, null, 204);
    const { rows: logged, total } = bench.do((tx, ctx) =>
      listChannelDeliveries(tx, ctx, 'web-shop', hook.id, null, 9, 0),
    );
    expect(total).toBe(1);
    expect(logged[0]?.delivery).toMatchObject({ status: 'delivered', attempts: 2, lastError: null, claimedUntil: 0 });
    expect(logged[0]?.attempts).toMatchObject([
      { at: start, durationMs: 12, responseStatus: null, responseExcerpt: 'oh', error: 'connection refused' },
      { at: start + minute, durationMs: 12, responseStatus: 204, error: null },
    ]);
  });

  test('is kept as long as it is asked to be, except for mails about tickets, which answers are matched by', () => {
    const hook = channelFor(['ticket.created']);
    bench.open();
    tried(only('ticket.created').id, delivered);
    tried(only('mail.acknowledgement').id, delivered);
    bench.open({ email: 'zoe@example.org' });
    const purge = (before: number) => bench.do((tx) => purgeDeliveries(tx, before, 100));
    expect(purge(start)).toEqual({ deliveries: 0, tries: 0 });
    expect(purge(start + 1)).toEqual({ deliveries: 1, tries: 2 });
    expect(rows().map(({ event, status }) => `${event} ${status}`)).toEqual([
      'mail.acknowledgement delivered',
      'ticket.created queued',
      'mail.acknowledgement queued',
    ]);
    expect(query(bench.tx, 'SELECT * FROM delivery_attempts').all()).toEqual([]);
    expect(due(hook.id)).toHaveLength(1);
  });
});

test('a delivery is signed with two secrets while one is rotated, the newest first', () => {
  const { channel, signingSecret } = bench.do((tx, ctx) =>
    addChannel(tx, ctx, 'web-shop', {
      name: 'Hook',
      type: 'custom',
      webhook_url: 'https://hooks.example.org/x',
      events: ['ticket.created'],
    }),
  );
  bench.open();
  const { id } = only('ticket.created');
  const secrets = () => bench.do((tx, ctx) => loadDelivery(tx, ctx, id))?.signingSecrets;
  const rotate = (grace: number | null) =>
    bench.do((tx, ctx) => rotateSigningSecret(tx, ctx, 'web-shop', channel.id, grace)).signingSecret;
  expect(secrets()).toEqual([signingSecret]);
  const second = rotate(60);
  expect(secrets()).toEqual([second, signingSecret]);
  bench.clock.advance(60 * minute);
  expect(secrets()).toEqual([second]);
  const third = rotate(null);
  expect(secrets()).toEqual([third]);
  expect(JSON.stringify(bench.everything())).not.toContain(third);
});

test('an address that mail bounced from gets no more mail, and the agent sees it', () => {
  query(bench.tx, 'INSERT INTO mail_suppressions VALUES (?, ?, ?, ?)').run(
    bench.site.id,
    'mia@example.org',
    'x',
    start,
  );
  const { ticket } = bench.open();
  const { message } = answer(ticket);
  expect(rows()).toEqual([]);
  expect(message.delivery).toMatchObject({ status: 'bounced' });
});
