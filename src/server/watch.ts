// Looks once a second for what nothing announces: a set clock, a failing disk, and commits by other processes.

import { migrations } from '../../migrations/index.ts';
import { noteJump, toWire, watchClock } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { insertClockJump } from '../store/clock-jumps.ts';
import { schemaState } from '../store/migrate.ts';
import type { ServerState } from './health.ts';

const everyMs = 1000;

interface WatchOptions {
  desk: Desk;
  log: Log;
  isCluster: boolean;
  mayWrite: () => boolean;
  state: ServerState;
  onForeignCommit: () => void;
}

export function startWatch({ desk, log, isCluster, mayWrite, state, onForeignCommit }: WatchOptions): () => void {
  let generation = desk.generation();
  let reported: string | undefined;
  const clockJump = watchClock();

  function checkDisk(): void {
    const trouble = desk.trouble();
    if (trouble?.message !== reported) {
      reported = trouble?.message;
      if (trouble === null) log.info({}, 'the database can be read and written again');
      else log.error({ code: trouble.reason }, `not ready: ${trouble.message}`);
    }
    // Without this, a disk that works again would be noticed only when a request writes.
    if (mayWrite()) desk.writer.probe().catch(() => undefined);
  }

  function checkCommits(now: string): void {
    const hasMoved = now !== generation;
    generation = now;
    if (hasMoved) onForeignCommit();
    if (isCluster && (hasMoved || !state.isReadable)) state.isReadable = isSchemaCurrent(desk);
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
      checkCommits(now);
    } catch (error) {
      log.error(errorFields(error), 'the database could not be checked');
    }
  }, everyMs);
  return () => clearInterval(timer);
}

function isSchemaCurrent(desk: Desk): boolean {
  try {
    return desk.read((tx) => schemaState(tx, migrations)) === 'current';
  } catch {
    // A newer schema, or a database that cannot be read now.
    return false;
  }
}
