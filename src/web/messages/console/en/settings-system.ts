// The messages of the system’s settings, in English.

import type { JobName } from '../../../../domain/jobs.ts';
import type { Same } from '../../en.ts';
import { jobs } from '../../jobs/en.ts';

export const messages = {
  // The system
  system: 'Health',
  systemLead: 'Whether the desk is well, and what it keeps. Only owners see this.',
  systemWell: 'The desk works.',
  systemTrouble: 'The database cannot be used now. It says:',
  systemVersion: (version: string, schema: string) => `Version ${version}, database ${schema}`,
  systemCheck: 'Check of the data',
  systemCheckLead: 'Reads everything and compares it, beside the desk. Work goes on meanwhile.',
  systemCheckNow: 'Check now',
  checkRuns: (when: string) => `Checking since ${when}`,
  checkSound: (when: string) => `Nothing is wrong. Checked ${when}.`,
  checkUnsound: (when: string) => `Something is wrong. Checked ${when}.`,
  checkNever: 'Not checked since the desk started.',
  commandFailed: 'It did not work. The reason:',
  /** Those of the desk, which other languages have in `messages/findings`. */
  findingText: (_code: string, meaning: string) => meaning,
  findingWrong: 'Wrong',
  findingNotice: 'Notice',
  findingFixed: 'Repaired',
  findingRun: 'Run this where the desk runs:',
  repair: 'Repair',
  repairOf: (what: string) => `Repair: ${what}`,
  systemBackups: 'Backup',
  backUpNow: 'Back up now',
  backupRuns: (when: string) => `Backing up since ${when}`,
  backupNever: 'No backup has been made yet.',
  backupLast: (when: string, size: string, path: string) =>
    `Last backup ${when}, ${size}, read back and complete: ${path}`,
  backupDownload: 'Download',
  backupLead:
    'It has everything, also the key that opens stored secrets: keep it safe. A backup made here stays on this machine only until the next one, or until the desk stops. Download it.',
  systemStorage: 'Storage',
  storageDisk: (share: string, free: string) => `${share} of the disk is used, ${free} is free`,
  storageDatabase: (size: string, free: string) => `The database has ${size}, of which ${free} can be used again`,
  restoreTest: 'Test a restore',
  restoreRuns: (when: string) => `Testing a restore since ${when}`,
  restoreNever: 'No restore has been tested yet. A backup counts once it was restored.',
  restoreTested: (when: string, upTo: string, tickets: string) =>
    `Restore tested ${when}: everything up to ${upTo}, ${tickets} tickets.`,
  storageFiles: (size: string) => `Attachments have ${size}`,
  growthLater: 'Growth is told once there are figures of two days.',
  growthADay: (database: string, files: string, days: string) =>
    `A day: database ${database}, attachments ${files}, over ${days} days.`,
  growthNeverFull: 'The free room does not shrink.',
  growthFull: (day: string) => `At this pace the disk is full on ${day}.`,
  upgradeTitle: (version: string) => `What is new in ${version}`,
  upgradeSince: (version: string) => `What changed since ${version}`,
  upgradeBegan: (version: string, when: string) => `${version} runs here since ${when}.`,
  services: 'Files and viruses',
  servicesLead: 'Stores a small file, reads it and removes it, and gives the virus scanner the usual test virus.',
  servicesTest: 'Test both',
  bucketTest: 'Test the bucket',
  serviceBucket: 'The bucket',
  serviceDisk: 'The disk for files',
  serviceScanner: 'The virus scanner',
  serviceNoScanner: 'Files are not checked for viruses: HELPDESK_CLAMAV is not set.',
  serviceWorks: (name: string, ms: string) => `${name} works (${ms} ms).`,
  serviceFails: (name: string) => `${name} does not work. The reason:`,
  systemOutbox: 'Outbox',
  outboxMail: (waiting: string, oldest: string | null) =>
    `Mail: ${waiting} waiting${oldest === null ? '' : `, the oldest due for ${oldest}`}`,
  outboxWebhooks: (waiting: string, oldest: string | null) =>
    `Webhooks: ${waiting} waiting${oldest === null ? '' : `, the oldest due for ${oldest}`}`,
  outboxFailed: (failed: string) => `Failed for good: ${failed}`,
  outboxUnfiled: (waiting: string) => `Arrived mail that waits: ${waiting}`,
  outboxLead:
    'Mail and webhooks that leave the desk, of all sites. A mail that failed can be sent again once its cause is gone.',
  outboxShown: 'Which deliveries are shown',
  outboxShowFailed: 'Failed for good',
  outboxShowQueued: 'Waiting',
  outboxNone: 'Nothing.',
  outboxNow: 'Try all now',
  outboxOneNow: 'Try now',
  outboxAgainText:
    'Mail and webhooks that failed for good are queued again, with the same identity, so that no receiver counts one twice. A link or code that ended is not sent.',
  outboxChannel: (name: string) => `Webhook ${name}`,
  outboxTries: (count: number) => (count === 1 ? 'tried once' : `tried ${count} times`),
  outboxAgainTo: (to: string) => `Send again: ${to}`,
  systemJobs: 'Recurring jobs',
  jobsWell: 'All of them ended well when they last ran.',
  jobsFailed: (failed: string) => `Failed when they last ran: ${failed}`,
  jobsAll: (all: string) => `Jobs that have run since the desk started: ${all}`,
  jobName: (name: string) => jobs[name as JobName] ?? name,
  jobRan: (when: string) => `ran ${when}`,
  jobFailed: (when: string) => `failed ${when}`,
  systemCluster: 'Cluster',
  clusterSingle:
    'This desk runs on one machine. There is no other one to take over if it fails: keep its backups elsewhere.',
  clusterLead:
    'This machine writes. Replicas read, and one of them takes over if it fails. They are heard every few seconds.',
  clusterPrimary: (host: string) => `The primary is ${host}`,
  clusterReplica: 'Replica',
  rolePrimary: 'Primary',
  roleConflict: 'Two machines claim to be the primary',
  roleUnknown: 'LiteFS does not answer',
  clusterSilent: (when: string) => `Silent, last heard ${when}`,
  clusterHeard: (when: string) => `heard ${when}`,
  clusterVersion: (version: string) => `Version ${version}`,
  clusterLag: (time: string) => `${time} behind`,
  clusterLagUnknown: 'how far behind is unknown',
  clusterAlone: 'No replica has asked for this machine yet.',
  clusterFormer: (hosts: string) => `Have been the primary before: ${hosts}`,
  environment: 'Environment',
  environmentLead:
    'The settings with which the desk was started. They are changed where it is started, and hold from the next start.',
};

export type SettingsSystemMessages = Same<typeof messages>;
