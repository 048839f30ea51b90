// Exports a site row by row, leaving out what an import could not keep.

import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import { logoUrl } from '../../domain/logo.ts';
import { defaultSettings } from '../../domain/site.ts';
import {
  type NumberedKind,
  type References,
  rewriteAction,
  rewriteMacroChanges,
  rewriteTrace,
} from '../../domain/transfer.ts';
import type { Agent } from '../../store/agents.ts';
import type { Tx } from '../../store/database.ts';
import { type Macro, macrosOfSite } from '../../store/macros.ts';
import { mentionsOfTicket } from '../../store/mentions.ts';
import { scheduledRepliesOfTicket } from '../../store/scheduled-replies.ts';
import {
  type Channel,
  categoryRows,
  channelRows,
  customFieldRows,
  inboundRuleRows,
  priorityRows,
} from '../../store/site-catalogue.ts';
import { siteLogo } from '../../store/site-logos.ts';
import { agentsNamedBy, mergedTickets, siteRows, splitTickets, suppressionsOf } from '../../store/site-rows.ts';
import type { Site } from '../../store/sites.ts';
import { authorise, findSite, requireWholeDesk } from '../access.ts';
import type { Context } from '../context.ts';
import { deliveryRow, eventRow, messageRow, scheduledReplyRow, ticketRow } from './export-tickets.ts';
import { lineNames } from './line-names.ts';

const wasUnfiled = 'The mail was not filed when the site was exported. Replay it.';
export const withoutAddress = 'Imported without its address. Set the address, then enable the channel.';

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
  const channels = byNumber(channelRows.list(tx, site.id));
  const rules = byNumber(inboundRuleRows.list(tx, site.id));
  const agents = agentsNamedBy(tx, site.id);
  const belonging = new Set(agents.filter(({ belongs }) => belongs).map(({ id }) => id));
  const tokens = hasSecrets ? [...siteRows.tokens(tx, site.id)] : [];
  const macros = macrosOfSite(tx, site.id);
  const known = remaining({
    macro: ids(macros),
    category: ids(categories),
    priority: ids(priorities),
    field: ids(fields),
    channel: ids(channels),
    rule: ids(rules),
    agent: ids(agents),
    token: ids(tokens),
  });
  yield siteRow(tx, ctx, site, hasSecrets, known);
  for (const { siteId: _, ...row } of categories) yield { type: 'category', ...lineNames(row) };
  for (const { siteId: _, ...row } of priorities) yield { type: 'priority', ...lineNames(row) };
  for (const { siteId: _, type: kind, ...row } of fields) yield { type: 'field', kind, ...lineNames(row) };
  for (const agent of agents) yield agentRow(agent, belonging.has(agent.id));
  for (const { id, policy } of siteRows.slaPolicies(tx, site.id))
    yield { type: 'sla_policy', id, policy } as TransferRow;
  for (const channel of channels) yield channelRow(ctx, channel, hasSecrets);
  for (const { siteId: _, actions, ...row } of rules)
    yield {
      type: 'rule',
      ...lineNames(row),
      actions: actions.map((action) => rewriteAction(action, known)),
    } as RowOf<'rule'>;
  for (const { siteId: _, ...row } of tokens) yield { type: 'token', ...lineNames(row) };
  for (const macro of macros) yield* macroRow(macro, known);
  for (const { siteId: _, erasedEmail: __, erasedExternalId: ___, ...row } of siteRows.authors(tx, site.id))
    yield { type: 'author', ...lineNames(row) };
  for (const ticket of siteRows.tickets(tx, site.id)) {
    yield ticketRow(ticket, hasSecrets);
    const mentions = mentionsOfTicket(tx, ticket.id);
    for (const message of siteRows.messages(tx, ticket.id)) yield messageRow(message, mentions);
    for (const reply of scheduledRepliesOfTicket(tx, ticket.id)) yield scheduledReplyRow(reply, known);
    for (const { siteId: _, ...row } of siteRows.attachments(tx, ticket.id)) {
      send({ of: 'attachment', ulid: row.ulid, size: row.size, sha256: row.sha256 });
      yield { type: 'attachment', ...lineNames(row) };
    }
  }
  for (const { id, otherId } of mergedTickets(tx, site.id)) yield { type: 'merge', ticket_id: id, into_id: otherId };
  for (const { id, otherId } of splitTickets(tx, site.id)) yield { type: 'split', ticket_id: id, from_id: otherId };
  for (const event of siteRows.events(tx, site.id)) yield eventRow(tx, event, known);
  for (const { id } of siteRows.tickets(tx, site.id))
    for (const row of siteRows.intervals(tx, id)) yield { type: 'interval', ...lineNames(row) };
  for (const delivery of siteRows.sentMails(tx, site.id)) yield deliveryRow(delivery);
  for (const { siteId: _, status, retryAt: __, ...row } of siteRows.mails(tx, site.id)) {
    if (row.erasedAt === null && row.provider !== 'form')
      send({ of: 'mail', ulid: row.ulid, size: row.size, sha256: null });
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
