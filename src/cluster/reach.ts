// Waits until the database of this machine has reached the position that a request needs.

import { monotonicMs } from '../base/clock.ts';
import { hasReached, type Mount } from './litefs.ts';

const lookEveryMs = 20;
// Anyone can make up positions that never come. This many wait at once; the others go to the primary.
const maxWaiting = 256;

export function createReach(mount: Mount, isStopped: () => boolean) {
  let waiting = 0;
  return async (position: string, ms: number, signal: AbortSignal): Promise<boolean> => {
    const until = monotonicMs() + ms;
    const isThere = () => {
      const here = mount.position();
      return here !== null && hasReached(here, position);
    };
    if (isThere()) return true;
    if (waiting >= maxWaiting) return false;
    waiting += 1;
    try {
      while (monotonicMs() < until && !signal.aborted && !isStopped()) {
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
        if (isThere()) return true;
      }
      return false;
    } finally {
      waiting -= 1;
    }
  };
}
