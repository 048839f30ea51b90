// A planned change of the primary: this machine ends its deliveries first and its writes last, then LiteFS moves the lease.

import { DeskError } from '../domain/errors.ts';
import type { Node } from './node.ts';

/** Below `peerPath`: asks the primary to begin. */
export const handoverPeerPath = 'handover';

export interface Handover {
  /** Whether background work may run; false from the first moment of a handover. */
  mayWork(): boolean;
  /** Throws `unavailable` from the moment when the deliveries have ended. */
  requireWrites(): void;
  /** @param endWork called when `mayWork` changes; resolves when the work has followed */
  follow(endWork: () => Promise<void>): void;
  /** Resolves when this machine delivers and writes nothing more. It resumes if it is still the primary some seconds later. */
  begin(): Promise<void>;
}

// LiteFS moves the lease in less than a second, or not at all.
const resumeAfterMs = 8_000;

export function createHandover(node: Pick<Node, 'isPrimary' | 'onChange'>, resumeMs = resumeAfterMs): Handover {
  let stage: 'none' | 'ending' | 'ended' = 'none';
  let followWork: () => Promise<void> = () => Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | null = null;

  function resume(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (stage === 'none') return;
    stage = 'none';
    // The background logs its failures and tries again.
    followWork().catch(() => undefined);
  }
  node.onChange(resume);

  return {
    mayWork: () => stage === 'none',
    requireWrites() {
      if (stage !== 'ended') return;
      throw new DeskError('unavailable', 'The primary is handing over to another machine. Nothing was stored.', {
        retryAfterSeconds: 1,
      });
    },
    follow(endWork) {
      followWork = endWork;
    },
    async begin() {
      if (!node.isPrimary()) throw new DeskError('unavailable', 'This machine is not the primary.');
      if (stage !== 'none') throw new DeskError('unavailable', 'This machine is handing over already.');
      stage = 'ending';
      try {
        await followWork();
      } catch (error) {
        resume();
        throw error;
      }
      if (stage !== 'ending') return;
      stage = 'ended';
      timer = setTimeout(resume, resumeMs);
      timer.unref();
    },
  };
}
