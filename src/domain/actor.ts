// Who asks: decided once at the edge, carried by every step, written beside every change.

export const abilities = ['read', 'write', 'manage'] as const;
/** `manage` covers sites and their configuration (docs/spec/api.md#team-tokens). */
export type Ability = (typeof abilities)[number];

export type Actor =
  | { kind: 'token'; tokenId: number; name: string; abilities: readonly Ability[]; siteId: number | null }
  /** An application with its site's token, on the ingest surface. */
  | { kind: 'application'; siteId: number }
  /** The holder of a ticket's access token. */
  | { kind: 'author'; siteId: number; authorId: number; name: string | null }
  /** A person at the command line: whoever may read the data directory may do everything. */
  | { kind: 'operator' }
  | { kind: 'scan' }
  | { kind: 'mail'; siteId: number }
  | { kind: 'rule'; siteId: number; ruleId: number; name: string };

/** How an actor is kept in the history: `agent`, `author`, `application`, `operator`, `scan`, `mail` or `rule`. */
export interface StoredActor {
  type: 'agent' | 'author' | 'application' | 'operator' | 'scan' | 'mail' | 'rule';
  id: number | null;
  name: string | null;
}

export function can(actor: Actor, ability: Ability): boolean {
  switch (actor.kind) {
    case 'token':
      return actor.abilities.includes(ability);
    case 'operator':
      return true;
    case 'scan':
    case 'mail':
    case 'rule':
      return ability !== 'manage';
    case 'application':
    case 'author':
      return false;
  }
}

/** The one site that an actor is confined to, or null when it may see them all. */
export function scopeOf(actor: Actor): number | null {
  switch (actor.kind) {
    case 'operator':
    case 'scan':
      return null;
    case 'token':
    case 'application':
    case 'author':
    case 'mail':
    case 'rule':
      return actor.siteId;
  }
}

export function isInScope(actor: Actor, siteId: number): boolean {
  const scope = scopeOf(actor);
  return scope === null || scope === siteId;
}

export function toStoredActor(actor: Actor): StoredActor {
  switch (actor.kind) {
    case 'token':
      return { type: 'agent', id: actor.tokenId, name: actor.name };
    case 'author':
      // Without the name: an erased author must not live on in the history.
      return { type: 'author', id: actor.authorId, name: null };
    case 'rule':
      return { type: 'rule', id: actor.ruleId, name: actor.name };
    case 'application':
      return { type: 'application', id: null, name: null };
    case 'operator':
      return { type: 'operator', id: null, name: null };
    case 'scan':
      return { type: 'scan', id: null, name: null };
    case 'mail':
      return { type: 'mail', id: null, name: null };
  }
}
