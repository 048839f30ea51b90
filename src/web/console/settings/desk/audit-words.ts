// What the audit log says, in words: actions, fields and values.

import type { SignInMethod } from '../../../../domain/people/sign-in.ts';
import type { AuditEntry } from '../../../../http/wire/audit.ts';
import { dateAndTime } from '../../../shared/format.ts';
import { labelled } from '../../../shared/labelled.ts';
import { t as ofMacros } from '../macros/messages.ts';
import { t as settings } from '../messages.ts';
import { t as proof } from '../proof/messages.ts';
import { t as ofRules } from '../rules/messages.ts';
import { t as ofSite } from '../site/messages.ts';
import { t as sla } from '../sla/messages.ts';
import { t as writing } from '../writing/messages.ts';
import { t } from './messages.ts';
import { roleTexts, siteNames } from './role-and-sites.tsx';

type Split<Action> = Action extends `${infer Thing}.${infer Deed}` ? { thing: Thing; deed: Deed } : never;
type Words<Word extends string> = Readonly<Record<Word, () => string>>;

const things: Words<Split<AuditEntry['action']>['thing']> = {
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

const deeds: Words<Split<AuditEntry['action']>['deed']> = {
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
  const wordOf = (words: Partial<Words<string>>, word: string) => words[word]?.();
  const [first, second] = [wordOf(things, thing), wordOf(deeds, deed)];
  return first === undefined || second === undefined ? action.replaceAll(/[._]/g, ' ') : labelled(first, second);
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
  method: () => t.auditMethod,
  browser: () => t.auditBrowser,
  system: () => t.auditSystem,
  reason: () => t.auditReason,
  label: () => t.name,
  is_away: () => t.auditAway,
  away_until: () => t.auditAwayUntil,
  notification_preferences: () => t.auditNotices,
  notifications: () => t.deskNotices,
  members: () => t.members,
  max_open_per_agent: () => t.mostOpen,
  wait_minutes: () => t.waitMinutes,
  returns_when_away: () => t.returnsWhenAway,
  grace_minutes: () => t.auditGrace,
  tokens: () => t.tokens,
  has_secrets: () => t.auditSecrets,
  ids: () => t.auditOrder,
  order: () => t.auditOrder,
  sort_order: () => t.auditOrder,
  position: () => t.auditOrder,
  default_priority_id: () => t.auditDefaultPriority,
  outcome: () => t.auditOutcome,
  tickets_scrubbed: () => t.auditScrubbed,
  path: () => t.auditPath,
  bytes: () => t.auditBytes,
  created_at: () => t.auditMade,
  kind: () => t.auditKind,
  events: () => t.auditEvents,
  conditions: () => t.auditConditions,
  actions: () => t.auditActions,
  schedule: () => t.auditSchedule,
  changes: () => t.auditCopies,
  is_shared: () => ofMacros.macroShared,
  body_format: () => t.auditFormat,
  match: () => ofRules.ruleMatchLabel,
  stop_processing: () => ofRules.ruleStopLabel,
  since: () => ofRules.timedSince,
  minutes: () => t.auditMinutes,
  time: () => t.auditHours,
  webhook_url: () => settings.webhookUrl,
  header_prefix: () => settings.headerPrefix,
  provider: () => settings.provider,
  authentication: () => t.auditMethod,
  statuses: () => t.auditOutcome,
  sla_policy: () => t.auditSla,
  settings: () => settings.settings,
  base_url: () => t.baseUrl,
  inbound_domain: () => t.inboundDomain,
  issuer: () => t.issuer,
  client_id: () => t.clientId,
  scope: () => t.scope,
  secret_expires_at: () => t.secretExpiresAt,
  incoming: () => t.reading,
  outgoing: () => t.sending,
  first_days: () => t.firstDays,
  save_sent: () => t.saveSent,
  is_paused: () => t.statePaused,
  first_response_minutes: () => sla.targetFirst,
  resolution_minutes: () => sla.targetResolution,
  key: () => ofSite.fieldKey,
  type: () => ofSite.fieldType,
  options: () => ofSite.fieldOptions,
  is_required: () => ofSite.fieldRequired,
  is_author_visible: () => ofSite.fieldVisible,
  address: () => writing.senderAddress,
  dkim_selectors: () => writing.dkimSelectors,
  is_default: () => writing.isDefaultSender,
  subject: () => writing.mailSubject,
  body: () => writing.mailWords,
  mail_server: () => t.mailServer,
  bucket: () => t.bucket,
  bucket_folders: () => t.bucketFolders,
  stores_files: () => t.newFilesBucket,
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

const methods: Readonly<Record<SignInMethod, () => string>> = {
  password: () => t.password,
  passkey: () => t.methodPasskey,
  oidc: () => 'OpenID Connect',
  link: () => t.methodLink,
  setup: () => t.methodSetup,
  invitation: () => t.methodInvitation,
  reset: () => t.methodReset,
};

const nothing = '–';

function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return nothing;
  if (value === true) return t.valueYes;
  if (value === false) return t.valueNo;
  if (field === 'site_id') return siteNames([value as number]);
  if (field === 'sites') return siteNames(value as number[]);
  if (field === 'method' && Object.hasOwn(methods, String(value))) return methods[value as SignInMethod]();
  if (field === 'reason' && value === 'second_factor') return t.auditFactor;
  if (field === 'role' && Object.hasOwn(roleTexts, String(value))) return roleTexts[value as 'owner'].name();
  if (typeof value === 'number' && field.endsWith('_at')) return dateAndTime(new Date(value).toISOString());
  if (Array.isArray(value)) return value.map((one) => valueText('', one)).join(', ') || nothing;
  if (typeof value === 'object')
    return (
      Object.entries(value)
        .map(([name, one]) => labelled(fieldText(name), valueText(name, one)))
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

const fewRows = 5;

/** Of a long list of which one row was moved: only that row, and its places. */
function stepOf(before: AuditEntry['before'], after: AuditEntry['after']): Change | null {
  const [old, now, names] = [before?.ids, after?.ids, after?.order];
  if (!Array.isArray(old) || !Array.isArray(now) || !Array.isArray(names) || now.length <= fewRows) return null;
  const first = old.findIndex((id, at) => id !== now[at]);
  const without = (ids: unknown[], id: unknown) => ids.filter((one) => one !== id).join();
  const moved = [old[first], now[first]].find((id) => without(old, id) === without(now, id));
  if (first < 0 || moved === undefined) return null;
  const to = now.indexOf(moved);
  return {
    field: labelled(t.auditOrder, valueText('', names[to])),
    before: String(old.indexOf(moved) + 1),
    after: String(to + 1),
  };
}

/** Field by field, and of settings in a field only those that differ. Null for a side that is not there. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  const all = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const step = stepOf(before, after);
  if (step !== null) return [step];
  // An order is told by names. Older entries have only ids.
  const names = [...all].filter((name) => name !== 'ids' || !all.has('order'));
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
