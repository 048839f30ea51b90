// Who hears of what: each event once for an agent, and never of their own doing.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { raiseAlarm } from '../../../src/desk/mail/mailbox-alarms.ts';
import { tellChannels } from '../../../src/desk/notifications/channels.ts';
import { markNotifications, readerOf, setFollowing } from '../../../src/desk/notifications/inbox.ts';
import { managersByMail, tellOnce } from '../../../src/desk/notifications/notify.ts';
import { addChannel, channels } from '../../../src/desk/outbox/channels.ts';
import { loadDelivery } from '../../../src/desk/outbox/content.ts';
import { addAgent, changeAgent } from '../../../src/desk/people/agents.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { scanStep } from '../../../src/desk/sla/sla.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { changeNote } from '../../../src/desk/tickets/note-changes.ts';
import { markTicket } from '../../../src/desk/tickets/read-marks.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { receiveSideAnswer, startSideConversation } from '../../../src/desk/tickets/side-conversations.ts';
import { unmergeTicket } from '../../../src/desk/tickets/unmerge-ticket.ts';
import { type AgentActor, scopeOfAgent } from '../../../src/domain/actor.ts';
import type { WebhookEvent } from '../../../src/domain/event.ts';
import type { Following } from '../../../src/domain/notifications/notification.ts';
import type { Preferences } from '../../../src/domain/notifications/preferences.ts';
import { abilitiesOf } from '../../../src/domain/people/roles.ts';
import { query } from '../../../src/engine/database.ts';
import { requestBodyOf } from '../../../src/outbox/delivery-content.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { followingsOf } from '../../../src/store/notifications/followers.ts';
import { listNotifications, purgeNotifications, unreadOf } from '../../../src/store/notifications/notifications.ts';
import { type Agent, updateAgent } from '../../../src/store/people/agents.ts';
import { sideConversationByUlid } from '../../../src/store/tickets/side-conversations.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { caseCount } from '../../support/case-count.ts';
import { minute, type Workbench, workbench } from '../workbench.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

const person = (name: string, role: Agent['role'] = 'member', sites: number[] = []): AgentActor => {
  const input = { email: `${name}@desk.example`, name, role, sites };
  const { id, siteIds } = bench.do((tx, ctx) => addAgent(tx, ctx, input));
  return {
    kind: 'agent',
    agentId: id,
    name,
    role,
    abilities: abilitiesOf(role),
    scope: scopeOfAgent({ role, siteIds }),
    sessionId: 1,
  };
};
const prefer = (actor: AgentActor, own: Partial<Preferences>) =>
  updateAgent(bench.tx, actor.agentId, { notificationPreferences: own });
const writes = (ticket: Pick<Ticket, 'id' | 'authorId'>) =>
  bench.do((tx, ctx) =>
    replyAsCustomer(tx, ctx, bench.ticket(ticket.id), authorById(tx, ticket.authorId)!, { body: 'Still broken.' }),
  );
const assign = (ticket: { id: number }, to: AgentActor | null, by?: AgentActor) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { assigned_to: to?.agentId ?? null }, null), by);
const notes = (ticket: { id: number }, mentions: AgentActor[], by: AgentActor) =>
  bench.do(
    (tx, ctx) => addNote(tx, ctx, ticket.id, { body: 'Look.', mentions: mentions.map((one) => one.agentId) }),
    by,
  );
const follow = (ticket: { id: number }, by: AgentActor, following: Following = 'yes') =>
  bench.do((tx, ctx) => setFollowing(tx, ctx, by, String(ticket.id), { following }), by);

/** What the step told, as `name: kind (reason)`. */
function toldBy(step: () => unknown): string[] {
  const newest = query<{ id: number }>(bench.tx, 'SELECT coalesce(max(id), 0) AS id FROM notifications').get()?.id ?? 0;
  step();
  return query<{ name: string; kind: string; reason: string }>(
    bench.tx,
    `SELECT agents.name, kind, reason FROM notifications JOIN agents ON agents.id = agent_id
     WHERE notifications.id > ? ORDER BY agents.id`,
  )
    .all(newest)
    .map(({ name, kind, reason }) => `${name}: ${kind} (${reason})`);
}
const shownTo = (actor: AgentActor) =>
  listNotifications(bench.tx, readerOf(actor), { isUnread: false, kinds: null, before: null }, 100);

