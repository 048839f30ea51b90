// What belongs to the whole desk.

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AuditAction, AuditActorType, AuditTargetType } from '../../domain/audit.ts';
import type { DeskNotifications } from '../../domain/notifications/preferences.ts';
import type { BucketFolder, OwnBucket, OwnIssuer, OwnMailServer } from '../../domain/own-services.ts';
import type { Locale, SecondFactorPolicy } from '../../domain/people/preferences.ts';
import type { AgentReports } from '../../domain/reports/metrics.ts';
import { createdAt, flag, id, json, version } from './columns.ts';

export const deskSettings = sqliteTable('desk_settings', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  locale: text('locale').$type<Locale>().notNull(),
  timeZone: text('time_zone').notNull(),
  requireSecondFactor: text('require_second_factor').$type<SecondFactorPolicy>().notNull(),
  version: version(),
  notifications: json('notifications').$type<DeskNotifications>().notNull(),
  pushContent: flag('push_content').notNull(),
  agentReports: text('agent_reports').$type<AgentReports>().notNull(),
  mailServer: json('mail_server').$type<OwnMailServer | null>(),
  mailServerSecretSealed: text('mail_server_secret_sealed'),
  issuer: json('issuer').$type<OwnIssuer | null>(),
  issuerSecretSealed: text('issuer_secret_sealed'),
  baseUrl: text('base_url'),
  inboundDomain: text('inbound_domain'),
  bucket: json('bucket').$type<OwnBucket | null>(),
  bucketSecretSealed: text('bucket_secret_sealed'),
  bucketFolders: json('bucket_folders').$type<BucketFolder[]>().notNull(),
});

export const idempotencyKeys = sqliteTable('idempotency_keys', {
  id: integer('id').primaryKey(),
  credential: text('credential').notNull(),
  key: text('key').notNull(),
  fingerprint: text('fingerprint').notNull(),
  status: integer('status').notNull(),
  answerSealed: text('answer_sealed').notNull(),
  createdAt: createdAt(),
});

export const auditLog = sqliteTable('audit_log', {
  id: id(),
  at: integer('at').notNull(),
  action: text('action').$type<AuditAction>().notNull(),
  actorType: text('actor_type').$type<AuditActorType>().notNull(),
  actorId: integer('actor_id'),
  actorName: text('actor_name'),
  address: text('address'),
  siteId: integer('site_id'),
  targetType: text('target_type').$type<AuditTargetType>().notNull(),
  targetId: integer('target_id'),
  targetName: text('target_name'),
  before: json('before').$type<Record<string, unknown>>(),
  after: json('after').$type<Record<string, unknown>>(),
});
