// The audit log: the actions that it knows, and what it shows of each thing that changes.

import { fieldName } from './column-names.ts';
import { maskedUrl } from './outbox/channel.ts';
import type { BucketFolder } from './own-services.ts';
import { shownAction } from './rules/action-values.ts';
import type { RuleAction } from './rules/rule.ts';
import { truncate } from './text.ts';

const changesOf = <Noun extends string>(noun: Noun) =>
  [`${noun}.created`, `${noun}.updated`, `${noun}.deleted`] as const;

export const auditActions = [
  'session.started',
  'session.refused',
  'session.ended',
  'password.changed',
  'password.reset',
  'totp.added',
  'totp.removed',
  'recovery_codes.replaced',
  'passkey.added',
  'passkey.removed',
  'second_factor.removed',
  'agent.created',
  'agent.invited',
  'agent.joined',
  'agent.linked',
  'agent.updated',
  'agent.deleted',
  ...changesOf('team'),
  'token.issued',
  'token.updated',
  'token.revoked',
  ...changesOf('site'),
  'site.token_rotated',
  'site.inbound_secret_rotated',
  'site.inbound_url_revealed',
  'site.exported',
  'site.imported',
  'sla_policy.updated',
  'sla_policy.recomputed',
  ...changesOf('category'),
  'category.ordered',
  ...changesOf('priority'),
  'priority.ordered',
  ...changesOf('custom_field'),
  'custom_field.ordered',
  ...changesOf('sender'),
  'sender.ordered',
  'sender.checked',
  ...changesOf('mailbox'),
  'mailbox.connected',
  'mail_app.updated',
  'mail_app.deleted',
  ...changesOf('mail_template'),
  ...changesOf('webhook_channel'),
  'webhook_channel.ordered',
  'webhook_channel.secret_rotated',
  'inbound_mail.discarded',
  'inbound_mail.held',
  ...changesOf('inbound_rule'),
  'inbound_rule.ordered',
  ...changesOf('trigger'),
  'trigger.ordered',
  ...changesOf('timed_rule'),
  'timed_rule.ordered',
  ...changesOf('recurring_ticket'),
  'recurring_ticket.ordered',
  ...changesOf('macro'),
  'author.anonymised',
  'board_link.created',
  'board_link.revoked',
  'desk.updated',
  'desk.backed_up',
  'desk.restored',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditActorTypes = ['agent', 'token', 'command_line', 'desk', 'unknown'] as const;
export type AuditActorType = (typeof auditActorTypes)[number];

type Show = (value: unknown) => unknown;
const whole: Show = (value) => value;

/** How many senders are listed, not who they are: the log is not searched when a person is erased. */
const settingsShown: Show = (value) =>
  typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          /^(?:blocked|allowed)_senders$/.test(name) && Array.isArray(one) ? one.length : one,
        ]),
      );

type ShownCondition = { field: string; operator: string; negate: boolean };
/** Without the values, which often name customers. */
const conditionsShown: Show = (value) =>
  (value as (ShownCondition | { match: string; conditions: ShownCondition[] })[]).map((part) =>
    'conditions' in part
      ? { match: part.match, conditions: conditionsShown(part.conditions) }
      : { field: part.field, operator: part.operator, negate: part.negate },
  );

const howMany: Show = (value) => (value as unknown[]).length;

/** Not where they were made, which means nothing to people. */
const foldersShown: Show = (value) => (value as BucketFolder[]).map(({ name }) => name);

const actionsShown: Show = (value) => (value as RuleAction[]).map(shownAction);

