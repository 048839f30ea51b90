// Whose turn it is: fair among those who are there, whatever happens between two tickets (docs/spec/people.md#automatic-assignment).

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Member, nextOf } from '../../../src/domain/people/turns.ts';
import { caseCount } from '../../support/case-count.ts';

const member = (agentId: number, given: Partial<Member> = {}): Member => ({
  agentId,
  isAway: false,
  openTickets: 0,
  turn: 0,
  ...given,
});

test('who has waited longest is next, and a tie goes by number', () => {
  expect(nextOf([member(3), member(2)], null, 'round_robin')).toEqual({ agentId: 2 });
  expect(nextOf([member(2, { turn: 4 }), member(3, { turn: 1 })], null, 'round_robin')).toEqual({ agentId: 3 });
});

test('by open tickets, the turn decides only among those with the fewest', () => {
  const members = [
    member(1, { openTickets: 5 }),
    member(2, { openTickets: 2, turn: 9 }),
    member(3, { openTickets: 2, turn: 8 }),
  ];
  expect(nextOf(members, null, 'least_open')).toEqual({ agentId: 3 });
  expect(nextOf(members, null, 'round_robin')).toEqual({ agentId: 1 });
});

test('it says why no one can take a ticket', () => {
  const away = member(1, { isAway: true });
  const busy = member(2, { openTickets: 3 });
  const way = 'round_robin';
  expect(nextOf([], 3, way)).toEqual({ reason: 'no_members' });
  expect(nextOf([away], 3, way)).toEqual({ reason: 'all_away' });
  expect(nextOf([busy], 3, way)).toEqual({ reason: 'all_busy' });
  expect(nextOf([away, busy], 3, way)).toEqual({ reason: 'away_or_busy' });
  expect(nextOf([away, busy], 4, way)).toEqual({ agentId: 2 });
});

test('while the same ones are there, no one gets two tickets more than another', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 12 }),
      (absences, tickets) => {
        const turns = new Map([1, 2, 3, 4, 5].map((id) => [id, 0]));
        for (const isAway of absences) {
          const got = new Map<number, number>();
          for (let count = 0; count < tickets; count += 1) {
            const members = [...turns].map(([id, turn]) => member(id, { turn, isAway: isAway[id - 1] === true }));
            const { agentId } = nextOf(members, null, 'round_robin');
            if (agentId === undefined) return;
            expect(isAway[agentId - 1]).toBe(false);
            turns.set(agentId, 1 + Math.max(...turns.values()));
            got.set(agentId, (got.get(agentId) ?? 0) + 1);
          }
          const counts = [...turns.keys()].filter((id) => !isAway[id - 1]).map((id) => got.get(id) ?? 0);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: caseCount(100, 1000) },
  );
});
