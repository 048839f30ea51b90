// What an agent's role allows, in one place.

import type { Ability } from './actor.ts';

const roleAbilities = {
  owner: ['read', 'write', 'manage'],
  admin: ['read', 'write', 'manage'],
  member: ['read', 'write'],
  // Nobody can have this role yet: it also writes internal notes, which no ability stands for.
  viewer: ['read'],
} as const satisfies Record<string, readonly Ability[]>;
type Role = keyof typeof roleAbilities;

/** The roles that can be given today. */
export const agentRoles = ['owner', 'admin', 'member'] as const satisfies readonly Role[];

export function roleCan(role: Role, ability: Ability): boolean {
  return Object.hasOwn(roleAbilities, role) && (roleAbilities[role] as readonly Ability[]).includes(ability);
}
