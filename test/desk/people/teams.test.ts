// Teams: who may change them, which tickets they can have, and what is left when they go (docs/spec/people.md#teams).

import { afterAll, describe, expect, test } from 'bun:test';
import { addAgent, removeAgent } from '../../../src/desk/people/agents.ts';
import { addTeam, changeTeam, findTeam, listTeams, removeTeam, teams } from '../../../src/desk/people/teams.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { addNote } from '../../../src/desk/tickets/replies.ts';
import { splitTicket } from '../../../src/desk/tickets/split-ticket.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import { teamInput } from '../../../src/domain/input/teams.ts';
import { query } from '../../../src/engine/database.ts';
import { detachSome, hasDetachments } from '../../../src/store/detachments.ts';
import { outlineOfTicket } from '../../../src/store/tickets/messages.ts';
import { kinds, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'School' })).site;
const agent = (name: string, sites: number[] = []) =>
  bench.do((tx, ctx) => addAgent(tx, ctx, { email: `${name}@example.org`, name, sites })).id;
const kim = agent('Kim');
const lee = agent('Lee', [bench.site.id]);

const add = (input: Partial<Parameters<typeof teamInput.parse>[0] & object>, actor?: Actor) =>
  bench.do((tx, ctx) => addTeam(tx, ctx, teamInput.parse({ name: `Team ${Math.random()}`, ...input })), actor);
const give = (ticketId: number, change: { team_id?: number | null; assigned_to?: number | null }) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticketId, change, null));
const managerOf = (siteId: number) => token(['read', 'manage'], siteId);

describe('a team', () => {
  test('has members and sites, and tells of every change in the audit log and to the consoles of its sites', () => {
    const team = add({ name: 'Second level', members: [lee, kim, kim], sites: [bench.site.id], max_open_per_agent: 5 });
    expect(team).toMatchObject({ name: 'Second level', memberIds: [kim, lee], siteIds: [bench.site.id] });
    expect(bench.events.map(({ siteId, data }) => [siteId, data.team, data.change])).toEqual([
      [bench.site.id, team.id, 'created'],
    ]);
    const changed = bench.do((tx, ctx) =>
      changeTeam(tx, ctx, team.id, { members: [kim], sites: [], max_open_per_agent: null }, [teams.etag(team)]),
    );
    expect(changed).toMatchObject({ memberIds: [kim], siteIds: [], maxOpenPerAgent: null, version: 2 });
    expect(new Set(bench.events.map(({ siteId }) => siteId))).toEqual(new Set([bench.site.id, other.id]));
    const stale = bench.refusal((tx, ctx) => changeTeam(tx, ctx, team.id, { name: 'Third' }, [teams.etag(team)]));
    expect(stale.code).toBe('precondition_failed');
    bench.do((tx, ctx) => removeTeam(tx, ctx, team.id, null));
    expect(bench.refusal((tx, ctx) => findTeam(tx, ctx, team.id)).code).toBe('not_found');
    const rows = query<{ action: string; after: string }>(
      bench.tx,
      "SELECT action, after FROM audit_log WHERE target_type = 'team' AND target_id = ? ORDER BY id",
    ).all(team.id);
    expect(rows.map(({ action }) => action)).toEqual(['team.created', 'team.updated', 'team.deleted']);
    expect(JSON.parse(rows[1]?.after ?? '')).toEqual({ members: [kim], sites: [], max_open_per_agent: null });
  });

  test('needs a name of its own, agents who exist, and sites that the caller sees', () => {
    const team = add({ name: 'Sales' });
    expect(bench.refusal((tx, ctx) => addTeam(tx, ctx, { name: 'SALES' })).reason).toBe('name_taken');
    bench.do((tx, ctx) => changeTeam(tx, ctx, team.id, { name: 'sales' }, null));
    const refused = (input: Parameters<typeof addTeam>[2], actor?: Actor) =>
      bench.refusal((tx, ctx) => addTeam(tx, ctx, input), actor);
    expect(refused({ name: 'A', members: [kim, 999] }).errors).toHaveProperty(['members.1']);
    expect(refused({ name: 'A', sites: [999] }).errors).toHaveProperty(['sites.0']);
    const own = managerOf(bench.site.id);
    expect(refused({ name: 'A', sites: [other.id] }, own).errors).toHaveProperty(['sites.0']);
    expect(refused({ name: 'A' }, own).reason).toBe('site_scoped');
    expect(refused({ name: 'A' }, token(['read', 'write'])).reason).toBe('missing_ability');
  });

  test('of two sites is seen by both, each with its own site, and changed only by who sees all of them', () => {
    const team = add({ name: 'Both', sites: [bench.site.id, other.id] });
    const apart = add({ name: 'Apart', sites: [other.id] });
    const own = managerOf(bench.site.id);
    const seen = bench.do((tx, ctx) => listTeams(tx, ctx, null), own);
    expect(seen.find(({ id }) => id === team.id)?.siteIds).toEqual([bench.site.id]);
    expect(seen.some(({ id }) => id === apart.id)).toBe(false);
    expect(bench.refusal((tx, ctx) => changeTeam(tx, ctx, team.id, { name: 'Mine' }, null), own).reason).toBe(
      'site_scoped',
    );
    expect(bench.refusal((tx, ctx) => removeTeam(tx, ctx, apart.id, null), own).code).toBe('not_found');
    const site = add({ name: 'Single', sites: [bench.site.id] });
    expect(bench.refusal((tx, ctx) => changeTeam(tx, ctx, site.id, { sites: [] }, null), own).reason).toBe(
      'site_scoped',
    );
  });

  test('loses an agent who is removed, and goes with its last site', () => {
    const mo = agent('Mo');
    const gone = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Gone' })).site;
    const team = add({ members: [kim, mo], sites: [gone.id, bench.site.id] });
    const only = add({ sites: [gone.id] });
    bench.do((tx, ctx) => removeAgent(tx, ctx, mo));
    bench.do((tx, ctx) => removeSite(tx, ctx, gone.slug, gone.slug, null));
    const ids = bench.do((tx, ctx) => listTeams(tx, ctx, null)).map(({ id }) => id);
    expect(ids).toContain(team.id);
    expect(ids).not.toContain(only.id);
    expect(bench.do((tx, ctx) => findTeam(tx, ctx, team.id)).memberIds).toEqual([kim]);
  });
});

