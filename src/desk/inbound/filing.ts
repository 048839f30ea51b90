// Filing incoming mail: stored first, then filed as a ticket, a reply, or something else.

import { normaliseEmail } from '../../domain/address.ts';
import { notFound } from '../../domain/errors.ts';
import { filingMs, longestTurnMs, type ProviderName, retryGapMs } from '../../domain/inbound.ts';
import type { RuleTrace } from '../../domain/rules/rule.ts';
import { traceForDryRun, traceForLog } from '../../domain/rules/trace.ts';
import { truncate } from '../../domain/text.ts';
import type { Classified } from '../../mail/inbound/classify.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import type { Tx } from '../../store/database.ts';
import { type InboundMail, inboundMailById, insertInboundMail, updateInboundMail } from '../../store/inbound.ts';
import { erasedMail } from '../../store/inbound-erasure.ts';
import { inboundRuleRows } from '../../store/site-catalogue.ts';
import type { Site } from '../../store/sites.ts';
import { type Ticket, ticketById } from '../../store/tickets.ts';
import { authorise, findSite } from '../access.ts';
import type { Context } from '../context.ts';
import { isErasedSince } from '../erasure.ts';
import { queueForward } from '../outbox/queue.ts';
import { carryOut, type MailMaterial, type Result } from './carry-out.ts';
import { recipientOf } from './match-ticket.ts';
import { type Plan, planMail } from './plan.ts';
import type { RuleAnswer, RulesToAsk, Understood } from './rule-question.ts';

/** The bytes are on disk already. Returns the id of the row in the inbound log. */
export function receiveMail(
  tx: Tx,
  ctx: Context,
  site: Site,
  arrived: {
    ulid: string;
    provider: ProviderName;
    headers: Record<string, string>;
    size: number;
    /** No process is filing it: it joins the queue at once. */
    isLate?: boolean;
  },
): number {
  const { isLate = false, ...row } = arrived;
  return insertInboundMail(tx, {
    ...row,
    siteId: site.id,
    receivedAt: ctx.now,
    retryAt: ctx.now + (isLate ? 0 : filingMs),
  });
}

export interface Filed {
  row: InboundMail;
  ticket: Ticket | null;
}

export interface Release {
  isReleased: boolean;
  forwardsAgain: boolean;
}
export const noRelease: Release = { isReleased: false, forwardsAgain: false };

export function failMail(
  tx: Tx,
  ctx: Context,
  id: number,
  outcome: 'failed' | 'discarded',
  reason: string,
  message?: ReadMessage,
): Filed {
  return finish(tx, ctx, id, { outcome, reason }, message);
}

/** Waits longer each time, and fails after about a day. */
export function postponeMail(tx: Tx, ctx: Context, id: number, reason: string): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  if (row.status === 'done') return { row, ticket: null };
  const attempts = row.attempts + 1;
  const gapMs = retryGapMs(attempts);
  if (gapMs === null)
    return failMail(
      tx,
      ctx,
      id,
      'failed',
      `${reason} Filing failed after ${attempts} attempts; replay the mail to try again.`,
    );
  updateInboundMail(tx, id, { attempts, reason, retryAt: ctx.now + gapMs });
  return { row: inboundMailById(tx, id) ?? row, ticket: null };
}

/** Waits for the sender's turn, or is held when that is too far away. */
export function delayMail(tx: Tx, ctx: Context, id: number, message: ReadMessage, waitMs: number): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  if (row.status === 'done' || row.erasedAt !== null) return { row, ticket: null };
  const reason = `${message.from?.address ?? 'A sender without an address'} sends more mail than one sender is allowed to.`;
  if (waitMs > longestTurnMs) return finish(tx, ctx, id, { outcome: 'held', reason }, message);
  const { contentHash: _notYet, ...marks } = marksOf(message);
  updateInboundMail(tx, id, { ...marks, reason: `${reason} This mail waits for its turn.`, retryAt: ctx.now + waitMs });
  return { row: inboundMailById(tx, id) ?? row, ticket: null };
}

