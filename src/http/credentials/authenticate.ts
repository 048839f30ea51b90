// Who is asking: the site token, the ticket's access token or the team token, and how often they may.

import type { Instant } from '../../base/clock.ts';
import { hashSecret } from '../../base/crypto.ts';
import { type Actor, scopeOfToken } from '../../domain/actor.ts';
import { DeskError } from '../../domain/errors.ts';
import { teamTokenByHash } from '../../store/people.ts';
import { type Site, siteByTokenHash } from '../../store/sites.ts';
import type { Edge } from '../operation.ts';
import type { Access } from './access.ts';
import { limitKey } from './client-address.ts';
import type { Allowance } from './rate-limit.ts';

export interface Caller {
  actor: Actor;
  site: Site | null;
  /** Whose Idempotency-Keys these are; null for callers who have none. */
  credential: string | null;
}

export interface Counted {
  allowances: Allowance[];
}

function refuse(allowance: Allowance, now: Instant): DeskError {
  return new DeskError('rate_limited', 'Too many requests; wait a little.', {
    retryAfterSeconds: Math.max(1, Math.ceil((allowance.resetAt - now) / 1000)),
  });
}

function take(counted: Counted, allowance: Allowance, now: Instant): void {
  counted.allowances.push(allowance);
  if (!allowance.isAllowed) throw refuse(allowance, now);
}

/** 401 for a credential that is missing or unknown; an address that keeps trying unknown ones is told to wait. */
export function countFailure(edge: Edge, address: string, now: Instant, counted: Counted): void {
  const allowance = edge.limits.authFailures.take(limitKey(address), now);
  if (!allowance.isAllowed) {
    counted.allowances.push(allowance);
    throw refuse(allowance, now);
  }
}

/** Counts a request without a credential by its address, under the general limit. */
export function countStranger(edge: Edge, address: string, now: Instant, counted: Counted): void {
  take(counted, edge.limits.other.take(`address:${limitKey(address)}`, now), now);
}

/** One customer's keys never meet another's, though both come by way of one site: theirs is the ticket's access token. */
function threadCredential(site: Site, url: URL): string | null {
  const token = url.searchParams.getAll('access_token').find((value) => value.trim() !== '');
  return token === undefined ? null : `thread:${site.id}:${hashSecret(token)}`;
}

interface Asked {
  edge: Edge;
  header: (name: string) => string | undefined;
  address: string;
  now: Instant;
  counted: Counted;
  url: URL;
}

type Recogniser = (asked: Asked) => Caller;

const stranger = (): Caller => ({ actor: { kind: 'application', siteId: 0 }, site: null, credential: null });

function recogniseStranger({ edge, address, now, counted }: Asked): Caller {
  countStranger(edge, address, now, counted);
  return stranger();
}

/** Counted by calling address and by site. */
function siteOf({ edge, header, address, now, counted }: Asked): Site {
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
  return site;
}

function recogniseSite(asked: Asked): Caller {
  const site = siteOf(asked);
  return { actor: { kind: 'application', siteId: site.id }, site, credential: `site:${site.id}` };
}

function recogniseThread(asked: Asked): Caller {
  const site = siteOf(asked);
  return { actor: { kind: 'application', siteId: site.id }, site, credential: threadCredential(site, asked.url) };
}

/** Counted by token, and by address where there is no known one. */
function recogniseBearer({ edge, header, address, now, counted }: Asked): Caller {
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

const recognisers: Record<Access, Recogniser> = {
  public: recogniseStranger,
  signed: recogniseStranger,
  // The operation itself finds the site behind the secret, and counts by it.
  inbound: stranger,
  site: recogniseSite,
  thread: recogniseThread,
  team: recogniseBearer,
};

/** Says who asks, and counts the request against its limits (docs/spec/behaviour.md#limits). */
export function authenticate(
  edge: Edge,
  access: Access,
  header: (name: string) => string | undefined,
  address: string,
  now: Instant,
  counted: Counted,
  url: URL,
): Caller {
  if (!Object.hasOwn(recognisers, access)) throw new DeskError('forbidden', 'This operation admits no one.');
  return recognisers[access]({ edge, header, address, now, counted, url });
}
