// Roles and what they allow.

import { expect, test } from 'bun:test';
import { agentRoles, type Role, type Scope } from '../../../src/domain/actor.ts';
import { abilitiesOf, canManagePerson } from '../../../src/domain/people/roles.ts';

test('a role allows what the specification says, and an unknown one nothing', () => {
  expect([...agentRoles, 'toString', ''].map((role) => [role, abilitiesOf(role as Role)])).toEqual([
    ['owner', ['read', 'note', 'write', 'manage', 'own']],
    ['admin', ['read', 'note', 'write', 'manage']],
    ['member', ['read', 'note', 'write']],
    ['viewer', ['read', 'note']],
    ['toString', []],
    ['', []],
  ]);
});

test('owners manage everyone, admins the members and viewers of their own sites, others no one', () => {
  const managed = (role: Role, scope: Scope) =>
    agentRoles.flatMap((other) =>
      (['all', [1], [2], [1, 2]] as const)
        .filter((sites) => canManagePerson({ role, scope }, { role: other, scope: sites }))
        .map((sites) => `${other} ${sites}`),
    );
  expect(managed('owner', [1])).toHaveLength(16);
  expect(managed('admin', [1])).toEqual(['member 1', 'viewer 1']);
  expect(managed('admin', [1, 2])).toEqual([
    'member 1',
    'member 2',
    'member 1,2',
    'viewer 1',
    'viewer 2',
    'viewer 1,2',
  ]);
  expect(managed('admin', 'all')).toHaveLength(8);
  expect([...managed('member', 'all'), ...managed('viewer', 'all'), ...managed('robot' as Role, 'all')]).toEqual([]);
});
