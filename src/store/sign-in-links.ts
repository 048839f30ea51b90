// Links that sign someone in once: setup, invitation, password reset, one-time sign-in.

import { and, eq, gt, type InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { LinkPurpose } from '../domain/sign-in.ts';
import { query, type Tx } from './database.ts';
import { signInLinks } from './schema/agents.ts';
import { insertInto } from './statements.ts';

export type SignInLink = InferSelectModel<typeof signInLinks>;

export const insertSignInLink = insertInto(signInLinks);

export function signInLinkByHash(tx: Tx, purpose: LinkPurpose, hash: string, now: Instant): SignInLink | undefined {
  return tx.db
    .select()
    .from(signInLinks)
    .where(and(eq(signInLinks.tokenHash, hash), eq(signInLinks.purpose, purpose), gt(signInLinks.expiresAt, now)))
    .get();
}

export function hasSignInLink(tx: Tx, purpose: LinkPurpose): boolean {
  return query(tx, 'SELECT 1 FROM sign_in_links WHERE purpose = ? LIMIT 1').get(purpose) !== null;
}

export function deleteSignInLink(tx: Tx, id: number): void {
  tx.db.delete(signInLinks).where(eq(signInLinks.id, id)).run();
}

export function deleteSignInLinks(tx: Tx, purpose: LinkPurpose, agentId: number | null): void {
  query(tx, 'DELETE FROM sign_in_links WHERE purpose = ? AND agent_id IS ?').run(purpose, agentId);
}

export function deleteSignInLinksOfAgent(tx: Tx, agentId: number): void {
  tx.db.delete(signInLinks).where(eq(signInLinks.agentId, agentId)).run();
}

export function purgeSignInLinks(tx: Tx, now: Instant, limit: number): number {
  return query(
    tx,
    'DELETE FROM sign_in_links WHERE id IN (SELECT id FROM sign_in_links WHERE expires_at <= ? LIMIT ?)',
  ).run(now, limit).changes;
}
