// Second factors of agents: added, removed, and spent at a sign-in (docs/spec/people.md#second-factors).

import type { AgentActor } from '../../domain/actor.ts';
import { conflict, DeskError, notFound } from '../../domain/errors.ts';
import type { SecondFactor } from '../../domain/people/sign-in.ts';
import { mostPasskeys } from '../../domain/sites/limits.ts';
import type { Tx } from '../../engine/database.ts';
import { deleteChallengesOfAgent } from '../../store/people/challenges.ts';
import {
  confirmTotpSecret,
  countRecoveryCodes,
  deletePasskey,
  deleteTotpSecret,
  insertPasskey,
  type Passkey,
  passkeyByCredential,
  passkeysOfAgent,
  putRecoveryCodes,
  putTotpSecret,
  takeRecoveryCode,
  takeTotpStep,
  totpSecretOf,
  updatePasskey,
} from '../../store/people/factors.ts';
import { updateSession } from '../../store/people/sessions.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { endOtherSessions, ownAgent, renewSession, type Started } from './sessions.ts';

/** What the caller has shown, checked outside of the step; spending it says whether it still counts. */
export type FactorProof =
  | { kind: 'totp'; secretSealed: string; step: number }
  | { kind: 'recovery_code'; code: string }
  | { kind: 'passkey'; credentialId: string; signCount: number; formerSignCount: number };

const codeHash = (ctx: Context, code: string) => ctx.seal.fingerprint('recovery-code', code);

/** The second factors that an agent can be asked for, the usual one first. */
export function secondFactorsOf(tx: Tx, agentId: number): SecondFactor[] {
  const hasTotp = (totpSecretOf(tx, agentId)?.confirmedAt ?? null) !== null;
  const hasPasskey = passkeysOfAgent(tx, agentId).length > 0;
  const factors: SecondFactor[] = [];
  if (hasTotp) factors.push('totp');
  if (hasPasskey) factors.push('passkey');
  if (factors.length > 0 && countRecoveryCodes(tx, agentId) > 0) factors.push('recovery_code');
  return factors;
}

/** Whether the proof counts now. It does not count a second time. */
export function spendFactor(tx: Tx, ctx: Context, agentId: number, proof: FactorProof): boolean {
  switch (proof.kind) {
    case 'totp': {
      const secret = totpSecretOf(tx, agentId);
      const isSame = secret !== undefined && secret.confirmedAt !== null && secret.secretSealed === proof.secretSealed;
      return isSame && takeTotpStep(tx, agentId, proof.step);
    }
    case 'recovery_code':
      return (
        secondFactorsOf(tx, agentId).includes('recovery_code') &&
        takeRecoveryCode(tx, agentId, codeHash(ctx, proof.code), ctx.now)
      );
    case 'passkey': {
      const passkey = passkeyByCredential(tx, proof.credentialId);
      if (passkey?.agentId !== agentId || passkey.signCount !== proof.formerSignCount) return false;
      updatePasskey(tx, passkey.id, { signCount: proof.signCount, lastUsedAt: ctx.now });
      return true;
    }
  }
}

/** Keeps a secret that counts only after its first right code. @param secret base32 */
export function offerTotp(tx: Tx, ctx: Context, actor: AgentActor, secret: string): void {
  if ((totpSecretOf(tx, actor.agentId)?.confirmedAt ?? null) !== null)
    throw conflict('You have an authenticator app already. Remove it first.', 'totp_exists');
  putTotpSecret(tx, actor.agentId, ctx.seal.seal(secret), ctx.now);
}

/** The sealed secret that waits for its first code, or counts already. */
export function totpSecretFor(tx: Tx, ctx: Context, agentId: number): { sealed: string; secret: string } | null {
  const row = totpSecretOf(tx, agentId);
  return row === undefined ? null : { sealed: row.secretSealed, secret: ctx.seal.open(row.secretSealed) };
}

/** What adding a factor gives: the renewed session, and recovery codes if they are new. */
interface Added {
  started: Started;
  recoveryCodes: readonly string[] | null;
}

/**
 * @param proof null when the code was wrong
 * @param recoveryCodes ten new ones, in the form that is hashed
 */
export function confirmTotp(
  tx: Tx,
  ctx: Context,
  actor: AgentActor,
  proof: { sealed: string; step: number } | null,
  recoveryCodes: readonly string[],
): Added {
  const row = totpSecretOf(tx, actor.agentId);
  if (row === undefined || row.confirmedAt !== null)
    throw conflict('Begin with POST /me/totp: there is no secret that waits for its first code.', 'no_totp');
  if (proof === null || proof.sealed !== row.secretSealed || !takeTotpStep(tx, actor.agentId, proof.step))
    throw wrongCode();
  confirmTotpSecret(tx, actor.agentId, ctx.now);
  audit(tx, ctx, { action: 'totp.added', target: targetOf(actor) });
  replaceRecoveryCodes(tx, ctx, actor, recoveryCodes);
  return { started: withFactor(tx, ctx, actor), recoveryCodes };
}

