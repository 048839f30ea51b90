// An agent's own second factors: authenticator app, recovery codes and passkeys (docs/spec/people.md#second-factors).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { beginPasskeyRegistration, takeRegistration } from '../../../desk/people/challenges.ts';
import {
  addPasskey,
  confirmTotp,
  offerTotp,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  requireRoomForPasskey,
  totpSecretFor,
  wrongCode,
} from '../../../desk/people/second-factors.ts';
import { ownAgent } from '../../../desk/people/sessions.ts';
import { invalid } from '../../../domain/errors.ts';
import { line } from '../../../domain/input/fields.ts';
import { browserInWords } from '../../../identity/browser-name.ts';
import { newRecoveryCodes, normaliseRecoveryCode } from '../../../identity/recovery-codes.ts';
import { loadPasskeys } from '../../../identity/relying-party.ts';
import { newTotpSecret, totpQr, totpStep, totpUri } from '../../../identity/totp.ts';
import { readDeskSettings } from '../../../store/desk-settings.ts';
import { type Passkey, passkeysOfAgent } from '../../../store/people/factors.ts';
import { sessionCookie } from '../../credentials/session-cookie.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { ownActor } from '../../session-call.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf } from '../parameters.ts';
import { handleOf, passkeyParty, signedBytes } from './passkey-party.ts';

const tag = 'Own account';

/** The codes as they are shown, and as they are hashed. */
function freshCodes(): { shown: string[]; plain: string[] } {
  const shown = newRecoveryCodes();
  return { shown, plain: shown.map((code) => normaliseRecoveryCode(code) ?? '') };
}

const recoveryCodesShape = z.array(z.string()).meta({ description: 'Shown only here.' });

const passkeyShape = shapes.named(
  'Passkey',
  z.object({
    id: shapes.id(),
    name: z.string(),
    is_backed_up: z.boolean().meta({ description: 'Whether its maker keeps a copy, so that it outlives the device.' }),
    created_at: shapes.time(),
    last_used_at: shapes.maybeTime(),
  }),
);

function presentPasskey(passkey: Passkey) {
  return {
    id: passkey.id,
    name: passkey.name,
    is_backed_up: passkey.isBackedUp,
    created_at: toWire(passkey.createdAt),
    last_used_at: toWire(passkey.lastUsedAt),
  };
}

/** The browser's own words for it when the agent gives it no name. */
function usualName(call: Call): string {
  const { browser, system } = browserInWords(call.header('user-agent') ?? '');
  return [browser, system].filter((word) => word !== null).join(', ') || 'Passkey';
}

const totpOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/me/totp',
    id: 'offerTotp',
    tag,
    summary: 'Begin with an authenticator app',
    description: 'Answers a new secret. It counts after its first right code, sent to /me/totp/confirm.',
    access: 'session',
    isOpenWithoutFactor: true,
    needsConfirmation: true,
    isNeverRepeated: true,
    answer: answered(
      201,
      'The secret in base32, as an otpauth address and as a QR code in SVG',
      z.object({ data: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }) }),
    ),
    errors: [409],
    handle(call) {
      const actor = ownActor(call);
      const secret = newTotpSecret();
      return call.commit((tx) => {
        offerTotp(tx, call.ctx, actor, secret);
        const uri = totpUri(secret, ownAgent(tx, actor).email, readDeskSettings(tx).name);
        return jsonReply(201, { data: { secret, uri, qr: totpQr(uri) } });
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/me/totp/confirm',
    id: 'confirmTotp',
    tag,
    summary: 'Confirm the authenticator app',
    description: 'Ends all other sessions of the agent, and renews the cookie of this one. Older recovery codes end.',
    access: 'session',
    isOpenWithoutFactor: true,
    needsConfirmation: true,
    takesSecret: true,
    isNeverRepeated: true,
    body: z.object({
      code: z
        .string()
        .max(100)
        .meta({ examples: ['287082'] }),
    }),
    answer: answered(200, 'Ten recovery codes', z.object({ recovery_codes: recoveryCodesShape })),
    errors: [401, 409],
    handle(call) {
      const actor = ownActor(call);
      const offered = call.edge.desk.read((tx) => totpSecretFor(tx, call.ctx, actor.agentId));
      const step = offered && totpStep(offered.secret, call.body.code, call.ctx.now);
      const proof = offered === null || step === null ? null : { sealed: offered.sealed, step };
      const { shown, plain } = freshCodes();
      return call.commit((tx) => {
        const { started } = confirmTotp(tx, call.ctx, actor, proof, plain);
        return jsonReply(
          200,
          { recovery_codes: shown },
          { 'Set-Cookie': sessionCookie(call.edge.baseUrl, started.secret) },
        );
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/me/totp',
    id: 'removeTotp',
    tag,
    summary: 'Remove the authenticator app',
    description: 'Ends all other sessions of the agent. With the last factor, the recovery codes go too.',
    access: 'session',
    isOpenWithoutFactor: true,
    needsConfirmation: true,
    answer: answered(204, 'Removed', null),
    errors: [404],
    write(tx, call) {
      removeTotp(tx, call.ctx, ownActor(call));
      return emptyReply(204);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/me/recovery-codes',
    id: 'renewRecoveryCodes',
    tag,
    summary: 'Make new recovery codes',
    description: 'The old ones end.',
    access: 'session',
    needsConfirmation: true,
    isNeverRepeated: true,
    answer: answered(201, 'Ten recovery codes', z.object({ recovery_codes: recoveryCodesShape })),
    errors: [409],
    handle(call) {
      const { shown, plain } = freshCodes();
      return call.commit((tx) => {
        renewRecoveryCodes(tx, call.ctx, ownActor(call), plain);
        return jsonReply(201, { recovery_codes: shown });
      });
    },
  }),
];

const passkeyInput = z
  .object({
    challenge: z.string().max(100).meta({ description: 'From the first request.' }),
    response: z.unknown().meta({ description: 'What `navigator.credentials.create` answered, as JSON.' }),
    name: line(100).nullish(),
  })
  .partial();

const passkeyOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/me/passkeys',
    id: 'listPasskeys',
    tag,
    summary: 'List passkeys',
    access: 'session',
    isOpenWithoutFactor: true,
    answer: answered(200, 'The passkeys, oldest first', z.object({ data: z.array(passkeyShape) })),
    read: (tx, call) => jsonReply(200, { data: passkeysOfAgent(tx, ownActor(call).agentId).map(presentPasskey) }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/me/passkeys',
    id: 'addPasskey',
    tag,
    summary: 'Add a passkey',
    description:
      'Two requests. The first, with an empty body, answers a challenge and the options for navigator.credentials.create. The second brings the challenge, the answer of the browser and a name. It ends all other sessions of the agent and renews the cookie of this one.',
    access: 'session',
    isOpenWithoutFactor: true,
    needsConfirmation: true,
    takesSecret: true,
    isNeverRepeated: true,
    body: passkeyInput,
    isBodyOptional: true,
    answer: answered(
      201,
      'The options, or the passkey; with the first factor also ten recovery codes',
      z.union([
        z.object({ data: z.object({ challenge: z.string(), options: z.looseObject({}) }) }),
        z.object({ data: passkeyShape, recovery_codes: recoveryCodesShape.nullable() }),
      ]),
    ),
    errors: [401, 409],
    handle(call) {
      const { challenge, response, name } = call.body;
      if (challenge === undefined && response === undefined) return offerPasskey(call);
      if (challenge === undefined) throw invalid('challenge', 'is required.');
      return acceptPasskey(call, challenge, response, name ?? usualName(call));
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/me/passkeys/{id}',
    id: 'removePasskey',
    tag,
    summary: 'Remove a passkey',
    description: 'Ends all other sessions of the agent. With the last factor, the recovery codes go too.',
    access: 'session',
    isOpenWithoutFactor: true,
    needsConfirmation: true,
    answer: answered(204, 'Removed', null),
    errors: [404],
    handle(call) {
      const id = idOf(call, 'passkey');
      return call.commit((tx) => {
        removePasskey(tx, call.ctx, ownActor(call), id);
        return emptyReply(204);
      });
    },
  }),
];

async function offerPasskey(call: Call) {
  const actor = ownActor(call);
  const party = passkeyParty(call);
  const { registrationOptions } = await loadPasskeys();
  const { desk } = call.edge;
  const { agent, passkeys } = desk.read((tx) => ({
    agent: ownAgent(tx, actor),
    passkeys: requireRoomForPasskey(tx, actor.agentId),
  }));
  const challenge = await desk.write((tx) => beginPasskeyRegistration(tx, call.ctx, actor));
  const options = await registrationOptions(party, signedBytes(desk.seal, challenge), {
    handle: handleOf(desk.seal, actor.agentId),
    email: agent.email,
    name: agent.name,
    passkeys,
  });
  return jsonReply(201, { data: { challenge, options } });
}

async function acceptPasskey(call: Call, challenge: string, response: unknown, name: string) {
  const actor = ownActor(call);
  const party = passkeyParty(call);
  const { verifyPasskeyRegistration } = await loadPasskeys();
  const { desk, baseUrl } = call.edge;
  const passkey = await verifyPasskeyRegistration(party, signedBytes(desk.seal, challenge), response);
  const { shown, plain } = freshCodes();
  return call.commit((tx) => {
    takeRegistration(tx, call.ctx, actor, challenge);
    if (passkey === null) throw wrongCode();
    const transports = [...passkey.transports];
    const added = addPasskey(tx, call.ctx, actor, { ...passkey, transports, name }, plain);
    return jsonReply(
      201,
      { data: presentPasskey(added.passkey), recovery_codes: added.recoveryCodes && shown },
      { 'Set-Cookie': sessionCookie(baseUrl, added.started.secret) },
    );
  });
}

export const secondFactorOperations: readonly Operation[] = [...totpOperations, ...passkeyOperations];
