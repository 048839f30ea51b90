// What every way to sign in shares: passwords proved outside of the write step, the browser, and the answer with its cookie.

import type { Context } from '../../../desk/context.ts';
import { knownBrowserSecret } from '../../../desk/people/known-browsers.ts';
import { type Started, signedInBySecret } from '../../../desk/people/sessions.ts';
import {
  type Arrival,
  type Entered,
  noteRefusal,
  passwordHashFor,
  refusePassword,
  wrongCredentials,
} from '../../../desk/people/sign-in.ts';
import type { Guesser } from '../../../desk/people/sign-in-delays.ts';
import { DeskError, invalid } from '../../../domain/errors.ts';
import type { SignInMethod } from '../../../domain/people/sign-in.ts';
import { passwordLength } from '../../../domain/sites/limits.ts';
import type { Tx } from '../../../engine/database.ts';
import { browserInWords } from '../../../identity/browser-name.ts';
import { hashPassword, passwordProblem, verifyPassword } from '../../../identity/passwords.ts';
import { readProof } from '../../../identity/proof-of-work.ts';
import { spendProof } from '../../../store/customers/forms.ts';
import { withCookies } from '../../cookie-answer.ts';
import { bearerIn } from '../../credentials/bearer.ts';
import { knownBrowserCookie } from '../../credentials/known-browser.ts';
import { sessionCookie, sessionSecretIn } from '../../credentials/session-cookie.ts';
import type { Call } from '../../operation.ts';
import { presentSession } from '../../wire/people/session.ts';
import { jsonReply, type Reply } from '../../wire/respond.ts';

type Caller = Pick<Call, 'edge' | 'ctx' | 'header' | 'guesser'>;

/** The instant after a wait. */
export const later = ({ edge, ctx }: Pick<Call, 'edge' | 'ctx'>): Context => ({ ...ctx, now: edge.desk.now() });

export function requirePasswords({ signIn }: Call['edge']): void {
  if (!signIn.password)
    throw new DeskError('forbidden', 'This desk does not take passwords. Sign in another way.', {
      reason: 'password_sign_in_off',
    });
}

interface Proved {
  hash: string;
  /** To keep from now on, when the old one was made with less work. */
  newHash: string | null;
}

/** Attempts that count together come one after the other, so that no two share a free try. */
function lineOf({ sessionId, browser }: Guesser, email: string): string {
  if (sessionId !== null) return `session ${sessionId}`;
  return browser === null ? `strangers ${email.toLowerCase()}` : `browser ${browser.name}`;
}

/** Bound to the address, and signed, so that it says nothing about it. */
export const workPlaceOf = ({ seal }: Context, email: string) =>
  `sign-in:${seal.fingerprint('sign-in-work', email.toLowerCase())}`;

/** Whether the browser has worked for this try: a proof counts once. */
async function spendsProof(call: Caller, email: string, proof: string | null): Promise<boolean> {
  if (proof === null) return false;
  const ctx = later(call);
  const solved = await readProof(ctx.seal, proof, workPlaceOf(ctx, email), ctx.now);
  return solved !== null && (await call.edge.desk.write((tx) => spendProof(tx, solved, ctx.now)));
}

/** Throws `wrong_credentials` after it has counted the failure, with the same work for every address. */
export async function provePassword(
  call: Caller,
  email: string,
  plain: string,
  proof: string | null = null,
): Promise<Proved> {
  const { desk, gates } = call.edge;
  const { guesser } = call;
  return await gates.passwords.pass(lineOf(guesser, email), async () => {
    const hasWorked = await spendsProof(call, email, proof);
    const hash = desk.read((tx) => passwordHashFor(tx, later(call), email, guesser, hasWorked));
    const { isRight, needsRehash } = await verifyPassword(plain, hash);
    if (!isRight || hash === null) {
      await desk.write((tx) => {
        refusePassword(tx, later(call), email, guesser);
        return null;
      });
      throw wrongCredentials();
    }
    return { hash, newHash: needsRehash ? await hashPassword(plain) : null };
  });
}

interface Refused {
  method?: SignInMethod;
  reason: string;
}

/** Adds a row to the audit log, in a step of its own. */
export async function noteRefused(call: Caller, after: Refused): Promise<void> {
  await call.edge.desk.write((tx) => {
    noteRefusal(tx, later(call), after);
    return null;
  });
}

/** Notes it when `act` throws because a link or challenge is used up or is none. */
async function notingRefusal<T>(call: Caller, after: Refused, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DeskError && (error.code === 'gone' || error.code === 'unauthenticated'))
      await noteRefused(call, after);
    throw error;
  }
}

export function withLink<T>(call: Caller, method: SignInMethod, act: () => Promise<T>): Promise<T> {
  return notingRefusal(call, { method, reason: 'link_expired' }, act);
}

export function withChallenge<T>(call: Caller, act: () => Promise<T>): Promise<T> {
  return notingRefusal(call, { reason: 'challenge_expired' }, act);
}

const refusals = {
  too_short: `must have at least ${passwordLength.least} characters.`,
  too_long: `must have at most ${passwordLength.most} characters.`,
  is_email: 'must not be the e-mail address.',
  too_simple: 'must not be a repeated or running sequence, or blank.',
  too_common: 'is one of the most common passwords. Choose another one.',
} as const;

/** The hash of a password that an agent chose. 422 when it is not acceptable. */
export async function hashChosen(plain: string, email: string): Promise<string> {
  const problem = passwordProblem(plain, email);
  if (problem !== null) throw invalid('password', refusals[problem]);
  return await hashPassword(plain);
}

export function arrivalOf({ edge, header, guesser }: Caller): Arrival {
  const isBearer = bearerIn(header('authorization')) !== null;
  const secret = isBearer ? null : sessionSecretIn(edge.baseUrl, header('cookie'));
  const former = secret === null ? null : findSession(edge, secret);
  return { ...browserInWords(header('user-agent') ?? ''), formerSession: former, guesser };
}

function findSession({ desk }: Call['edge'], secret: string): number | null {
  return desk.read((tx) => signedInBySecret(tx, desk.seal, secret, desk.now())?.session.id ?? null);
}

export function cookiesOf(tx: Tx, { baseUrl, desk }: Call['edge'], { session, secret }: Started): string[] {
  const known = knownBrowserSecret(tx, desk.seal, session.agentId);
  return [sessionCookie(baseUrl, secret), knownBrowserCookie(baseUrl, known)];
}

export function startedReply(call: Caller, tx: Tx, started: Started, status = 200): Response {
  const data = presentSession(tx, call.ctx, started.session);
  return withCookies(jsonReply(status, { data }), cookiesOf(tx, call.edge, started));
}

/** 202 while a second factor is missing. */
export function enteredReply(call: Caller, tx: Tx, entered: Entered, status = 200): Reply | Response {
  if (entered.kind === 'started') return startedReply(call, tx, entered.started, status);
  return jsonReply(202, { second_factor: entered.factors, challenge: entered.challenge });
}