describe('what is told', () => {
  test('a new ticket without an assignee is told to no one', () => {
    person('ana', 'owner');
    expect(toldBy(() => bench.open())).toEqual([]);
  });

  test('who gets a ticket hears of it, unless they took it', () => {
    const [ana, ben] = [person('ana'), person('ben')];
    const { ticket } = bench.open();
    expect(toldBy(() => assign(ticket, ana, ben))).toEqual(['ana: assigned (assignee)']);
    expect(toldBy(() => assign(ticket, ben, ben))).toEqual([]);
  });

  test('a customer’s message is told to the assignee and the followers', () => {
    const [ana, ben, cleo] = [person('ana'), person('ben'), person('cleo')];
    const { ticket } = bench.open();
    assign(ticket, ana, ana);
    follow(ticket, ana);
    follow(ticket, ben);
    follow(ticket, cleo, 'muted');
    expect(toldBy(() => writes(ticket))).toEqual([
      'ana: customer_replied (assignee)',
      'ben: customer_replied (follower)',
    ]);
  });

  test('a mention is told once, follows, and passes a mute', () => {
    const [ana, ben] = [person('ana'), person('ben')];
    const { ticket } = bench.open();
    expect(toldBy(() => notes(ticket, [ben, ana], ana))).toEqual(['ben: mentioned (mentioned)']);
    expect(toldBy(() => writes(ticket))).toEqual(['ben: customer_replied (follower)']);
    follow(ticket, ben, 'muted');
    expect(toldBy(() => notes(ticket, [ben], ana))).toEqual(['ben: mentioned (mentioned)']);
    expect(toldBy(() => writes(ticket))).toEqual([]);
  });

  test('a changed note tells only whom it did not mention before', () => {
    const [ana, ben, cleo] = [person('ana'), person('ben'), person('cleo')];
    const { ticket } = bench.open();
    const { message } = notes(ticket, [ben], ana);
    const mentions = [ben.agentId, cleo.agentId];
    const change = () =>
      bench.do((tx, ctx) => changeNote(tx, ctx, ticket.id, message.ulid, { body: 'Both.', mentions, html: null }), ana);
    expect(toldBy(change)).toEqual(['cleo: mentioned (mentioned)']);
  });

  test('who answers follows, unless they do not want to', () => {
    const [ana, ben] = [person('ana'), person('ben')];
    prefer(ben, { follow_when_answering: false });
    const { ticket } = bench.open();
    for (const by of [ana, ben]) bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'Try this.' }), by);
    const followed = (actor: AgentActor) => followingsOf(bench.tx, actor.agentId, [ticket.id]).get(ticket.id);
    expect([followed(ana), followed(ben)]).toEqual(['yes', undefined]);
  });

  test('an answer to a side conversation is told to who began it, or to the assignee once they are gone', () => {
    const [ana, ben] = [person('ana'), person('ben')];
    const { ticket } = bench.open();
    assign(ticket, ben, ben);
    const input = { to: [{ email: 'sam@supplier.example', name: null }], subject: 'Part', body: 'In stock?' };
    const { ulid } = bench.do((tx, ctx) => startSideConversation(tx, ctx, ticket.id, input), ana);
    const answer = { body: 'Yes.', attachmentIds: [], mailMessageId: null, isProven: true };
    const answers = () =>
      bench.do((tx, ctx) =>
        receiveSideAnswer(tx, ctx, bench.ticket(ticket.id), sideConversationByUlid(tx, ulid)!, {
          ...answer,
          sender: input.to[0]!,
        }),
      );
    expect(toldBy(answers)).toEqual(['ana: side_answered (starter)']);
    bench.do((tx, ctx) => changeAgent(tx, ctx, ana.agentId, { is_active: false }));
    expect(toldBy(answers)).toEqual(['ben: side_answered (assignee)']);
  });

  test('clocks are told to the assignee, else to who manages the site', () => {
    const [olga, ana] = [person('olga', 'owner'), person('ana')];
    const scan = () => bench.do((tx, ctx) => scanStep(tx, ctx));
    const urgent = query<{ id: number }>(bench.tx, 'SELECT max(id) AS id FROM priorities').get()?.id;
    const [own, free] = [bench.open({ priority_id: urgent }), bench.open({ priority_id: urgent })];
    assign(own.ticket, ana, olga);
    bench.clock.advance(365 * 24 * 60 * minute);
    const told = toldBy(scan);
    expect(told.length).toBeGreaterThan(1);
    expect(new Set(told.map((one) => one.replace(/sla_\w+/, 'sla')))).toEqual(
      new Set(['olga: sla (manager)', 'ana: sla (assignee)']),
    );
    expect(free.ticket.assigneeId).toBeNull();
  });

  test('nothing is told of spam and tests, of a site that is off, or to who does not see the site', () => {
    const ana = person('ana');
    const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other' })).site;
    const away = person('away', 'member', [other.id]);
    const { ticket } = bench.open();
    for (const one of [ana, away]) putAway(ticket, one);
    expect(toldBy(() => writes(ticket))).toEqual(['ana: customer_replied (follower)']);
    prefer(ana, { muted_sites: [bench.site.id] });
    expect(toldBy(() => writes(ticket))).toEqual([]);
    prefer(ana, {});
    bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { is_spam: true }, null));
    expect(toldBy(() => writes(ticket))).toEqual([]);
  });
});

