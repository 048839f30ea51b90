// The tables of migrations/ for drizzle; test/store/schema.test.ts compares the two.

import { customType, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Role, StoredActor, TokenAbility } from '../domain/actor.ts';
import type { AuditAction, AuditActorType, AuditTargetType } from '../domain/audit.ts';
import type { ChannelType } from '../domain/channel.ts';
import type { TicketContext } from '../domain/context.ts';
import type { CustomFieldType, CustomFieldValues } from '../domain/custom-field.ts';
import type { DeliveryStatus, MessageDeliveryStatus } from '../domain/delivery.ts';
import type { DeliveryEvent, DeliveryPayload, EventData, EventKind } from '../domain/event.ts';
import type { InboundOutcome, InboundStatus, ProviderName } from '../domain/inbound.ts';
import type { Locale, MutedNotice, SecondFactorPolicy, Theme } from '../domain/preferences.ts';
import type { RuleAction, RuleCondition, RuleMatch } from '../domain/rules/rule.ts';
import type { ChallengePurpose, LinkPurpose, SignInMethod } from '../domain/sign-in.ts';
import type { SiteSettings, SiteSlaPolicy } from '../domain/site.ts';
import type { SlaIntervalKind } from '../domain/sla-ledger.ts';
import type { BodyFormat, TicketStatus } from '../domain/ticket.ts';

// With placeholders, drizzle's own JSON and boolean columns write null as 'null' and 0.
const json = customType<{ data: unknown; driverData: string | null }>({
  dataType: () => 'text',
  toDriver: (value) => (value === null || value === undefined ? null : JSON.stringify(value)),
  fromDriver: (value) => (value === null ? null : JSON.parse(value)),
});
const flag = customType<{ data: boolean; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (value) => (value === null || value === undefined ? null : value ? 1 : 0),
  fromDriver: (value) => value === 1,
});
const nullableFlag = customType<{ data: boolean | null; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (value) => (value === null ? null : value ? 1 : 0),
  fromDriver: (value) => (value === null ? null : value === 1),
});

const id = () => integer('id').primaryKey({ autoIncrement: true });
const siteId = () => integer('site_id').notNull();
const agentId = () => integer('agent_id').notNull();
const version = () => integer('version').notNull();
const createdAt = () => integer('created_at').notNull();

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
  webhookUrl: text('webhook_url').notNull(),
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
  mutedNotices: json('muted_notices').$type<MutedNotice[]>().notNull(),
  hasShortcuts: flag('has_shortcuts').notNull(),
  oidcIssuer: text('oidc_issuer'),
  oidcSubject: text('oidc_subject'),
});

export const agentSites = sqliteTable('agent_sites', { agentId: agentId(), siteId: siteId() }, (table) => [
  primaryKey({ columns: [table.agentId, table.siteId] }),
]);

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

export const deskSettings = sqliteTable('desk_settings', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  locale: text('locale').$type<Locale>().notNull(),
  timeZone: text('time_zone').notNull(),
  requireSecondFactor: text('require_second_factor').$type<SecondFactorPolicy>().notNull(),
  version: version(),
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

export const authors = sqliteTable('authors', {
  id: id(),
  siteId: siteId(),
  externalId: text('external_id'),
  email: text('email').notNull(),
  name: text('name'),
  isVerified: flag('is_verified').notNull(),
  anonymisedAt: integer('anonymised_at'),
  erasedExternalId: text('erased_external_id'),
  erasedEmail: text('erased_email'),
  createdAt: createdAt(),
});

export const tickets = sqliteTable('tickets', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: siteId(),
  authorId: integer('author_id').notNull(),
  subject: text('subject').notNull(),
  status: text('status').$type<TicketStatus>().notNull(),
  source: text('source').notNull(),
  isTest: flag('is_test').notNull(),
  tags: json('tags').$type<string[]>().notNull(),
  customFields: json('custom_fields').$type<CustomFieldValues>().notNull(),
  metadata: json('metadata').$type<Record<string, unknown>>().notNull(),
  context: json('context').$type<TicketContext | null>(),
  categoryId: integer('category_id'),
  priorityId: integer('priority_id').notNull(),
  priorityLevel: integer('priority_level').notNull(),
  assigneeId: integer('assignee_id'),
  accessTokenHash: text('access_token_hash'),
  firstResponseTargetMinutes: integer('first_response_target_minutes'),
  resolutionTargetMinutes: integer('resolution_target_minutes'),
  firstResponseDueAt: integer('first_response_due_at'),
  firstResponseAt: integer('first_response_at'),
  firstResponseWarnedAt: integer('first_response_warned_at'),
  firstResponseBreachedAt: integer('first_response_breached_at'),
  resolutionDueAt: integer('resolution_due_at'),
  resolvedAt: integer('resolved_at'),
  resolutionWarnedAt: integer('resolution_warned_at'),
  resolutionBreachedAt: integer('resolution_breached_at'),
  slaPausedAt: integer('sla_paused_at'),
  firstResponsePausedMs: integer('first_response_paused_ms').notNull(),
  resolutionPausedMs: integer('resolution_paused_ms').notNull(),
  slaNextAt: integer('sla_next_at'),
  slaPolicyId: integer('sla_policy_id'),
  closedAt: integer('closed_at'),
  mergedIntoId: integer('merged_into_id'),
  messageCount: integer('message_count').notNull(),
  lastCustomerMessageAt: integer('last_customer_message_at'),
  lastAgentMessageAt: integer('last_agent_message_at'),
  version: version(),
  createdAt: createdAt(),
  updatedAt: integer('updated_at').notNull(),
});

