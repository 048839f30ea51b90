// Reading the inbound log, and reopening mail to file it again.

import { conflict, notFound } from '../../domain/errors.ts';
import { filingMs, type InboundOutcome } from '../../domain/inbound.ts';
import type { Tx } from '../../store/database.ts';
import { type InboundMail, inboundMailById, listInboundMail, updateInboundMail } from '../../store/inbound.ts';
import type { Site } from '../../store/sites.ts';
import { authorise, findSite, listScope } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';

export function listInboundLog(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  outcomes: readonly string[],
  limit: number,
  offset: number,
) {
  return listInboundMail(tx, { sites: listScope(tx, ctx, siteName), outcomes }, limit, offset);
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

/** For filing again under today's rules. Mail that became a ticket or reply is refused. */
export function reopenMail(tx: Tx, ctx: Context, siteName: string | null, id: number): InboundMail {
  authorise(ctx, 'manage');
  const { row } = readInboundLog(tx, ctx, siteName, id);
  if (row.erasedAt !== null)
    throw conflict('This mail cannot be filed again: its sender and the stored message were erased.', 'erased');
  if (row.outcome === 'ticket_created' || row.outcome === 'reply_added') {
    throw conflict('This mail was already filed. Filing it again would duplicate it.', 'already_filed');
  }
  // The caller files it: the queue would ignore their decisions.
  updateInboundMail(tx, id, { status: 'received', outcome: null, reason: null, retryAt: ctx.now + filingMs });
  return inboundMailById(tx, id) ?? row;
}

/** Mail that waits for a decision is not wanted. The reason why it waited stays. */
export function discardMail(tx: Tx, ctx: Context, siteName: string | null, id: number): InboundMail {
  return decide(tx, ctx, siteName, id, ['held', 'failed'], 'discarded');
}

/** Discarded mail waits for a decision again. */
export function holdMail(tx: Tx, ctx: Context, siteName: string | null, id: number): InboundMail {
  return decide(tx, ctx, siteName, id, ['discarded'], 'held');
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
  updateInboundMail(tx, id, { outcome, processedAt: ctx.now });
  audit(tx, ctx, {
    action: `inbound_mail.${outcome}`,
    target: { type: 'inbound_mail', id },
    siteId: row.siteId,
    before: row,
    after: { outcome },
  });
  return inboundMailById(tx, id) ?? row;
}
