// Exports a site row by row, leaving out what an import could not keep.

import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import { renamedActions, renameInTicket } from '../../domain/rules/action-values.ts';
import { renameInConditions } from '../../domain/rules/trigger-references.ts';
import { logoUrl } from '../../domain/sites/logo.ts';
import { defaultSettings } from '../../domain/sites/site.ts';
import {
  type NumberedKind,
  type References,
  renaming,
  rewriteMacroChanges,
  rewriteTrace,
} from '../../domain/transfer/transfer.ts';
import type { Tx } from '../../engine/database.ts';
import type { Agent } from '../../store/people/agents.ts';
import { allTeams, isOfSite } from '../../store/people/teams.ts';
import {
  type Channel,
  categoryRows,
  channelRows,
  customFieldRows,
  inboundRuleRows,
  priorityRows,
  recurringTicketRows,
  senderRows,
  timedRuleRows,
  triggerRows,
} from '../../store/sites/catalogue.ts';
import { siteLogo } from '../../store/sites/logos.ts';
import { templatesOfSite } from '../../store/sites/mail-templates.ts';
import type { Site } from '../../store/sites/sites.ts';
import { type Macro, macrosOfSite } from '../../store/tickets/macros.ts';
import { mentionsOfTicket } from '../../store/tickets/mentions.ts';
import { scheduledRepliesOfTicket } from '../../store/tickets/scheduled-replies.ts';
import { sideConversationsOf } from '../../store/tickets/side-conversations.ts';
import {
  agentsNamedBy,
  mergedTickets,
  siteRows,
  splitTickets,
  suppressionsOf,
} from '../../store/transfer/site-rows.ts';
import { authorise, findSite, requireWholeDesk } from '../access.ts';
import type { Context } from '../context.ts';
import {
  deliveryRow,
  eventRow,
  messageRow,
  participantRow,
  scheduledReplyRow,
  sideConversationRow,
  ticketRow,
} from './export-tickets.ts';
import { lineNames } from './line-names.ts';

const wasUnfiled = 'The mail was not filed when the site was exported. Replay it.';
export const withoutAddress = 'Imported without its address. Set the address, then enable the channel.';
export const unknownAddress = 'https://address-not-exported.invalid/';

export interface FileToSend {
  of: 'attachment' | 'mail';
  ulid: string;
  size: number;
  sha256: string | null;
}

export function siteToExport(tx: Tx, ctx: Context, name: string): Site {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  return findSite(tx, ctx, name);
}

/** References to removed rows become null. */
function remaining(known: Partial<Record<NumberedKind, Set<number>>>): References {
  return {
    number: (kind, id) => (known[kind]?.has(id) === false ? null : id),
    ulid: (ulid) => ulid,
  };
}

const byNumber = <Row extends { id: number }>(rows: readonly Row[]) => rows.toSorted((a, b) => a.id - b.id);
const ids = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id));

