// Filing incoming mail: stored first, then filed as a ticket, a reply, or something else.

import { notFound } from '../../domain/errors.ts';
import { dayMs, type Instant } from '../../domain/instant.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import { heldText } from '../../domain/mail/held-texts.ts';
import { filingMs, held, longestTurnMs, type ProviderName, retryGapMs } from '../../domain/mail/inbound.ts';
import type { SenderChecks } from '../../domain/mail/sender-checks.ts';
import type { SpamCheck } from '../../domain/mail/spam-check.ts';
import type { RuleTrace } from '../../domain/rules/rule.ts';
import { traceForDryRun, traceForLog } from '../../domain/rules/trace.ts';
import { truncate } from '../../domain/text.ts';
import type { Tx } from '../../engine/database.ts';
import type { Classified } from '../../mail/inbound/classify.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { noteArrivalAddress } from '../../store/mail/arrival-addresses.ts';
import { type InboundMail, inboundMailById, insertInboundMail, updateInboundMail } from '../../store/mail/inbound.ts';
import { erasedMail } from '../../store/mail/inbound-erasure.ts';
import { countRules } from '../../store/rules/rule-counts.ts';
import { rulesInOrder } from '../../store/rules/rules-in-order.ts';
import { inboundRuleRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import { authorise, findSite } from '../access.ts';
import type { Context } from '../context.ts';
import { isErasedSince } from '../customers/erasure.ts';
import { tellOnce } from '../notifications/notify.ts';
import { queueForward } from '../outbox/queue-mail.ts';
import type { RuleAnswer, RulesToAsk, Understood } from '../rules/question.ts';
import { changeStatus } from '../tickets/ticket-status.ts';
import { carryOut } from './carry-out.ts';
import { recipientOf } from './match-ticket.ts';
import type { MailMaterial } from './material.ts';
import { isOwnAddress } from './own-address.ts';
import { type Plan, planMail, type Result } from './plan.ts';
import { mayBeFrom } from './writer.ts';

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
    sha256: string;
    /** No process is filing it: it joins the queue at once. */
    isLate?: boolean;
    mailboxId?: number | null;
    silentDate?: Instant | null;
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

/** What is found of an erased sender is not kept. */
function noteFound(tx: Tx, id: number, found: Partial<Pick<InboundMail, 'senderChecks' | 'spamCheck'>>): null {
  if (inboundMailById(tx, id)?.erasedAt === null) updateInboundMail(tx, id, found);
  return null;
}

export const noteSenderChecks = (tx: Tx, id: number, senderChecks: SenderChecks) => noteFound(tx, id, { senderChecks });

export const noteSpamCheck = (tx: Tx, id: number, spamCheck: SpamCheck) => noteFound(tx, id, { spamCheck });

export interface Filed {
  row: InboundMail;
  ticket: Ticket | null;
}

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
  const address = message.from?.address;
  const reason = address ? heldText('sends_too_much', { address }) : heldText('nameless_sends_too_much');
  if (waitMs > longestTurnMs) return finish(tx, ctx, id, held('too_much', reason), message);
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
  if (result.outcome === 'held') tellOnce(tx, ctx, 'mail_held', row.siteId);
  const change = {
    status: 'done' as const,
    outcome: result.outcome,
    heldFor: result.heldFor ?? null,
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
    ...(message !== undefined && found.writer?.isRelayed ? { sender: found.writer.email } : {}),
  };
  updateInboundMail(tx, id, change);
  countRules(tx, ctx.now, ran(trace), result.ticketId ?? null);
  const ticket = result.ticketId == null ? null : (ticketById(tx, result.ticketId) ?? null);
  return { row: { ...row, ...change }, ticket };
}

const ran = (trace: readonly RuleTrace[]) =>
  trace.flatMap(({ ruleId, outcome }) =>
    outcome === 'matched' || outcome === 'not_matched' ? [{ ruleId, isMatch: outcome === 'matched' }] : [],
  );

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
  forwardsAgain: boolean,
  answer: RuleAnswer | null,
): Filed | RulesToAsk {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  if (row.status === 'done')
    return { row, ticket: row.ticketId === null ? null : (ticketById(tx, row.ticketId) ?? null) };
  // Who wrote it was erased while it waited: filing it would bring them back.
  if (mayBeFrom(material.message).some((email) => isErasedSince(tx, ctx, site, email, row.receivedAt))) {
    updateInboundMail(tx, id, { ...erasedMail, erasedAt: ctx.now });
    ctx.noteErasure?.([row.ulid]);
  }
  if (inboundMailById(tx, id)?.erasedAt != null) return finish(tx, ctx, id, { outcome: 'discarded', reason: '' });
  const isSilent = row.silentDate !== null;
  const mail: Context = { ...ctx, actor: { kind: 'mail', siteId: site.id }, isSilent };
  const plan = planMail(tx, mail, site, filingOf(row, forwardsAgain), material, answer);
  if ('question' in plan) return plan;
  for (const address of material.message.envelope.to.map(normaliseEmail))
    if (!isOwnAddress(tx, mail, address)) noteArrivalAddress(tx, site.id, address);
  for (const address of plan.deeds.flatMap(({ forwards }) => forwards))
    queueForward(tx, mail, site.id, address, id, material.message.subject);
  const result = { ...plan, ...carryOut(tx, mail, site, material, plan, row) };
  if (row.silentDate !== null) closeOld(tx, mail, site, plan.matched, result.ticketId ?? null, row.silentDate);
  const reason = [result.reason, material.remark].filter((part) => part != null).join(' ');
  return finish(tx, ctx, id, { ...result, reason }, material.message);
}

/** What was sent long before the desk was connected is over, unless a ticket that is open goes on with it. */
function closeOld(
  tx: Tx,
  ctx: Context,
  site: Site,
  before: Ticket | null,
  ticketId: number | null,
  sentAt: Instant,
): void {
  const ticket = ticketId === null ? undefined : ticketById(tx, ticketId);
  const wasOpen = before !== null && before.status !== 'closed';
  if (ticket && !wasOpen && ctx.now - sentAt > dayMs) changeStatus(tx, ctx, site, ticket, 'closed');
}

function filingOf({ id, receivedAt, forwardedTo, isReleased, spamCheck }: InboundMail, forwardsAgain: boolean) {
  return { rowId: id, receivedAt, forwardedTo: forwardsAgain ? [] : forwardedTo, isReleased, spamCheck };
}

export function rulesBefore(
  tx: Tx,
  ctx: Context,
  site: Site,
  id: number,
  material: MailMaterial,
  forwardsAgain: boolean,
): RulesToAsk | null {
  const row = inboundMailById(tx, id);
  if (!row || row.status === 'done' || rulesInOrder(tx, site.id).length === 0) return null;
  const plan = planMail(tx, ctx, site, filingOf(row, forwardsAgain), material, null);
  return 'question' in plan ? plan : null;
}

export interface Preview {
  kind: Classified['kind'];
  plan: Plan;
  rules: RuleTrace[];
}

/** @param row of the message in the inbound log, if it is stored */
export function previewMail(
  tx: Tx,
  ctx: Context,
  siteName: string,
  row: InboundMail | null,
  material: Understood,
  answer: RuleAnswer | null,
): Preview | RulesToAsk {
  authorise(ctx, 'write');
  const site = findSite(tx, ctx, siteName);
  const pasted = { rowId: 0, receivedAt: ctx.now, forwardedTo: [], isReleased: false, spamCheck: null };
  const plan = planMail(tx, ctx, site, row === null ? pasted : filingOf(row, true), material, answer);
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
