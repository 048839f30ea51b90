// Background work of the machine that writes: deliveries and the schedule.

import type { Config } from '../base/config.ts';
import { errorFields, type Log } from '../base/log.ts';
import { hasEnded, processName, processStartedAt } from '../base/process.ts';
import type { DataDirectory } from '../data/directory.ts';
import { databasePathOf } from '../data/layout.ts';
import type { RegularSnapshots } from '../data/regular-snapshots.ts';
import type { MailedReport } from '../desk/reports/mailed-reports.ts';
import { isInUseElsewhere } from '../engine/in-use.ts';
import type { Scanner } from '../files/clamav.ts';
import type { Running } from '../jobs/background.ts';
import { createFileScans } from '../jobs/file-scans.ts';
import { checkMailboxes } from '../jobs/mailbox-checks.ts';
import { startMailboxes } from '../jobs/mailboxes.ts';
import type { Mailroom } from '../jobs/mailroom.ts';
import type { Recomputer } from '../jobs/recompute.ts';
import { removeRest } from '../jobs/removals.ts';
import { type JobRun, startScheduler } from '../jobs/schedule.ts';
import { catchUpChannels, detachRest, forgetImports } from '../jobs/small-steps.ts';
import { noteStorage, noteVersionRun } from '../jobs/storage.ts';
import { sweepLeftFiles } from '../jobs/upkeep.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createDispatcher, takeUp } from '../outbox/dispatcher.ts';
import { dispatcherOptions, mailHostsOf } from '../outbox/setup.ts';
import type { Reader } from '../reader/reader.ts';
import type { CredentialUses } from './credential-uses.ts';
import type { ServerState } from './health.ts';

interface WorkOptions {
  config: Config;
  data: DataDirectory;
  reader: Reader;
  scanner: Scanner | null;
  mailroom: Mailroom;
  recomputer: Recomputer;
  snapshots: RegularSnapshots;
  jobRuns: Map<string, JobRun>;
  metrics: Metrics;
  credentialUses: CredentialUses;
  state: ServerState;
  /** Whether the role of this machine can change, so that the work may start again later. */
  isCluster: boolean;
  mayRun: () => boolean;
  log: Log;
}

export async function startWork(options: WorkOptions): Promise<Running> {
  const { config, data, reader, mailroom, recomputer, snapshots, metrics, log } = options;
  const { mayRun, scanner, state } = options;
  const { desk, blobs, mailBlobs, path, addresses } = data;
  const readReport = async (report: MailedReport) =>
    (await import('../http/wire/reports/mailed-report.ts')).mailedNumbers(desk, report);
  const dispatcher = createDispatcher({
    ...dispatcherOptions({ config, desk, blobs, mailBlobs, log, reader, path, addresses, readReport }),
    onAttempt: metrics.onAttempt,
  });
  const fileScans = createFileScans({ desk, blobs, scanner, log });
  try {
    // An earlier run of this process may have claimed deliveries and stopped before it recorded their outcome.
    await takeUp(desk, (name) => name === processName || hasEnded(name));
  } catch (error) {
    await dispatcher.stop();
    throw error;
  }
  // A desk whose disk is full starts all the same.
  await noteVersionRun(desk).catch((error) =>
    log.error(errorFields(error), 'the version that runs could not be noted'),
  );
  // Also without a scanner: files may wait for one that was removed.
  fileScans.wake();
  const mailRoute = mailHostsOf(config);
  const awakeSince = desk.now();
  const scheduler = startScheduler({
    desk,
    runs: options.jobRuns,
    blobs,
    mailBlobs,
    log,
    flushUses: options.credentialUses.flush,
    auditKeepMs: config.HELPDESK_AUDIT_KEEP,
    keepSnapshots: snapshots.look,
    noteStorage: () => noteStorage(desk, path),
    scanFiles: scanner && fileScans.wake,
    recoverMail: () => mailroom.recover('due'),
    resumeRecomputes: recomputer.resume,
    async removeSites() {
      await catchUpChannels(desk);
      await detachRest(desk);
      await forgetImports(desk);
      await removeRest({ desk, blobs, mailBlobs, log, isStopping: () => state.isStopping || !mayRun() });
    },
    removeErased: data.removeErased,
    checkMailboxes: () =>
      checkMailboxes({ desk, route: mailRoute, isStopping: () => state.isStopping || !mayRun(), awakeSince }),
    mayRun,
    onScan: metrics.onScan,
  });
  if (!isInUseElsewhere(databasePathOf(config))) sweepFiles(data, log);
  dispatcher.wake();
  const mailboxes = startMailboxes({ desk, mailroom, route: mailRoute, log });
  return {
    wake() {
      dispatcher.wake();
      mailboxes.wake();
    },
    async stop() {
      scheduler.stop();
      await mailboxes.stop();
      if (options.isCluster) await snapshots.stop();
      await fileScans.stop();
      await dispatcher.stop();
    },
  };
}

function sweepFiles({ desk, localFiles }: DataDirectory, log: Log): void {
  sweepLeftFiles(desk, localFiles, processStartedAt - 1000).then(
    (removed) => {
      if (removed > 0) log.info({ removed }, 'removed files that the last run had left unfinished');
    },
    (error) => log.warn(errorFields(error), 'files that the last run left unfinished could not be removed'),
  );
}

/** Not awaited by the start: a pile of costly mail must not keep the desk closed. */
export function recoverMail(mailroom: Mailroom, log: Log): void {
  mailroom.recover('all').then(
    (recovered) => {
      if (recovered > 0) log.info({ recovered }, 'filed mail that the last run had left unfiled');
    },
    (error) => log.warn(errorFields(error), 'some mail is stored but not filed yet'),
  );
}
