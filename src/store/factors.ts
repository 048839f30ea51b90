// What agents have besides a password: TOTP secrets, recovery codes and passkeys.

import { and, asc, eq, type InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';
import { passkeys, recoveryCodes, totpSecrets } from './schema/agents.ts';
import { insertInto, updateById } from './statements.ts';

type TotpSecret = InferSelectModel<typeof totpSecrets>;
export type Passkey = InferSelectModel<typeof passkeys>;

export function totpSecretOf(tx: Tx, agentId: number): TotpSecret | undefined {
  return tx.db.select().from(totpSecrets).where(eq(totpSecrets.agentId, agentId)).get();
}

export function putTotpSecret(tx: Tx, agentId: number, secretSealed: string, now: Instant): void {
  deleteTotpSecret(tx, agentId);
  tx.db.insert(totpSecrets).values({ agentId, secretSealed, confirmedAt: null, lastStep: 0, createdAt: now }).run();
}

export function confirmTotpSecret(tx: Tx, agentId: number, now: Instant): void {
  tx.db.update(totpSecrets).set({ confirmedAt: now }).where(eq(totpSecrets.agentId, agentId)).run();
}

/** False if a code of this time step or a later one was already accepted. */
export function takeTotpStep(tx: Tx, agentId: number, step: number): boolean {
  return (
    query(tx, 'UPDATE totp_secrets SET last_step = ?2 WHERE agent_id = ?1 AND last_step < ?2').run(agentId, step)
      .changes === 1
  );
}

export function deleteTotpSecret(tx: Tx, agentId: number): void {
  tx.db.delete(totpSecrets).where(eq(totpSecrets.agentId, agentId)).run();
}

export function putRecoveryCodes(tx: Tx, agentId: number, hashes: readonly string[]): void {
  tx.db.delete(recoveryCodes).where(eq(recoveryCodes.agentId, agentId)).run();
  for (const codeHash of hashes) tx.db.insert(recoveryCodes).values({ agentId, codeHash, usedAt: null }).run();
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

export function countRecoveryCodes(tx: Tx, agentId: number): number {
  return (
    query<{ n: number }>(tx, 'SELECT count(*) AS n FROM recovery_codes WHERE agent_id = ? AND used_at IS NULL').get(
      agentId,
    )?.n ?? 0
  );
}

export const insertPasskey = insertInto(passkeys);
export const updatePasskey = updateById(passkeys);

export function passkeyByCredential(tx: Tx, credentialId: string): Passkey | undefined {
  return tx.db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)).get();
}

export function passkeysOfAgent(tx: Tx, agentId: number): Passkey[] {
  return tx.db.select().from(passkeys).where(eq(passkeys.agentId, agentId)).orderBy(asc(passkeys.id)).all();
}

export function deletePasskey(tx: Tx, agentId: number, id: number): void {
  tx.db
    .delete(passkeys)
    .where(and(eq(passkeys.agentId, agentId), eq(passkeys.id, id)))
    .run();
}

export function deletePasskeysOfAgent(tx: Tx, agentId: number): void {
  tx.db.delete(passkeys).where(eq(passkeys.agentId, agentId)).run();
}
