// One recogniser for each credential: where it is in a request, who it identifies, and which limits count it.

import type { Instant } from '../../base/clock.ts';
import { hashSecret } from '../../base/crypto.ts';
import { actorOf, newestVisit, type Visit } from '../../desk/customers/visits.ts';
import { signedInBySecret } from '../../desk/people/sessions.ts';
import { type Actor, scopeOfToken } from '../../domain/actor.ts';
import type { Tx } from '../../engine/database.ts';
import type { SignedIn } from '../../store/people/sessions.ts';
import { teamTokenByHash } from '../../store/people/team-tokens.ts';
import { type Site, siteByTokenHash } from '../../store/sites/sites.ts';
import type { Edge } from '../operation.ts';
import type { CredentialName } from './access.ts';
import { bearerIn } from './bearer.ts';
import { visitSecretsIn } from './customer-cookie.ts';
import type { RateLimits } from './rate-limit.ts';
import { sessionSecretIn } from './session-cookie.ts';

export interface Caller {
  actor: Actor;
  site: Site | null;
  session: SignedIn | null;
  visit: Visit | null;
  /** Whose Idempotency-Keys these are; null for callers who have none. */
  credential: string | null;
}

export interface Asked {
  edge: Edge;
  header: (name: string) => string | undefined;
  url: URL;
  now: Instant;
}

interface Recogniser {
  /** The secret as the request carries it. Empty when it is there but malformed, null when it is not there. */
  secretIn(asked: Asked): string | null;
  find(asked: Asked, tx: Tx, secret: string): Caller | undefined;
  /** The limit of a known credential; the key is the caller's `credential`. */
  limit: keyof RateLimits;
  /** The limit by address, of every request or of those whose credential is missing or unknown. */
  byAddress: { limit: keyof RateLimits; of: 'all' | 'strangers' | 'those_without' };
  /** Writes must come from the desk's own pages, since browsers send it by themselves. */
  isAmbient: boolean;
  missing: string;
  unknown: string;
  noteUse(edge: Edge, caller: Caller, now: Instant): void;
}

const nothing = () => undefined;
// Last uses are stored to the minute.
const usedAgainMs = 60_000;

export const recognisers: Record<Exclude<CredentialName, 'accessToken'>, Recogniser> = {
  siteToken: {
    secretIn: ({ header }) => header('x-site-token') || null,
    find({ now }, tx, secret) {
      const site: Site | undefined = siteByTokenHash(tx, hashSecret(secret), now);
      return (
        site && {
          actor: { kind: 'application', siteId: site.id },
          site,
          session: null,
          visit: null,
          credential: `site:${site.id}`,
        }
      );
    },
    limit: 'ingestSite',
    byAddress: { limit: 'ingestCaller', of: 'all' },
    isAmbient: false,
    missing: 'Send the site token in the header X-Site-Token.',
    unknown: 'This site token is unknown.',
    noteUse: nothing,
  },
  teamToken: {
    secretIn: ({ header }) => bearerIn(header('authorization')),
    find({ now }, tx, secret) {
      const token = teamTokenByHash(tx, hashSecret(secret), now);
      return (
        token && {
          actor: {
            kind: 'token',
            tokenId: token.id,
            name: token.name,
            abilities: token.abilities,
            scope: scopeOfToken(token.siteId),
          },
          site: null,
          session: null,
          visit: null,
          credential: `token:${token.id}`,
        }
      );
    },
    limit: 'other',
    byAddress: { limit: 'other', of: 'strangers' },
    isAmbient: false,
    missing: 'Send a team token as Authorization: Bearer <token>.',
    unknown: 'This API token is unknown or expired.',
    noteUse(edge, { actor }) {
      if (actor.kind === 'token') edge.noteUse('token', actor.tokenId);
    },
  },
  session: {
    secretIn: ({ edge, header }) => sessionSecretIn(edge.baseUrl, header('cookie')),
    find({ edge, now }, tx, secret) {
      const found = signedInBySecret(tx, edge.desk.seal, secret, now);
      return (
        found && {
          actor: found.actor,
          site: null,
          session: found.session,
          visit: null,
          credential: `session:${found.session.id}`,
        }
      );
    },
    limit: 'session',
    // A tab that does not notice the end of its session must not use up the limit of its address.
    byAddress: { limit: 'other', of: 'those_without' },
    isAmbient: true,
    missing: 'Sign in first.',
    unknown: 'This session has ended. Sign in again.',
    noteUse(edge, { session }, now) {
      if (session !== null && now - session.lastUsedAt >= usedAgainMs) edge.noteUse('session', session.id);
    },
  },
  visit: {
    secretIn({ edge, header, url }) {
      const secrets = visitSecretsIn(edge.baseUrl, header('cookie'));
      const named = url.searchParams.getAll('ticket').find((value) => value.trim() !== '');
      if (named === undefined) return [...secrets].map((pair) => pair.join(' ')).join('\n') || null;
      const secret = secrets.get(named.trim().toUpperCase());
      return secret === undefined ? null : `${named.trim().toUpperCase()} ${secret}`;
    },
    find({ edge, now }, tx, secrets) {
      const pairs = secrets.split('\n').map((pair) => pair.split(' ') as [string, string]);
      const visit = newestVisit(tx, edge.desk.seal, pairs, now);
      return (
        visit && {
          actor: actorOf(visit.author),
          site: null,
          session: null,
          visit,
          credential: `visit:${visit.visit.id}`,
        }
      );
    },
    limit: 'other',
    byAddress: { limit: 'other', of: 'strangers' },
    isAmbient: true,
    missing: 'Open the link in your mail first.',
    unknown: 'This visit has ended. Open the link in your mail again.',
    noteUse: nothing,
  },
};
