// Who can do what, where, and how the history names them; and the table of states.

import { describe, expect, test } from 'bun:test';
import {
  type Actor,
  type AgentActor,
  abilities as allAbilities,
  can,
  isInScope,
  isSameScope,
  type Role,
  type Scope,
  scopeOf,
  scopeOfAgent,
  toStoredActor,
} from '../../src/domain/actor.ts';
import { parseReference, referenceOf, ticketStatuses, transitionBetween } from '../../src/domain/tickets/ticket.ts';

const viewer: AgentActor = {
  kind: 'agent',
  agentId: 5,
  name: 'Kim',
  role: 'viewer',
  abilities: ['read', 'note'],
  scope: [3, 8],
  sessionId: 1,
};
const actors: Record<string, { actor: Actor; abilities: string[]; scope: Scope; stored: object }> = {
  'a token that reads': {
    actor: { kind: 'token', tokenId: 7, name: 'CI', abilities: ['read'], scope: 'all' },
    abilities: ['read'],
    scope: 'all',
    stored: { type: 'token', id: 7, name: 'CI' },
  },
  'a token of a site': {
    actor: { kind: 'token', tokenId: 7, name: 'CI', abilities: ['read', 'write', 'manage'], scope: [3] },
    abilities: ['read', 'note', 'write', 'manage'],
    scope: [3],
    stored: { type: 'token', id: 7, name: 'CI' },
  },
  'a token that writes': {
    actor: { kind: 'token', tokenId: 7, name: 'CI', abilities: ['write'], scope: 'all' },
    abilities: ['note', 'write'],
    scope: 'all',
    stored: { type: 'token', id: 7, name: 'CI' },
  },
  'a person who signed in': {
    actor: viewer,
    abilities: ['read', 'note'],
    scope: [3, 8],
    stored: { type: 'agent', id: 5, name: 'Kim' },
  },
  'an application': {
    actor: { kind: 'application', siteId: 3 },
    abilities: [],
    scope: [3],
    stored: { type: 'application', id: null, name: null },
  },
  // An erased author's name must not stay in the history.
  'an author': {
    actor: { kind: 'author', siteId: 3, authorId: 9, name: 'Mia' },
    abilities: [],
    scope: [3],
    stored: { type: 'author', id: 9, name: null },
  },
  'the command line': {
    actor: { kind: 'command_line' },
    abilities: [...allAbilities],
    scope: 'all',
    stored: { type: 'command_line', id: null, name: null },
  },
  'the desk itself': {
    actor: { kind: 'desk' },
    abilities: [...allAbilities],
    scope: 'all',
    stored: { type: 'desk', id: null, name: null },
  },
  'the scan': {
    actor: { kind: 'scan' },
    abilities: ['read', 'note', 'write'],
    scope: 'all',
    stored: { type: 'scan', id: null, name: null },
  },
  'a mail': {
    actor: { kind: 'mail', siteId: 3 },
    abilities: ['read', 'note', 'write'],
    scope: [3],
    stored: { type: 'mail', id: null, name: null },
  },
  'a rule': {
    actor: { kind: 'rule', siteId: 3, ruleId: 2, name: 'Spam' },
    abilities: ['read', 'note', 'write'],
    scope: [3],
    stored: { type: 'rule', id: 2, name: 'Spam' },
  },
};

for (const [who, { actor, abilities, scope, stored }] of Object.entries(actors)) {
  test(`${who} may do what it may, in its scope`, () => {
    expect(allAbilities.filter((ability) => can(actor, ability))).toEqual(abilities as never);
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

  test('of an agent without sites is every site', () => {
    const of = (role: Role, siteIds: number[]) => scopeOfAgent({ role, siteIds });
    expect([of('admin', []), of('admin', [2]), of('owner', [2])]).toEqual(['all', [2], 'all']);
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
