// /healthz and /readyz: whether the process runs, and whether it can answer requests.

import { systemClock } from '../base/clock.ts';
import { usedShareOf } from '../base/disk.ts';
import { errorFields, type Log } from '../base/log.ts';
import { version } from '../base/version.ts';
import type { Cluster } from '../cluster/membership.ts';
import { refusalOf } from '../cluster/role.ts';
import { lastBackup } from '../data/last-backup.ts';
import type { RegularSnapshots } from '../data/regular-snapshots.ts';
import type { Desk } from '../desk/desk.ts';
import { DeskError } from '../domain/errors.ts';
import { errorReply, jsonReply, methodReply, type Reply } from '../http/wire/respond.ts';
import { schemaVersion } from '../store/row-figures.ts';

export interface ServerState {
  isReady: boolean;
  isStopping: boolean;
  isReadable: boolean;
}

interface HealthOptions {
  desk: Desk;
  path: string;
  cluster: Cluster | null;
  snapshots: RegularSnapshots;
  maxLagMs: number;
  state: ServerState;
  log: Log;
}

export const otherSchema =
  'The database has a different schema than this executable. Run the same version on every machine.';

/** Of a machine that forwards every request: what it answers is as good as the primary's. */
export function forwardingReply({ node }: Pick<Cluster, 'node'>): Reply {
  return jsonReply(200, { status: 'ready', version, role: node.role(), writes: true });
}

// For a balancer that sends writes elsewhere than reads.
const writesPath = '/readyz/writes';
export const healthPaths: readonly (string | null)[] = ['/healthz', '/readyz', writesPath];

/** @param canForward whether the primary answers for this machine */
type Health = (path: string, method: string, requestId: string, canForward: boolean) => Reply;

export function createHealth({ desk, path, cluster, snapshots, maxLagMs, state, log }: HealthOptions): Health {
  function unreadyBecause(): string | null {
    if (!state.isReady || state.isStopping) return 'The desk is starting or stopping.';
    if (!state.isReadable) return otherSchema;
    return cluster && unfitBecause(cluster);
  }

  function unfitBecause({ node, requirePrimary, primaryWatch, contact, room }: Cluster): string | null {
    const role = node.role();
    if (role === 'conflict') return 'Two machines claim to be the primary.';
    if (!room.isEnough()) return 'The disk of this machine is full.';
    if (role === 'primary') requirePrimary();
    const gapMs = role === 'replica' ? primaryWatch.clockGapMs() : null;
    if (gapMs !== null)
      return `The clocks of this machine and of the primary differ by ${Math.round(Math.abs(gapMs) / 1000)} s, so the primary refuses what is forwarded.`;
    if (role !== 'replica') return null;
    if (node.primaryHost() === null && contact.isCutOff())
      return 'This machine hears neither a primary nor Consul, so the others may have newer data.';
    // Without a known primary, old data is the best there is.
    const knowsPrimary = node.primaryHost() !== null || primaryWatch.isMissing();
    const lagMs = knowsPrimary ? node.replicationLagMs() : null;
    if (lagMs === null || lagMs <= maxLagMs) return null;
    return `The data of this machine is ${Math.round(lagMs / 1000)} s old, because it hears nothing from the primary.`;
  }

  /** `unfitBecause` has asked the primary itself. */
  const takesWrites = ({ node }: Cluster) => node.isPrimary() || node.primaryHost() !== null;

  /** Null if there is none, or backups/ cannot be read: the desk is still ready. */
  function ageSeconds(find: () => number | null | undefined): number | null {
    try {
      const at = find() ?? null;
      return at === null ? null : Math.max(0, Math.round((systemClock.now() - at) / 1000));
    } catch (error) {
      log.warn(errorFields(error), 'cannot read backups/');
      return null;
    }
  }

  function usedPercent(): number | null {
    try {
      return Math.floor(usedShareOf(path) * 100);
    } catch (error) {
      log.warn(errorFields(error), 'cannot ask how full the disk is');
      return null;
    }
  }

  function readiness(requestId: string, canForward: boolean, isForWrites: boolean): Reply {
    try {
      const isUp = state.isReady && !state.isStopping;
      if (isUp && !state.isReadable && canForward && cluster) return forwardingReply(cluster);
      const reason = unreadyBecause();
      if (reason !== null) throw new DeskError('unavailable', reason, { retryAfterSeconds: 2 });
      desk.read((tx) => schemaVersion(tx));
      const trouble = desk.trouble();
      if (trouble !== null) throw trouble;
      const writes = cluster === null || takesWrites(cluster);
      if (isForWrites && !writes) throw refusalOf('replica', null);
      return jsonReply(200, {
        status: 'ready',
        version,
        backup_age: ageSeconds(() => lastBackup(path)?.at),
        disk_used: usedPercent(),
        snapshot_age: ageSeconds(() => snapshots.newestAt()),
        ...(cluster === null ? {} : { role: cluster.node.role(), writes }),
      });
    } catch (error) {
      const refusal =
        error instanceof DeskError
          ? error
          : new DeskError('unavailable', 'The database cannot be read.', { retryAfterSeconds: 5 });
      return errorReply(refusal, requestId);
    }
  }

  return (path, method, requestId, canForward) => {
    if (!['GET', 'HEAD'].includes(method)) return methodReply(['GET', 'HEAD'], requestId);
    return path === '/healthz'
      ? jsonReply(200, { status: 'ok', version })
      : readiness(requestId, canForward, path === writesPath);
  };
}
