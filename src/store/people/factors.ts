// What agents have besides a password: TOTP secrets, recovery codes and passkeys.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { passkeys, recoveryCodes, totpSecrets } from '../schema/agents.ts';

export type Passkey = InferSelectModel<typeof passkeys>;

export const totpSecretOf = selectFrom(totpSecrets, 'WHERE agent_id = ?').get<[agentId: number]>;

const insertTotpSecret = insertInto(totpSecrets);

export function putTotpSecret(tx: Tx, agentId: number, secretSealed: string, now: Instant): void {
  deleteTotpSecret(tx, agentId);
  insertTotpSecret(tx, { agentId, secretSealed, confirmedAt: null, lastStep: 0, createdAt: now });
}

export const confirmTotpSecret = statement('UPDATE totp_secrets SET confirmed_at = ?2 WHERE agent_id = ?1').run<
  [agentId: number, now: Instant]
>;

/** False if a code of this time step or a later one was already accepted. */
export function takeTotpStep(tx: Tx, agentId: number, step: number): boolean {
  return (
    query(tx, 'UPDATE totp_secrets SET last_step = ?2 WHERE agent_id = ?1 AND last_step < ?2').run(agentId, step)
      .changes === 1
  );
}

export const deleteTotpSecret = statement('DELETE FROM totp_secrets WHERE agent_id = ?').run<[agentId: number]>;

const clearRecoveryCodes = statement('DELETE FROM recovery_codes WHERE agent_id = ?').run<[agentId: number]>;
const insertRecoveryCode = insertInto(recoveryCodes);

export function putRecoveryCodes(tx: Tx, agentId: number, hashes: readonly string[]): void {
  clearRecoveryCodes(tx, agentId);
  for (const codeHash of hashes) insertRecoveryCode(tx, { agentId, codeHash, usedAt: null });
}

export function takeRecoveryCode(tx: Tx, agentId: number, codeHash: string, now: Instant): boolean {
  return (
    query(tx, 'UPDATE recovery_codes SET used_at = ?3 WHERE agent_id = ?1 AND code_hash = ?2 AND used_at IS NULL').run(
      agentId,
      codeHash,
      now,
    ).changes === 1
  );
}

export const countRecoveryCodes = statement(
  'SELECT count(*) AS n FROM recovery_codes WHERE agent_id = ? AND used_at IS NULL',
).number<[agentId: number]>;

export const insertPasskey = insertInto(passkeys);
export const updatePasskey = updateById(passkeys);

export const passkeyByCredential = selectFrom(passkeys, 'WHERE credential_id = ?').get<[credentialId: string]>;

export const passkeysOfAgent = selectFrom(passkeys, 'WHERE agent_id = ? ORDER BY id').all<[agentId: number]>;

export const deletePasskey = statement('DELETE FROM passkeys WHERE agent_id = ? AND id = ?').run<
  [agentId: number, id: number]
>;

export const deletePasskeysOfAgent = statement('DELETE FROM passkeys WHERE agent_id = ?').run<[agentId: number]>;
