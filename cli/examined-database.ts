// The database of a machine in a cluster, for the doctor.

import type { Config } from '../src/base/config.ts';
import { silentLog } from '../src/base/log.ts';
import { joinCluster } from '../src/cluster/membership.ts';
import { replicatedDatabase } from '../src/cluster/replicated-database.ts';
import { databasePathOf } from '../src/data/layout.ts';
import type { ReplicatedDatabase } from '../src/data/other-machines.ts';

// On the primary the log only grows meanwhile.
const mostOnPrimaryMs = 10 * 60 * 1000;

/** Throws on a replica if something may have to be fixed. */
export async function examinedDatabase(
  config: Config,
  isFixing: boolean,
): Promise<(ReplicatedDatabase & { stop(): void }) | null> {
  const path = databasePathOf(config);
  const cluster = await joinCluster(config, path, silentLog);
  if (cluster === null) return null;
  try {
    if (isFixing) cluster.requirePrimary();
  } catch (error) {
    cluster.stop();
    throw error;
  }
  const isReplica = !cluster.isPrimary();
  return {
    ...replicatedDatabase(path, config.HELPDESK_LITEFS_URL),
    isReplica,
    // A replica with older data is not ready.
    mostMs: isReplica ? Math.ceil(config.HELPDESK_MAX_LAG / 2) : mostOnPrimaryMs,
    requirePrimary: cluster.requirePrimary,
    stop: cluster.stop,
  };
}
