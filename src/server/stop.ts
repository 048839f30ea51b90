// Stops the desk in order: what is under way may finish first.

import { errorFields, type Log } from '../base/log.ts';
import type { Cluster } from '../cluster/membership.ts';
import type { DataDirectory } from '../data/directory.ts';
import type { RegularSnapshots } from '../data/regular-snapshots.ts';
import type { LiveFeed } from '../http/streams/live-feed.ts';
import type { Background } from '../jobs/background.ts';
import type { Mailroom } from '../jobs/mailroom.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Reader } from '../reader/reader.ts';
import type { CredentialUses } from './credential-uses.ts';
import type { ServerState } from './health.ts';
import type { Server } from './listen.ts';
import type { InFlight } from './requests.ts';

interface RunningParts {
  data: DataDirectory;
  feed: LiveFeed;
  snapshots: RegularSnapshots;
  metrics: Metrics;
  credentialUses: CredentialUses;
  server: Server;
  mailroom: Mailroom;
  inFlight: InFlight;
  background: Background;
  reader: Reader;
  cluster: Cluster | null;
}

interface StopOptions {
  running: RunningParts;
  state: ServerState;
  endListening: () => void;
  log: Log;
}

// Requests and mail in flight get this long to finish.
const drainMs = 10_000;
// Then idle keep-alive connections are closed.
const keepAliveMs = 250;

export function createStop({ running, state, endListening, log }: StopOptions): () => Promise<void> {
  return async () => {
    if (state.isStopping) return;
    state.isStopping = true;
    running.feed.close();
    const snapshotEnded = running.cluster === null ? running.snapshots.stop() : Promise.resolve();
    endListening();
    running.metrics.stop();
    running.credentialUses.stop();
    const closed = running.server.stop(false);
    const filed = running.mailroom.stop();
    await running.inFlight.drained(drainMs);
    await running.background.stop();
    await atMost(drainMs, filed);
    // Messages that are still being read are filed at the next start.
    await running.reader.stop();
    await filed;
    await running.credentialUses
      .flush()
      .catch((error) => log.error(errorFields(error), 'the last uses of tokens and sessions were not saved'));
    await atMost(keepAliveMs, closed);
    await running.server.stop(true);
    running.cluster?.stop();
    await snapshotEnded;
    await running.data.close();
    log.info({}, 'stopped');
  };
}

async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
