// Carries out what rules decided, under each rule's name in the history.

import type { RuleDeed } from '../../domain/rules/deed.ts';
import type { RuleTrace } from '../../domain/rules/rule.ts';
import { tooSlowRules } from '../../domain/rules/trace.ts';
import type { Tx } from '../../engine/database.ts';
import { skippedRulesOf } from '../../store/events.ts';
import { type Site, updateSite } from '../../store/sites/sites.ts';
import { ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { changeTicket } from '../tickets/change-ticket.ts';
import { insertNote } from '../tickets/notes.ts';
import { bringIn } from '../tickets/participants.ts';
import { changeStatus } from '../tickets/ticket-status.ts';

const mostSkipped = 10;

export function applyRules(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticketId: number,
  { deeds, trace }: { deeds: readonly RuleDeed[]; trace: readonly RuleTrace[] },
): void {
  for (const deed of deeds) applyDeed(tx, asRule(ctx, site, deed.ruleId, deed.name), site, ticketId, deed);
  noteSkipped(tx, ctx, site, ticketId, trace);
  noteTooSlow(tx, ctx, site, ticketId, trace);
}

function asRule(ctx: Context, site: Site, ruleId: number, name: string): Context {
  return { ...ctx, actor: { kind: 'rule', siteId: site.id, ruleId, name } };
}

function applyDeed(tx: Tx, ctx: Context, site: Site, ticketId: number, deed: RuleDeed): void {
  const ticket = ticketById(tx, ticketId);
  if (!ticket) return;
  const { status } = deed;
  const change = {
    ...deed.change,
    ...(deed.tags.length === 0 ? {} : { tags: [...ticket.tags, ...deed.tags] }),
  };
  if (deed.isTurn) updateSite(tx, site.id, { lastAssignedAgentId: deed.change.assigned_to ?? null });
  let current = Object.keys(change).length === 0 ? ticket : changeTicket(tx, ctx, ticketId, change, null);
  if (Object.keys(deed.metadata).length > 0) {
    const before = current.metadata;
    // Only what this rule sets: the whole metadata for each of many rules would be too much.
    const from = Object.fromEntries(Object.keys(deed.metadata).map((key) => [key, ownValue(before, key)]));
    const metadata = { ...before, ...deed.metadata };
    current = updateTicket(tx, current, { metadata, updatedAt: ctx.now });
    record(tx, ctx, {
      kind: 'ticket.updated',
      siteId: site.id,
      ticketId,
      data: { ticket_ulid: ticket.ulid, changes: { metadata: { from, to: deed.metadata } } },
    });
  }
  current = bringIn(tx, ctx, site, current, deed.participants);
  for (const text of deed.notes) insertNote(tx, ctx, current, text);
  if (status !== undefined) changeStatus(tx, ctx, site, ticketById(tx, ticketId) ?? current, status);
}

function ownValue(metadata: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(metadata, key) ? metadata[key] : null;
}

function noteTooSlow(tx: Tx, ctx: Context, site: Site, ticketId: number, trace: readonly RuleTrace[]): void {
  const slow = tooSlowRules(trace);
  const ticket = slow.length === 0 ? undefined : ticketById(tx, ticketId);
  if (!ticket) return;
  const first = slow.slice(0, mostSkipped).map(({ ruleId, name }) => ({ id: ruleId, name }));
  record(tx, ctx, {
    kind: 'ticket.updated',
    siteId: site.id,
    ticketId,
    data: { ticket_ulid: ticket.ulid, rules_skipped: { why: 'too slow', total: slow.length, first } },
  });
}

/** A skipped rule that was meant for this message is recorded once per ticket. */
function noteSkipped(tx: Tx, ctx: Context, site: Site, ticketId: number, trace: readonly RuleTrace[]): void {
  const skipped = trace.filter(({ outcome, wouldMatch }) => outcome === 'skipped' && wouldMatch);
  if (skipped.length === 0) return;
  const ticket = ticketById(tx, ticketId);
  if (!ticket) return;
  const told = skippedRulesOf(tx, ticketId, null);
  for (const { ruleId, name, explanation } of skipped.filter(({ ruleId }) => !told.has(ruleId)).slice(0, mostSkipped)) {
    record(tx, asRule(ctx, site, ruleId, name), {
      kind: 'ticket.updated',
      siteId: site.id,
      ticketId,
      data: { ticket_ulid: ticket.ulid, rule_skipped: explanation },
    });
  }
}
