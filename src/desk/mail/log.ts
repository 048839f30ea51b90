// Reading the inbound log, and reopening mail to file it again.

import { conflict, notFound } from '../../domain/errors.ts';
import { filingMs, type HeldFor, heldReasons, type InboundOutcome } from '../../domain/mail/inbound.ts';
import { listedSender } from '../../domain/mail/listed-senders.ts';
import { mostListedSenders } from '../../domain/sites/limits.ts';
import type { Tx } from '../../engine/database.ts';
import {
  countHeldFor,
  heldCounts,
  heldMailFor,
  type InboundFilter,
  type InboundMail,
  inboundMailById,
  listInboundMail,
  updateInboundMail,
} from '../../store/mail/inbound.ts';
import type { Site } from '../../store/sites/sites.ts';
import { authorise, findSite, listScope } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { changeSite } from '../sites/sites.ts';

export function listInboundLog(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  filter: Omit<InboundFilter, 'sites'>,
  limit: number,
  offset: number,
) {
  return listInboundMail(tx, { ...filter, sites: listScope(tx, ctx, siteName) }, limit, offset);
}

export function readInboundLog(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  id: number,
): { site: Site; row: InboundMail } {
  authorise(ctx, 'read');
  const named = siteName === null ? null : findSite(tx, ctx, siteName);
  const row = inboundMailById(tx, id);
  if (!row || (named !== null && row.siteId !== named.id)) throw notFound('mail');
  return { site: named ?? findSite(tx, ctx, row.siteId), row };
}

/** For reading what was sent, which a stranger wrote. */
export function readArrivedMail(tx: Tx, ctx: Context, siteName: string, id: number): { site: Site; row: InboundMail } {
  const found = readInboundLog(tx, ctx, siteName, id);
  authorise(ctx, 'manage');
  if (found.row.erasedAt !== null)
    throw conflict('The sender of this mail and the stored message were erased.', 'erased');
  return found;
}

/** For a dry run of the rules, which shows what of the message they met. */
export function readMailToTry(tx: Tx, ctx: Context, siteName: string, id: number): { site: Site; row: InboundMail } {
  const found = readInboundLog(tx, ctx, siteName, id);
  if (found.row.erasedAt !== null)
    throw conflict('The sender of this mail and the stored message were erased.', 'erased');
  if (found.row.form !== null) throw conflict('Rules do not run for forms.', 'unreadable');
  return found;
}

export interface Release {
  isReleased?: boolean;
  forwardsAgain?: boolean;
}

/** For filing again under today's rules. Mail that became a ticket or reply is refused. */
export function reopenMail(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  id: number,
  { isReleased = false }: Release,
): InboundMail {
  authorise(ctx, 'manage');
  const { row } = readInboundLog(tx, ctx, siteName, id);
  if (row.erasedAt !== null)
    throw conflict('This mail cannot be filed again: its sender and the stored message were erased.', 'erased');
  if (row.outcome === 'ticket_created' || row.outcome === 'reply_added') {
    throw conflict('This mail was already filed. Filing it again would duplicate it.', 'already_filed');
  }
  // The caller files it, before the queue does.
  updateInboundMail(tx, id, { ...reopened(row, isReleased), retryAt: ctx.now + filingMs });
  return inboundMailById(tx, id) ?? row;
}

const reopened = ({ senderChecks, spamCheck }: InboundMail, isReleased: boolean) => ({
  status: 'received' as const,
  outcome: null,
  reason: null,
  heldFor: null,
  isReleased,
  // DNS may answer now. What it has said stays: keys of then may be gone.
  ...(senderChecks?.verdict === 'unknown' ? { senderChecks: null } : {}),
  ...(spamCheck?.score === null ? { spamCheck: null } : {}),
});

/** Mail that waits for a decision is not wanted. The reason why it waited stays. */
export function discardMail(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  id: number,
  blocksSender = false,
): InboundMail {
  const row = decide(tx, ctx, siteName, id, ['held', 'failed'], 'discarded');
  if (blocksSender)
    changeBlocked(tx, ctx, row, (blocked, sender) => [...blocked.filter((each) => each !== sender), sender]);
  return row;
}

