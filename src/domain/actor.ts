// Who asks: decided once at the edge, carried by every step, written next to every change.

import type { AutomationKind } from './rules/trigger.ts';

/** `own`: people of all sites, the sign-in policy and the desk's settings (docs/spec/people.md#roles). */
export const abilities = ['read', 'note', 'write', 'manage', 'own'] as const;
export type Ability = (typeof abilities)[number];

/** The abilities that a team token can have (docs/spec/api.md#team-tokens). */
export const tokenAbilities = ['read', 'write', 'manage'] as const satisfies readonly Ability[];
export type TokenAbility = (typeof tokenAbilities)[number];

export const agentRoles = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof agentRoles)[number];

export type Scope = readonly number[] | 'all';

export interface AgentActor {
  kind: 'agent';
  agentId: number;
  name: string;
  role: Role;
  abilities: readonly Ability[];
  scope: Scope;
  sessionId: number;
  /** They wrote a mail instead of using a session. */
  isByMail?: true;
}

export type Actor =
  | { kind: 'token'; tokenId: number; name: string; abilities: readonly TokenAbility[]; scope: Scope }
  | AgentActor
  | { kind: 'application'; siteId: number }
  | { kind: 'author'; siteId: number; authorId: number; name: string | null }
  | { kind: 'command_line' }
  | { kind: 'desk' }
  | { kind: 'scan' }
  | { kind: 'mail'; siteId: number }
  /** An inbound rule, or another kind. */
  | { kind: 'rule'; siteId: number; ruleId: number; name: string; ruleKind?: AutomationKind };

export const storedActorTypes = [
  'agent',
  'token',
  'author',
  'application',
  'command_line',
  'desk',
  'scan',
  'mail',
  'rule',
] as const satisfies readonly Actor['kind'][];

export interface StoredActor {
  type: (typeof storedActorTypes)[number];
  id: number | null;
  name: string | null;
  by_mail?: true;
  /** Of a rule that is not an inbound rule. */
  rule_kind?: AutomationKind;
}

export function scopeOfToken(siteId: number | null): Scope {
  return siteId === null ? 'all' : [siteId];
}

/** Owners see every site, and so do agents without sites. The sites of an owner are only those that they work on. */
export function scopeOfAgent({ role, siteIds }: { role: Role; siteIds: readonly number[] }): Scope {
  return role === 'owner' || siteIds.length === 0 ? 'all' : siteIds;
}

export function rightsOf({ role, scope }: Pick<AgentActor, 'role' | 'scope'>): string {
  return `${role} ${scope}`;
}

export function isSameScope(one: Scope, other: Scope): boolean {
  if (one === 'all' || other === 'all') return one === other;
  return one.length === other.length && one.every((siteId) => other.includes(siteId));
}

function unknownKind(value: never): never {
  throw new Error(`Unknown kind: ${JSON.stringify(value)}`);
}

export function can(actor: Actor, ability: Ability): boolean {
  switch (actor.kind) {
    case 'token': {
      const own: readonly Ability[] = actor.abilities;
      return own.includes(ability) || (ability === 'note' && own.includes('write'));
    }
    case 'agent':
      return actor.abilities.includes(ability);
    case 'command_line':
    case 'desk':
      return true;
    case 'scan':
    case 'mail':
    case 'rule':
      return ability === 'read' || ability === 'note' || ability === 'write';
    case 'application':
    case 'author':
      return false;
    default:
      return unknownKind(actor);
  }
}

export function scopeOf(actor: Actor): Scope {
  switch (actor.kind) {
    case 'command_line':
    case 'desk':
    case 'scan':
      return 'all';
    case 'token':
    case 'agent':
      return actor.scope;
    case 'application':
    case 'author':
    case 'mail':
    case 'rule':
      return [actor.siteId];
    default:
      return unknownKind(actor);
  }
}

export function includesSite(scope: Scope, siteId: number): boolean {
  return scope === 'all' || scope.includes(siteId);
}

export function isInScope(actor: Actor, siteId: number): boolean {
  return includesSite(scopeOf(actor), siteId);
}

/** Whom a change is recorded for that they asked for earlier. They may do nothing else. */
export function fromStoredActor({ type, id, name }: StoredActor): Actor {
  switch (type) {
    case 'agent':
      return { kind: type, agentId: id ?? 0, name: name ?? '', role: 'viewer', abilities: [], scope: [], sessionId: 0 };
    case 'token':
      return { kind: type, tokenId: id ?? 0, name: name ?? '', abilities: [], scope: [] };
    case 'command_line':
      return { kind: type };
    default:
      return { kind: 'desk' };
  }
}

export function toStoredActor(actor: Actor): StoredActor {
  switch (actor.kind) {
    case 'token':
      return { type: actor.kind, id: actor.tokenId, name: actor.name };
    case 'agent':
      return {
        type: actor.kind,
        id: actor.agentId,
        name: actor.name,
        ...(actor.isByMail ? { by_mail: true as const } : {}),
      };
    case 'author':
      // Without the name: an erased author must not live on in the history.
      return { type: actor.kind, id: actor.authorId, name: null };
    case 'rule':
      return {
        type: actor.kind,
        id: actor.ruleId,
        name: actor.name,
        ...(actor.ruleKind === undefined ? {} : { rule_kind: actor.ruleKind }),
      };
    case 'application':
    case 'command_line':
    case 'desk':
    case 'scan':
    case 'mail':
      return { type: actor.kind, id: null, name: null };
    default:
      return unknownKind(actor);
  }
}
