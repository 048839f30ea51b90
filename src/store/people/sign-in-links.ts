// Links that sign someone in once: setup, invitation, password reset, one-time sign-in.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { LinkPurpose } from '../../domain/people/sign-in.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { signInLinks } from '../schema/agents.ts';

export type SignInLink = InferSelectModel<typeof signInLinks>;

export const insertSignInLink = insertInto(signInLinks);

export const signInLinkByHash = selectFrom(signInLinks, 'WHERE purpose = ? AND token_hash = ? AND expires_at > ?').get<
  [purpose: LinkPurpose, hash: string, now: Instant]
>;

export const hasSignInLink = statement('SELECT 1 FROM sign_in_links WHERE purpose = ? LIMIT 1').has<
  [purpose: LinkPurpose]
>;

export const deleteSignInLink = statement('DELETE FROM sign_in_links WHERE id = ?').run<[id: number]>;

export const deleteSignInLinks = statement('DELETE FROM sign_in_links WHERE purpose = ? AND agent_id IS ?').run<
  [purpose: LinkPurpose, agentId: number | null]
>;

export const deleteSignInLinksOfAgent = statement('DELETE FROM sign_in_links WHERE agent_id = ?').run<
  [agentId: number]
>;

export const purgeSignInLinks = statement(
  'DELETE FROM sign_in_links WHERE id IN (SELECT id FROM sign_in_links WHERE expires_at <= ? LIMIT ?)',
).run<[now: Instant, limit: number]>;