/** Discarded mail waits for a decision again. */
export function holdMail(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  id: number,
  unblocksSender = false,
): InboundMail {
  const row = decide(tx, ctx, siteName, id, ['discarded'], 'held');
  if (unblocksSender) changeBlocked(tx, ctx, row, (blocked, sender) => blocked.filter((each) => each !== sender));
  return row;
}

function changeBlocked(
  tx: Tx,
  ctx: Context,
  { siteId, sender }: InboundMail,
  change: (blocked: readonly string[], sender: string) => string[],
): void {
  const entry = sender === null ? null : listedSender(sender);
  if (entry === null) throw conflict('This mail names no sender that could be blocked.', 'no_sender');
  const { blocked_senders: blocked } = findSite(tx, ctx, siteId).settings;
  const blocked_senders = change(blocked, entry);
  if (blocked_senders.length > mostListedSenders)
    throw conflict(`A site can block at most ${mostListedSenders} senders.`, 'too_many');
  if (blocked_senders.length !== blocked.length)
    changeSite(tx, ctx, String(siteId), { settings: { blocked_senders } }, null);
}

/** Of one site, by reason, and the newest of them. */
export function countHeld(tx: Tx, ctx: Context, siteName: string) {
  authorise(ctx, 'read');
  return heldCounts(tx, findSite(tx, ctx, siteName).id);
}

interface HeldChoice {
  /** For all reasons if there are none. */
  heldFor: readonly HeldFor[];
  /** What came later is not meant. */
  upTo: number;
  /** How many there were when someone decided: if there are others by now, nothing happens. */
  count: number;
}

export const mostDecided = 1000;

/** All held mail that was chosen, the oldest first, as many as one step bears. Released mail joins the queue of what is to be filed. */
export function decideHeld(
  tx: Tx,
  ctx: Context,
  siteName: string,
  { heldFor, upTo, count }: HeldChoice,
  decision: 'release' | 'discard',
): { ids: number[]; left: number } {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, siteName);
  const reasons = heldFor.length > 0 ? heldFor : heldReasons;
  const total = countHeldFor(tx, site.id, reasons, upTo);
  if (total !== count) throw conflict(`The held mail has changed: ${total} match now, not ${count}.`, 'count_changed');
  const ids = heldMailFor(tx, site.id, reasons, upTo, mostDecided);
  for (const id of ids) {
    const row = inboundMailById(tx, id);
    if (row === undefined) throw notFound('mail');
    if (decision === 'discard') settle(tx, ctx, row, 'discarded');
    else updateInboundMail(tx, id, { ...reopened(row, true), retryAt: ctx.now });
  }
  return { ids, left: total - ids.length };
}

/** What was discarded with others waits again, but for what is no longer discarded. */
export function holdMails(tx: Tx, ctx: Context, siteName: string, ids: readonly number[]): number[] {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, siteName);
  return ids.filter((id) => {
    const row = inboundMailById(tx, id);
    if (row?.siteId !== site.id || row.outcome !== 'discarded' || row.erasedAt !== null) return false;
    settle(tx, ctx, row, 'held');
    return true;
  });
}

function decide(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  id: number,
  from: readonly InboundOutcome[],
  outcome: 'discarded' | 'held',
): InboundMail {
  const { row } = readInboundLog(tx, ctx, siteName, id);
  authorise(ctx, 'manage');
  if (row.erasedAt !== null) throw conflict('The sender of this mail and the stored message were erased.', 'erased');
  if (row.outcome === null || !from.includes(row.outcome))
    throw conflict(`Only mail that was ${from.join(' or ')} can be ${outcome}.`, 'other_outcome');
  settle(tx, ctx, row, outcome);
  return inboundMailById(tx, id) ?? row;
}

function settle(tx: Tx, ctx: Context, row: InboundMail, outcome: 'discarded' | 'held'): void {
  // Why it waited stays, in case it is taken back.
  updateInboundMail(tx, row.id, { outcome, heldFor: row.heldFor ?? 'other', processedAt: ctx.now });
  audit(tx, ctx, {
    action: `inbound_mail.${outcome}`,
    target: { type: 'inbound_mail', id: row.id },
    siteId: row.siteId,
    before: row,
    after: { outcome },
  });
}
