// Signing in and out, and the session itself (docs/spec/people.md#ways-to-sign-in).

import * as z from 'zod';
import { wrongCode } from '../../../desk/people/second-factors.ts';
import { confirmWithFactor } from '../../../desk/people/second-step.ts';
import { endSession, ownAgent, requireUnchanged } from '../../../desk/people/sessions.ts';
import {
  confirmWithPassword,
  signInWithLink,
  signInWithPassword,
  wrongCredentials,
} from '../../../desk/people/sign-in.ts';
import { strangersWork } from '../../../desk/people/sign-in-delays.ts';
import { hasSetupLink } from '../../../desk/people/sign-in-links.ts';
import { rightsOf, scopeOf } from '../../../domain/actor.ts';
import { proofOfWork } from '../../../domain/customers/portal.ts';
import { newChallenge } from '../../../identity/proof-of-work.ts';
import { relyingPartyOf } from '../../../identity/relying-party.ts';
import { readDeskSettings } from '../../../store/desk-settings.ts';
import { newestEventSeq } from '../../../store/events.ts';
import { endedCookie } from '../../credentials/session-cookie.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { ownActor, ownSession } from '../../session-call.ts';
import { challengeShape } from '../../wire/customers/portal.ts';
import { askedAnswer, presentSession, startedShape } from '../../wire/people/session.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { proofOf } from './factor-proofs.ts';
import { challengeToken, factorCode } from './second-step.ts';
import {
  arrivalOf,
  enteredReply,
  provePassword,
  requirePasswords,
  startedReply,
  withChallenge,
  withLink,
  workPlaceOf,
} from './sign-in-steps.ts';

const signedIn = { access: 'session', isOpenWithoutFactor: true } as const;

const tag = 'Sign-in';

export const password = z
  .string()
  .max(2000)
  .meta({ examples: ['correct horse battery'] });
// Wrong addresses are answered like wrong passwords.
const typedEmail = z
  .string()
  .trim()
  .max(1000)
  .meta({ examples: ['kim@example.org'] });
export const linkToken = z
  .string()
  .max(200)
  .meta({ description: 'What stands after # in the link.', examples: ['hdl_3xAmpLe'] });

