// Idempotency-Key: an answer stored with the write it belongs to, and given again (docs/spec/api.md#idempotency).

import { settled } from '../base/clock.ts';
import { DeskError } from '../domain/errors.ts';
import type { Tx } from '../engine/database.ts';
import { idempotencyKey, insertIdempotencyKey, linkIdempotencyKey, newestEventSeq } from '../store/events.ts';
import type { Context } from './context.ts';

export interface Idempotency {
  credential: string;
  key: string;
  fingerprint: string;
}

interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
  isRepeat: boolean;
}

export function storedAnswer(tx: Tx, ctx: Context, idempotency: Idempotency): Answer | null {
  const row = idempotencyKey(tx, idempotency.credential, idempotency.key, settled(ctx.now));
  if (!row) return null;
  if (row.fingerprint !== idempotency.fingerprint) {
    throw new DeskError('conflict', 'This Idempotency-Key was used for another request.', {
      reason: 'idempotency_key_reused',
    });
  }
  return {
    ...(JSON.parse(ctx.seal.open(row.answerSealed)) as {
      status: number;
      body: string;
      headers: Record<string, string>;
    }),
    isRepeat: true,
  };
}

/** The answer is stored in the transaction of `act`; a repeat gets the same answer. */
export function once(
  tx: Tx,
  ctx: Context,
  idempotency: Idempotency | null,
  act: () => Omit<Answer, 'isRepeat'>,
): Answer {
  if (!idempotency) return { ...act(), isRepeat: false };
  const stored = storedAnswer(tx, ctx, idempotency);
  if (stored) return stored;
  const before = newestEventSeq(tx);
  const answer = act();
  const id = insertIdempotencyKey(tx, {
    ...idempotency,
    status: answer.status,
    answerSealed: ctx.seal.seal(JSON.stringify({ status: answer.status, body: answer.body, headers: answer.headers })),
    createdAt: ctx.now,
  });
  linkIdempotencyKey(tx, id, before);
  return { ...answer, isRepeat: false };
}
