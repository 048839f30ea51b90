// The replicas that this machine hears as the primary: each says who it is whenever it asks for the primary.

import { type Clock, type Instant, systemClock } from '../base/clock.ts';
import { machineName } from '../base/process.ts';
import { version } from '../base/version.ts';

interface Replica {
  host: string;
  version: string;
  /** How far its copy is behind; null while it does not know. */
  lagMs: number | null;
  heardAt: Instant;
}

export interface Replicas {
  note(said: URLSearchParams): void;
  /** By name. One that has gone stays for a day, with when it was last heard. */
  all(): Replica[];
}

const keptMs = 24 * 3_600_000;
// A cluster has a handful of machines.
const mostReplicas = 32;

/** What a replica says of itself. */
export const ownWords = (lagMs: number | null) =>
  new URLSearchParams({ host: machineName, version, ...(lagMs === null ? {} : { lag_ms: String(Math.round(lagMs)) }) });

export function createReplicas(clock: Clock = systemClock): Replicas {
  const heard = new Map<string, Replica>();
  return {
    note(said) {
      const [host, its, lag] = ['host', 'version', 'lag_ms'].map((name) => said.get(name));
      // One of an older version says nothing of itself.
      if (host == null || its == null || host === '' || host.length > 255 || its.length > 64) return;
      heard.delete(host);
      heard.set(host, {
        host,
        version: its,
        lagMs: /^\d{1,15}$/.test(lag ?? '') ? Number(lag) : null,
        heardAt: clock.now(),
      });
      for (const [name, { heardAt }] of heard)
        if (heardAt < clock.now() - keptMs || heard.size > mostReplicas) heard.delete(name);
    },
    all: () => [...heard.values()].sort((one, other) => one.host.localeCompare(other.host)),
  };
}
