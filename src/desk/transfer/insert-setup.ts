// Imports how a site is set up: its catalogue, agents, channels, rules and tokens.

import type { RowOf } from '../../domain/input/transfer.ts';
import { renamedActions, renameInTicket } from '../../domain/rules/action-values.ts';
import { renameInConditions } from '../../domain/rules/trigger-references.ts';
import type { SiteSlaPolicy } from '../../domain/sites/site.ts';
import { renaming, rewriteMacroChanges } from '../../domain/transfer/transfer.ts';
import type { Tx } from '../../engine/database.ts';
import { agentByEmail, freshAgent } from '../../store/people/agents.ts';
import { allTeams, isOfSite, setTeamMembers, setTeamSites } from '../../store/people/teams.ts';
import { senderRows } from '../../store/sites/catalogue.ts';
import { insertMailTemplate } from '../../store/sites/mail-templates.ts';
import { admitAgent, insertKeepingId, isTokenHashFree, keepPolicyUnder } from '../../store/transfer/imported-rows.ts';
import type { Context } from '../context.ts';
import { newSigningSecret } from '../outbox/channels.ts';
import { beginTimed } from '../rules/timed-rules.ts';
import { unknownAddress, withoutAddress } from './export-site.ts';
import { refused, requirePolicy } from './import-state.ts';
import type { Inserters } from './import-step.ts';
import { columnNames } from './line-names.ts';

export const setupInserters: Inserters<
  | 'site'
  | 'category'
  | 'priority'
  | 'field'
  | 'sender'
  | 'mail_template'
  | 'agent'
  | 'team'
  | 'sla_policy'
  | 'channel'
  | 'rule'
  | 'trigger'
  | 'timed_rule'
  | 'recurring_ticket'
  | 'token'
  | 'macro'
> = {
  site() {
    throw refused('the export contains a second site.');
  },
  category(row, { tx, siteId }) {
    return { id: insertKeepingId(tx, 'categories', row.id, { ...columnNames(row), siteId }) };
  },
  priority(row, { tx, siteId }) {
    return { id: insertKeepingId(tx, 'priorities', row.id, { ...columnNames(row), siteId }) };
  },
  field(row, { tx, siteId }) {
    return { id: insertKeepingId(tx, 'customFields', row.id, { ...columnNames(row), siteId, type: row.kind }) };
  },
  sender(row, { tx, siteId }) {
    const own = row.is_default ? senderRows.list(tx, siteId).find(({ isDefault }) => isDefault) : undefined;
    if (own === undefined)
      return {
        id: insertKeepingId(tx, 'senders', row.id, { ...columnNames(row), isDefault: false, siteId, checks: null }),
      };
    senderRows.update(tx, own.id, { dkimSelectors: row.dkim_selectors, sortOrder: row.sort_order });
    return { id: own.id };
  },
  mail_template(row, { tx, siteId }) {
    return { id: insertMailTemplate(tx, { ...columnNames(row), subject: row.subject || null, siteId }) };
  },
  agent(row, { tx, siteId }) {
    return { id: agentFor(tx, siteId, row) };
  },
  team(row, { tx, siteId, optional }) {
    return {
      id: teamFor(
        tx,
        siteId,
        row,
        row.members.flatMap((member) => optional('agent', member) ?? []),
      ),
    };
  },
  sla_policy(row, { tx, going, siteId }) {
    const policy = row.policy as SiteSlaPolicy;
    requirePolicy(policy, going.site.created_at);
    return { id: keepPolicyUnder(tx, siteId, row.id, policy) };
  },
  channel(row, { tx, ctx, siteId }) {
    return { id: channelFor(tx, ctx, siteId, row) };
  },
  rule(row, { tx, siteId, to }) {
    const actions = renamedActions(row.actions, renaming(to));
    return { id: insertKeepingId(tx, 'inboundRules', row.id, { ...columnNames(row), siteId, actions }) };
  },
  trigger(row, { tx, siteId, to }) {
    const conditions = renameInConditions(row.conditions, renaming(to));
    const actions = renamedActions(row.actions, renaming(to));
    return { id: insertKeepingId(tx, 'triggers', row.id, { ...columnNames(row), siteId, conditions, actions }) };
  },
  timed_rule(row, { tx, ctx, siteId, to }) {
    const conditions = renameInConditions(row.conditions, renaming(to));
    const actions = renamedActions(row.actions, renaming(to));
    const id = insertKeepingId(tx, 'timedRules', row.id, { ...columnNames(row), siteId, conditions, actions });
    beginTimed(tx, siteId, id, ctx.now);
    return { id };
  },
  recurring_ticket(row, { tx, siteId, to }) {
    const ticket = renameInTicket(row.ticket, renaming(to));
    return { id: insertKeepingId(tx, 'recurringTickets', row.id, { ...columnNames(row), siteId, ticket }) };
  },
  token(row, { tx, siteId }) {
    if (!isTokenHashFree(tx, row.token_hash)) throw refused(`token ${row.id} is already in use on this desk.`);
    return { id: insertKeepingId(tx, 'teamTokens', row.id, { ...columnNames(row), siteId }) };
  },
  macro(row, { tx, siteId, optional, to }) {
    const changes = rewriteMacroChanges(row.changes, to);
    const id = insertKeepingId(tx, 'macros', row.id, {
      ...columnNames(row),
      siteId,
      agentId: optional('agent', row.agent_id),
      changes,
    });
    return { id };
  },
};

