// The write steps of an operation that does its work in parts: with an Idempotency-Key, each part is done once.

import type { Context } from '../desk/context.ts';
import { type Idempotency, once } from '../desk/idempotency.ts';
import { requireUnchanged } from '../desk/people/sessions.ts';
import { DeskError } from '../domain/errors.ts';
import type { Tx } from '../engine/database.ts';
import { asUnavailable } from '../engine/refusals.ts';
import type { Sync } from '../engine/writer.ts';
import type { Edge, PartReply } from './operation.ts';
import { crashReply, errorReply, type Reply, statusOf } from './wire/respond.ts';

// A part that was refused with one of these is tried again by a repeat.
const unstoredStatuses = [401, 403, 429, 503];

/** A part that the desk refuses changes nothing, and its refusal is its answer. Other parts go on. */
export async function commitPart(
  edge: Edge,
  ctx: Context,
  whole: Idempotency | null,
  part: string,
  act: (tx: Tx) => Sync<Reply>,
): Promise<PartReply> {
  // A space cannot be in a key that a client sends.
  const own = whole && { ...whole, key: `${whole.key} ${part}` };
  try {
    return await edge.desk.write((tx) => {
      requireUnchanged(tx, ctx);
      return once(tx, ctx, own, () => act(tx));
    });
  } catch (thrown) {
    const error = asUnavailable(thrown);
    if (!(error instanceof DeskError)) {
      edge.reportFault(error, 'a part of a request failed');
      return { ...crashReply(ctx.requestId), isRepeat: false };
    }
    if (endsAll(error)) throw error;
    const refusal = errorReply(error, ctx.requestId);
    if (own === null || unstoredStatuses.includes(refusal.status)) return { ...refusal, isRepeat: false };
    return edge.desk.write((tx) => once(tx, ctx, own, () => refusal));
  }
}

/** The credential has ended, or the key belongs to another request. */
function endsAll({ code, reason }: DeskError): boolean {
  return statusOf(code) === 401 || reason === 'credential_changed' || reason === 'idempotency_key_reused';
}
