// What a team hears of: its tickets, mentions, clocks, and what waits too long for one of them (docs/spec/notifications.md).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { tellWaiting } from '../../../src/desk/notifications/team-waits.ts';
import { asTold } from '../../../src/desk/notifications/told.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeAvailability } from '../../../src/desk/people/availability.ts';
import { addTeam } from '../../../src/desk/people/teams.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { scanStep } from '../../../src/desk/sla/sla.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { addNote, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { type AgentActor, scopeOfAgent } from '../../../src/domain/actor.ts';
import type { TicketChangeInput } from '../../../src/domain/input/tickets.ts';
import { abilitiesOf } from '../../../src/domain/people/roles.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { deliveryById } from '../../../src/store/outbox/outbox.ts';
import { teamById } from '../../../src/store/people/teams.ts';
import { kinds, minute, type Workbench, workbench } from '../workbench.ts';

let bench: Workbench;
let [ana, ben, boss]: AgentActor[] = [];
let teamId: number;

const person = (name: string, role: 'member' | 'owner' = 'member', sites: number[] = []): AgentActor => {
  const { id } = bench.do((tx, ctx) => addAgent(tx, ctx, { email: `${name}@desk.example`, name, role, sites }));
  const abilities = abilitiesOf(role);
  return {
    kind: 'agent',
    agentId: id,
    name,
    role,
    abilities,
    scope: scopeOfAgent({ role, siteIds: sites }),
    sessionId: 1,
  };
};

beforeEach(() => {
  bench = workbench();
  [ana, ben, boss] = [person('ana'), person('ben'), person('boss', 'owner')];
  const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'School' })).site;
  const apart = person('apart', 'member', [other.id]);
  const members = [ana, ben, apart].map((one) => one?.agentId ?? 0);
  teamId = bench.do((tx, ctx) =>
    addTeam(tx, ctx, { name: 'Second level', members, wait_minutes: 30, returns_when_away: true }),
  ).id;
});
afterEach(() => bench.close());

const change = (ticket: { id: number }, input: TicketChangeInput, by?: AgentActor) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, input, null), by);

/** What the step told, as `name: kind (reason)`. */
function toldBy(step: () => unknown): string[] {
  const newest = query<{ id: number }>(bench.tx, 'SELECT coalesce(max(id), 0) AS id FROM notifications').get()?.id ?? 0;
  step();
  return query<{ told: string }>(
    bench.tx,
    `SELECT agents.name || ': ' || kind || ' (' || reason || ')' AS told FROM notifications
     JOIN agents ON agents.id = agent_id WHERE notifications.id > ? ORDER BY agents.id`,
  )
    .all(newest)
    .map(({ told }) => told);
}
const waiting = () => toldBy(() => bench.do((tx, ctx) => tellWaiting(tx, ctx), { kind: 'scan' }));