/** Agents are shared by the desk: a known address keeps the agent as it is. */
function agentFor(tx: Tx, siteId: number, row: RowOf<'agent'>): number {
  const known = agentByEmail(tx, row.email);
  if (known) {
    if (row.is_active) admitAgent(tx, known.id, siteId, false);
    return known.id;
  }
  // An export must not bring an owner of this desk along.
  const role = row.role === 'owner' ? 'admin' : row.role;
  const id = insertKeepingId(tx, 'agents', row.id, { ...freshAgent, ...columnNames(row), role });
  admitAgent(tx, id, siteId, true);
  return id;
}

/** Teams are shared by the desk, as agents are: one with the same name keeps its limit, and gets the site and its members. */
function teamFor(tx: Tx, siteId: number, row: RowOf<'team'>, members: readonly number[]): number {
  const named = allTeams(tx).find(({ name }) => name.toLowerCase() === row.name.toLowerCase());
  if (named) {
    if (!isOfSite(named, siteId)) setTeamSites(tx, named.id, [...named.siteIds, siteId]);
    setTeamMembers(tx, named, [...new Set([...named.memberIds, ...members])]);
    return named.id;
  }
  const { members: _, ...line } = row;
  const id = insertKeepingId(tx, 'teams', row.id, { ...columnNames(line), version: 1 });
  setTeamMembers(tx, { id, memberIds: [] }, [...new Set(members)]);
  setTeamSites(tx, id, [siteId]);
  return id;
}

function channelFor(tx: Tx, ctx: Context, siteId: number, row: RowOf<'channel'>): number {
  const isReachable = row.webhook_url !== null && row.signing_secret !== null;
  return insertKeepingId(tx, 'channels', row.id, {
    ...columnNames(row),
    siteId,
    type: row.kind,
    webhookUrlSealed: ctx.seal.seal((isReachable ? row.webhook_url : null) ?? unknownAddress),
    isActive: isReachable && row.is_active,
    disabledAt: isReachable ? row.disabled_at : null,
    disabledReason: isReachable ? row.disabled_reason : withoutAddress,
    signingSecretSealed: ctx.seal.seal(row.signing_secret ?? newSigningSecret()),
    previousSigningSecretSealed: null,
    previousSigningSecretExpiresAt: null,
  });
}
