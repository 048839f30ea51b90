// Who is asking: the site token, the ticket's access token or the team token, and how often they may.

import type { Instant } from '../../base/clock.ts';
import { hashSecret } from '../../base/crypto.ts';
import { type Actor, scopeOfToken } from '../../domain/actor.ts';
import { DeskError } from '../../domain/errors.ts';
import { teamTokenByHash } from '../../store/people.ts';
import { type Site, siteByTokenHash } from '../../store/sites.ts';
import type { Access, Edge } from '../operation.ts';
import { limitKey } from './client-address.ts';
import type { Verdict } from './rate-limit.ts';

export interface Caller {
  actor: Actor;
  site: Site | null;
  /** Whose Idempotency-Keys these are; null for callers who have none. */
  credential: string | null;
}

export interface Counted {
  verdicts: Verdict[];
}

function refuse(verdict: Verdict, now: Instant): DeskError {
  return new DeskError('rate_limited', 'Too many requests; wait a little.', {
    retryAfterSeconds: Math.max(1, Math.ceil((verdict.resetAt - now) / 1000)),
  });
}

function take(counted: Counted, verdict: Verdict, now: Instant): void {
  counted.verdicts.push(verdict);
  if (!verdict.isAllowed) throw refuse(verdict, now);
}

/** 401 for a credential that is missing or unknown; an address that keeps trying unknown ones is told to wait. */
export function countFailure(edge: Edge, address: string, now: Instant, counted: Counted): void {
  const verdict = edge.limits.authFailures.take(limitKey(address), now);
  if (!verdict.isAllowed) {
    counted.verdicts.push(verdict);
    throw refuse(verdict, now);
  }
}

/** Counts a request that names nobody: by its address, under the limit of all that is not ingest. */
export function countStranger(edge: Edge, address: string, now: Instant, counted: Counted): void {
  take(counted, edge.limits.other.take(`address:${limitKey(address)}`, now), now);
}

/** One customer's keys never meet another's, though both come by way of one site: theirs is the ticket's access token. */
function threadCredential(site: Site, url: URL): string | null {
  const token = url.searchParams.getAll('access_token').find((value) => value.trim() !== '');
  return token === undefined ? null : `thread:${site.id}:${hashSecret(token)}`;
}

/**
 * Authenticates a request and counts it against its limits: per calling address and per site on the ingest surface, per
 * token elsewhere, per address where there is neither (docs/spec/behaviour.md#limits).
 */
export function authenticate(
  edge: Edge,
  access: Access,
  header: (name: string) => string | undefined,
  address: string,
  now: Instant,
  counted: Counted,
  url: URL,
): Caller {
  // The operation itself finds the site behind the secret, and counts by it.
  if (access === 'inbound') return { actor: { kind: 'application', siteId: 0 }, site: null, credential: null };
  if (access === 'public' || access === 'signed') {
    countStranger(edge, address, now, counted);
    return { actor: { kind: 'application', siteId: 0 }, site: null, credential: null };
  }
  if (access === 'site' || access === 'thread') {
    take(counted, edge.limits.ingestCaller.take(limitKey(address), now), now);
    const secret = header('x-site-token');
    if (!secret)
      throw new DeskError('unauthenticated', 'Send the site token in the header X-Site-Token.', {
        reason: 'missing_token',
      });
    const site = edge.desk.read((tx) => siteByTokenHash(tx, hashSecret(secret), now) as Site);
    if (!site) {
      countFailure(edge, address, now, counted);
      throw new DeskError('unauthenticated', 'This site token is unknown.', { reason: 'unknown_token' });
    }
    take(counted, edge.limits.ingestSite.take(String(site.id), now), now);
    const credential = access === 'site' ? `site:${site.id}` : threadCredential(site, url);
    return { actor: { kind: 'application', siteId: site.id }, site, credential };
  }
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(header('authorization') ?? '')?.[1];
  if (!bearer) {
    countStranger(edge, address, now, counted);
    throw new DeskError('unauthenticated', 'Send a team token as Authorization: Bearer <token>.', {
      reason: 'missing_token',
    });
  }
  const token = edge.desk.read((tx) => teamTokenByHash(tx, hashSecret(bearer), now) ?? null);
  if (!token) {
    countFailure(edge, address, now, counted);
    countStranger(edge, address, now, counted);
    throw new DeskError('unauthenticated', 'This API token is unknown or expired.', { reason: 'unknown_token' });
  }
  take(counted, edge.limits.other.take(`token:${token.id}`, now), now);
  edge.noteTokenUse(token.id);
  return {
    actor: {
      kind: 'token',
      tokenId: token.id,
      name: token.name,
      abilities: token.abilities,
      scope: scopeOfToken(token.siteId),
    },
    site: null,
    credential: `token:${token.id}`,
  };
}
