// Imports how a site is set up: its catalogue, agents, channels, rules and tokens.

import type { RowOf } from '../../domain/input/transfer.ts';
import type { SiteSlaPolicy } from '../../domain/site.ts';
import { rewriteAction, rewriteMacroChanges } from '../../domain/transfer.ts';
import { agentByEmail, freshAgent } from '../../store/agents.ts';
import type { Tx } from '../../store/database.ts';
import { admitAgent, insertKeepingId, isTokenHashFree, keepPolicyUnder } from '../../store/imported-rows.ts';
import { newSigningSecret } from '../channels.ts';
import type { Context } from '../context.ts';
import { withoutAddress } from './export-site.ts';
import { refused, requirePolicy } from './import-state.ts';
import type { Inserters } from './import-step.ts';
import { columnNames } from './line-names.ts';

export const setupInserters: Inserters<
  'site' | 'category' | 'priority' | 'field' | 'agent' | 'sla_policy' | 'channel' | 'rule' | 'token' | 'macro'
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
  agent(row, { tx, siteId }) {
    return { id: agentFor(tx, siteId, row) };
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
    const actions = row.actions.map((action) => rewriteAction(action, to));
    return { id: insertKeepingId(tx, 'inboundRules', row.id, { ...columnNames(row), siteId, actions }) };
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
  const id = insertKeepingId(tx, 'agents', row.id, { ...freshAgent, mutedNotices: [], ...columnNames(row), role });
  admitAgent(tx, id, siteId, true);
  return id;
}

function channelFor(tx: Tx, ctx: Context, siteId: number, row: RowOf<'channel'>): number {
  const isReachable = row.webhook_url !== null && row.signing_secret !== null;
  return insertKeepingId(tx, 'channels', row.id, {
    ...columnNames(row),
    siteId,
    type: row.kind,
    webhookUrlSealed: ctx.seal.seal((isReachable ? row.webhook_url : null) ?? 'https://address-not-exported.invalid/'),
    isActive: isReachable && row.is_active,
    disabledAt: isReachable ? row.disabled_at : null,
    disabledReason: isReachable ? row.disabled_reason : withoutAddress,
    signingSecretSealed: ctx.seal.seal(row.signing_secret ?? newSigningSecret()),
    previousSigningSecretSealed: null,
    previousSigningSecretExpiresAt: null,
  });
}
