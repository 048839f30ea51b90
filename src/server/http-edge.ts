// What the http room works with, made of the other rooms.

import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Cluster } from '../cluster/membership.ts';
import type { DataDirectory } from '../data/directory.ts';
import { createLinks } from '../files/links.ts';
import type { Aside } from '../http/aside.ts';
import { createGates } from '../http/body-gates.ts';
import { createAddressList } from '../http/credentials/client-address.ts';
import { createRateLimiter } from '../http/credentials/rate-limit.ts';
import { createPresence } from '../http/live/presence.ts';
import type { Edge } from '../http/operation.ts';
import { createOidc } from '../identity/oidc.ts';
import type { Mailroom } from '../jobs/mailroom.ts';
import type { Recomputer } from '../jobs/recompute.ts';
import { checkDestination } from '../net/guarded-fetch.ts';
import { requestBodyOf } from '../outbox/delivery-content.ts';
import { guardOf } from '../outbox/setup.ts';
import type { CredentialUses } from './credential-uses.ts';
import type { ServerState } from './health.ts';

interface EdgeOptions {
  config: Config;
  data: DataDirectory;
  cluster: Cluster | null;
  baseUrl: string;
  inboundDomain: string;
  mailroom: Mailroom;
  recomputer: Recomputer;
  credentialUses: CredentialUses;
  aside: Aside;
  state: ServerState;
  log: Log;
}

export function createEdge(options: EdgeOptions): Edge {
  const { config, data, cluster, baseUrl, inboundDomain, mailroom, recomputer, credentialUses, aside, state, log } =
    options;
  const { desk, blobs } = data;
  const guard = guardOf(config);
  return {
    desk,
    blobs,
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
    reportFault: (error, message) => log.error(errorFields(error), message),
    aside,
    mailroom,
    recomputer,
    presence: createPresence(),
    requestBodyOf: (material) => requestBodyOf(material, baseUrl),
    refuseDestination: async (destination) => {
      const result = await checkDestination(destination, guard);
      // A name without an address may have one when the first event happens, and each connection is checked again.
      return result.kind === 'refused' ? result.reason : null;
    },
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
    note: ({ problem, message }) => log.warn({ problem, reason: message }, 'a sign-in with OpenID Connect failed'),
  };
}