describe('a team', () => {
  test('hears of a ticket that it gets, unless someone has it; only members who see the site', () => {
    const { ticket } = bench.open();
    expect(toldBy(() => change(ticket, { team_id: teamId }, ana))).toEqual(['ben: team_assigned (team)']);
    expect(toldBy(() => change(ticket, { team_id: null }))).toEqual([]);
    expect(toldBy(() => change(ticket, { team_id: teamId, assigned_to: ben?.agentId ?? null }))).toEqual([
      'ben: assigned (assignee)',
    ]);
  });

  test('is mentioned as a whole, and who is named twice hears once', () => {
    const { ticket } = bench.open();
    const note = { body: 'Look.', mentions: [ben?.agentId ?? 0], team_mentions: [teamId] };
    expect(toldBy(() => bench.do((tx, ctx) => addNote(tx, ctx, ticket.id, note), ana))).toEqual([
      'ben: mentioned (mentioned)',
    ]);
    const refused = bench.refusal((tx, ctx) => addNote(tx, ctx, ticket.id, { body: 'Hi', team_mentions: [999] }), ana);
    expect(refused.errors).toHaveProperty('team_mentions');
  });

  test('hears of the clocks of its tickets without assignee; without a team, who manages does', () => {
    const { ticket } = bench.open();
    bench.open();
    change(ticket, { team_id: teamId });
    bench.clock.advance(30 * 24 * 60 * minute);
    const told = toldBy(() => bench.do((tx, ctx) => scanStep(tx, ctx), { kind: 'scan' }));
    expect(told).toContain('ana: sla_breached (team)');
    expect(told).toContain('boss: sla_breached (manager)');
    const each = query<{ total: number; agents: number }>(
      bench.tx,
      'SELECT count(*) AS total, count(DISTINCT agent_id || "-" || event_seq) AS agents FROM notifications WHERE event_seq IS NOT NULL',
    ).get();
    expect(each?.total).toBe(each?.agents ?? 0);
  });

  test('hears once of a ticket that waits, and once more when it waits again', () => {
    const { ticket } = bench.open();
    change(ticket, { team_id: teamId });
    bench.clock.advance(29 * minute);
    expect(waiting()).toEqual([]);
    bench.clock.advance(minute);
    expect(waiting()).toEqual(['ana: team_waiting (team)', 'ben: team_waiting (team)']);
    expect(waiting()).toEqual([]);
    change(ticket, { assigned_to: ana?.agentId ?? null });
    change(ticket, { assigned_to: null });
    bench.clock.advance(30 * minute);
    expect(waiting()).toEqual(['ana: team_waiting (team)', 'ben: team_waiting (team)']);
  });

  test('does not hear of what is taken, solved, spam, or has waited since the desk was down', () => {
    const tickets = Array.from({ length: 6 }, () => bench.open().ticket);
    const changes: TicketChangeInput[] = [
      { assigned_to: ana?.agentId ?? null },
      { status: 'resolved' },
      { is_spam: true },
    ];
    for (const [at, ticket] of tickets.entries()) {
      change(ticket, { team_id: teamId });
      const next = changes[at];
      if (next !== undefined) change(ticket, next);
    }
    bench.clock.advance(2 * 24 * 60 * minute);
    expect(waiting()).toEqual([]);
    expect(query(bench.tx, 'SELECT * FROM team_waits').all()).toEqual([]);
  });
});

describe('a customer who writes to an agent who is away', () => {
  const writes = (ticketId: number) =>
    bench.do((tx, ctx) => {
      const ticket = bench.ticket(ticketId);
      const author = authorById(tx, ticket.authorId);
      if (!author) throw new Error('no author');
      return replyAsCustomer(tx, ctx, ticket, author, { body: 'Still broken.' }).ticket;
    });
  const away = (isAvailable: boolean) =>
    bench.do((tx, ctx) => changeAvailability(tx, ctx, ben?.agentId ?? 0, { is_available: isAvailable }));

  test('finds the team again, which hears of it', () => {
    const { ticket } = bench.open();
    change(ticket, { team_id: teamId, assigned_to: ben?.agentId ?? null });
    expect(writes(ticket.id).assigneeId).toBe(ben?.agentId ?? 0);
    away(false);
    const told = toldBy(() => expect(writes(ticket.id)).toMatchObject({ assigneeId: null, teamId }));
    expect(told).toContain('ana: team_assigned (team)');
    expect(kinds(bench)).toEqual(['ticket.replied', 'ticket.assigned']);
    expect(bench.events[1]?.data).toMatchObject({ is_away: true, team: teamId });
  });

  test('stays with them where the team does not want it', () => {
    const { ticket } = bench.open();
    query(bench.tx, 'UPDATE teams SET returns_when_away = 0').run();
    change(ticket, { team_id: teamId, assigned_to: ben?.agentId ?? null });
    away(false);
    expect(writes(ticket.id).assigneeId).toBe(ben?.agentId ?? 0);
    expect(teamById(bench.tx, teamId)?.returnsWhenAway).toBe(false);
  });
});

test('a mail about a ticket that someone has taken since does not leave', () => {
  const { ticket } = bench.open();
  change(ticket, { team_id: teamId });
  bench.clock.advance(30 * minute);
  waiting();
  const mail = query<{ id: number }>(bench.tx, "SELECT id FROM deliveries WHERE event = 'mail.team_waiting'").get();
  const delivery = deliveryById(bench.tx, mail?.id ?? 0);
  if (!delivery) throw new Error('no mail');
  expect(asTold(bench.tx, delivery).told).toHaveLength(1);
  change(ticket, { assigned_to: boss?.agentId ?? null });
  expect(asTold(bench.tx, delivery).told).toEqual([]);
});
