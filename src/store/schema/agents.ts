// Agents, their teams, how they sign in, and team tokens.

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Role, TokenAbility } from '../../domain/actor.ts';
import type { Preferences } from '../../domain/notifications/preferences.ts';
import type { Locale, Theme } from '../../domain/people/preferences.ts';
import type { ChallengePurpose, LinkPurpose, SignInMethod } from '../../domain/people/sign-in.ts';
import { agentId, createdAt, flag, id, json, siteId, version } from './columns.ts';

export const agents = sqliteTable('agents', {
  id: id(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  role: text('role').$type<Role>().notNull(),
  isActive: flag('is_active').notNull(),
  createdAt: createdAt(),
  passwordHash: text('password_hash'),
  invitedAt: integer('invited_at'),
  lastSeenAt: integer('last_seen_at'),
  locale: text('locale').$type<Locale>(),
  timeZone: text('time_zone'),
  signature: text('signature').notNull(),
  theme: text('theme').$type<Theme>().notNull(),
  hasShortcuts: flag('has_shortcuts').notNull(),
  oidcIssuer: text('oidc_issuer'),
  oidcSubject: text('oidc_subject'),
  notificationPreferences: json('notification_preferences').$type<Partial<Preferences>>().notNull(),
  isAway: flag('is_away').notNull(),
  awayUntil: integer('away_until'),
  awayNote: text('away_note'),
});

export const agentSites = sqliteTable('agent_sites', { agentId: agentId(), siteId: siteId() }, (table) => [
  primaryKey({ columns: [table.agentId, table.siteId] }),
]);

export const teams = sqliteTable('teams', {
  id: id(),
  name: text('name').notNull(),
  maxOpenPerAgent: integer('max_open_per_agent'),
  version: version(),
  createdAt: createdAt(),
  waitMinutes: integer('wait_minutes'),
  returnsWhenAway: flag('returns_when_away').notNull(),
});

export const teamMembers = sqliteTable(
  'team_members',
  { teamId: integer('team_id').notNull(), agentId: agentId(), turn: integer('turn').notNull() },
  (table) => [primaryKey({ columns: [table.teamId, table.agentId] })],
);

export const teamSites = sqliteTable(
  'team_sites',
  { teamId: integer('team_id').notNull(), siteId: siteId() },
  (table) => [primaryKey({ columns: [table.teamId, table.siteId] })],
);

export const sessions = sqliteTable('sessions', {
  id: id(),
  agentId: agentId(),
  tokenHash: text('token_hash').notNull(),
  method: text('method').$type<SignInMethod>().notNull(),
  hasSecondFactor: flag('has_second_factor').notNull(),
  address: text('address').notNull(),
  browser: text('browser'),
  system: text('system'),
  confirmedAt: integer('confirmed_at'),
  lastUsedAt: integer('last_used_at').notNull(),
  createdAt: createdAt(),
});

export const pushSubscriptions = sqliteTable('push_subscriptions', {
  id: id(),
  agentId: agentId(),
  sessionId: integer('session_id').notNull(),
  endpointHash: text('endpoint_hash').notNull(),
  targetSealed: text('target_sealed').notNull(),
  lastDeliveredAt: integer('last_delivered_at'),
  lastError: text('last_error'),
  createdAt: createdAt(),
});

export const signInLinks = sqliteTable('sign_in_links', {
  id: id(),
  purpose: text('purpose').$type<LinkPurpose>().notNull(),
  agentId: integer('agent_id'),
  tokenHash: text('token_hash').notNull(),
  createdAt: createdAt(),
  expiresAt: integer('expires_at').notNull(),
});

export const totpSecrets = sqliteTable('totp_secrets', {
  agentId: integer('agent_id').primaryKey(),
  secretSealed: text('secret_sealed').notNull(),
  confirmedAt: integer('confirmed_at'),
  lastStep: integer('last_step').notNull(),
  createdAt: createdAt(),
});

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { agentId: agentId(), codeHash: text('code_hash').notNull(), usedAt: integer('used_at') },
  (table) => [primaryKey({ columns: [table.agentId, table.codeHash] })],
);

export const passkeys = sqliteTable('passkeys', {
  id: id(),
  agentId: agentId(),
  name: text('name').notNull(),
  credentialId: text('credential_id').notNull(),
  publicKey: text('public_key').notNull(),
  signCount: integer('sign_count').notNull(),
  transports: json('transports').$type<string[]>().notNull(),
  isBackedUp: flag('is_backed_up').notNull(),
  lastUsedAt: integer('last_used_at'),
  createdAt: createdAt(),
});

export const challenges = sqliteTable('challenges', {
  id: id(),
  purpose: text('purpose').$type<ChallengePurpose>().notNull(),
  tokenHash: text('token_hash').notNull(),
  agentId: integer('agent_id'),
  sessionId: integer('session_id'),
  dataSealed: text('data_sealed').notNull(),
  createdAt: createdAt(),
  expiresAt: integer('expires_at').notNull(),
});

export const signInFailures = sqliteTable('sign_in_failures', {
  fingerprint: text('fingerprint').primaryKey(),
  failures: integer('failures').notNull(),
  failedAt: integer('failed_at').notNull(),
});

export const teamTokens = sqliteTable('team_tokens', {
  id: id(),
  name: text('name').notNull(),
  tokenHash: text('token_hash').notNull(),
  abilities: json('abilities').$type<TokenAbility[]>().notNull(),
  siteId: integer('site_id'),
  expiresAt: integer('expires_at'),
  lastUsedAt: integer('last_used_at'),
  createdAt: createdAt(),
});
