// Sending again what failed for good, and now what waits for its next try, on the whole desk.

import type { Instant } from '../../base/clock.ts';
import { notFound } from '../../domain/errors.ts';
import type { Tx } from '../../engine/database.ts';
import { deliveryById } from '../../store/outbox/outbox.ts';
import { failedSome, requeue, sendNow, waitingSome } from '../../store/outbox/requeue.ts';
import { authorise, requireWholeDesk } from '../access.ts';
import type { Context } from '../context.ts';
import { waitAgain } from './reply-mails.ts';

type Retryable = 'queued' | 'failed';

/**
 * Repeat it with the `afterId` that it returns, until that is null.
 * @param since when a delivery failed, at the earliest
 */
export function retrySome(
  tx: Tx,
  ctx: Context,
  { status, since }: { status: Retryable; since: Instant },
  afterId = 0,
): { total: number; afterId: number | null } {
  authorise(ctx, 'own');
  requireWholeDesk(ctx);
  const ids = status === 'failed' ? failedSome(tx, afterId, since) : waitingSome(tx, afterId, ctx.now);
  return { total: again(tx, ctx, status, ids), afterId: ids.at(-1) ?? null };
}

/** Of one: whether it leaves again. A reply that was sent again meanwhile does not. */
export function retryDelivery(tx: Tx, ctx: Context, id: number): boolean {
  authorise(ctx, 'own');
  requireWholeDesk(ctx);
  const delivery = deliveryById(tx, id);
  if (!delivery || delivery.status === 'delivered') throw notFound('delivery');
  return again(tx, ctx, delivery.status, [id]) === 1;
}

function again(tx: Tx, ctx: Context, status: Retryable, ids: readonly number[]): number {
  if (status === 'queued') return sendNow(tx, ids, ctx.now);
  const due = ids.filter((id) => {
    const delivery = deliveryById(tx, id);
    return delivery !== undefined && waitAgain(tx, ctx, delivery);
  });
  requeue(tx, due);
  return due.length;
}