export const sessionOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/sign-in',
    id: 'readSignIn',
    tag,
    summary: 'Read what the sign-in page offers',
    access: 'open',
    answer: answered(
      200,
      'The desk’s name and its ways to sign in',
      shapes.one(
        z.object({
          name: z.string(),
          password: z.boolean(),
          oidc: z
            .object({
              label: z.string(),
              is_available: z.boolean().meta({ description: 'False while the issuer does not answer as it should.' }),
            })
            .nullable(),
          passkeys: z.boolean().meta({ description: 'Whether browsers offer passkeys at the address of this desk.' }),
          setup: z.boolean().meta({ description: 'The desk waits for its first owner.' }),
        }),
      ),
    ),
    async handle({ edge }) {
      const { password: isTaken, oidc: issuer } = edge.signIn;
      const oidc = issuer && { label: issuer.label, is_available: await issuer.client.isAvailable() };
      return edge.desk.read((tx) => {
        const { name } = readDeskSettings(tx);
        const passkeys = relyingPartyOf(edge.baseUrl, name) !== null;
        return jsonReply(200, { data: { name, password: isTaken, oidc, passkeys, setup: hasSetupLink(tx) } });
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sign-in/challenge',
    id: 'readSignInChallenge',
    tag,
    summary: 'Get a challenge for a sign-in',
    description:
      'After a 429 proof_wanted of `POST /session`: guess the number from 0 to maxnumber for which SHA-256 of salt and number is the challenge.',
    access: 'open',
    isNeverRepeated: true,
    body: z.object({ email: typedEmail }),
    answer: answered(200, "A challenge in ALTCHA's format, for ten minutes", shapes.one(challengeShape)),
    async handle({ edge, ctx, body }) {
      const maxNumber = edge.desk.read((tx) => strangersWork(tx, ctx, body.email));
      const { lifetimeMs } = proofOfWork;
      const challenge = await newChallenge(ctx.seal, workPlaceOf(ctx, body.email), ctx.now, { maxNumber, lifetimeMs });
      return jsonReply(200, { data: challenge });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/session',
    id: 'signIn',
    tag,
    summary: 'Sign in with a password',
    description:
      'Sets the cookie of the session. 202 instead when a second factor is needed. An unknown address, an inactive agent and a wrong password are answered alike.',
    access: 'sign_in',
    isNeverRepeated: true,
    body: z.object({
      email: typedEmail,
      password,
      proof: z
        .string()
        .max(1000)
        .nullish()
        .meta({ description: 'The solution of a challenge, as ALTCHA has it: after a 429 proof_wanted.' }),
    }),
    answer: answered(200, 'The session, with its cookie', startedShape),
    otherAnswer: askedAnswer,
    async handle(call) {
      const { edge, ctx, body } = call;
      requirePasswords(edge);
      const proved = await provePassword(call, body.email, body.password, body.proof ?? null);
      const arrival = arrivalOf(call);
      const answer = await edge.desk.write((tx) => {
        const entered = signInWithPassword(tx, ctx, { email: body.email, ...proved }, arrival);
        return entered && enteredReply(call, tx, entered);
      });
      if (answer === null) throw wrongCredentials();
      return answer;
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/session/link',
    id: 'signInWithLink',
    tag,
    summary: 'Sign in with a one-time link',
    access: 'sign_in',
    isNeverRepeated: true,
    body: z.object({ token: linkToken }),
    answer: answered(200, 'The session, with its cookie', startedShape),
    handle(call) {
      const arrival = arrivalOf(call);
      return withLink(call, 'link', () =>
        call.edge.desk.write((tx) => startedReply(call, tx, signInWithLink(tx, call.ctx, call.body.token, arrival))),
      );
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/session',
    id: 'readSession',
    tag,
    summary: 'Read the session',
    ...signedIn,
    answer: answered(
      200,
      'The session, the newest event that it may see, and its rights as in the hello of /live',
      startedShape.extend({ meta: z.object({ newest_seq: z.int(), rights: z.string() }) }),
    ),
    read(tx, call) {
      const data = presentSession(tx, call.ctx, ownSession(call));
      const meta = { newest_seq: newestEventSeq(tx, scopeOf(call.actor)), rights: rightsOf(ownActor(call)) };
      return jsonReply(200, { data, meta });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/session/confirm',
    id: 'confirmSession',
    tag,
    summary: 'Enter the password or a factor again',
    description:
      'For 15 minutes, calls that are otherwise 403 confirm_identity go through. The body has a password or a code; for a passkey, the challenge of POST /session/passkey and the answer of the browser as code.',
    ...signedIn,
    takesSecret: true,
    isNeverRepeated: true,
    body: z.object({ password: password.nullish(), challenge: challengeToken.nullish(), code: factorCode.nullish() }),
    answer: answered(200, 'The session', startedShape),
    async handle(call) {
      const actor = ownActor(call);
      if (call.body.password == null) return await confirmByFactor(call, call.body.challenge ?? null, call.body.code);
      requirePasswords(call.edge);
      await provePassword(
        call,
        call.edge.desk.read((tx) => ownAgent(tx, actor).email),
        call.body.password,
      );
      return await call.commit((tx) =>
        jsonReply(200, { data: presentSession(tx, call.ctx, confirmWithPassword(tx, call.ctx, actor, call.guesser)) }),
      );
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/session',
    id: 'signOut',
    tag,
    summary: 'Sign out',
    ...signedIn,
    answer: answered(204, 'Signed out', null),
    write(tx, call) {
      const actor = ownActor(call);
      endSession(tx, call.ctx, actor, actor.sessionId);
      return emptyReply(204, { 'Set-Cookie': endedCookie(call.edge.baseUrl) });
    },
  }),
];

async function confirmByFactor(call: Call, challenge: string | null, code: unknown) {
  const actor = ownActor(call);
  const proof = await proofOf(call, { agentId: actor.agentId, challenge, code });
  const { edge, ctx } = call;
  const answer = await withChallenge(call, () =>
    edge.desk.write((tx) => {
      requireUnchanged(tx, ctx);
      const session = confirmWithFactor(tx, ctx, actor, call.guesser, { challenge, proof });
      return session && jsonReply(200, { data: presentSession(tx, ctx, session) });
    }),
  );
  if (answer === null) throw wrongCode();
  return answer;
}
