// Every recurring job and its schedule (croner, never two runs of one job at the same time).

import { Cron } from 'croner';
import { type Instant, monotonicMs, settled } from '../base/clock.ts';
import { gently } from '../base/give-way.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { tellWaiting } from '../desk/notifications/team-waits.ts';
import { heldMs } from '../desk/outbox/log.ts';
import { countAsked, hasAsked } from '../desk/rules/prepared-triggers.ts';
import { forgetPassed } from '../desk/rules/run-timed-rules.ts';
import { dayMs } from '../domain/instant.ts';
import type { JobName } from '../domain/jobs.ts';
import { keptDays } from '../domain/mail/inbound.ts';
import { keptDays as keptNotificationDays } from '../domain/notifications/notification.ts';
import { unmergeDays } from '../domain/sites/limits.ts';
import type { Tx } from '../engine/database.ts';
import type { Blobs } from '../files/blobs.ts';
import { forgetIdempotencyKeys } from '../store/events.ts';
import { forgetInboundMail, knownInboundMail } from '../store/mail/inbound.ts';
import { purgeNotifications } from '../store/notifications/notifications.ts';
import { expireHeld, firstHeld, purgeDeliveries } from '../store/outbox/outbox.ts';
import { forgetAutomation } from '../store/rules/automation.ts';
import { forgetRuleCounts } from '../store/rules/rule-counts.ts';
import { purgeMerges } from '../store/tickets/merges.ts';
import { knownAttachments } from '../store/tickets/messages.ts';
import { mailAllAsked } from './asked-mails.ts';
import {
  gatherMoments,
  keepAllFacts,
  mailAllReports,
  promoteWaiting,
  rebuildDocuments,
  writeDocuments,
} from './small-steps.ts';
import { closeAll, scan, sendScheduled, wakeAll } from './ticket-scans.ts';
import { openDueTickets, runDueTimed } from './timed-rules.ts';
import { customerPurges, purgeErasedWords, signInPurges, sortByLevels, sweepAudit } from './upkeep.ts';

const keptMs = 30 * dayMs;

const rowsOfStep = 500;

// Some tens of thousands of tickets.
const smallIndexBlocks = 2000;

/** How the last run of a job ended on this machine. */
export interface JobRun {
  endedAt: Instant;
  ms: number;
  error: string | null;
}

interface Jobs {
  desk: Desk;
  /** By the names of the jobs; those that have not run yet are not there. */
  runs: Map<string, JobRun>;
  blobs: Blobs;
  mailBlobs: Blobs;
  log: Log;
  flushUses: () => Promise<void>;
  recoverMail: () => Promise<number>;
  removeSites: () => Promise<void>;
  resumeRecomputes: () => Promise<number>;
  removeErased: () => Promise<void>;
  checkMailboxes: () => Promise<void>;
  auditKeepMs: number;
  keepSnapshots: () => Promise<void>;
  noteStorage: () => Promise<void>;
  /** Null when files are not checked for viruses. */
  scanFiles: (() => void) | null;
  /** Whether this machine can write now; if not, no job starts. */
  mayRun?: () => boolean;
  onScan?: (scanned: { durationMs: number; signalled: number }) => void;
}

const resumeAfterMs = 50;