export const slaPolicies = sqliteTable('sla_policies', {
  id: id(),
  siteId: siteId(),
  policy: json('policy').$type<SiteSlaPolicy>().notNull(),
});

export const slaIntervals = sqliteTable('sla_intervals', {
  id: id(),
  ticketId: integer('ticket_id').notNull(),
  kind: text('kind').$type<SlaIntervalKind>().notNull(),
  startedAt: integer('started_at').notNull(),
  endedAt: integer('ended_at'),
  startedBySeq: integer('started_by_seq'),
  endedBySeq: integer('ended_by_seq'),
});

export const ticketTags = sqliteTable(
  'ticket_tags',
  { tag: text('tag').notNull(), ticketId: integer('ticket_id').notNull() },
  (table) => [primaryKey({ columns: [table.tag, table.ticketId] })],
);

export const messages = sqliteTable('messages', {
  id: id(),
  ulid: text('ulid').notNull(),
  ticketId: integer('ticket_id').notNull(),
  authorId: integer('author_id'),
  agentId: integer('agent_id'),
  agentName: text('agent_name'),
  authorName: text('author_name'),
  body: text('body').notNull(),
  bodyFormat: text('body_format').$type<BodyFormat>().notNull(),
  isInternal: flag('is_internal').notNull(),
  isAutomated: flag('is_automated').notNull(),
  isAgent: flag('is_agent').notNull(),
  source: text('source').notNull(),
  senderVerified: nullableFlag('sender_verified'),
  delivery: json('delivery').$type<{ status: MessageDeliveryStatus; at: string; error: string | null } | null>(),
  html: text('html'),
  wholeBody: text('whole_body'),
  createdAt: createdAt(),
});

export const attachments = sqliteTable('attachments', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: siteId(),
  ticketId: integer('ticket_id').notNull(),
  messageId: integer('message_id'),
  filename: text('filename').notNull(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull(),
  sha256: text('sha256').notNull(),
  isAgent: flag('is_agent').notNull(),
  isInternal: flag('is_internal').notNull(),
  createdAt: createdAt(),
});

export const events = sqliteTable('events', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  kind: text('kind').$type<EventKind>().notNull(),
  siteId: siteId(),
  ticketId: integer('ticket_id'),
  actor: json('actor').$type<StoredActor>().notNull(),
  data: json('data').$type<EventData>().notNull(),
  createdAt: createdAt(),
});

export const deliveries = sqliteTable('deliveries', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: integer('site_id'),
  channelId: integer('channel_id'),
  ticketId: integer('ticket_id'),
  eventSeq: integer('event_seq'),
  event: text('event').$type<DeliveryEvent>().notNull(),
  payload: json('payload').$type<DeliveryPayload>().notNull(),
  recipient: text('recipient'),
  mailMessageId: text('mail_message_id'),
  status: text('status').$type<DeliveryStatus>().notNull(),
  attempts: integer('attempts').notNull(),
  tries: integer('tries').notNull(),
  firstTriedAt: integer('first_tried_at'),
  nextAt: integer('next_at'),
  claimedUntil: integer('claimed_until').notNull(),
  claimedBy: text('claimed_by'),
  finishedAt: integer('finished_at'),
  lastError: text('last_error'),
  createdAt: createdAt(),
});

export const deliveryAttempts = sqliteTable('delivery_attempts', {
  id: id(),
  deliveryId: integer('delivery_id').notNull(),
  at: integer('at').notNull(),
  durationMs: integer('duration_ms').notNull(),
  responseStatus: integer('response_status'),
  responseExcerpt: text('response_excerpt').notNull(),
  error: text('error'),
});

export const inboundMail = sqliteTable('inbound_mail', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: siteId(),
  provider: text('provider').$type<ProviderName>().notNull(),
  headers: json('headers').$type<Record<string, string>>().notNull(),
  size: integer('size').notNull(),
  status: text('status').$type<InboundStatus>().notNull(),
  outcome: text('outcome').$type<InboundOutcome>(),
  reason: text('reason'),
  sender: text('sender'),
  recipient: text('recipient'),
  subject: text('subject'),
  mailMessageId: text('mail_message_id'),
  contentHash: text('content_hash'),
  ticketId: integer('ticket_id'),
  isReopening: flag('is_reopening').notNull(),
  matchedRules: json('matched_rules').$type<{ id: number; name: string }[]>().notNull(),
  trace: json('trace').$type<unknown[]>().notNull(),
  forwardedTo: json('forwarded_to').$type<string[]>().notNull(),
  attempts: integer('attempts').notNull(),
  retryAt: integer('retry_at'),
  receivedAt: integer('received_at').notNull(),
  processedAt: integer('processed_at'),
  erasedAt: integer('erased_at'),
});

export const mailSuppressions = sqliteTable(
  'mail_suppressions',
  { siteId: siteId(), address: text('address').notNull(), reason: text('reason').notNull(), createdAt: createdAt() },
  (table) => [primaryKey({ columns: [table.siteId, table.address] })],
);

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    credential: text('credential').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status').notNull(),
    answerSealed: text('answer_sealed').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.credential, table.key] })],
);

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