/** Only these columns get into the log, so a forgotten secret cannot. */
const shownColumns = {
  agent: {
    email: whole,
    name: whole,
    role: whole,
    sites: whole,
    isActive: whole,
    method: whole,
    secondFactor: whole,
    reason: whole,
    browser: whole,
    system: whole,
    label: whole,
    notificationPreferences: whole,
    isAway: whole,
    awayUntil: whole,
  },
  team: {
    name: whole,
    members: whole,
    sites: whole,
    maxOpenPerAgent: whole,
    waitMinutes: whole,
    returnsWhenAway: whole,
  },
  token: { name: whole, abilities: whole, siteId: whole, expiresAt: whole },
  site: {
    name: whole,
    slug: whole,
    description: whole,
    defaultPriorityId: whole,
    slaPolicy: whole,
    settings: settingsShown,
    graceMinutes: whole,
    /** How many went with a site. */
    tokens: whole,
    hasSecrets: whole,
    ids: whole,
    /** The names of these. */
    order: whole,
  },
  category: { name: whole, slug: whole, description: whole, color: whole, sortOrder: whole, isActive: whole },
  priority: {
    name: whole,
    slug: whole,
    color: whole,
    level: whole,
    sortOrder: whole,
    isActive: whole,
    firstResponseMinutes: whole,
    resolutionMinutes: whole,
  },
  custom_field: {
    key: whole,
    label: whole,
    description: whole,
    type: whole,
    options: howMany,
    isRequired: whole,
    isAuthorVisible: whole,
    sortOrder: whole,
    isActive: whole,
  },
  sender: { name: whole, address: whole, dkimSelectors: whole, isDefault: whole, sortOrder: whole, statuses: whole },
  mailbox: {
    name: whole,
    address: whole,
    provider: whole,
    authentication: whole,
    incoming: whole,
    outgoing: whole,
    firstDays: whole,
    saveSent: whole,
    isPaused: whole,
  },
  mail_template: { name: whole, locale: whole, subject: whole, body: whole },
  webhook_channel: {
    name: whole,
    type: whole,
    webhookUrl: (value) => maskedUrl(String(value)),
    events: whole,
    sortOrder: whole,
    isActive: whole,
    headerPrefix: whole,
    graceMinutes: whole,
  },
  inbound_rule: {
    name: whole,
    position: whole,
    isActive: whole,
    match: whole,
    conditions: conditionsShown,
    actions: actionsShown,
    stopProcessing: whole,
  },
  trigger: {
    name: whole,
    position: whole,
    isActive: whole,
    events: whole,
    match: whole,
    conditions: conditionsShown,
    actions: actionsShown,
    stopProcessing: whole,
  },
  timed_rule: {
    name: whole,
    position: whole,
    isActive: whole,
    since: whole,
    minutes: whole,
    time: whole,
    match: whole,
    conditions: conditionsShown,
    actions: actionsShown,
  },
  recurring_ticket: { name: whole, position: whole, isActive: whole, schedule: whole },
  inbound_mail: { outcome: whole },
  macro: { name: whole, siteId: whole, bodyFormat: whole, changes: whole, isShared: whole, position: whole },
  author: { ticketsScrubbed: whole },
  board_link: { name: whole, siteIds: whole },
  mail_app: { provider: whole, issuer: whole, clientId: whole, scope: whole, secretExpiresAt: whole },
  desk: {
    name: whole,
    requireSecondFactor: whole,
    notifications: whole,
    agentReports: whole,
    locale: whole,
    timeZone: whole,
    pushContent: whole,
    mailServer: whole,
    issuer: whole,
    baseUrl: whole,
    inboundDomain: whole,
    bucket: whole,
    bucketFolders: foldersShown,
    path: whole,
    bytes: whole,
    kind: whole,
    createdAt: whole,
  },
} as const satisfies Record<string, Record<string, Show>>;
export type AuditTargetType = keyof typeof shownColumns;
export const auditTargetTypes = Object.keys(shownColumns) as AuditTargetType[];

const longestText = 300;
const mostEntries = 50;
const deepest = 6;

function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return truncate(value, longestText);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return '…';
  if (Array.isArray(value)) return value.slice(0, mostEntries).map((one) => shortened(one, depth + 1));
  const entries = Object.entries(value).slice(0, mostEntries);
  return Object.fromEntries(entries.map(([key, one]) => [truncate(key, longestText), shortened(one, depth + 1)]));
}

type Side = Record<string, unknown> | null;
type Columns = Readonly<Record<string, unknown>> | null;

/** Only the columns that differ; all of them if one side is missing. Null if nothing that is shown differs. */
export function changeOf(type: AuditTargetType, before: Columns, after: Columns): { before: Side; after: Side } | null {
  const shown = Object.entries(shownColumns[type] as Record<string, Show>);
  const isIn = (side: Columns, column: string) => side !== null && side[column] !== undefined;
  const columns = shown.filter(([column]) => {
    if (before === null || after === null) return isIn(before, column) || isIn(after, column);
    return isIn(after, column) && JSON.stringify(before[column]) !== JSON.stringify(after[column]);
  });
  if (before !== null && after !== null && columns.length === 0) return null;
  const side = (values: Columns): Side => {
    const kept = columns.filter(([column]) => isIn(values, column));
    if (values === null || kept.length === 0) return null;
    const show = ([column, present]: [string, Show]) => {
      const value = values[column] ?? null;
      return [fieldName(column), value === null ? null : shortened(present(value))];
    };
    return Object.fromEntries(kept.map(show));
  };
  return { before: side(before), after: side(after) };
}