/** In one read transaction, each row after those it names. */
export function* exportRows(
  tx: Tx,
  ctx: Context,
  site: Site,
  hasSecrets: boolean,
  send: (file: FileToSend) => void,
): Generator<TransferRow> {
  const categories = byNumber(categoryRows.list(tx, site.id));
  const priorities = byNumber(priorityRows.list(tx, site.id));
  const fields = byNumber(customFieldRows.list(tx, site.id));
  const senders = byNumber(senderRows.list(tx, site.id));
  const channels = byNumber(channelRows.list(tx, site.id));
  const rules = byNumber(inboundRuleRows.list(tx, site.id));
  const triggers = byNumber(triggerRows.list(tx, site.id));
  const timed = byNumber(timedRuleRows.list(tx, site.id));
  const recurring = byNumber(recurringTicketRows.list(tx, site.id));
  const agents = agentsNamedBy(tx, site.id);
  const teams = allTeams(tx).filter((team) => isOfSite(team, site.id));
  const belonging = new Set(agents.filter(({ belongs }) => belongs).map(({ id }) => id));
  const tokens = hasSecrets ? [...siteRows.tokens(tx, site.id)] : [];
  const macros = macrosOfSite(tx, site.id);
  const known = remaining({
    macro: ids(macros),
    category: ids(categories),
    priority: ids(priorities),
    field: ids(fields),
    sender: ids(senders),
    channel: ids(channels),
    rule: ids(rules),
    trigger: ids(triggers),
    timed_rule: ids(timed),
    recurring_ticket: ids(recurring),
    agent: ids(agents),
    team: ids(teams),
    token: ids(tokens),
  });
  yield siteRow(tx, ctx, site, hasSecrets, known);
  for (const { siteId: _, ...row } of categories) yield { type: 'category', ...lineNames(row) };
  for (const { siteId: _, ...row } of priorities) yield { type: 'priority', ...lineNames(row) };
  for (const { siteId: _, type: kind, ...row } of fields) yield { type: 'field', kind, ...lineNames(row) };
  for (const { siteId: _, checks: __, ...row } of senders) yield { type: 'sender', ...lineNames(row) };
  for (const { siteId: _, ...row } of templatesOfSite(tx, site.id)) yield { type: 'mail_template', ...lineNames(row) };
  for (const agent of agents) yield agentRow(agent, belonging.has(agent.id));
  for (const { version: _, siteIds: __, memberIds, ...row } of byNumber(teams))
    yield {
      type: 'team',
      ...lineNames(row),
      members: memberIds.filter((member) => known.number('agent', member) !== null),
    };
  for (const { id, policy } of siteRows.slaPolicies(tx, site.id))
    yield { type: 'sla_policy', id, policy } as TransferRow;
  for (const channel of channels) yield channelRow(ctx, channel, hasSecrets);
  for (const { siteId: _, actions, ...row } of rules)
    yield {
      type: 'rule',
      ...lineNames(row),
      actions: renamedActions(actions, renaming(known)),
    } as RowOf<'rule'>;
  for (const { siteId: _, conditions, actions, ...row } of triggers)
    yield {
      type: 'trigger',
      ...lineNames(row),
      conditions: renameInConditions(conditions, renaming(known)),
      actions: renamedActions(actions, renaming(known)),
    } as RowOf<'trigger'>;
  for (const { siteId: _, conditions, actions, ...row } of timed)
    yield {
      type: 'timed_rule',
      ...lineNames(row),
      conditions: renameInConditions(conditions, renaming(known)),
      actions: renamedActions(actions, renaming(known)),
    } as RowOf<'timed_rule'>;
  for (const { siteId: _, ticket, ...row } of recurring)
    yield {
      type: 'recurring_ticket',
      ...lineNames(row),
      ticket: renameInTicket(ticket, renaming(known)),
    } as RowOf<'recurring_ticket'>;
  for (const { siteId: _, ...row } of tokens) yield { type: 'token', ...lineNames(row) };
  for (const macro of macros) yield* macroRow(macro, known);
  for (const { siteId: _, erasedEmail: __, erasedExternalId: ___, ...row } of siteRows.authors(tx, site.id))
    yield { type: 'author', ...lineNames(row) };
  for (const ticket of siteRows.tickets(tx, site.id)) {
    yield ticketRow(tx, ticket, hasSecrets, known);
    for (const row of siteRows.participants(tx, ticket.id)) yield participantRow(row, known);
    const mentions = mentionsOfTicket(tx, ticket.id);
    for (const message of siteRows.messages(tx, ticket.id)) yield messageRow(message, mentions, known);
    for (const reply of scheduledRepliesOfTicket(tx, ticket.id)) yield scheduledReplyRow(reply, known);
    for (const { siteId: _, scanStatus: __, scanFound: ___, scanNextAt: ____, ...row } of siteRows.attachments(
      tx,
      ticket.id,
    )) {
      send({ of: 'attachment', ulid: row.ulid, size: row.size, sha256: row.sha256 });
      yield { type: 'attachment', ...lineNames(row) };
    }
    for (const row of sideConversationsOf(tx, ticket.id)) yield sideConversationRow(tx, row, known);
  }
  for (const { id, otherId } of mergedTickets(tx, site.id)) yield { type: 'merge', ticket_id: id, into_id: otherId };
  for (const { id, otherId } of splitTickets(tx, site.id)) yield { type: 'split', ticket_id: id, from_id: otherId };
  for (const event of siteRows.events(tx, site.id)) yield eventRow(tx, event, known);
  for (const { id } of siteRows.tickets(tx, site.id))
    for (const row of siteRows.intervals(tx, id)) yield { type: 'interval', ...lineNames(row) };
  for (const delivery of siteRows.sentMails(tx, site.id)) yield deliveryRow(delivery);
  for (const mail of siteRows.mails(tx, site.id)) {
    // Its mailbox stays with this desk.
    const { mailboxId: _mailbox, silentDate: _date, ...inLog } = mail;
    const {
      siteId: _,
      status,
      retryAt: __,
      senderChecks: ___,
      isReleased: ____,
      spamCheck: _____,
      sha256,
      ...row
    } = inLog;
    if (row.erasedAt === null && row.provider !== 'form') send({ of: 'mail', ulid: row.ulid, size: row.size, sha256 });
    const isFiled = status === 'done' && row.outcome !== null;
    yield {
      type: 'mail',
      ...lineNames(row),
      outcome: isFiled && row.outcome !== null ? row.outcome : 'failed',
      reason: isFiled ? row.reason : wasUnfiled,
      matched_rules: row.matchedRules.flatMap(({ id, name }) =>
        known.number('rule', id) === null ? [] : [{ id, name }],
      ),
      trace: rewriteTrace(row.trace, known),
    };
  }
  for (const row of suppressionsOf(tx, site.id)) yield { type: 'suppression', ...row };
}