export function finish(tx: Tx, ctx: Context, id: number, found: Result, read?: ReadMessage): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  // Nothing is stored about an erased sender, whatever the outcome.
  const isErased = row.erasedAt !== null;
  const result: Result = isErased ? { outcome: 'discarded', reason: erasedMail.reason } : found;
  const message = isErased ? undefined : read;
  const { trace = [], deeds = [] } = result;
  const forwarded = deeds.flatMap(({ forwards }) => forwards.map((address) => address.toLowerCase()));
  const change = {
    status: 'done' as const,
    outcome: result.outcome,
    reason: result.reason,
    ticketId: result.ticketId ?? null,
    isReopening: result.isReopening ?? false,
    matchedRules: trace.flatMap(({ outcome, ruleId, name }) => (outcome === 'matched' ? [{ id: ruleId, name }] : [])),
    trace: traceForLog(trace),
    forwardedTo: [...new Set([...row.forwardedTo, ...forwarded])],
    attempts: row.attempts + 1,
    retryAt: null,
    processedAt: ctx.now,
    ...(message === undefined ? {} : marksOf(message)),
  };
  updateInboundMail(tx, id, change);
  const ticket = result.ticketId == null ? null : (ticketById(tx, result.ticketId) ?? null);
  return { row: { ...row, ...change }, ticket };
}

/** Also an address that cannot be answered, so that the person can be found and erased. */
function senderOf({ from, headers }: ReadMessage): string | null {
  if (from !== null) return normaliseEmail(from.address);
  const written = headers.from?.at(-1) ?? '';
  const address = (/<([^<>@]*@[^<>]*)>\s*$/.exec(written)?.[1] ?? written).trim();
  return address.includes('@') ? truncate(normaliseEmail(address), 320) : null;
}

function marksOf(message: ReadMessage) {
  return {
    sender: senderOf(message),
    recipient: recipientOf(message),
    subject: truncate(message.subject, 255),
    mailMessageId: message.messageId,
    contentHash: message.contentHash,
  };
}

/** Files a message as planned, in one transaction. Returns a question for the rules, and changes nothing, if the answer is missing or outdated. */
export function fileMail(
  tx: Tx,
  ctx: Context,
  site: Site,
  id: number,
  material: MailMaterial,
  release: Release,
  answer: RuleAnswer | null,
): Filed | RulesToAsk {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  if (row.status === 'done')
    return { row, ticket: row.ticketId === null ? null : (ticketById(tx, row.ticketId) ?? null) };
  const { from } = material.message;
  // The sender was erased while this waited: filing it would bring them back.
  if (from !== null && isErasedSince(tx, ctx, site, normaliseEmail(from.address), row.receivedAt)) {
    updateInboundMail(tx, id, { ...erasedMail, erasedAt: ctx.now });
    ctx.noteErasure?.([row.ulid]);
  }
  if (inboundMailById(tx, id)?.erasedAt != null) return finish(tx, ctx, id, { outcome: 'discarded', reason: '' });
  const mail: Context = { ...ctx, actor: { kind: 'mail', siteId: site.id } };
  const plan = planMail(tx, mail, site, filingOf(row, release), material, answer);
  if ('question' in plan) return plan;
  for (const address of plan.deeds.flatMap(({ forwards }) => forwards))
    queueForward(tx, mail, site.id, address, id, material.message.subject);
  const result = { ...plan, ...carryOut(tx, mail, site, material, plan) };
  const reason = [result.reason, material.remark].filter((part) => part != null).join(' ');
  return finish(tx, ctx, id, { ...result, reason }, material.message);
}

function filingOf({ id, forwardedTo }: InboundMail, release: Release) {
  return { rowId: id, forwardedTo: release.forwardsAgain ? [] : forwardedTo, isReleased: release.isReleased };
}

export function rulesBefore(
  tx: Tx,
  ctx: Context,
  site: Site,
  id: number,
  material: MailMaterial,
  release: Release,
): RulesToAsk | null {
  const row = inboundMailById(tx, id);
  if (!row || row.status === 'done') return null;
  const plan = planMail(tx, ctx, site, filingOf(row, release), material, null);
  return 'question' in plan ? plan : null;
}

export interface Preview {
  kind: Classified['kind'];
  plan: Plan;
  rules: RuleTrace[];
}

export function previewMail(
  tx: Tx,
  ctx: Context,
  siteName: string,
  material: Understood,
  answer: RuleAnswer | null,
): Preview | RulesToAsk {
  authorise(ctx, 'write');
  const site = findSite(tx, ctx, siteName);
  const plan = planMail(tx, ctx, site, { rowId: 0, forwardedTo: [], isReleased: false }, material, answer);
  if ('question' in plan) return plan;
  const rules = plan.trace.length > 0 ? plan.trace : unasked(tx, site, plan);
  return { kind: material.classified.kind, plan, rules: traceForDryRun(rules) };
}

function unasked(tx: Tx, site: Site, { reason }: Plan): RuleTrace[] {
  return inboundRuleRows.list(tx, site.id).map(({ id, name }) => ({
    ruleId: id,
    name,
    outcome: 'not_reached',
    explanation: `The rules do not run. ${reason}`,
    conditions: [],
    decidedBy: null,
    actions: [],
    isLast: false,
  }));
}
