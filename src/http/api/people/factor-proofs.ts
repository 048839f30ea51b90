// Codes and passkeys as they were sent, checked for what they prove. Whether that still counts is decided in the write step.

import { type FactorProof, totpSecretFor } from '../../../desk/people/second-factors.ts';
import { normaliseRecoveryCode } from '../../../identity/recovery-codes.ts';
import { loadPasskeys } from '../../../identity/relying-party.ts';
import { totpStep } from '../../../identity/totp.ts';
import { type Passkey, passkeyByCredential } from '../../../store/people/factors.ts';
import type { Call } from '../../operation.ts';
import { handleOf, passkeyParty, signedBytes } from './passkey-party.ts';

interface Shown {
  /** Whose codes count; null when only a passkey can say who it is. */
  agentId: number | null;
  challenge: string | null;
  /** A code, or a browser's answer to `navigator.credentials.get`. */
  code: unknown;
}

/** Null when it proves nothing. */
export async function proofOf(call: Call, { agentId, challenge, code }: Shown): Promise<FactorProof | null> {
  if (typeof code !== 'string') return challenge === null ? null : await passkeyProof(call, challenge, code);
  if (agentId === null) return null;
  const { desk } = call.edge;
  const totp = desk.read((tx) => totpSecretFor(tx, call.ctx, agentId));
  const step = totp && totpStep(totp.secret, code, call.ctx.now);
  if (totp !== null && step !== null) return { kind: 'totp', secretSealed: totp.sealed, step };
  const recoveryCode = normaliseRecoveryCode(code);
  return recoveryCode === null ? null : { kind: 'recovery_code', code: recoveryCode };
}

async function passkeyProof(call: Call, challenge: string, answer: unknown): Promise<FactorProof | null> {
  const { desk } = call.edge;
  const party = passkeyParty(call);
  const { claimedPasskey, verifyPasskeySignIn } = await loadPasskeys();
  const claim = claimedPasskey(answer);
  if (claim === null) return null;
  const passkey: Passkey | null = desk.read((tx) => passkeyByCredential(tx, claim.credentialId) ?? null);
  if (passkey === null) return null;
  if (claim.userHandle !== null && claim.userHandle !== handleOf(desk.seal, passkey.agentId)) return null;
  const verified = await verifyPasskeySignIn(party, signedBytes(desk.seal, challenge), answer, passkey);
  if (verified === null) return null;
  const { credentialId, signCount: formerSignCount } = passkey;
  return { kind: 'passkey', credentialId, signCount: verified.signCount, formerSignCount };
}
