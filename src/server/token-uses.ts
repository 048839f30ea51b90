// When each team token was last used: collected in memory, and written by the primary from time to time.

import { systemClock } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Cluster } from '../cluster/membership.ts';
import type { Desk } from '../desk/desk.ts';
import { noteTokenUse } from '../desk/people.ts';

const sendEveryMs = 20_000;

export interface TokenUses {
  note(tokenId: number, at?: number): void;
  flush(): Promise<void>;
  stop(): void;
}

/** On the primary the schedule calls `flush`; replicas send to it on their own. */
export function collectTokenUses(desk: Desk, cluster: Cluster | null, log: Log): TokenUses {
  const noted = new Map<number, number>();

  function note(tokenId: number, at = systemClock.now()): void {
    noted.set(tokenId, Math.max(at, noted.get(tokenId) ?? 0));
  }

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const uses = new Map(noted);
    noted.clear();
    try {
      if (cluster !== null && !cluster.isPrimary()) await cluster.sendTokenUses(uses);
      else {
        await desk.write((tx) => {
          noteTokenUse(tx, uses);
          return null;
        });
      }
    } catch (error) {
      for (const [tokenId, at] of uses) note(tokenId, at);
      throw error;
    }
  }

  const sending =
    cluster &&
    setInterval(() => {
      if (!cluster.isPrimary())
        flush().catch((error) => log.warn(errorFields(error), 'token uses could not be sent to the primary yet'));
    }, sendEveryMs);

  return {
    note,
    flush,
    stop() {
      if (sending) clearInterval(sending);
    },
  };
}
