// What the http room works with, made of the other rooms.

import { systemClock, toWire } from '../base/clock.ts';
import { type Config, describeRunning } from '../base/config.ts';
import { freeBytesOf, usedShareOf } from '../base/disk.ts';
import { errorFields, type Log } from '../base/log.ts';
import { mailServerOf } from '../base/mail-sender.ts';
import type { Cluster } from '../cluster/membership.ts';
import type { DataDirectory } from '../data/directory.ts';
import { lastBackup, lastRestoreTest } from '../data/last-backup.ts';
import { DeskError } from '../domain/errors.ts';
import type { SpamFilter } from '../domain/mail/spam-check.ts';
import type { Scanner } from '../files/clamav.ts';
import { createLinks } from '../files/links.ts';
import { createThumbnails } from '../files/thumbnails.ts';
import { createGates } from '../http/body-gates.ts';
import { createAddressList } from '../http/credentials/client-address.ts';
import { createRateLimiter } from '../http/credentials/rate-limit.ts';
import type { Edge } from '../http/operation.ts';
import { createPresence } from '../http/streams/presence.ts';
import { createOidc } from '../identity/oidc.ts';
import { tryMailbox } from '../jobs/mailbox-test.ts';
import type { Mailroom } from '../jobs/mailroom.ts';
import type { Recomputer } from '../jobs/recompute.ts';
import { checkDestination } from '../net/guarded-fetch.ts';
import { checkRecords } from '../net/sender-records.ts';
import type { JobRun } from '../jobs/schedule.ts';
import { requestBodyOf } from '../outbox/delivery-content.ts';
import { guardOf, mailHostsOf } from '../outbox/setup.ts';
import { fileBudget } from '../reader/jobs.ts';
import { type Reader, ReaderError } from '../reader/reader.ts';
import type { CredentialUses } from './credential-uses.ts';
import type { ServerState } from './health.ts';
import { createOwnCommands } from './own-commands.ts';

interface EdgeOptions {
  config: Config;
  data: DataDirectory;
  cluster: Cluster | null;
  baseUrl: string;
  inboundDomain: string;
  mailroom: Mailroom;
  reader: Reader;
  recomputer: Recomputer;
  credentialUses: CredentialUses;
  scanner: Scanner | null;
  spamFilter: SpamFilter | null;
  jobRuns: ReadonlyMap<string, JobRun>;
  state: ServerState;
  log: Log;
}

export function createEdge(options: EdgeOptions): Edge {
  const {
    config,
    data,
    cluster,
    baseUrl,
    inboundDomain,
    mailroom,
    reader,
    recomputer,
    credentialUses,
    scanner,
    spamFilter,
    state,
    log,
  } = options;
  const { desk, blobs } = data;
  const guard = guardOf(config);
  const mailHosts = mailHostsOf(config);
  return {
    desk,
    blobs,
    thumbnails: createThumbnails(blobs),
    scanner,
    links: createLinks(desk.seal, baseUrl, config.HELPDESK_ATTACHMENT_URL_TTL),
    limits: {
      ingestCaller: createRateLimiter(config.HELPDESK_RATE_INGEST_CALLER),
      ingestSite: createRateLimiter(config.HELPDESK_RATE_INGEST_SITE),
      other: createRateLimiter(config.HELPDESK_RATE_OTHER),
      inbound: createRateLimiter(config.HELPDESK_RATE_INBOUND),
      authFailures: createRateLimiter(config.HELPDESK_RATE_AUTH_FAILURES),
      signInFailures: createRateLimiter(config.HELPDESK_RATE_AUTH_FAILURES),
      session: createRateLimiter(config.HELPDESK_RATE_SESSION),
    },
    gates: createGates(),
    baseUrl,
    inboundDomain,
    isTrustedProxy: createAddressList(config.HELPDESK_TRUSTED_PROXIES),
    noteUse: (kind, id) => credentialUses.note(kind, id),
    cluster,
    isStopping: () => state.isStopping,
    signIn: {
      password: config.HELPDESK_PASSWORD_SIGN_IN,
      oidc: issuerOf(config, log),
    },
    sendsMail: config.HELPDESK_SMTP_URL !== null,
    settings: () => describeRunning(config),
    jobs: () =>
      [...options.jobRuns].map(([name, { endedAt, ms, error }]) => ({ name, ended_at: toWire(endedAt), ms, error })),
    commands: createOwnCommands(config, log),
    machine: () => machineOf(data.path),
    reportFault: (error, message) => log.error(errorFields(error), message),
    mailroom,
    recomputer,
    readYaml: (yaml) => readYaml(reader, yaml),
    presence: createPresence(),
    checkRecords: (address, selectors, server) => checkRecords(address, selectors, server ?? mailServerOf(config)),
    mailboxes: {
      refuseHost: mailHosts.refusal,
      try: (mailbox) => tryMailbox({ desk, route: mailHosts }, mailbox),
      provider: mailHosts.provider,
    },
    spamFilter,
    requestBodyOf: (material) => requestBodyOf(material, baseUrl),
    refuseDestination: async (destination) => {
      const result = await checkDestination(destination, guard);
      // A name without an address may have one when the first event happens, and each connection is checked again.
      return result.kind === 'refused' ? result.reason : null;
    },
  };
}

async function readYaml(reader: Reader, yaml: string): Promise<unknown> {
  try {
    return await reader.run('settings file', { yaml }, { budget: fileBudget });
  } catch (error) {
    throw error instanceof ReaderError ? new DeskError('too_large', 'The file takes too long to read.') : error;
  }
}

function machineOf(path: string): ReturnType<Edge['machine']> {
  const backup = lastBackup(path);
  const tested = lastRestoreTest(path);
  return {
    disk: { free_bytes: freeBytesOf(path), used_share: usedShareOf(path) },
    backup: backup && { ...backup, at: toWire(backup.at) },
    restore_test: tested && { ...tested, at: toWire(tested.at), created_at: toWire(tested.created_at) },
  };
}

const issuerTimeoutMs = 5000;

function issuerOf(config: Config, log: Log): Edge['signIn']['oidc'] {
  const { HELPDESK_OIDC_ISSUER: issuer, HELPDESK_OIDC_CLIENT_ID: clientId } = config;
  if (issuer === null || clientId === null) return null;
  const client = createOidc({
    issuer,
    clientId,
    clientSecret: config.HELPDESK_OIDC_CLIENT_SECRET,
    roleClaim: config.HELPDESK_OIDC_ROLE_CLAIM,
    allow: guardOf(config).allow,
    timeoutMs: issuerTimeoutMs,
    clock: systemClock,
  });
  return {
    label: config.HELPDESK_OIDC_LABEL ?? new URL(issuer).host,
    client,
    domains: config.HELPDESK_OIDC_DOMAINS,
    note: ({ problem, message }) =>
      log.warn(
        { problem, reason: message },
        problem === 'unread_role'
          ? 'a role from OpenID Connect could not be read'
          : 'a sign-in with OpenID Connect failed',
      ),
  };
}