/** As if they had followed it while they saw it. */
const putAway = ({ id }: { id: number }, { agentId }: AgentActor) =>
  bench.tx.client.run('INSERT INTO ticket_followers VALUES (?, ?, 0, 0)', [id, agentId]);

describe('a merge', () => {
  test('takes the followers and what is unread along, but no mute', () => {
    const [ana, ben] = [person('ana'), person('ben')];
    const [source, target] = [bench.open().ticket, bench.open().ticket];
    follow(source, ana);
    follow(source, ben, 'muted');
    writes(source);
    bench.do((tx, ctx) => mergeTickets(tx, ctx, source.id, target.id));
    expect(shownTo(ana).map(({ ticketId }) => ticketId)).toEqual([target.id]);
    expect(toldBy(() => writes(target))).toEqual(['ana: customer_replied (follower)']);
  });

  test('that is undone gives back who followed only because of it, and what is unread', () => {
    const [ana, ben, cleo, dora] = [person('ana'), person('ben'), person('cleo'), person('dora')];
    const [source, other, target] = [bench.open().ticket, bench.open().ticket, bench.open().ticket];
    for (const agent of [ana, ben, cleo, dora]) follow(source, agent);
    follow(target, ben);
    follow(other, dora);
    writes(source);
    bench.clock.advance(minute);
    bench.do((tx, ctx) => mergeTickets(tx, ctx, source.id, target.id));
    bench.do((tx, ctx) => mergeTickets(tx, ctx, other.id, target.id));
    bench.clock.advance(minute);
    follow(target, cleo);
    writes(target);
    bench.do((tx, ctx) => unmergeTicket(tx, ctx, source.id));
    expect(toldBy(() => writes(target))).toEqual([
      'ben: customer_replied (follower)',
      'cleo: customer_replied (follower)',
      'dora: customer_replied (follower)',
    ]);
    expect(toldBy(() => writes(source))).toContain('ana: customer_replied (follower)');
    expect(shownTo(ana).map(({ ticketId }) => ticketId)).toEqual([source.id, target.id, source.id]);
  });
});

test('mail of a disabled channel and of a mailbox goes to who manages the site and wants it', () => {
  const [olga, mara, otto] = [person('olga', 'owner'), person('mara', 'admin'), person('otto', 'owner')];
  person('ana');
  const wanting = (kind: 'mailbox_alarm' | 'channel_disabled') =>
    managersByMail(bench.tx, bench.site.id, kind).map(({ name }) => name);
  prefer(otto, { muted_sites: [bench.site.id] });
  expect(wanting('mailbox_alarm')).toEqual(['olga', 'mara']);
  prefer(olga, { switches: { 'mail.mailbox_alarm': false } });
  prefer(mara, { switches: { 'mail.channel_disabled': false } });
  expect([wanting('mailbox_alarm'), wanting('channel_disabled')]).toEqual([['mara'], ['olga']]);
});

test('an alarm of a mailbox is told to who manages the site', () => {
  person('olga', 'owner');
  person('ana');
  const mailbox = { id: 1, siteId: bench.site.id };
  const alarm = { kind: 'quiet', reason: 'Nothing has come.' } as const;
  bench.tx.client.run('PRAGMA foreign_keys = OFF');
  expect(toldBy(() => bench.do((tx, ctx) => raiseAlarm(tx, ctx, mailbox, alarm)))).toEqual([
    'olga: mailbox_alarm (manager)',
  ]);
});

test('held mail is told once to who manages the site, until they have read it', () => {
  const [olga] = [person('olga', 'owner'), person('ana')];
  const hold = () => bench.do((tx, ctx) => tellOnce(tx, ctx, 'mail_held', bench.site.id));
  expect(toldBy(hold)).toEqual(['olga: mail_held (manager)']);
  expect(toldBy(hold)).toEqual([]);
  bench.do((tx, ctx) => markNotifications(tx, ctx, olga, { up_to: 1000 }), olga);
  expect(toldBy(hold)).toEqual(['olga: mail_held (manager)']);
});

