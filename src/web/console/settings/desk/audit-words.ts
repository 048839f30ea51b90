// What the audit log says, in words: actions, fields and values.

import type { AuditEntry } from '../../../../http/wire/audit.ts';
import { dateAndTime } from '../../../shared/format.ts';
import { t as proof } from '../proof/messages.ts';
import { t as ofSite } from '../site/messages.ts';
import { t as sla } from '../sla/messages.ts';
import { t as writing } from '../writing/messages.ts';
import { t } from './messages.ts';
import { roleTexts, siteNames } from './role-and-sites.tsx';

const things: Readonly<Record<string, () => string>> = {
  session: () => t.auditSession,
  password: () => t.password,
  totp: () => t.totp,
  recovery_codes: () => t.recoveryCodes,
  passkey: () => t.passkeys,
  second_factor: () => t.auditFactor,
  agent: () => t.auditPerson,
  board_link: () => t.auditBoardLink,
  team: () => t.auditTeam,
  token: () => t.token,
  site: () => t.auditSite,
  sla_policy: () => t.auditSla,
  category: () => t.auditCategory,
  priority: () => t.auditPriority,
  custom_field: () => t.auditField,
  sender: () => t.auditSender,
  mailbox: () => t.auditMailbox,
  mail_app: () => t.auditMailApp,
  mail_template: () => t.auditTemplate,
  webhook_channel: () => t.auditChannel,
  inbound_mail: () => t.auditMail,
  inbound_rule: () => t.auditRule,
  trigger: () => t.auditTrigger,
  timed_rule: () => t.auditTimedRule,
  recurring_ticket: () => t.auditRecurring,
  macro: () => t.auditMacro,
  author: () => t.auditCustomer,
  desk: () => t.settingsOfDesk,
};

const deeds: Readonly<Record<string, () => string>> = {
  started: () => t.auditStarted,
  refused: () => t.auditRefused,
  ended: () => t.auditEnded,
  changed: () => t.auditChanged,
  updated: () => t.auditChanged,
  reset: () => t.auditReset,
  added: () => t.auditAdded,
  created: () => t.auditAdded,
  removed: () => t.auditRemoved,
  deleted: () => t.auditRemoved,
  replaced: () => t.auditReplaced,
  invited: () => t.auditInvited,
  joined: () => t.auditJoined,
  linked: () => t.auditLinked,
  issued: () => t.auditAdded,
  revoked: () => t.auditRevoked,
  token_rotated: () => t.auditTokenRotated,
  secret_rotated: () => t.auditSecretRotated,
  inbound_secret_rotated: () => t.auditInboundRotated,
  inbound_url_revealed: () => t.auditUrlShown,
  exported: () => t.auditExported,
  imported: () => t.auditImported,
  recomputed: () => t.auditRecomputed,
  ordered: () => t.auditOrdered,
  checked: () => t.auditChecked,
  connected: () => t.auditConnected,
  discarded: () => t.auditDiscarded,
  held: () => t.auditHeld,
  anonymised: () => t.auditErased,
  backed_up: () => t.auditBackedUp,
  restored: () => t.auditRestored,
};

/** Of a newer desk than this page, the action as it is written. */
export function actionText(action: string): string {
  const [thing = '', deed = ''] = action.split('.');
  const [first, second] = [things[thing]?.(), deeds[deed]?.()];
  return first === undefined || second === undefined ? action.replaceAll(/[._]/g, ' ') : `${first}: ${second}`;
}

export function actorText({ type, name, id }: AuditEntry['actor']): string {
  if (type === 'command_line') return t.atCommandLine;
  if (type === 'desk') return t.byTheDesk;
  if (type === 'unknown') return t.auditUnknown;
  const who = name ?? String(id ?? '');
  return type === 'token' ? `${t.token} ${who}` : who;
}

/** As the forms call them. */
const fields: Readonly<Record<string, () => string>> = {
  name: () => t.name,
  email: () => t.personEmail,
  role: () => t.role,
  sites: () => t.itsSites,
  site_id: () => t.auditSite,
  is_active: () => t.personActive,
  abilities: () => t.abilities,
  expires_at: () => t.tokenExpires,
  locale: () => t.language,
  time_zone: () => t.timeZone,
  require_second_factor: () => t.requireFactor,
  second_factor: () => t.auditFactor,
  agent_reports: () => t.agentReports,
  push_content: () => t.pushContent,
  mail_server: () => t.mailServer,
  bucket: () => t.bucket,
  bucket_folders: () => t.bucketFolders,
  endpoint: () => t.bucketEndpoint,
  region: () => t.bucketRegion,
  access_key_id: () => t.bucketKey,
  host: () => t.serverHost,
  port: () => t.serverPort,
  tls: () => t.serverTls,
  user: () => t.serverUser,
  slug: () => ofSite.siteSlug,
  description: () => ofSite.siteDescription,
  status_after_agent_reply: () => ofSite.afterReply,
  auto_close_days: () => ofSite.autoClose,
  acknowledge: () => ofSite.acknowledge,
  notify_resolved: () => ofSite.notifyResolved,
  ask_satisfaction: () => ofSite.askSatisfaction,
  agent_mail: () => ofSite.agentMail,
  attachment_max_mb: () => ofSite.fileMost,
  mail_attachment_max_mb: () => ofSite.mailFileMost,
  attachments_total_mb: () => ofSite.filesTotal,
  attachment_types: () => ofSite.fileTypes,
  refused_attachment_types: () => ofSite.refusedTypes,
  attachment_scan: () => ofSite.fileScan,
  color: () => ofSite.colorLabel,
  level: () => ofSite.levelLabel,
  signature: () => writing.siteSignature,
  spam_hold_score: () => proof.holdFrom,
  spam_mark_score: () => proof.markFrom,
  business_hours: () => sla.workingHours,
  holidays: () => sla.holidays,
  pause_while_pending: () => sla.pauseWhilePending,
  warn_at_percent: () => sla.warnAt,
};

const nothing = '–';

function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return nothing;
  if (value === true) return t.valueYes;
  if (value === false) return t.valueNo;
  if (field === 'site_id') return siteNames([value as number]);
  if (field === 'sites') return siteNames(value as number[]);
  if (field === 'role' && Object.hasOwn(roleTexts, String(value))) return roleTexts[value as 'owner'].name();
  if (typeof value === 'number' && field.endsWith('_at')) return dateAndTime(new Date(value).toISOString());
  if (Array.isArray(value)) return value.map((one) => valueText('', one)).join(', ') || nothing;
  if (typeof value === 'object')
    return (
      Object.entries(value)
        .map(([name, one]) => `${fieldText(name)}: ${valueText(name, one)}`)
        .join(', ') || nothing
    );
  return String(value);
}

const fieldText = (field: string) => fields[field]?.() ?? field.replaceAll('_', ' ');

interface Change {
  field: string;
  before: string | null;
  after: string | null;
}

/** Field by field, and of settings in a field only those that differ. Null for a side that is not there. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.flatMap((name) => {
    const [old, now] = [before?.[name], after?.[name]];
    if (isRecord(old) && isRecord(now))
      return changesOf({ before: old, after: now }).filter((change) => change.before !== change.after);
    const sideText = (side: Record<string, unknown> | null) =>
      side === null || !Object.hasOwn(side, name) ? null : valueText(name, side[name]);
    const change = { field: fieldText(name), before: sideText(before), after: sideText(after) };
    // What is new or gone has no use for its empty fields.
    return (change.before ?? nothing) === (change.after ?? nothing) ? [] : change;
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
