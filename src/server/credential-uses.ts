// When each team token and session was last used: collected in memory, and written by the primary from time to time.

import { systemClock } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Cluster } from '../cluster/membership.ts';
import type { Desk } from '../desk/desk.ts';
import { noteCredentialUses } from '../desk/people/sessions.ts';
import type { CredentialUse, UsedCredential } from '../domain/people/credential-use.ts';

const sendEveryMs = 20_000;

export interface CredentialUses {
  note(kind: UsedCredential, id: number, at?: number): void;
  flush(): Promise<void>;
  stop(): void;
}

/** On the primary the schedule calls `flush`; replicas send to it on their own. */
export function collectCredentialUses(desk: Desk, cluster: Cluster | null, log: Log): CredentialUses {
  const noted = new Map<string, CredentialUse>();

  function note(kind: UsedCredential, id: number, at = systemClock.now()): void {
    const key = `${kind} ${id}`;
    noted.set(key, { kind, id, at: Math.max(at, noted.get(key)?.at ?? 0) });
  }

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const uses = [...noted.values()];
    noted.clear();
    try {
      if (cluster !== null && !cluster.isPrimary()) await cluster.sendUses(uses);
      else {
        await desk.write((tx) => {
          noteCredentialUses(tx, uses);
          return null;
        });
      }
    } catch (error) {
      for (const { kind, id, at } of uses) note(kind, id, at);
      throw error;
    }
  }

  const sending =
    cluster &&
    setInterval(() => {
      if (!cluster.isPrimary())
        flush().catch((error) => log.warn(errorFields(error), 'last uses could not be sent to the primary yet'));
    }, sendEveryMs);

  return {
    note,
    flush,
    stop() {
      if (sending) clearInterval(sending);
    },
  };
}