export function removeTotp(tx: Tx, ctx: Context, actor: AgentActor): void {
  const row = totpSecretOf(tx, actor.agentId);
  if (row === undefined) throw notFound('authenticator app');
  deleteTotpSecret(tx, actor.agentId);
  if (row.confirmedAt === null) return;
  audit(tx, ctx, { action: 'totp.removed', target: targetOf(actor) });
  afterRemoval(tx, ctx, actor);
}

type NewPasskey = Pick<Passkey, 'name' | 'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'isBackedUp'>;

export function requireRoomForPasskey(tx: Tx, agentId: number): Passkey[] {
  const existing = passkeysOfAgent(tx, agentId);
  if (existing.length >= mostPasskeys)
    throw conflict(`You have ${mostPasskeys} passkeys, as many as an agent can have. Remove one first.`, 'too_many');
  return existing;
}

/** @param recoveryCodes ten new ones, kept if the agent has none yet */
export function addPasskey(
  tx: Tx,
  ctx: Context,
  actor: AgentActor,
  passkey: NewPasskey,
  recoveryCodes: readonly string[],
): Added & { passkey: Passkey } {
  requireRoomForPasskey(tx, actor.agentId);
  if (passkeyByCredential(tx, passkey.credentialId) !== undefined)
    throw conflict('This passkey belongs to an agent of this desk already.', 'passkey_exists');
  const id = insertPasskey(tx, { ...passkey, agentId: actor.agentId, lastUsedAt: null, createdAt: ctx.now });
  audit(tx, ctx, { action: 'passkey.added', target: targetOf(actor), after: { label: passkey.name } });
  const isFirst = countRecoveryCodes(tx, actor.agentId) === 0;
  if (isFirst) replaceRecoveryCodes(tx, ctx, actor, recoveryCodes);
  const added = passkeysOfAgent(tx, actor.agentId).find((one) => one.id === id);
  if (!added) throw new Error('a new passkey is not there');
  return { passkey: added, started: withFactor(tx, ctx, actor), recoveryCodes: isFirst ? recoveryCodes : null };
}

export function removePasskey(tx: Tx, ctx: Context, actor: AgentActor, id: number): void {
  const passkeys = passkeysOfAgent(tx, actor.agentId);
  const passkey = passkeys.find((one) => one.id === id);
  if (!passkey) throw notFound('passkey');
  const { passwordHash, oidcSubject } = ownAgent(tx, actor);
  if (passkeys.length === 1 && passwordHash === null && oidcSubject === null)
    throw conflict(
      'This passkey is your only way to sign in. Choose a password or add a passkey first.',
      'only_way_in',
    );
  deletePasskey(tx, actor.agentId, id);
  audit(tx, ctx, { action: 'passkey.removed', target: targetOf(actor), before: { label: passkey.name } });
  afterRemoval(tx, ctx, actor);
}

/** New codes instead of all old ones. */
export function renewRecoveryCodes(tx: Tx, ctx: Context, actor: AgentActor, recoveryCodes: readonly string[]): void {
  if (secondFactorsOf(tx, actor.agentId).length === 0)
    throw conflict('Add an authenticator app or a passkey first.', 'no_second_factor');
  replaceRecoveryCodes(tx, ctx, actor, recoveryCodes);
}

function replaceRecoveryCodes(tx: Tx, ctx: Context, actor: AgentActor, codes: readonly string[]): void {
  putRecoveryCodes(
    tx,
    actor.agentId,
    codes.map((code) => codeHash(ctx, code)),
  );
  audit(tx, ctx, { action: 'recovery_codes.replaced', target: targetOf(actor) });
}

function withFactor(tx: Tx, ctx: Context, actor: AgentActor): Started {
  afterChange(tx, ctx, actor);
  return renewSession(tx, ctx, actor.sessionId, { hasSecondFactor: true });
}

function afterRemoval(tx: Tx, ctx: Context, actor: AgentActor): void {
  if (secondFactorsOf(tx, actor.agentId).length === 0) {
    putRecoveryCodes(tx, actor.agentId, []);
    updateSession(tx, actor.sessionId, { hasSecondFactor: false });
  }
  afterChange(tx, ctx, actor);
}

/** Other sessions end, and sign-ins that wait for a factor which has changed. */
function afterChange(tx: Tx, ctx: Context, actor: AgentActor): void {
  endOtherSessions(tx, ctx, actor);
  deleteChallengesOfAgent(tx, actor.agentId);
}

export function wrongCode(): DeskError {
  return new DeskError('unauthenticated', 'This code or passkey is wrong, or was used already.', {
    reason: 'wrong_credentials',
  });
}

const targetOf = ({ agentId, name }: Pick<AgentActor, 'agentId' | 'name'>) =>
  ({ type: 'agent', id: agentId, name }) as const;
