// Automatic assignment: who gets a ticket, why no one does, and that turns outlive restarts (docs/spec/people.md#automatic-assignment).

import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeAvailability } from '../../../src/desk/people/availability.ts';
import { addTeam } from '../../../src/desk/people/teams.ts';
import { assignFromTeam } from '../../../src/desk/tickets/assign-from-team.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import type { TicketChangeInput } from '../../../src/domain/input/tickets.ts';
import type { AssignmentWay } from '../../../src/domain/people/turns.ts';
import { openStore, query } from '../../../src/engine/database.ts';
import { type Team, teamById } from '../../../src/store/people/teams.ts';
import { ticketById } from '../../../src/store/tickets/tickets.ts';
import { caseCount } from '../../support/case-count.ts';
import { kinds, minute, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const agent = (name: string, role: 'member' | 'viewer' = 'member') =>
  bench.do((tx, ctx) => addAgent(tx, ctx, { email: `${name}@example.org`, name, role })).id;
const [kim = 0, lee = 0, mo = 0] = ['kim', 'lee', 'mo'].map((name) => agent(name));
let named = 0;
const team = (members: number[], most: number | null = null): Team =>
  bench.do((tx, ctx) => addTeam(tx, ctx, { name: `Team ${named++}`, members, max_open_per_agent: most }));
const give = (to: Team, way: AssignmentWay = 'round_robin', ticket = bench.open().ticket) =>
  bench.do((tx, ctx) => assignFromTeam(tx, ctx, ticket, to, way));
const away = (id: number, input: { is_available: boolean; until?: number; note?: string }) =>
  bench.do((tx, ctx) => changeAvailability(tx, ctx, id, input));

describe('a ticket for a team', () => {
  test('goes to its members in turn, with the team, in one event', () => {
    const own = team([kim, lee]);
    expect([give(own), give(own), give(own)].map(({ assigneeId }) => assigneeId)).toEqual([kim, lee, kim]);
    expect(give(own)).toMatchObject({ teamId: own.id, assigneeId: lee });
    expect(kinds(bench)).toEqual(['ticket.assigned']);
    expect(bench.events[0]?.data.changes).toEqual({
      team_id: { from: null, to: own.id },
      assigned_to: { from: null, to: lee },
    });
  });

  test('passes those who are away, until their time is over', () => {
    const own = team([kim, lee]);
    away(kim, { is_available: false, until: bench.clock.now() + 30 * minute, note: 'At lunch' });
    expect([give(own), give(own)].map(({ assigneeId }) => assigneeId)).toEqual([lee, lee]);
    bench.clock.advance(30 * minute);
    expect(give(own).assigneeId).toBe(kim);
  });

  test('passes viewers and who has reached the limit, and counts only open tickets', () => {
    const own = team([mo, agent('viewer', 'viewer')], 2);
    const [first] = [give(own), give(own)];
    expect(give(own)).toMatchObject({ teamId: own.id, assigneeId: null });
    bench.do((tx, ctx) => changeTicket(tx, ctx, first?.id ?? 0, { status: 'pending' }, null));
    expect(give(own).assigneeId).toBe(mo);
  });

  test('goes to who has the fewest open tickets', () => {
    const [ana, bo] = [agent('ana'), agent('bo')];
    const own = team([ana, bo]);
    const { ticket } = bench.open();
    bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { assigned_to: ana }, null));
    expect([1, 2, 3].map(() => give(own, 'least_open').assigneeId)).toEqual([bo, ana, bo]);
  });

  test('stays with the team when no one can take it, and the history says why, each time', () => {
    const own = team([kim]);
    away(kim, { is_available: false });
    const ticket = give(own);
    expect(ticket).toMatchObject({ teamId: own.id, assigneeId: null });
    expect(bench.events.map(({ kind, data }) => [kind, data.team, data.not_assigned])).toEqual([
      ['ticket.assigned', own.id, 'all_away'],
    ]);
    give(own, 'round_robin', ticket);
    expect(bench.events.map(({ kind, data }) => [kind, data.not_assigned])).toEqual([['ticket.updated', 'all_away']]);
    away(kim, { is_available: true });
    expect(give(own, 'round_robin', ticket).assigneeId).toBe(kim);
    give(team([]));
    expect(bench.events[0]?.data.not_assigned).toBe('no_members');
  });
});

