// What agents see and change of themselves: preferences, sessions, password (docs/spec/people.md#own-account).

import * as z from 'zod';
import { changeOwnAvailability } from '../../../desk/people/availability.ts';
import { changeOwnAccount } from '../../../desk/people/own-account.ts';
import { endOtherSessions, endSession, ownAgent, requireConfirmed } from '../../../desk/people/sessions.ts';
import { changePassword } from '../../../desk/people/sign-in.ts';
import { ownAccountInput } from '../../../domain/input/own-account.ts';
import { availabilityInput } from '../../../domain/input/people.ts';
import { sessionEndsAt } from '../../../domain/people/sign-in.ts';
import { sessionsOfAgent } from '../../../store/people/sessions.ts';
import { withCookies } from '../../cookie-answer.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { ownActor, ownSession } from '../../session-call.ts';
import { agentShape, presentAgent } from '../../wire/people/people.ts';
import { ownAccountShape, ownSessionShape, presentOwnAccount, presentOwnSession } from '../../wire/people/session.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf } from '../parameters.ts';
import { password } from './session.ts';
import { cookiesOf, hashChosen, provePassword, requirePasswords } from './sign-in-steps.ts';

const tag = 'Own account';

export const ownAccountOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/me',
    id: 'readOwnAccount',
    tag,
    summary: 'Read your account',
    access: 'session',
    isOpenWithoutFactor: true,
    answer: answered(200, 'The account', shapes.one(ownAccountShape)),
    read: (tx, call) => jsonReply(200, { data: presentOwnAccount(ownAgent(tx, ownActor(call)), tx) }),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/me',
    id: 'updateOwnAccount',
    tag,
    summary: 'Change your account',
    description: 'What you leave out keeps its value, also inside notifications.',
    access: 'session',
    body: ownAccountInput,
    answer: answered(200, 'The account', shapes.one(ownAccountShape)),
    write: (tx, call) =>
      jsonReply(200, { data: presentOwnAccount(changeOwnAccount(tx, call.ctx, ownActor(call), call.body), tx) }),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/me/availability',
    id: 'updateOwnAvailability',
    tag,
    summary: 'Say whether you are there',
    description: 'Automatic assignment gives nothing to who is away. An absence ends at `until`, or when you say so.',
    access: 'session',
    body: availabilityInput,
    answer: answered(200, 'You', shapes.one(agentShape)),
    write: (tx, call) =>
      jsonReply(200, {
        data: presentAgent(changeOwnAvailability(tx, call.ctx, ownActor(call), call.body), call.ctx.now),
      }),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/me/sessions',
    id: 'listOwnSessions',
    tag,
    summary: 'List your sessions',
    access: 'session',
    isOpenWithoutFactor: true,
    answer: answered(200, 'The last used first', z.object({ data: z.array(ownSessionShape) })),
    read(tx, call) {
      const { agentId, sessionId } = ownActor(call);
      const live = sessionsOfAgent(tx, agentId).filter((one) => sessionEndsAt(one) > call.ctx.now);
      return jsonReply(200, { data: live.map((one) => presentOwnSession(one, sessionId)) });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/me/sessions',
    id: 'endOtherSessions',
    tag,
    summary: 'End all your other sessions',
    access: 'session',
    answer: answered(204, 'Ended', null),
    write(tx, call) {
      endOtherSessions(tx, call.ctx, ownActor(call));
      return emptyReply(204);
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/me/sessions/{id}',
    id: 'endOwnSession',
    tag,
    summary: 'End one of your sessions',
    access: 'session',
    answer: answered(204, 'Ended', null),
    errors: [404],
    handle(call) {
      const id = idOf(call, 'session');
      return call.commit((tx) => {
        endSession(tx, call.ctx, ownActor(call), id);
        return emptyReply(204);
      });
    },
  }),
  operation({
    method: 'PUT',
    path: '/api/v1/me/password',
    id: 'changeOwnPassword',
    tag,
    summary: 'Choose another password',
    description:
      'Ends all your other sessions and renews the cookie of this one. Without `current` if you have no password yet, or signed in with a one-time link within the last 15 minutes.',
    access: 'session',
    takesSecret: true,
    body: z.object({ current: password.nullish(), password }),
    answer: answered(204, 'Changed', null),
    errors: [401],
    async handle(call) {
      const { edge, ctx, body } = call;
      requirePasswords(edge);
      const actor = ownActor(call);
      const session = ownSession(call);
      const agent = edge.desk.read((tx) => ownAgent(tx, actor));
      const needsCurrent = agent.passwordHash !== null && (session.method !== 'link' || body.current != null);
      if (needsCurrent) await provePassword(call, agent.email, body.current ?? '');
      else requireConfirmed(ctx, session);
      const passwordHash = await hashChosen(body.password, agent.email);
      let cookies: string[] = [];
      const changed = await call.commit((tx) => {
        cookies = cookiesOf(tx, edge, changePassword(tx, ctx, actor, call.guesser, passwordHash));
        return emptyReply(204);
      });
      return withCookies(changed, cookies);
    },
  }),
];
