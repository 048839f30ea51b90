// Who may do what, where, and under which name it is remembered; and the states' own table.

import { describe, expect, test } from 'bun:test';
import { type Actor, can, isInScope, isSameScope, type Scope, scopeOf, toStoredActor } from '../../src/domain/actor.ts';
import { parseReference, referenceOf, ticketStatuses, transitionBetween } from '../../src/domain/ticket.ts';

const actors: Record<string, { actor: Actor; abilities: string[]; scope: Scope; stored: object }> = {
  'a token that reads': {
    actor: { kind: 'token', tokenId: 7, name: 'CI', abilities: ['read'], scope: 'all' },
    abilities: ['read'],
    scope: 'all',
    stored: { type: 'token', id: 7, name: 'CI' },
  },
  'a token of a site': {
    actor: { kind: 'token', tokenId: 7, name: 'CI', abilities: ['read', 'write', 'manage'], scope: [3] },
    abilities: ['read', 'write', 'manage'],
    scope: [3],
    stored: { type: 'token', id: 7, name: 'CI' },
  },
  'an application': {
    actor: { kind: 'application', siteId: 3 },
    abilities: [],
    scope: [3],
    stored: { type: 'application', id: null, name: null },
  },
  // An erased author must not live on in the history.
  'an author': {
    actor: { kind: 'author', siteId: 3, authorId: 9, name: 'Mia' },
    abilities: [],
    scope: [3],
    stored: { type: 'author', id: 9, name: null },
  },
  'the command line': {
    actor: { kind: 'command_line' },
    abilities: ['read', 'write', 'manage'],
    scope: 'all',
    stored: { type: 'command_line', id: null, name: null },
  },
  'the desk itself': {
    actor: { kind: 'desk' },
    abilities: ['read', 'write', 'manage'],
    scope: 'all',
    stored: { type: 'desk', id: null, name: null },
  },
  'the scan': {
    actor: { kind: 'scan' },
    abilities: ['read', 'write'],
    scope: 'all',
    stored: { type: 'scan', id: null, name: null },
  },
  'a mail': {
    actor: { kind: 'mail', siteId: 3 },
    abilities: ['read', 'write'],
    scope: [3],
    stored: { type: 'mail', id: null, name: null },
  },
  'a rule': {
    actor: { kind: 'rule', siteId: 3, ruleId: 2, name: 'Spam' },
    abilities: ['read', 'write'],
    scope: [3],
    stored: { type: 'rule', id: 2, name: 'Spam' },
  },
};

for (const [who, { actor, abilities, scope, stored }] of Object.entries(actors)) {
  test(`${who} may do what it may, in its scope`, () => {
    expect((['read', 'write', 'manage'] as const).filter((ability) => can(actor, ability))).toEqual(abilities as never);
    expect(scopeOf(actor)).toEqual(scope);
    expect([isInScope(actor, 3), isInScope(actor, 4)]).toEqual([true, scope === 'all']);
    expect(toStoredActor(actor)).toEqual(stored as never);
  });
}

describe('a scope', () => {
  const token = (scope: Scope): Actor => ({ kind: 'token', tokenId: 7, name: 'CI', abilities: ['read'], scope });

  test('is the sites that it names, and no site when it names none', () => {
    const sees = (scope: Scope) => [1, 2, 3].filter((siteId) => isInScope(token(scope), siteId));
    expect([sees('all'), sees([]), sees([2]), sees([3, 1])]).toEqual([[1, 2, 3], [], [2], [1, 3]]);
  });

  test('is the same whatever the order of its sites', () => {
    expect([isSameScope([1, 2], [2, 1]), isSameScope('all', 'all'), isSameScope([], [])]).toEqual([true, true, true]);
    expect([isSameScope([1], [1, 2]), isSameScope('all', []), isSameScope([], 'all')]).toEqual([false, false, false]);
  });
});

test('an actor of an unknown kind is refused, whatever is asked', () => {
  const unknown = { kind: 'robot', siteId: 3 } as unknown as Actor;
  for (const ask of [() => can(unknown, 'read'), () => scopeOf(unknown), () => toStoredActor(unknown)])
    expect(ask).toThrow(/Unknown kind/);
});

describe('states', () => {
  test('have the ways of the specification and no others', () => {
    const ways = ticketStatuses.flatMap((from) =>
      ticketStatuses.flatMap((to) =>
        from !== to && transitionBetween(from, to) !== null ? [`${from} ${transitionBetween(from, to)} ${to}`] : [],
      ),
    );
    expect(ways).toEqual([
      'open pause pending',
      'open resolve resolved',
      'open close closed',
      'pending resume open',
      'pending resolve resolved',
      'pending close closed',
      'resolved reopen open',
      'resolved close closed',
      'closed reopen open',
    ]);
    for (const status of ticketStatuses) expect(transitionBetween(status, status)).toBe('none');
  });

  test('references are read as they are written', () => {
    expect(referenceOf(41)).toBe('#41');
    expect(['#41', '41', ' #41 ', '#', '41a', '', '#-1', '#1.5', '9'.repeat(16)].map(parseReference)).toEqual([
      41,
      41,
      41,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
