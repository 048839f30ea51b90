// What the http room works with, made of the other rooms.

import { toWire } from '../base/clock.ts';
import { type Config, describeRunning } from '../base/config.ts';
import { freeBytesOf, usedShareOf } from '../base/disk.ts';
import { errorFields, type Log } from '../base/log.ts';
import { mailServerOf } from '../base/mail-sender.ts';
import type { Cluster } from '../cluster/membership.ts';
import { withOwnAddresses } from '../data/desk-address.ts';
import type { DataDirectory } from '../data/directory.ts';
import { lastBackup, lastRestoreTest } from '../data/last-backup.ts';
import type { Desk } from '../desk/desk.ts';
import { DeskError } from '../domain/errors.ts';
import type { SpamFilter } from '../domain/mail/spam-check.ts';
import type { OwnIssuer } from '../domain/own-services.ts';
import type { Scanner } from '../files/clamav.ts';
import { createLinks } from '../files/links.ts';
import { createThumbnails } from '../files/thumbnails.ts';
import { createGates } from '../http/body-gates.ts';
import { createAddressList } from '../http/credentials/client-address.ts';
import { createRateLimiter } from '../http/credentials/rate-limit.ts';
import type { Edge, Issuer } from '../http/operation.ts';
import { createPresence } from '../http/streams/presence.ts';
import { tryMailbox, tryOwnServer } from '../jobs/mailbox-test.ts';
import type { Mailroom } from '../jobs/mailroom.ts';
import type { Recomputer } from '../jobs/recompute.ts';
import type { JobRun } from '../jobs/schedule.ts';
import { checkDestination } from '../net/guarded-fetch.ts';
import { mailFault } from '../net/mail-exchange.ts';
import { checkRecords } from '../net/sender-records.ts';
import { requestBodyOf } from '../outbox/delivery-content.ts';
import { guardOf, mailHostsOf } from '../outbox/setup.ts';
import { fileBudget } from '../reader/jobs.ts';
import { type Reader, ReaderError } from '../reader/reader.ts';
import { readDeskSettings } from '../store/desk-settings.ts';
import { createOwnCommands } from './browser-commands.ts';
import type { CredentialUses } from './credential-uses.ts';
import type { ServerState } from './health.ts';
import { bucketFault, issuerClient } from './own-services.ts';

interface EdgeOptions {
  config: Config;
  data: DataDirectory;
  cluster: Cluster | null;
  mailroom: Mailroom;
  reader: Reader;
  recomputer: Recomputer;
  jobRuns: ReadonlyMap<string, JobRun>;
  credentialUses: CredentialUses;
  scanner: Scanner | null;
  spamFilter: SpamFilter | null;
  state: ServerState;
  log: Log;
}

export function createEdge(options: EdgeOptions): Edge {
  const { config, data, cluster, mailroom, reader, recomputer, credentialUses, scanner, spamFilter, state, log } =
    options;
  const { desk, blobs, addresses } = data;
  const guard = guardOf(config);
  const mailHosts = mailHostsOf(config);
  return {
    desk,
    blobs,
    thumbnails: createThumbnails(blobs),
    scanner,
    links: createLinks(desk.seal, addresses, config.HELPDESK_ATTACHMENT_URL_TTL),
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
    get baseUrl() {
      return addresses.baseUrl;
    },
    get inboundDomain() {
      return addresses.inboundDomain;
    },
    isTrustedProxy: createAddressList(config.HELPDESK_TRUSTED_PROXIES),
    noteUse: (kind, id) => credentialUses.note(kind, id),
    cluster,
    isStopping: () => state.isStopping,
    signIn: Object.assign(issuerOf(config, desk, log), { password: config.HELPDESK_PASSWORD_SIGN_IN }),
    settings() {
      const running = withOwnAddresses(config, desk.read(readDeskSettings));
      return describeRunning(running.config, running.own);
    },
    commands: createOwnCommands(config, log),
    jobs: () =>
      [...options.jobRuns].map(([name, { endedAt, ms, error }]) => ({ name, ended_at: toWire(endedAt), ms, error })),
    machine: () => machineOf(data.path),
    reportFault: (error, message) => log.error(errorFields(error), message),
    mailroom,
    recomputer,
    readYaml: (yaml) => readYaml(reader, yaml),
    presence: createPresence(),
    mailFault,
    checkRecords: (address, selectors, server) => checkRecords(address, selectors, server ?? mailServerOf(config)),
    mailboxes: {
      refuseHost: mailHosts.refusal,
      try: (mailbox, to) => tryMailbox({ desk, route: mailHosts }, mailbox, to),
      tryOwn: (to) =>
        tryOwnServer({ desk, route: mailHosts }, { url: config.HELPDESK_SMTP_URL, from: addresses.mailFrom }, to),
      provider: mailHosts.provider,
    },
    bucket: { place: data.place, try: (bucket, secret) => bucketFault(bucket, secret, { data, guard }) },
    spamFilter,
    requestBodyOf: (material) => requestBodyOf(material, addresses.baseUrl),
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

/** That of the environment, or else the one that an owner has set: known again once it has changed. */
function issuerOf(config: Config, desk: Desk, log: Log): Pick<Edge['signIn'], 'oidc' | 'tryIssuer'> {
  const asIssuer = (own: OwnIssuer, clientSecret: string | null): Issuer => ({
    label: own.label || new URL(own.issuer).host,
    client: issuerClient(own, clientSecret, guardOf(config)),
    domains: own.domains,
    note: ({ problem, message }) =>
      log.warn(
        { problem, reason: message },
        problem === 'unread_role'
          ? 'a role from OpenID Connect could not be read'
          : 'a sign-in with OpenID Connect failed',
      ),
  });
  const named = issuerIn(config);
  const fixed = named && asIssuer(named, config.HELPDESK_OIDC_CLIENT_SECRET);
  let known: { of: string; issuer: Issuer } | null = null;
  return {
    get oidc() {
      if (fixed !== null) return fixed;
      const { issuer: own, issuerSecretSealed: sealed } = desk.read(readDeskSettings);
      if (own === null) return null;
      const of = JSON.stringify([own, sealed]);
      if (known?.of !== of) known = { of, issuer: asIssuer(own, sealed === null ? null : desk.seal.open(sealed)) };
      return known.issuer;
    },
    tryIssuer: (own, clientSecret) => issuerClient(own, clientSecret, guardOf(config)).test(),
  };
}

function issuerIn(config: Config): OwnIssuer | null {
  const { HELPDESK_OIDC_ISSUER: issuer, HELPDESK_OIDC_CLIENT_ID: clientId } = config;
  if (issuer === null || clientId === null) return null;
  return {
    issuer,
    client_id: clientId,
    label: config.HELPDESK_OIDC_LABEL,
    domains: config.HELPDESK_OIDC_DOMAINS,
    role_claim: config.HELPDESK_OIDC_ROLE_CLAIM,
  };
}
