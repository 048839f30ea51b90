// Sites and their catalogues.

import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SenderChecks } from '../../domain/mail/sender.ts';
import type { TemplateName } from '../../domain/mail/template.ts';
import type { ChannelType } from '../../domain/outbox/channel.ts';
import type { Locale } from '../../domain/people/preferences.ts';
import type { RuleAction, RuleCondition, RuleMatch } from '../../domain/rules/rule.ts';
import type { SiteSettings, SiteSlaPolicy } from '../../domain/sites/site.ts';
import type { CustomFieldType } from '../../domain/tickets/custom-field.ts';
import { createdAt, flag, id, json, siteId, version } from './columns.ts';

export const sites = sqliteTable('sites', {
  id: id(),
  ulid: text('ulid').notNull(),
  name: text('name').notNull(),
  slug: text('slug').notNull(),
  description: text('description').notNull(),
  defaultPriorityId: integer('default_priority_id'),
  tokenHash: text('token_hash').notNull(),
  previousTokenHash: text('previous_token_hash'),
  previousTokenExpiresAt: integer('previous_token_expires_at'),
  inboundSecretHash: text('inbound_secret_hash').notNull(),
  inboundSecretSealed: text('inbound_secret_sealed').notNull(),
  previousInboundSecretHash: text('previous_inbound_secret_hash'),
  previousInboundSecretExpiresAt: integer('previous_inbound_secret_expires_at'),
  slaPolicy: json('sla_policy').$type<SiteSlaPolicy>().notNull(),
  settings: json('settings').$type<SiteSettings>().notNull(),
  slaPolicyId: integer('sla_policy_id'),
  lastAssignedAgentId: integer('last_assigned_agent_id'),
  version: version(),
  createdAt: createdAt(),
  updatedAt: integer('updated_at').notNull(),
  originUlid: text('origin_ulid').notNull(),
});

/** Triggers keep it: the space that all files of a site take. */
export const siteFiles = sqliteTable('site_files', {
  siteId: integer('site_id').primaryKey(),
  bytes: integer('bytes').notNull(),
});

export const siteLogos = sqliteTable('site_logos', {
  siteId: integer('site_id').primaryKey(),
  contentType: text('content_type').notNull(),
  bytes: blob('bytes', { mode: 'buffer' }).notNull(),
});

export const senders = sqliteTable('senders', {
  id: id(),
  siteId: siteId(),
  name: text('name'),
  address: text('address'),
  dkimSelectors: json('dkim_selectors').$type<string[]>().notNull(),
  isDefault: flag('is_default').notNull(),
  sortOrder: integer('sort_order').notNull(),
  checks: json('checks').$type<SenderChecks | null>(),
  version: version(),
});

export const mailTemplates = sqliteTable('mail_templates', {
  id: id(),
  siteId: siteId(),
  name: text('name').$type<TemplateName>().notNull(),
  locale: text('locale').$type<Locale>().notNull(),
  subject: text('subject'),
  body: text('body').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const categories = sqliteTable('categories', {
  id: id(),
  siteId: siteId(),
  name: text('name').notNull(),
  slug: text('slug').notNull(),
  description: text('description').notNull(),
  color: text('color').notNull(),
  sortOrder: integer('sort_order').notNull(),
  isActive: flag('is_active').notNull(),
  version: version(),
});

export const priorities = sqliteTable('priorities', {
  id: id(),
  siteId: siteId(),
  name: text('name').notNull(),
  slug: text('slug').notNull(),
  color: text('color').notNull(),
  level: integer('level').notNull(),
  sortOrder: integer('sort_order').notNull(),
  isActive: flag('is_active').notNull(),
  firstResponseMinutes: integer('first_response_minutes'),
  resolutionMinutes: integer('resolution_minutes'),
  version: version(),
});

export const customFields = sqliteTable('custom_fields', {
  id: id(),
  siteId: siteId(),
  key: text('key').notNull(),
  label: text('label').notNull(),
  description: text('description').notNull(),
  type: text('type').$type<CustomFieldType>().notNull(),
  options: json('options').$type<string[]>().notNull(),
  isRequired: flag('is_required').notNull(),
  isAuthorVisible: flag('is_author_visible').notNull(),
  sortOrder: integer('sort_order').notNull(),
  isActive: flag('is_active').notNull(),
  version: version(),
});

export const channels = sqliteTable('channels', {
  id: id(),
  siteId: siteId(),
  name: text('name').notNull(),
  type: text('type').$type<ChannelType>().notNull(),
  webhookUrlSealed: text('webhook_url_sealed').notNull(),
  events: json('events').$type<string[]>().notNull(),
  sortOrder: integer('sort_order').notNull(),
  isActive: flag('is_active').notNull(),
  consecutiveFailures: integer('consecutive_failures').notNull(),
  disabledAt: integer('disabled_at'),
  disabledReason: text('disabled_reason'),
  lastDeliveryAt: integer('last_delivery_at'),
  signingSecretSealed: text('signing_secret_sealed').notNull(),
  previousSigningSecretSealed: text('previous_signing_secret_sealed'),
  previousSigningSecretExpiresAt: integer('previous_signing_secret_expires_at'),
  lastSuccessAt: integer('last_success_at'),
  version: version(),
  createdAt: createdAt(),
  headerPrefix: text('header_prefix').notNull(),
  includeTest: flag('include_test').notNull(),
});

export const inboundRules = sqliteTable('inbound_rules', {
  id: id(),
  siteId: siteId(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  isActive: flag('is_active').notNull(),
  match: text('match').$type<RuleMatch>().notNull(),
  conditions: json('conditions').$type<RuleCondition[]>().notNull(),
  actions: json('actions').$type<RuleAction[]>().notNull(),
  stopProcessing: flag('stop_processing').notNull(),
  version: version(),
  createdAt: createdAt(),
});

export const inboundRuleMarks = sqliteTable('inbound_rule_marks', {
  siteId: integer('site_id').primaryKey(),
  mark: text('mark').notNull(),
});

export const slaPolicies = sqliteTable('sla_policies', {
  id: id(),
  siteId: siteId(),
  policy: json('policy').$type<SiteSlaPolicy>().notNull(),
});
