// Roles and what they allow.

import { expect, test } from 'bun:test';
import { abilities } from '../../src/domain/actor.ts';
import { agentRoles, roleCan } from '../../src/domain/roles.ts';

test('a role allows what the specification says, and an unknown one nothing', () => {
  const allowed = (role: string) => abilities.filter((ability) => roleCan(role as 'owner', ability));
  expect([...agentRoles, 'viewer', 'toString', ''].map((role) => [role, allowed(role)])).toEqual([
    ['owner', ['read', 'write', 'manage']],
    ['admin', ['read', 'write', 'manage']],
    ['member', ['read', 'write']],
    ['viewer', ['read']],
    ['toString', []],
    ['', []],
  ]);
});