describe('a change of a ticket', () => {
  const change = (id: number, input: TicketChangeInput) =>
    bench.do((tx, ctx) => changeTicket(tx, ctx, id, input, null));

  test('can leave it to the team who gets it, in one event', () => {
    const own = team([kim, lee]);
    const { ticket } = bench.open();
    expect(change(ticket.id, { team_id: own.id, assign_from_team: 'round_robin' })).toMatchObject({
      teamId: own.id,
      assigneeId: kim,
    });
    expect(kinds(bench)).toEqual(['ticket.assigned']);
    expect(change(ticket.id, { assign_from_team: 'round_robin' }).assigneeId).toBe(lee);
  });

  test('is refused without a team, and with an agent', () => {
    const { ticket } = bench.open();
    const refused = (input: TicketChangeInput) =>
      bench.refusal((tx, ctx) => changeTicket(tx, ctx, ticket.id, input, null)).errors;
    expect(refused({ assign_from_team: 'least_open' })).toHaveProperty('assign_from_team');
    expect(refused({ team_id: team([kim]).id, assigned_to: lee, assign_from_team: 'least_open' })).toHaveProperty(
      'assign_from_team',
    );
  });
});

test('turns are fair over restarts and machines: each opens the same file again', () => {
  const path = query<{ file: string }>(bench.tx, 'PRAGMA database_list').get()?.file ?? '';
  const members = Array.from({ length: 4 }, (_, at) => agent(`turn${at}`));
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 4, maxLength: 16 }), (restarts) => {
      const own = team(members);
      const got = restarts.map((isRestart) => {
        const { ticket } = bench.open();
        if (!isRestart) return give(own, 'round_robin', ticket).assigneeId;
        const store = openStore(path, 'OFF');
        try {
          const tx = store.writing;
          tx.client.run('BEGIN IMMEDIATE');
          const found = { ticket: ticketById(tx, ticket.id), team: teamById(tx, own.id) };
          if (!found.ticket || !found.team) throw new Error('the other machine does not see it');
          const ctx = bench.desk.context({ kind: 'command_line' }, 'test');
          const { assigneeId } = assignFromTeam(tx, ctx, found.ticket, found.team, 'round_robin');
          tx.client.run('COMMIT');
          return assigneeId;
        } finally {
          store.close();
        }
      });
      expect(got).toEqual(restarts.map((_, at) => members[at % members.length] ?? 0));
    }),
    { numRuns: caseCount(5, 50) },
  );
});

test('an absence ends at most a year ahead, in the future, and shows nothing once it is over', () => {
  const refusal = (input: Parameters<typeof changeAvailability>[3]) =>
    bench.refusal((tx, ctx) => changeAvailability(tx, ctx, lee, input));
  expect(refusal({ is_available: false, until: bench.clock.now() }).errors).toHaveProperty('until');
  expect(refusal({ is_available: false, until: bench.clock.now() + 367 * 1440 * minute }).errors).toHaveProperty(
    'until',
  );
  expect(refusal({ is_available: true, until: bench.clock.now() + minute }).errors).toHaveProperty('until');
  const audited = () =>
    query<{ after: string }>(
      bench.tx,
      "SELECT after FROM audit_log WHERE target_type = 'agent' ORDER BY id DESC",
    ).get();
  away(lee, { is_available: false, note: 'Migraine' });
  expect(JSON.parse(audited()?.after ?? '')).toEqual({ is_away: true });
  away(lee, { is_available: true });
});