test('an alarm of the whole desk is told once to who manages all of it', () => {
  const [olga, mara] = [person('olga', 'owner'), person('mara', 'admin', [bench.site.id])];
  person('ana');
  const fail = () => bench.do((tx, ctx) => tellOnce(tx, ctx, 'backup_failed', null));
  expect(toldBy(fail)).toEqual(['olga: backup_failed (manager)']);
  expect(toldBy(fail)).toEqual([]);
  expect(toldBy(() => bench.do((tx, ctx) => tellOnce(tx, ctx, 'disk_low', null)))).toEqual([
    'olga: disk_low (manager)',
  ]);
  expect([shownTo(olga).map(({ kind }) => kind), shownTo(mara)]).toEqual([['disk_low', 'backup_failed'], []]);
  bench.do((tx, ctx) => markNotifications(tx, ctx, olga, { up_to: 1000 }), olga);
  expect(toldBy(fail)).toEqual(['olga: backup_failed (manager)']);
});

describe('a channel that wants it', () => {
  const other = () => bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Second shop', slug: 'second' })).site;
  const add = (site: { slug: string }, name: string, events: WebhookEvent[], by?: AgentActor) =>
    bench.do((tx, ctx) => {
      const input = { name, type: 'custom', webhook_url: 'https://hooks.example/x', events } as const;
      return addChannel(tx, ctx, site.slug, { ...input, events: [...events] }).channel;
    }, by);
  const queued = () =>
    query<{ channel: string; event: string }>(
      bench.tx,
      'SELECT c.name AS channel, event FROM deliveries d JOIN channels c ON c.id = d.channel_id ORDER BY d.id',
    )
      .all()
      .map(({ channel, event }) => `${channel}: ${event}`);

  test('is told of held mail of its site once an hour, and of the whole desk wherever it is', () => {
    add(bench.site, 'here', ['inbound.held', 'disk.low']);
    add(other(), 'there', ['inbound.held', 'disk.low']);
    const hold = () => bench.do((tx, ctx) => tellOnce(tx, ctx, 'mail_held', bench.site.id));
    for (let n = 0; n < 3; n += 1) hold();
    bench.do((tx, ctx) => tellOnce(tx, ctx, 'disk_low', null));
    bench.do((tx, ctx) => tellOnce(tx, ctx, 'backup_failed', null));
    expect(queued()).toEqual(['here: inbound.held', 'here: disk.low', 'there: disk.low']);
    bench.clock.advance(61 * minute);
    hold();
    expect(queued().slice(3)).toEqual(['here: inbound.held']);
  });

  test('is led to the page where it is put right', () => {
    const { id } = add(bench.site, 'broken', ['ticket.created']);
    add(bench.site, 'here', ['inbound.held', 'channel.disabled', 'backup.failed']);
    bench.do((tx, ctx) => tellOnce(tx, ctx, 'mail_held', bench.site.id));
    const payload = { channel_id: id, reason: 'It answered 410.' };
    bench.do((tx, ctx) => tellChannels(tx, ctx, { event: 'channel.disabled', siteId: bench.site.id, payload }));
    bench.do((tx, ctx) => tellOnce(tx, ctx, 'backup_failed', null));
    const ids = query<{ id: number }>(bench.tx, 'SELECT id FROM deliveries ORDER BY id').all();
    const sent = ids.map((row) =>
      bench.do((tx, ctx) => {
        const material = loadDelivery(tx, ctx, row.id);
        if (material === null) throw new Error('it is gone');
        return JSON.parse(requestBodyOf(material, 'https://desk.example') ?? '');
      }),
    );
    expect(sent).toMatchObject([
      { event: 'inbound.held', url: 'https://desk.example/inbox/held-mail', metadata: { ticket_ulid: null } },
      {
        event: 'channel.disabled',
        url: `https://desk.example/settings/webhooks/${id}`,
        metadata: { channel_id: id, channel_name: 'broken', reason: 'It answered 410.' },
      },
      { event: 'backup.failed', url: 'https://desk.example/settings/system' },
    ]);
  });

  test('hears of the whole desk only by who sees all of it', () => {
    const mara = person('mara', 'admin', [bench.site.id]);
    expect(() => add(bench.site, 'backups', ['backup.failed'], mara)).toThrow('sees all sites');
    const kept = add(bench.site, 'backups', ['backup.failed']);
    const change = (events: WebhookEvent[]) =>
      bench.do((tx, ctx) => channels.change(tx, ctx, bench.site.slug, kept.id, { events }, null), mara);
    // What someone else has chosen stays.
    change(['backup.failed', 'ticket.created']);
    expect(() => change(['backup.failed', 'disk.low'])).toThrow('sees all sites');
  });
});