function siteRow(tx: Tx, ctx: Context, site: Site, hasSecrets: boolean, known: References): RowOf<'site'> {
  const { lastAssignedAgentId: last } = site;
  const settings = { ...defaultSettings, ...site.settings };
  const logo = settings.brand.logo === null ? null : siteLogo(tx, site.id);
  return {
    type: 'site',
    id: site.id,
    ulid: site.ulid,
    origin_ulid: site.originUlid,
    name: site.name,
    slug: site.slug,
    description: site.description,
    default_priority_id: site.defaultPriorityId,
    last_assigned_agent_id: last === null ? null : known.number('agent', last),
    sla_policy: site.slaPolicy,
    sla_policy_id: site.slaPolicyId,
    settings: { ...settings, brand: { ...settings.brand, logo: logo && logoUrl(logo) } },
    version: site.version,
    created_at: site.createdAt,
    updated_at: site.updatedAt,
    secrets: hasSecrets
      ? { token_hash: site.tokenHash, inbound_secret: ctx.seal.open(site.inboundSecretSealed) }
      : null,
  } as RowOf<'site'>;
}

// Anyone can post to a chat with its webhook address, so it is a secret.
function channelRow(ctx: Context, channel: Channel, hasSecrets: boolean): RowOf<'channel'> {
  const {
    siteId: _,
    signingSecretSealed,
    webhookUrlSealed,
    previousSigningSecretSealed: __,
    previousSigningSecretExpiresAt: ___,
    type: kind,
    ...row
  } = channel;
  const whole = { type: 'channel' as const, kind, ...lineNames(row) } as Omit<RowOf<'channel'>, 'signing_secret'>;
  const isReachable = hasSecrets && row.disabledReason !== withoutAddress;
  if (isReachable)
    return {
      ...whole,
      webhook_url: ctx.seal.open(webhookUrlSealed),
      signing_secret: ctx.seal.open(signingSecretSealed),
    };
  return {
    ...whole,
    webhook_url: null,
    signing_secret: null,
    is_active: false,
    disabled_at: null,
    disabled_reason: withoutAddress,
  };
}

/** Without credentials and preferences. A former agent of the site is exported inactive. */
function agentRow({ id, email, name, role, isActive, createdAt }: Agent, belongs: boolean): RowOf<'agent'> {
  return { type: 'agent', id, email, name, role, is_active: isActive && belongs, created_at: createdAt };
}

/** Without those of agents who do not come along. */
function macroRow({ siteId: _, agentId, changes, ...row }: Macro, known: References): RowOf<'macro'>[] {
  const owner = agentId === null ? null : known.number('agent', agentId);
  if (owner === null && !row.isShared) return [];
  const rewritten = rewriteMacroChanges(changes, known);
  return [{ type: 'macro', ...lineNames(row), agent_id: owner, changes: rewritten } as RowOf<'macro'>];
}
