// Links that let someone in: first owner, invitation, forgotten password (docs/spec/people.md#links).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { askForMail } from '../../../desk/outbox/asked-mails.ts';
import { acceptInvitation, resetPassword, setUp } from '../../../desk/people/sign-in.ts';
import { findLink, isRepeatedReset } from '../../../desk/people/sign-in-links.ts';
import { email, line } from '../../../domain/input/fields.ts';
import type { LinkPurpose } from '../../../domain/people/sign-in.ts';
import { readDeskSettings } from '../../../store/desk-settings.ts';
import { guessKey } from '../../credentials/authenticate.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { askedAnswer, startedShape } from '../../wire/people/session.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { linkToken, password } from './session.ts';
import { arrivalOf, enteredReply, hashChosen, requirePasswords, startedReply, withLink } from './sign-in-steps.ts';

const signingIn = { access: 'sign_in', isNeverRepeated: true } as const;

const tag = 'Sign-in';
const name = () => line(255).meta({ examples: ['Kim Sato'] });

/** The address of the agent whose link it is; throws for a link that is used up before a password is hashed for it. */
function emailOfLink({ edge, ctx }: Call, purpose: LinkPurpose, token: string): string {
  return edge.desk.read((tx) => findLink(tx, ctx, purpose, token).agent?.email ?? '');
}

export const entryLinkOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/setup',
    id: 'setUp',
    tag,
    summary: 'Become the first owner',
    description: 'With the link that the desk prints while no owner can sign in.',
    ...signingIn,
    body: z.object({ token: linkToken, email: email(), name: name(), password }),
    answer: answered(201, 'The session, with its cookie', startedShape),
    async handle(call) {
      const { edge, ctx, body } = call;
      return await withLink(call, 'setup', async () => {
        emailOfLink(call, 'setup', body.token);
        const passwordHash = await hashChosen(body.password, body.email);
        const arrival = arrivalOf(call);
        return await edge.desk.write((tx) =>
          startedReply(call, tx, setUp(tx, ctx, { ...body, passwordHash }, arrival), 201),
        );
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/invitations/accept',
    id: 'acceptInvitation',
    tag,
    summary: 'Accept an invitation',
    ...signingIn,
    body: z.object({ token: linkToken, name: name(), password }),
    answer: answered(201, 'The session, with its cookie', startedShape),
    otherAnswer: askedAnswer,
    async handle(call) {
      const { edge, ctx, body } = call;
      requirePasswords(edge);
      return await withLink(call, 'invitation', async () => {
        const passwordHash = await hashChosen(body.password, emailOfLink(call, 'invitation', body.token));
        const arrival = arrivalOf(call);
        return await edge.desk.write((tx) =>
          enteredReply(call, tx, acceptInvitation(tx, ctx, { ...body, passwordHash }, arrival), 201),
        );
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/invitations/read',
    id: 'readInvitation',
    tag,
    summary: 'Read an invitation',
    ...signingIn,
    isDryRun: true,
    body: z.object({ token: linkToken }),
    answer: answered(
      200,
      'Who is invited to which desk',
      shapes.one(z.object({ email: z.string(), name: z.string(), desk: z.string(), expires_at: shapes.time() })),
    ),
    handle: ({ edge, ctx, body }) =>
      edge.desk.read((tx) => {
        const { link, agent } = findLink(tx, ctx, 'invitation', body.token);
        return jsonReply(200, {
          data: {
            email: agent?.email ?? '',
            name: agent?.name ?? '',
            desk: readDeskSettings(tx).name,
            expires_at: toWire(link.expiresAt),
          },
        });
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/password-resets',
    id: 'requestPasswordReset',
    tag,
    summary: 'Ask for a link to choose a new password',
    description:
      'The link is mailed if the address is that of an active agent, at most once a minute. Neither the answer nor its timing shows whether the address is known.',
    ...signingIn,
    body: z.object({
      email: z
        .string()
        .trim()
        .max(1000)
        .meta({ examples: ['kim@example.org'] }),
    }),
    answer: answered(202, 'Taken', z.object({ message: z.string() })),
    async handle({ edge, ctx, body, guesser }) {
      edge.limits.signInFailures.take(guessKey(guesser), edge.desk.now());
      return await edge.desk.write((tx) => {
        if (!isRepeatedReset(tx, ctx, body.email) && edge.signIn.password)
          askForMail(tx, ctx, { kind: 'password', email: body.email });
        return jsonReply(202, { message: 'If this is the address of an agent, a mail is on its way.' });
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/password-resets/complete',
    id: 'resetPassword',
    tag,
    summary: 'Choose a new password with a mailed link',
    description: 'Ends all other sessions of the agent.',
    ...signingIn,
    body: z.object({ token: linkToken, password }),
    answer: answered(200, 'The session, with its cookie', startedShape),
    otherAnswer: askedAnswer,
    async handle(call) {
      const { edge, ctx, body } = call;
      requirePasswords(edge);
      return await withLink(call, 'reset', async () => {
        const passwordHash = await hashChosen(body.password, emailOfLink(call, 'reset', body.token));
        const arrival = arrivalOf(call);
        return await edge.desk.write((tx) =>
          enteredReply(call, tx, resetPassword(tx, ctx, { ...body, passwordHash }, arrival)),
        );
      });
    },
  }),
];
