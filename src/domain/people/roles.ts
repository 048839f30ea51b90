// What an agent's role allows, in one place (docs/spec/people.md#roles).

import { type Ability, includesSite, type Role, type Scope } from '../actor.ts';

const roleAbilities = {
  owner: ['read', 'note', 'write', 'manage', 'own'],
  admin: ['read', 'note', 'write', 'manage'],
  member: ['read', 'note', 'write'],
  viewer: ['read', 'note'],
} as const satisfies Record<Role, readonly Ability[]>;

/** None for a role that this version does not know. */
export function abilitiesOf(role: Role): readonly Ability[] {
  return Object.hasOwn(roleAbilities, role) ? roleAbilities[role] : [];
}

interface Person {
  role: Role;
  scope: Scope;
}

export function canManagePerson(manager: Person, person: Person): boolean {
  if (abilitiesOf(manager.role).includes('own')) return true;
  if (!abilitiesOf(manager.role).includes('manage')) return false;
  return (person.role === 'member' || person.role === 'viewer') && isWithin(person.scope, manager.scope);
}

function isWithin(scope: Scope, other: Scope): boolean {
  if (scope === 'all') return other === 'all';
  return scope.every((siteId) => includesSite(other, siteId));
}