export function startScheduler({
  desk,
  runs,
  blobs,
  mailBlobs,
  log,
  flushUses,
  recoverMail,
  resumeRecomputes,
  removeSites,
  removeErased,
  checkMailboxes,
  auditKeepMs,
  keepSnapshots,
  noteStorage,
  scanFiles,
  mayRun,
  onScan,
}: Jobs): {
  stop(): void;
} {
  const job = (name: JobName, schedule: string, run: () => Promise<void>) =>
    new Cron(
      schedule,
      {
        name,
        protect: true,
        unref: true,
        paused: true,
        catch: (error) => log.error({ job: name, ...errorFields(error) }, 'job failed'),
      },
      async () => {
        if (!(mayRun?.() ?? true)) return;
        const startedAt = monotonicMs();
        let error: string | null = 'It failed.';
        try {
          await run();
          error = null;
        } catch (thrown) {
          if (thrown instanceof Error) error = thrown.message;
          throw thrown;
        } finally {
          runs.set(name, { endedAt: desk.now(), ms: Math.round(monotonicMs() - startedAt), error });
        }
      },
    );
  /** Runs a step until it finds less than it could have done. */
  async function inSteps(step: (tx: Tx) => number): Promise<void> {
    while ((await gently(() => desk.write(step))) >= rowsOfStep);
  }
  const jobs = [
    job('last uses', '*/20 * * * * *', flushUses),
    job('sla scan', '0 * * * * *', async () => {
      const startedAt = monotonicMs();
      const signalled = await scan(desk, log);
      onScan?.({ durationMs: monotonicMs() - startedAt, signalled });
    }),
    job('team waits', '5 * * * * *', async () => {
      while (await gently(() => desk.write((tx) => tellWaiting(tx, desk.context({ kind: 'scan' }, 'team waits')))));
    }),
    job('search', '* * * * * *', () => writeDocuments(desk)),
    job('search rebuild', '*/5 * * * * *', () => rebuildDocuments(desk)),
    job('scheduled replies', '* * * * * *', () => sendScheduled(desk, log)),
    job('asked mails', '* * * * * *', () => mailAllAsked(desk, log)),
    ...(scanFiles === null ? [] : [job('file scans', '* * * * * *', async () => scanFiles())]),
    job('auto-close', '30 * * * * *', () => closeAll(desk, log)),
    job('snoozes', '*/5 * * * * *', () => wakeAll(desk, log)),
    job('priority levels', '*/5 * * * * *', () => sortByLevels(desk)),
    job('idempotency keys', '17 * * * * *', () =>
      inSteps((tx) => forgetIdempotencyKeys(tx, settled(desk.now()), rowsOfStep)),
    ),
    job('ended sign-ins', '19 */5 * * * *', async () => {
      const now = settled(desk.now());
      for (const purge of [...signInPurges, ...customerPurges]) await inSteps((tx) => purge(tx, now, rowsOfStep));
    }),
    job('outbox log', '23 * * * * *', () =>
      inSteps((tx) => {
        const { deliveries, tries } = purgeDeliveries(tx, settled(desk.now()) - keptMs, rowsOfStep);
        return Math.max(deliveries, tries);
      }),
    ),
    // Looks at all deliveries of disabled channels, so it runs only hourly.
    job('held deliveries', '37 7 * * * *', async () => {
      for (let place: typeof firstHeld | null = firstHeld; place !== null; ) {
        const from: typeof firstHeld = place;
        place = await desk.write((tx) => expireHeld(tx, settled(desk.now()) - heldMs, desk.now(), from, rowsOfStep));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }),
    // No commit leaves any; older versions did.
    job('waiting deliveries', '41 37 * * * *', () => promoteWaiting(desk)),
    job('unfiled mail', '47 * * * * *', async () => {
      const recovered = await recoverMail();
      if (recovered > 0) log.info({ recovered }, 'filed delayed mail');
    }),
    job('inbound mail', '53 11 * * * *', async () => {
      const before = (days: number) => settled(desk.now()) - days * dayMs;
      for (let gone: string[] | null = null; gone === null || gone.length === rowsOfStep; ) {
        gone = await desk.write((tx) =>
          forgetInboundMail(tx, before(keptDays.other), before(keptDays.discarded), rowsOfStep),
        );
        for (const ulid of gone) await mailBlobs.remove(ulid);
      }
      if (desk.trouble() !== null) return;
      await mailBlobs.sweep(settled(desk.now()), (ulids) => desk.read((tx) => knownInboundMail(tx, ulids)));
    }),
    job('rule counts', '7 3 * * * *', async () => {
      for (const forget of [forgetRuleCounts, forgetAutomation])
        await inSteps((tx) => forget(tx, settled(desk.now()), rowsOfStep));
    }),
    job('timed rules', '20 * * * * *', () => runDueTimed(desk, log)),
    job('recurring tickets', '1 * * * * *', () => openDueTickets(desk, log)),
    job('moments', '*/3 * * * * *', () => gatherMoments(desk)),
    job('passed moments', '27 9 * * * *', () => inSteps((tx) => forgetPassed(tx, rowsOfStep))),
    job('asked triggers', '9-59/20 * * * * *', async () => {
      if (hasAsked()) await desk.write((tx) => countAsked(tx, desk.now()));
    }),
    job('report facts', '*/2 * * * * *', () => keepAllFacts(desk, log)),
    job('mailed reports', '1 * * * * *', () => mailAllReports(desk)),
    job('old merges', '31 47 * * * *', () =>
      inSteps((tx) => purgeMerges(tx, settled(desk.now()) - unmergeDays * dayMs, rowsOfStep)),
    ),
    job('old notifications', '33 27 * * * *', () =>
      inSteps((tx) => purgeNotifications(tx, rowsOfStep, settled(desk.now()) - keptNotificationDays * dayMs)),
    ),
    job('audit log', '29 13 * * * *', () => sweepAudit(desk, auditKeepMs)),
    job('removals', '*/2 * * * * *', removeSites),
    job('recomputations', '11 * * * * *', async () => {
      await resumeRecomputes();
    }),
    job('erased files', '27 * * * * *', removeErased),
    // Rewrites the whole index, so a large one waits until night.
    job('erased words', '35 * * * * *', () => purgeErasedWords(desk, smallIndexBlocks)),
    job('erased words, large', '43 41 3 * * *', () => purgeErasedWords(desk, Number.MAX_SAFE_INTEGER)),
    job('mailboxes', '51 * * * * *', checkMailboxes),
    job('snapshots', '*/10 * * * * *', keepSnapshots),
    job('storage', '13 3 * * * *', noteStorage),
    job('orphaned files', '41 23 * * * *', async () => {
      // After an uncertain write, a file without a row may still be needed.
      if (desk.trouble() !== null) return;
      const removed = await blobs.sweep(settled(desk.now()), (ulids) => desk.read((tx) => knownAttachments(tx, ulids)));
      if (removed > 0) log.info({ removed }, 'removed unused files');
    }),
  ];
  // Catches up at once with what became due while the desk was down.
  for (const name of ['sla scan', 'snoozes', 'waiting deliveries', 'mailed reports'])
    void jobs.find((job) => job.name === name)?.trigger();
  // Finding out when each runs next takes some milliseconds, which the first answer need not wait for.
  const resuming = setTimeout(() => {
    for (const each of jobs) each.resume();
  }, resumeAfterMs);
  resuming.unref();
  return {
    stop() {
      clearTimeout(resuming);
      for (const each of jobs) each.stop();
    },
  };
}
