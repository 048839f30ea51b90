// Builds the options of the dispatcher from the configuration.

import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { type Config, ConfigError } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { Addresses, Desk } from '../desk/desk.ts';
import type { MailApp } from '../domain/mail/consent.ts';
import type { Blobs } from '../files/blobs.ts';
import { scannerAt } from '../files/clamav.ts';
import type { Provider } from '../identity/mailbox-access.ts';
import { type AllowList, parseAllowList } from '../net/allow-list.ts';
import type { Guard } from '../net/guarded-fetch.ts';
import { createMailHosts, type MailHosts } from '../net/mail-hosts.ts';
import type { Reader } from '../reader/reader.ts';
import type { DispatcherOptions } from './dispatcher.ts';
import { fileTransport, smtpTransport } from './mail-transport.ts';
import { type MailRoute, withMailboxes } from './mailbox-servers.ts';
import { accessTokens } from './mailbox-tokens.ts';

interface OutboxSetup {
  config: Config;
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  log: Log;
  reader: Reader;
  path: string;
  addresses: Addresses;
  readReport: DispatcherOptions['readReport'];
}

function allowListOf(config: Config, name: 'HELPDESK_WEBHOOK_ALLOW' | 'HELPDESK_MAIL_ALLOW'): AllowList {
  try {
    return parseAllowList(config[name]);
  } catch (error) {
    throw new ConfigError(`${name}: ${error instanceof Error ? error.message : 'is not valid'}`);
  }
}

export function guardOf(config: Config): Guard {
  return { allow: allowListOf(config, 'HELPDESK_WEBHOOK_ALLOW'), timeoutMs: config.HELPDESK_WEBHOOK_TIMEOUT };
}

/** How long a provider of OAuth may take for an answer. */
const providerTimeoutMs = 10_000;

/** The way to the servers of mailboxes. */
export function mailHostsOf(
  config: Config,
): MailHosts & Pick<MailRoute, 'accessToken'> & { provider(app: MailApp): Promise<Provider> } {
  const allow = allowListOf(config, 'HELPDESK_MAIL_ALLOW');
  const settings = { allow, timeoutMs: providerTimeoutMs, clock: systemClock };
  return {
    ...createMailHosts(allow),
    accessToken: accessTokens(settings),
    provider: async (app: MailApp) => (await import('../identity/mailbox-exchange.ts')).createProvider(app, settings),
  };
}

export function dispatcherOptions({
  config,
  desk,
  blobs,
  mailBlobs,
  log,
  reader,
  path,
  addresses,
  readReport,
}: OutboxSetup): DispatcherOptions {
  return {
    desk,
    blobs,
    mailBlobs,
    log,
    reader,
    scanner: scannerAt(config.HELPDESK_CLAMAV),
    guard: guardOf(config),
    transport: withMailboxes(
      config.HELPDESK_SMTP_URL === null ? fileTransport(join(path, 'mail')) : smtpTransport(config.HELPDESK_SMTP_URL),
      { desk, route: mailHostsOf(config), log },
    ),
    mail: {
      get baseUrl() {
        return addresses.baseUrl;
      },
      get inboundDomain() {
        return addresses.inboundDomain;
      },
      get from() {
        return addresses.mailFrom;
      },
      hasServer: config.HELPDESK_SMTP_URL !== null,
      deskId: desk.seal.fingerprint('desk', 'id').slice(0, 22),
    },
    readReport,
    retryDelaysMs: config.HELPDESK_WEBHOOK_RETRY_DELAYS,
  };
}
