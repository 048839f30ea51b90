// Mails about notifications: collected, only of what is unread, as a digest, by rights at the time, and switched off by a link.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { changeDesk } from '../../../src/desk/desk-settings.ts';
import { setFollowing } from '../../../src/desk/notifications/inbox.ts';
import { unsubscribe, unsubscribeTokenOf } from '../../../src/desk/notifications/unsubscribe.ts';
import { takeDue } from '../../../src/desk/outbox/attempts.ts';
import { loadDelivery } from '../../../src/desk/outbox/content.ts';
import { addAgent, changeAgent } from '../../../src/desk/people/agents.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { markTicket } from '../../../src/desk/tickets/read-marks.ts';
import { addNote, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import type { AgentActor } from '../../../src/domain/actor.ts';
import type { Preferences } from '../../../src/domain/notifications/preferences.ts';
import { abilitiesOf } from '../../../src/domain/people/roles.ts';
import { mailOf } from '../../../src/outbox/delivery-content.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { agentById, updateAgent } from '../../../src/store/people/agents.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { minute, type Workbench, workbench } from '../workbench.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
  bench.tx.client.run("UPDATE desk_settings SET notifications = '{}'");
});
afterEach(() => bench.close());

const person = (name: string): AgentActor => {
  const { id } = bench.do((tx, ctx) => addAgent(tx, ctx, { email: `${name}@desk.example`, name, role: 'member' }));
  const role = 'member' as const;
  return { kind: 'agent', agentId: id, name, role, abilities: abilitiesOf(role), scope: 'all', sessionId: 1 };
};
const prefer = (actor: AgentActor, own: Partial<Preferences>, timeZone = 'UTC') =>
  updateAgent(bench.tx, actor.agentId, { notificationPreferences: own, timeZone });
const writes = (ticket: Pick<Ticket, 'id' | 'authorId'>) =>
  bench.do((tx, ctx) =>
    replyAsCustomer(tx, ctx, bench.ticket(ticket.id), authorById(tx, ticket.authorId)!, { body: 'Still broken.' }),
  );
const assign = (ticket: { id: number }, to: AgentActor | null) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { assigned_to: to?.agentId ?? null }, null));
const followed = (by: AgentActor) => {
  const { ticket } = bench.open();
  bench.do((tx, ctx) => setFollowing(tx, ctx, by, String(ticket.id), { following: 'yes' }), by);
  return ticket;
};
const settings = {
  baseUrl: 'https://desk.example',
  inboundDomain: 'desk.example',
  from: 'desk@desk.example',
  hasServer: true,
  deskId: 'd',
};

/** The mails to agents that leave now, as they are composed. */
async function leave() {
  const ids = bench.do((tx, ctx) => takeDue(tx, ctx, null, 100, { by: 'host:1:1', ms: 60_000 }));
  const materials = ids.map((id) => bench.do((tx, ctx) => loadDelivery(tx, ctx, id))!);
  bench.tx.client.run("UPDATE deliveries SET status = 'delivered', next_at = NULL WHERE claimed_until > 0");
  const toAgents = materials.filter(({ told }) => told !== null);
  return await Promise.all(toAgents.map((material) => mailOf(material, settings, [])));
}
const after = (minutes: number) => bench.clock.advance(minutes * minute);

describe('a mail about a ticket', () => {
  test('waits two minutes, tells all that is unread by then, and the next comes five minutes later', async () => {
    const ana = person('ana');
    const ticket = followed(ana);
    for (let at = 0; at < 4; at += 1) writes(ticket);
    expect(await leave()).toEqual([]);
    after(2);
    const [first, ...more] = await leave();
    expect(more).toEqual([]);
    expect(first?.subject).toContain('Customer replied');
    expect(first?.text).toContain('And 3 more.');
    expect(first?.replyTo?.address).toStartWith('agent+');
    writes(ticket);
    after(4);
    expect(await leave()).toEqual([]);
    after(1);
    expect(await leave()).toHaveLength(1);
  });

  test('does not leave when the ticket has been read', async () => {
    const ana = person('ana');
    const ticket = followed(ana);
    writes(ticket);
    after(1);
    bench.do((tx, ctx) => markTicket(tx, ctx, ana, String(ticket.id), 'read'), ana);
    after(9);
    expect(await leave()).toEqual([]);
  });

  test('says what is still true: a reply also when the assignment before it was taken back', async () => {
    const ana = person('ana');
    const ticket = followed(ana);
    assign(ticket, ana);
    writes(ticket);
    assign(ticket, null);
    after(2);
    const [only] = await leave();
    expect(only?.subject).toContain('Customer replied');
    expect(only?.text).not.toContain('more.');
  });

  test('of a mention says who and what', async () => {
    const [ana, ben] = [person('ana'), person('ben')];
    const { ticket } = bench.open();
    bench.do((tx, ctx) => addNote(tx, ctx, ticket.id, { body: 'Is this a bug?', mentions: [ana.agentId] }), ben);
    after(2);
    const [only] = await leave();
    expect(only?.subject).toContain('Mentioned you');
    expect(only?.text).toContain('Is this a bug?');
  });

  test('goes to no one who has lost the right to the ticket since', async () => {
    const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other' })).site;
    const ana = person('ana');
    writes(followed(ana));
    bench.do((tx, ctx) => changeAgent(tx, ctx, ana.agentId, { sites: [other.id] }));
    after(2);
    expect(await leave()).toEqual([]);
  });

  test('of a ticket whose right is lost between two tries is not composed again', async () => {
    const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other' })).site;
    const ana = person('ana');
    writes(followed(ana));
    after(2);
    const [id] = bench.do((tx, ctx) => takeDue(tx, ctx, null, 100, { by: 'host:1:1', ms: 1 })).slice(-1);
    bench.do((tx, ctx) => changeAgent(tx, ctx, ana.agentId, { sites: [other.id] }));
    const material = bench.do((tx, ctx) => loadDelivery(tx, ctx, id ?? 0))!;
    expect(material.told).toEqual([]);
    expect(mailOf(material, settings, [])).rejects.toThrow('no longer exists');
  });
});

