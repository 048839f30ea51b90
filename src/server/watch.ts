// Looks once a second for what nothing announces: a set clock, a failing disk, and commits by other processes.

import type { Migration } from '../../migrations/step.ts';
import { noteJump, toWire, watchClock } from '../base/clock.ts';
import { fillingShares, usedShareOf } from '../base/disk.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { tellOnce } from '../desk/notifications/notify.ts';
import { schemaState } from '../engine/migrate.ts';
import { insertClockJump } from '../store/clock-jumps.ts';
import type { ServerState } from './health.ts';

const everyMs = 1000;

interface WatchOptions {
  desk: Desk;
  known: readonly Migration[];
  path: string;
  log: Log;
  isCluster: boolean;
  mayWrite: () => boolean;
  state: ServerState;
  onForeignCommit: () => void;
}

export function startWatch({
  desk,
  known,
  path,
  log,
  isCluster,
  mayWrite,
  state,
  onForeignCommit,
}: WatchOptions): () => void {
  let generation = desk.generation();
  let reported: string | undefined;
  const checkRoom = createRoomCheck(path, log, tellLow);
  const clockJump = watchClock();

  function checkDisk(): void {
    const trouble = desk.trouble();
    if (trouble?.message !== reported) {
      reported = trouble?.message;
      if (trouble === null) log.info({}, 'the database can be read and written again');
      else log.error({ code: trouble.reason }, `not ready: ${trouble.message}`);
    }
    // Without this, a disk that works again would be noticed only when a request writes, and on a replica never: there
    // the role refuses the write, which ends what an earlier write left.
    desk.writer.probe().catch(() => undefined);
  }

  function checkCommits(now: string): void {
    const hasMoved = now !== generation;
    generation = now;
    if (isCluster && (hasMoved || !state.isReadable)) state.isReadable = isSchemaCurrent(desk, known);
    if (hasMoved) onForeignCommit();
  }

  function tellLow(): void {
    if (!mayWrite()) return;
    desk
      .write((tx) => tellOnce(tx, desk.context({ kind: 'desk' }, 'watch'), 'disk_low', null) ?? null)
      .catch((error) => log.warn(errorFields(error), 'the owners could not be told that the disk fills'));
  }

  function checkClock(): void {
    const jump = clockJump();
    if (jump === null) return;
    noteJump(jump);
    const fields = { before: toWire(jump.before), after: toWire(jump.after) };
    if (jump.isSuspension) log.info(fields, 'the machine was suspended');
    else log.error(fields, 'the clock of this machine was set: times recorded before or after this are wrong');
    if (!mayWrite()) return;
    desk
      .write((tx) => insertClockJump(tx, jump))
      .catch((error) => log.warn(errorFields(error), 'the clock change could not be recorded for `helpdesk doctor`'));
  }

  const timer = setInterval(() => {
    try {
      checkClock();
      const now = desk.generation();
      checkDisk();
      checkRoom();
      checkCommits(now);
    } catch (error) {
      log.error(errorFields(error), 'the database could not be checked');
    }
  }, everyMs);
  return () => clearInterval(timer);
}

/**
 * Says once that a disk fills, and once that it has room again.
 * @param onLow called at each step towards a full disk
 */
export function createRoomCheck(
  path: string,
  log: Log,
  onLow: () => void,
  usedShare = () => usedShareOf(path),
): () => void {
  const { filling, nearlyFull } = fillingShares;
  let told = 0;
  return () => {
    const share = usedShare();
    const reached = share >= nearlyFull ? nearlyFull : share >= filling ? filling : 0;
    // A disk at the edge is not told again and again.
    if (reached === told || (reached < told && share > told - 0.01)) return;
    if (reached > told) onLow();
    told = reached;
    const fields = { path, used_percent: Math.floor(share * 100) };
    if (reached === 0) log.info(fields, 'the disk of the data directory has room again');
    else if (reached === filling) log.warn(fields, 'the disk of the data directory is filling up');
    else log.error(fields, 'the disk of the data directory is nearly full: soon nothing can be written');
  };
}

function isSchemaCurrent(desk: Desk, known: readonly Migration[]): boolean {
  try {
    return desk.read((tx) => schemaState(tx, known)) === 'current';
  } catch {
    // A newer schema, or a database that cannot be read now.
    return false;
  }
}
