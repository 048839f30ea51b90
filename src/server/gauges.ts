// Gauges that are read from other rooms when someone asks for /metrics.

import { systemClock } from '../base/clock.ts';
import type { Cluster } from '../cluster/membership.ts';
import { lastBackup } from '../data/last-backup.ts';
import type { SnapshotKeeper } from '../data/snapshot-keeper.ts';
import type { Desk } from '../desk/desk.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { removals } from '../store/removals.ts';

interface Sources {
  desk: Desk;
  path: string;
  cluster: Cluster | null;
  keeper: SnapshotKeeper;
}

const secondsSince = (at: number | null | undefined) =>
  at === null || at === undefined ? null : (systemClock.now() - at) / 1000;

export function addGauges(metrics: Metrics, { desk, path, cluster, keeper }: Sources): void {
  metrics.gauge('helpdesk_site_removal_tickets', 'Tickets of removed sites that are still to be deleted.', () =>
    desk.read((tx) => removals(tx).reduce((sum, { left }) => sum + left, 0)),
  );
  metrics.gauge('helpdesk_backup_age_seconds', 'Age of the last backup.', () => secondsSince(lastBackup(path)?.at));
  metrics.gauge('helpdesk_snapshot_age_seconds', 'Age of the newest snapshot.', () => secondsSince(keeper.newestAt()));
  if (cluster === null) return;
  metrics.gauge('helpdesk_node_is_primary', '1 if this machine is the primary.', () => (cluster.isPrimary() ? 1 : 0));
  metrics.gauge('helpdesk_replication_lag_seconds', 'How far this machine is behind the primary.', () => {
    const ms = cluster.node.replicationLagMs();
    return ms === null ? null : ms / 1000;
  });
}