describe('the inbox', () => {
  test('shows nothing of a site that the agent no longer sees, and no alarm without the right', () => {
    const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other' })).site;
    const ana = person('ana');
    const { ticket } = bench.open();
    assign(ticket, ana);
    expect(shownTo(ana)).toHaveLength(1);
    bench.do((tx, ctx) => changeAgent(tx, ctx, ana.agentId, { sites: [other.id] }));
    const lowered: AgentActor = { ...ana, scope: [other.id] };
    expect(shownTo(lowered)).toEqual([]);
    expect(unreadOf(bench.tx, readerOf(lowered)).unread).toBe(0);
  });

  test('is read with the ticket, and forgotten after 90 days', () => {
    const ana = person('ana');
    const { ticket } = bench.open();
    assign(ticket, ana);
    writes(ticket);
    expect(unreadOf(bench.tx, readerOf(ana)).unread).toBe(2);
    bench.do((tx, ctx) => markTicket(tx, ctx, ana, String(ticket.id), 'read'), ana);
    expect(unreadOf(bench.tx, readerOf(ana)).unread).toBe(0);
    expect(shownTo(ana).map(({ readAt }) => readAt)).toEqual([bench.clock.now(), bench.clock.now()]);
    expect(purgeNotifications(bench.tx, 10, bench.clock.now() - 1)).toBe(0);
    expect(purgeNotifications(bench.tx, 10, bench.clock.now())).toBe(2);
  });

  test('leaves out what the agent does not want there', () => {
    const ana = person('ana');
    prefer(ana, { switches: { 'inbox.assigned': false } });
    assign(bench.open().ticket, ana);
    expect(shownTo(ana)).toEqual([]);
  });
});

test('over any changes each event is told at most once to each, never to who did it, and to all that it concerns', () => {
  const step = fc.record({
    do: fc.constantFrom('assign', 'write', 'note', 'reply', 'yes', 'muted', 'no'),
    by: fc.nat(2),
    to: fc.nat(3),
    also: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      bench.close();
      bench = workbench();
      const team = [person('ana', 'owner'), person('ben'), person('cleo', 'viewer')];
      const { ticket } = bench.open();
      let assignee = -1;
      const following = new Map<number, Following>();
      for (const { do: what, by, to, also } of steps) {
        const actor = team[by]!;
        // Beyond the time for Undo, in which a ticket can come back unnoticed.
        bench.clock.advance(minute);
        const mayWrite = actor.role !== 'viewer';
        let expected: string[] = [];
        const all = (isTold: (at: number) => string | null) => team.flatMap((_, at) => isTold(at) ?? []);
        const told = toldBy(() => {
          if (what === 'write') {
            writes(ticket);
            expected = all((at) => {
              if (following.get(at) === 'muted') return null;
              if (at === assignee) return `${team[at]!.name}: customer_replied (assignee)`;
              return following.get(at) === 'yes' ? `${team[at]!.name}: customer_replied (follower)` : null;
            });
          } else if (what === 'note') {
            const named = [...new Set([to % 3, also])];
            notes(
              ticket,
              named.map((at) => team[at]!),
              actor,
            );
            expected = all((at) =>
              named.includes(at) && at !== by ? `${team[at]!.name}: mentioned (mentioned)` : null,
            );
            for (const at of named) if (at !== by && !following.has(at)) following.set(at, 'yes');
          } else if (what === 'reply') {
            if (!mayWrite) return;
            bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'So.' }), actor);
            if (!following.has(by)) following.set(by, 'yes');
          } else if (what === 'assign') {
            if (!mayWrite || to === 2) return;
            const next = to === 3 ? -1 : to;
            assign(ticket, team[next] ?? null, actor);
            if (next !== assignee && next !== -1 && next !== by)
              expected = [`${team[next]!.name}: assigned (assignee)`];
            assignee = next;
          } else {
            follow(ticket, actor, what as Following);
            if (what === 'no') following.delete(by);
            else following.set(by, what as Following);
          }
        });
        expect(told).toEqual(expected);
      }
    }),
    { numRuns: caseCount(15, 200) },
  );
});