test('a digest comes once a day at its time, in the agent’s time zone, with all that is unread', async () => {
  const ana = person('ana');
  prefer(ana, { mail_mode: 'digest', digest_at: '13:00' }, 'Europe/Amsterdam');
  const [one, two] = [followed(ana), followed(ana)];
  for (const ticket of [one, two, one]) writes(ticket);
  // 09:30 UTC is 11:30 in Amsterdam.
  after(89);
  expect(await leave()).toEqual([]);
  after(1);
  const [only, ...more] = await leave();
  expect(more).toEqual([]);
  expect(only?.subject).toBe('3 notifications (Helpdesk)');
  expect(only?.text).toContain(`/tickets/${one.ulid}`);
  expect(only?.text).toContain(`/tickets/${two.ulid}`);
  expect(only?.text).toContain('Open your notifications');
  writes(one);
  after(24 * 60);
  expect((await leave()).map(({ subject }) => subject)).toEqual(['1 notification (Helpdesk)']);
});

test('a pause holds mail back', async () => {
  const ana = person('ana');
  prefer(ana, { paused_until: bench.clock.now() + 60 * minute });
  writes(followed(ana));
  after(59);
  expect(await leave()).toEqual([]);
  after(1);
  expect(await leave()).toHaveLength(1);
});

describe('the link that switches off', () => {
  test('stands in each mail, and switches off that kind of mail and nothing else', async () => {
    const ana = person('ana');
    writes(followed(ana));
    after(2);
    const [only] = await leave();
    expect(only?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const [, token = ''] =
      /^<https:\/\/desk\.example\/api\/v1\/unsubscribe\/([^>]+)>$/.exec(only?.headers['List-Unsubscribe'] ?? '') ?? [];
    bench.do((tx, ctx) => unsubscribe(tx, ctx, token));
    expect(agentById(bench.tx, ana.agentId)?.notificationPreferences).toEqual({
      switches: { 'mail.customer_replied': false },
    });
    after(10);
    writes(followed(ana));
    after(10);
    expect(await leave()).toEqual([]);
  });

  test('is in no mail that the desk has fixed, and one from before changes nothing and says so', async () => {
    const ana = person('ana');
    const token = bench.do((_tx, ctx) => unsubscribeTokenOf(ctx, ana.agentId, 'customer_replied'));
    const all = bench.do((_tx, ctx) => unsubscribeTokenOf(ctx, ana.agentId, 'digest'));
    bench.do((tx, ctx) => changeDesk(tx, ctx, { notifications: { fixed: ['mail.customer_replied'] } }, null));
    writes(followed(ana));
    after(2);
    const [only] = await leave();
    expect(only?.headers['List-Unsubscribe']).toBeUndefined();
    expect(bench.refusal((tx, ctx) => unsubscribe(tx, ctx, token)).reason).toBe('notification_fixed');
    bench.do((tx, ctx) => unsubscribe(tx, ctx, all));
    const { switches = {} } = agentById(bench.tx, ana.agentId)?.notificationPreferences ?? {};
    expect([switches['mail.assigned'], switches['mail.customer_replied']]).toEqual([false, undefined]);
  });

  test('of someone else, of another kind, or made up changes nothing', () => {
    const [ana, ben] = [person('ana'), person('ben')];
    const token = bench.do((_tx, ctx) => unsubscribeTokenOf(ctx, ana.agentId, 'assigned'));
    const forged = [
      token.replace(`${ana.agentId}-`, `${ben.agentId}-`),
      token.replace('assigned', 'digest'),
      token.slice(0, -1),
      `${ana.agentId}-assigned.`,
      '',
    ];
    for (const one of forged) expect(bench.refusal((tx, ctx) => unsubscribe(tx, ctx, one)).code).toBe('not_found');
  });
});
