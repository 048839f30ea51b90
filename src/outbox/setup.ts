// Builds the options of the dispatcher from the configuration.

import { join } from 'node:path';
import { type Config, ConfigError } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import type { Blobs } from '../files/blobs.ts';
import { type AllowList, parseAllowList } from '../net/allow-list.ts';
import type { Guard } from '../net/guarded-fetch.ts';
import type { Reader } from '../reader/reader.ts';
import type { DispatcherOptions } from './dispatcher.ts';
import { fileTransport, smtpTransport } from './mail-transport.ts';

interface OutboxSetup {
  config: Config;
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  log: Log;
  reader: Reader;
  path: string;
  baseUrl: string;
  inboundDomain: string;
}

function allowListOf(config: Config): AllowList {
  try {
    return parseAllowList(config.HELPDESK_WEBHOOK_ALLOW);
  } catch (error) {
    throw new ConfigError(`HELPDESK_WEBHOOK_ALLOW: ${error instanceof Error ? error.message : 'is not valid'}`);
  }
}

export function guardOf(config: Config): Guard {
  return { allow: allowListOf(config), timeoutMs: config.HELPDESK_WEBHOOK_TIMEOUT };
}

export function senderOf(config: Config, inboundDomain: string): string {
  return config.HELPDESK_MAIL_FROM || `helpdesk@${inboundDomain}`;
}

export function dispatcherOptions({
  config,
  desk,
  blobs,
  mailBlobs,
  log,
  reader,
  path,
  baseUrl,
  inboundDomain,
}: OutboxSetup): DispatcherOptions {
  return {
    desk,
    blobs,
    mailBlobs,
    log,
    reader,
    guard: guardOf(config),
    transport:
      config.HELPDESK_SMTP_URL === null ? fileTransport(join(path, 'mail')) : smtpTransport(config.HELPDESK_SMTP_URL),
    mail: {
      baseUrl,
      inboundDomain,
      from: senderOf(config, inboundDomain),
      deskId: desk.seal.fingerprint('desk', 'id').slice(0, 22),
    },
    retryDelaysMs: config.HELPDESK_WEBHOOK_RETRY_DELAYS,
  };
}