describe('a ticket', () => {
  test('has team and assignee side by side, changed in one event', () => {
    const team = add({ members: [kim] });
    const { ticket } = bench.open();
    expect(give(ticket.id, { team_id: team.id })).toMatchObject({ teamId: team.id, assigneeId: null });
    expect(kinds(bench)).toEqual(['ticket.assigned']);
    expect(bench.events[0]?.data.changes).toEqual({ team_id: { from: null, to: team.id } });
    give(ticket.id, { assigned_to: lee });
    expect(give(ticket.id, { team_id: team.id, assigned_to: lee })).toMatchObject({ teamId: team.id, assigneeId: lee });
    expect(kinds(bench)).toEqual([]);
    give(ticket.id, { team_id: null, assigned_to: null });
    expect(bench.events.map(({ data }) => data.changes)).toEqual([
      { assigned_to: { from: lee, to: null }, team_id: { from: team.id, to: null } },
    ]);
  });

  test('takes only teams of its site', () => {
    const apart = add({ sites: [other.id] });
    const { ticket } = bench.open();
    const refused = bench.refusal((tx, ctx) => changeTicket(tx, ctx, ticket.id, { team_id: apart.id }, null));
    expect(refused.errors).toEqual({ team_id: ['The team id field does not name a team of this site.'] });
    const opening = {
      site_id: bench.site.id,
      email: 'mia@example.org',
      subject: 'Hi',
      message: 'Hi',
      team_id: apart.id,
    };
    expect(bench.refusal((tx, ctx) => openTicketAsAgent(tx, ctx, opening as never)).errors).toEqual(refused.errors);
  });

  test('opens with a team, and what is split from it has the same', () => {
    const team = add({});
    const opening = {
      site_id: bench.site.id,
      email: 'mia@example.org',
      subject: 'Hi',
      message: 'Hi',
      team_id: team.id,
    };
    const { ticket } = bench.do((tx, ctx) => openTicketAsAgent(tx, ctx, opening as never));
    expect(ticket.teamId).toBe(team.id);
    expect(kinds(bench)).toContain('ticket.assigned');
    bench.do((tx, ctx) => addNote(tx, ctx, ticket.ulid, { body: 'Also this.', html: null }));
    const [, message = { ulid: '' }] = outlineOfTicket(bench.tx, ticket.id);
    const apart = bench.do((tx, ctx) => splitTicket(tx, ctx, ticket.id, { message: message.ulid }));
    expect(apart.teamId).toBe(team.id);
  });

  test('is left without a team that is removed, a few at a time when there are many', () => {
    const team = add({});
    const tickets = Array.from({ length: 130 }, () => bench.open().ticket.id);
    for (const id of tickets) give(id, { team_id: team.id });
    bench.do((tx, ctx) => removeTeam(tx, ctx, team.id, null));
    expect(bench.do((tx, ctx) => listTeams(tx, ctx, null)).some(({ id }) => id === team.id)).toBe(false);
    let steps = 0;
    while (hasDetachments(bench.tx)) {
      bench.do((tx) => detachSome(tx));
      steps += 1;
    }
    expect(steps).toBeGreaterThan(2);
    expect(tickets.filter((id) => bench.ticket(id).teamId !== null)).toEqual([]);
    expect(query(bench.tx, 'SELECT 1 FROM teams WHERE id = ?').get(team.id)).toBeNull();
  });
});
