// Calls of signing in, and of an agent's own account.

import { type Agent, agentById } from '../../../src/store/people/agents.ts';
import type { TestApp } from '../../support/app.ts';
import { addPasskey, addTotp, offeredPasskey, registrationOf } from '../../support/factors.ts';
import { goodPassword, linkOf, mailedSecret, setupLink, withPassword } from '../../support/people.ts';
import { subscribedBrowser } from '../../support/push-service.ts';
import { codeAt } from '../../support/totp-code.ts';
import { trustingIssuer } from '../../support/trusting-issuer.ts';
import { each, unique, type Walks } from './step.ts';

export function signInWalks(app: TestApp): Walks {
  return {
    ...each(['offerTotp', 'listPasskeys'], () => ({ params: {} })),
    confirmTotp: async () => {
      const { headers } = await app.person('member');
      const offered = await app.ask('POST', '/api/v1/me/totp', { headers });
      return { params: {}, headers, body: { code: codeAt(offered.json.data.secret, app.clock.now()) } };
    },
    ...each(['removeTotp', 'renewRecoveryCodes'], async () => ({
      params: {},
      headers: (await addTotp(app, (await app.person('member')).headers)).headers,
    })),
    addPasskey: async () => {
      const { headers } = await app.person('member');
      return { params: {}, headers, body: registrationOf(await offeredPasskey(app, headers)).body };
    },
    listPushSubscriptions: () => ({ params: {} }),
    addPushSubscription: async () => ({
      params: {},
      headers: (await app.person('viewer')).headers,
      body: subscribedBrowser(`https://push.example/${unique()}`).json,
    }),
    ...each(['removePushSubscription', 'testPushSubscription'], async () => {
      const { headers } = await app.person('viewer');
      const { json: body } = subscribedBrowser(`https://push.example/${unique()}`);
      const added = await app.ask('POST', '/api/v1/me/push-subscriptions', { headers, body });
      return { params: { id: String(added.json.data.id) }, headers };
    }),
    signInAtIssuer: () => ({ params: {} }),
    returnFromIssuer: async () => {
      const { email } = app.desk.read((tx) => agentById(tx, app.agentId) as Agent);
      app.edge.signIn.oidc = trustingIssuer(email);
      const gone = await app.ask('GET', '/api/v1/auth/oidc');
      return { params: {}, headers: { Cookie: gone.headers.getSetCookie()[0]?.split(';')[0] ?? '' } };
    },
    askForPasskey: () => ({ params: {}, body: {} }),
    answerChallenge: async () => {
      const { answer } = await addPasskey(app, (await app.person('member')).headers);
      const asked = (await app.ask('POST', '/api/v1/session/passkey', { body: {} })).json;
      return { params: {}, body: { challenge: asked.challenge, code: answer(asked.options) } };
    },
    removePasskey: async () => {
      const first = await addPasskey(app, (await app.person('member')).headers);
      const { headers } = await addPasskey(app, first.headers);
      return { params: { id: String(first.id) }, headers };
    },
    readSignIn: () => ({ params: {} }),
    readSignInChallenge: () => ({ params: {}, body: { email: 'kim@example.org' } }),
    signIn: async () => {
      const { email } = await withPassword(app, 'member');
      return { params: {}, body: { email, password: goodPassword } };
    },
    signInWithLink: async () => ({
      params: {},
      body: { token: await linkOf(app, 'sign_in', (await app.person('member')).agentId) },
    }),
    ...each(['readSession', 'readOwnAccount', 'listOwnSessions'], async () => ({
      params: {},
      headers: (await app.person('viewer')).headers,
    })),
    confirmSession: async () => {
      const { headers } = await withPassword(app, 'viewer');
      return { params: {}, headers, body: { password: goodPassword } };
    },
    signOut: async () => ({ params: {}, headers: (await app.person('viewer')).headers }),
    endOtherSessions: async () => {
      const { agentId, headers } = await app.person('viewer');
      await app.signIn(agentId);
      return { params: {}, headers };
    },
    endOwnSession: async () => {
      const { agentId, headers } = await app.person('viewer');
      return { params: { id: String((await app.signIn(agentId)).sessionId) }, headers };
    },
    updateOwnAccount: async () => ({
      params: {},
      headers: (await app.person('viewer')).headers,
      body: { name: 'Another name' },
    }),
    changeOwnPassword: async () => {
      const { headers } = await withPassword(app, 'viewer');
      return { params: {}, headers, body: { current: goodPassword, password: 'quiet river 81 basket' } };
    },
    setUp: async () => {
      const email = `first${unique()}@agents.example`;
      return { params: {}, body: { token: await setupLink(app), email, name: 'First', password: goodPassword } };
    },
    readInvitation: async () => ({
      params: {},
      body: { token: await linkOf(app, 'invitation', (await app.person('member')).agentId) },
    }),
    acceptInvitation: async () => {
      const token = await linkOf(app, 'invitation', (await app.person('member')).agentId);
      return { params: {}, body: { token, name: 'Kim', password: goodPassword } };
    },
    requestPasswordReset: () => ({ params: {}, body: { email: 'kim@agents.example' } }),
    resetPassword: async () => {
      const { email } = await withPassword(app, 'member');
      await app.ask('POST', '/api/v1/password-resets', { body: { email } });
      await app.mailAsked();
      return { params: {}, body: { token: mailedSecret(app, 'mail.password_reset'), password: goodPassword } };
    },
  };
}
