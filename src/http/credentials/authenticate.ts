// Who is asking, and how often they may: by the recognisers of what the operation admits.

import type { Instant } from '../../base/clock.ts';
import { hashSecret } from '../../base/crypto.ts';
import { authorise } from '../../desk/access.ts';
import type { Context } from '../../desk/context.ts';
import { knownBrowserBySecret } from '../../desk/people/known-browsers.ts';
import { mustAddSecondFactor, requireConfirmed } from '../../desk/people/sessions.ts';
import type { Guesser } from '../../desk/people/sign-in-delays.ts';
import { DeskError } from '../../domain/errors.ts';
import { asUnavailable } from '../../engine/refusals.ts';
import type { SignedIn } from '../../store/people/sessions.ts';
import type { Edge, Operation } from '../operation.ts';
import type { Unchanged } from '../unchanged.ts';
import { admissionOf, type CredentialName, type Way } from './access.ts';
import { limitKey } from './client-address.ts';
import { knownBrowserIn } from './known-browser.ts';
import type { Allowance, RateLimits } from './rate-limit.ts';
import { type Asked, type Caller, recognisers } from './recognisers.ts';

export interface Counted {
  allowances: Allowance[];
}

export type Admitted = Caller & { guesser: Guesser };

interface Visit extends Asked {
  address: string;
  counted: Counted;
  unchanged: Unchanged;
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

/** An address that keeps trying unknown credentials must wait. */
export function countFailure(edge: Edge, address: string, now: Instant, counted: Counted): void {
  const allowance = edge.limits.authFailures.take(limitKey(address), now);
  if (!allowance.isAllowed) take(counted, allowance, now);
}

/** Counts a request without a credential by its address, under the general limit. */
export function countStranger(edge: Edge, address: string, now: Instant, counted: Counted): void {
  countAddress('other', { edge, address, now, counted });
}

type Where = Pick<Visit, 'edge' | 'address' | 'now' | 'counted'>;

function countAddress(limit: keyof RateLimits, { edge, address, now, counted }: Where): void {
  take(counted, edge.limits[limit].take(`address:${limitKey(address)}`, now), now);
}

function guesserOf({ access }: Operation, { edge, header, address }: Visit, session: SignedIn | null): Guesser {
  const secret = access === 'sign_in' ? knownBrowserIn(edge.baseUrl, header('cookie')) : null;
  const browser = secret === null ? null : edge.desk.read((tx) => knownBrowserBySecret(tx, edge.desk.seal, secret));
  return { network: limitKey(address), sessionId: session?.id ?? null, browser };
}

export function guessKey({ network, sessionId, browser }: Guesser): string {
  if (sessionId !== null) return `session:${sessionId}`;
  return browser === null ? network : `agent:${browser.agentId}`;
}

function requireFewFailures(edge: Edge, guesser: Guesser, now: Instant, counted: Counted): void {
  const allowance = edge.limits.signInFailures.look(guessKey(guesser), now);
  if (!allowance.isAllowed) take(counted, allowance, now);
}

function countRefusal(operation: Operation, error: DeskError, guesser: Guesser, where: Where): void {
  const { edge, address, now, counted } = where;
  const { failures } = admissionOf(operation.access);
  if (isGuarded(operation)) {
    if (error.code === 'unauthenticated' || failures.includes(error.code))
      edge.limits.signInFailures.take(guessKey(guesser), now);
  } else if (failures.includes(error.code)) countFailure(edge, address, now, counted);
}

/**
 * Counts a refusal as a failed attempt where it is one. No more guarded attempts of one guesser run at a time than may still
 * fail. All is counted at its own moment: a request can have begun long before, and a moment that lies ahead counts for
 * nothing.
 */
export async function attempt<T>(
  operation: Operation,
  guesser: Guesser,
  where: Where,
  act: () => Promise<T> | T,
): Promise<T> {
  const { edge, counted } = where;
  const now = () => edge.desk.now();
  async function counting(): Promise<T> {
    try {
      return await act();
    } catch (thrown) {
      const error = asUnavailable(thrown);
      if (error instanceof DeskError) countRefusal(operation, error, guesser, { ...where, now: now() });
      throw error;
    }
  }
  if (!isGuarded(operation) || operation.body === undefined) return await counting();
  const key = guessKey(guesser);
  return await edge.gates.attempts.pass(
    key,
    () => {
      requireFewFailures(edge, guesser, now(), counted);
      return counting();
    },
    () => Math.max(1, edge.limits.signInFailures.look(key, now()).remaining),
  );
}

export const isGuarded = ({ access, takesSecret }: Operation) => takesSecret === true || admissionOf(access).isGuarded;

const stranger: Caller = {
  actor: { kind: 'application', siteId: 0 },
  site: null,
  session: null,
  visit: null,
  credential: null,
};

const firstOf = ([name]: Way) => recognisers[name as keyof typeof recognisers];

/** The way that a request takes: a bearer token hides a cookie, on every operation. */
function wayOf(ways: readonly Way[], asked: Asked): { way: Way; secret: string } | null {
  const isBearer = recognisers.teamToken.secretIn(asked) !== null;
  for (const way of ways) {
    const recogniser = firstOf(way);
    if (isBearer && recogniser.isAmbient) continue;
    const secret = recogniser.secretIn(asked);
    if (secret !== null) return { way, secret };
  }
  return null;
}

/**
 * One customer's keys never collide with another's, though both come through one site: theirs is the ticket's access
 * token.
 */
function narrowed(caller: Caller, way: Way, { url }: Asked): Caller {
  const others: readonly CredentialName[] = way.slice(1);
  if (!others.includes('accessToken')) return caller;
  const token = url.searchParams.getAll('access_token').find((value) => value.trim() !== '');
  const credential = token === undefined ? null : `thread:${caller.credential}:${hashSecret(token)}`;
  return { ...caller, credential };
}

function callerBy({ way, secret }: { way: Way; secret: string }, visit: Visit): Caller | null {
  const { unchanged, now, edge } = visit;
  const key = `${way[0]} ${secret}`;
  const known = unchanged.callers.find(key, now);
  if (known !== undefined) return known;
  const caller = edge.desk.read((tx) => firstOf(way).find(visit, tx, secret) ?? null);
  if (caller !== null) unchanged.callers.keep(key, caller, key.length, now);
  return caller;
}

function recognise(ways: readonly Way[], visit: Visit, { id, isCountedApart }: Operation): Caller {
  const [usual] = ways;
  if (usual === undefined) throw new Error('nothing to recognise');
  const taken = wayOf(ways, visit);
  const { edge, now, address, counted } = visit;
  const recogniser = firstOf(taken?.way ?? usual);
  const { byAddress } = recogniser;
  if (byAddress.of === 'all') countAddress(byAddress.limit, visit);
  if (taken === null || taken.secret === '') {
    if (byAddress.of !== 'all') countAddress(byAddress.limit, visit);
    throw new DeskError('unauthenticated', recogniser.missing, { reason: 'missing_token' });
  }
  const caller = callerBy(taken, visit);
  if (caller === null) {
    countFailure(edge, address, now, counted);
    if (byAddress.of === 'strangers') countAddress(byAddress.limit, visit);
    throw new DeskError('unauthenticated', recogniser.unknown, { reason: 'unknown_token' });
  }
  const budget = isCountedApart === true ? `${caller.credential} ${id}` : (caller.credential ?? '');
  take(counted, edge.limits[recogniser.limit].take(budget, now), now);
  recogniser.noteUse(edge, caller, now);
  return narrowed(caller, taken.way, visit);
}

/** Identifies the caller, counts the request against its limits, and refuses callers that the operation does not admit (docs/spec/behaviour.md#limits). */
export function authenticate(operation: Operation, method: string, visit: Visit): Admitted {
  const admission = admissionOf(operation.access);
  if (admission === undefined) throw new DeskError('forbidden', 'This operation admits no one.');
  const { edge, header, now, counted } = visit;
  const isReading = method === 'GET' || method === 'HEAD';
  if (admission.ways.length === 0) {
    const guesser = guesserOf(operation, visit, null);
    if (isGuarded(operation)) requireFewFailures(edge, guesser, now, counted);
    if (!admission.countsItself) countAddress(admission.strangersLimit, visit);
    const isOfOwnPages = admission.isGuarded || admission.strangersKeys !== null;
    if (isOfOwnPages && !isReading) refuseOtherOrigin(header, edge.baseUrl);
    return { ...stranger, guesser, credential: admission.strangersKeys };
  }
  const caller = recognise(admission.ways, visit, operation);
  const guesser = guesserOf(operation, visit, caller.session);
  if (isGuarded(operation)) requireFewFailures(edge, guesser, now, counted);
  if ((caller.session ?? caller.visit) !== null && !isReading) requireSameOrigin(header, edge.baseUrl);
  return { ...caller, guesser };
}

export function requireRights(ctx: Context, operation: Operation, session: SignedIn | null): void {
  const { needsAbility } = admissionOf(operation.access);
  if (session !== null && mustAddSecondFactor(session) && operation.isOpenWithoutFactor !== true)
    throw new DeskError('forbidden', 'Add a second factor first: this desk requires one.', {
      reason: 'second_factor_required',
    });
  if (operation.ability !== undefined) authorise(ctx, operation.ability);
  else if (needsAbility) throw new DeskError('forbidden', 'This operation names no ability.');
  if (session !== null && operation.needsConfirmation === true) requireConfirmed(ctx, session);
}

// Refuses writes that another site's page makes in an agent's name (docs/spec/people.md#sessions).
type Header = (name: string) => string | undefined;

function refused(baseUrl: string): DeskError {
  return new DeskError(
    'forbidden',
    `This request does not come from a page of this desk. Open the desk at ${baseUrl}; HELPDESK_BASE_URL must be the address that browsers use.`,
    { reason: 'cross_site' },
  );
}

const originOf = (baseUrl: string) => new URL(baseUrl).origin;

/** For requests that a cookie authenticates: they must say that they come from the desk itself. */
function requireSameOrigin(header: Header, baseUrl: string): void {
  const site = header('sec-fetch-site');
  const isOwn = site === undefined ? header('origin') === originOf(baseUrl) : site === 'same-origin';
  if (!isOwn) throw refused(baseUrl);
}

/** For requests that only start a session: programs that are not a browser send neither header. */
function refuseOtherOrigin(header: Header, baseUrl: string): void {
  if (header('sec-fetch-site') !== undefined || header('origin') !== undefined) requireSameOrigin(header, baseUrl);
}
