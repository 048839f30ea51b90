// The writes of a request. With an Idempotency-Key each is done once, and its answer is stored with it.

import { sha256Hex } from '../base/crypto.ts';
import type { Context } from '../desk/context.ts';
import { type Idempotency, once, storedAnswer } from '../desk/idempotency.ts';
import { requireUnchanged } from '../desk/people/sessions.ts';
import { DeskError } from '../domain/errors.ts';
import type { Tx } from '../engine/database.ts';
import { asUnavailable } from '../engine/refusals.ts';
import type { Sync } from '../engine/writer.ts';
import type { Call, Edge, PartReply } from './operation.ts';
import { crashReply, errorReply, type Reply, statusOf } from './wire/respond.ts';

/** An Idempotency-Key, whose it is, and the method, path and query that it came with. */
interface RequestKey {
  credential: string;
  key: string;
  place: string;
}

export interface RequestWrites extends Pick<Call, 'commit' | 'commitWithOthers' | 'commitPart'> {
  /** Another body under the same key is another request. */
  identify(body: string | Uint8Array): void;
  /** What an earlier request with this key was answered. */
  storedReply(): Reply | null;
  /** The answer to a refusal; it is stored if a repeat must get the same one. */
  refuse(error: DeskError): Promise<Reply>;
}

export function requestWrites(edge: Edge, ctx: Context, key: RequestKey | null): RequestWrites {
  const { desk } = edge;
  let own: Idempotency | null = null;

  function identify(body: string | Uint8Array): void {
    if (key === null) return;
    const hash = typeof body === 'string' ? body : sha256Hex(body);
    own = { credential: key.credential, key: key.key, fingerprint: sha256Hex(`${key.place}\n${hash}`) };
  }

  const write = (as: Idempotency | null, act: (tx: Tx) => Sync<Reply>, mayRunAgain = false) =>
    desk.write((tx) => {
      requireUnchanged(tx, ctx);
      return once(tx, ctx, as, () => act(tx));
    }, mayRunAgain);
  const store = (as: Idempotency, refusal: Reply) => desk.write((tx) => once(tx, ctx, as, () => refusal));

  return {
    identify,
    storedReply() {
      const as = own;
      const stored = as && desk.read((tx) => storedAnswer(tx, ctx, as));
      if (stored === null) return null;
      // A repeated answer confirms the write again, so this machine must be as sure of itself as for a new one.
      desk.writer.requireWritable();
      return asRepeat(stored);
    },
    async refuse(error) {
      const refusal = errorReply(error, ctx.requestId);
      return own !== null && isStored(error) ? asRepeat(await store(own, refusal)) : refusal;
    },
    async commit(act, fingerprint) {
      if (fingerprint !== undefined) identify(fingerprint);
      return asRepeat(await write(own, act));
    },
    commitWithOthers: async (act) => asRepeat(await write(own, act, true)),
    // A part that the desk refuses changes nothing, and its refusal is its answer. Other parts go on.
    async commitPart(part, act) {
      // A space cannot be in a key that a client sends.
      const as = own && { ...own, key: `${own.key} ${part}` };
      try {
        return await write(as, act);
      } catch (thrown) {
        const error = asUnavailable(thrown);
        if (!(error instanceof DeskError)) {
          edge.reportFault(error, 'a part of a request failed');
          return { ...crashReply(ctx.requestId), isRepeat: false };
        }
        if (endsAll(error)) throw error;
        const refusal = errorReply(error, ctx.requestId);
        return as !== null && isStored(error) ? await store(as, refusal) : { ...refusal, isRepeat: false };
      }
    },
  };
}

function asRepeat(answer: PartReply): Reply {
  return answer.isRepeat ? { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } } : answer;
}

// A repeat checks credential, rate limit and availability again.
const unstoredStatuses = [401, 403, 429, 503];
const isOtherRequest = ({ reason }: DeskError) => reason === 'idempotency_key_reused';

function isStored(error: DeskError): boolean {
  return !isOtherRequest(error) && !unstoredStatuses.includes(statusOf(error.code));
}

/** The credential has ended, or the key belongs to another request. */
function endsAll(error: DeskError): boolean {
  return statusOf(error.code) === 401 || error.reason === 'credential_changed' || isOtherRequest(error);
}
