// The second half of a sign-in, and a sign-in with only a passkey (docs/spec/people.md#second-factors).

import * as z from 'zod';
import { beginPasskeySignIn } from '../../../desk/people/challenges.ts';
import { wrongCode } from '../../../desk/people/second-factors.ts';
import { agentAsked, answerChallenge } from '../../../desk/people/second-step.ts';
import { loadPasskeys } from '../../../identity/relying-party.ts';
import { passkeysOfAgent } from '../../../store/people/factors.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { startedShape } from '../../wire/people/session.ts';
import { jsonReply } from '../../wire/respond.ts';
import { proofOf } from './factor-proofs.ts';
import { passkeyParty, signedBytes } from './passkey-party.ts';
import { arrivalOf, startedReply, withChallenge } from './sign-in-steps.ts';

const tag = 'Sign-in';

export const challengeToken = z
  .string()
  .max(100)
  .meta({ examples: ['hdc_3xAmpLe'] });

/** Checked for its shape where it is read: a browser can add fields to the answer of a passkey. */
export const factorCode = z.union([z.string().max(200), z.looseObject({})]).meta({
  description: 'A code of the app, a recovery code, or what `navigator.credentials.get` answered, as JSON.',
  examples: ['287082'],
});

export const secondStepOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/session/second-factor',
    id: 'answerChallenge',
    tag,
    summary: 'Sign in with the second factor',
    access: 'sign_in',
    isNeverRepeated: true,
    body: z.object({ challenge: challengeToken, code: factorCode }),
    answer: answered(200, 'The session, with its cookie', startedShape),
    errors: [401, 409],
    async handle(call) {
      const { edge, ctx, body } = call;
      const { challenge, code } = body;
      const answer = await withChallenge(call, async () => {
        const asked = edge.desk.read((tx) => agentAsked(tx, ctx, challenge));
        const proof = await proofOf(call, { agentId: asked?.id ?? null, challenge, code });
        const arrival = arrivalOf(call);
        return await edge.desk.write((tx) => {
          const started = answerChallenge(tx, ctx, { challenge, proof }, arrival);
          return started && startedReply(call, tx, started);
        });
      });
      if (answer === null) throw wrongCode();
      return answer;
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/session/passkey',
    id: 'askForPasskey',
    tag,
    summary: 'Ask for a passkey',
    description:
      'With the challenge of a sign-in that waits for its second factor, the options list the passkeys of that agent. Without a challenge, they begin a sign-in with only a passkey. Send the answer of the browser to /session/second-factor as code.',
    access: 'sign_in',
    isNeverRepeated: true,
    body: z.object({ challenge: challengeToken.nullish() }),
    isBodyOptional: true,
    answer: answered(
      200,
      'The challenge, and the options for navigator.credentials.get',
      z.object({ challenge: z.string(), options: z.looseObject({}) }),
    ),
    errors: [401, 409],
    async handle(call) {
      const { edge, ctx, body } = call;
      const party = passkeyParty(call);
      const { signInOptions } = await loadPasskeys();
      const given = body.challenge ?? null;
      const passkeys = edge.desk.read((tx) => {
        const agent = given === null ? null : agentAsked(tx, ctx, given);
        return agent === null ? [] : passkeysOfAgent(tx, agent.id);
      });
      const challenge = given ?? (await edge.desk.write((tx) => beginPasskeySignIn(tx, ctx)));
      const options = await signInOptions(party, signedBytes(edge.desk.seal, challenge), passkeys);
      return jsonReply(200, { challenge, options });
    },
  }),
];
