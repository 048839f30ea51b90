// The address of the desk and the domain of its mail, as they are now, also for commands that run beside it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, ConfigName } from '../base/config.ts';
import { localUrl } from '../base/local-url.ts';
import { senderOf } from '../base/mail-sender.ts';
import type { Addresses } from '../desk/desk.ts';
import type { DeskSettings } from '../store/desk-settings.ts';
import { addressName } from './layout.ts';

export function noteBaseUrl(path: string, baseUrl: string): void {
  writeFileSync(join(path, addressName), `${baseUrl}\n`, { mode: 0o600 });
}

export interface LiveAddresses extends Addresses {
  /** Takes up what an owner has changed. */
  refresh(settings: DeskSettings): void;
  /** @param url counts while no address is set */
  listenAt(url: string): void;
}

export function liveAddresses(config: Config, settings: DeskSettings): LiveAddresses {
  let usual = 'http://localhost';
  let known = settings;
  let now = addressesOf(config, known, usual);
  return {
    get baseUrl() {
      return now.baseUrl;
    },
    get inboundDomain() {
      return now.inboundDomain;
    },
    get mailFrom() {
      return now.mailFrom;
    },
    refresh(settings) {
      known = settings;
      now = addressesOf(config, known, usual);
    },
    listenAt(url) {
      usual = url;
      now = addressesOf(config, known, usual);
    },
  };
}

/** Worked out once: every request asks for them. */
function addressesOf(config: Config, settings: DeskSettings, usual: string): Addresses {
  const effective = withOwnAddresses(config, settings).config;
  const baseUrl = effective.HELPDESK_BASE_URL ?? usual;
  const inboundDomain = inboundDomainOf(effective, baseUrl);
  return { baseUrl, inboundDomain, mailFrom: senderOf(config, inboundDomain) };
}

/** With the addresses that an owner has set in the browser where the environment says nothing, and their names. */
export function withOwnAddresses(
  config: Config,
  { baseUrl, inboundDomain }: DeskSettings,
): { config: Config; own: ConfigName[] } {
  const set = {
    ...(config.HELPDESK_BASE_URL === null && baseUrl !== null ? { HELPDESK_BASE_URL: baseUrl } : {}),
    ...(config.HELPDESK_INBOUND_DOMAIN === '' && inboundDomain !== null
      ? { HELPDESK_INBOUND_DOMAIN: inboundDomain }
      : {}),
  };
  return { config: { ...config, ...set }, own: Object.keys(set) as ConfigName[] };
}

export function baseUrlOf(config: Config): string {
  return config.HELPDESK_BASE_URL ?? notedBaseUrl(config) ?? localUrl(config.HELPDESK_HOST, config.HELPDESK_PORT);
}

function notedBaseUrl(config: Config): string | null {
  let noted: string;
  try {
    noted = readFileSync(join(resolve(config.HELPDESK_DATA), addressName), 'utf8').trim();
  } catch {
    return null;
  }
  return /^https?:\/\//.test(noted) && URL.canParse(noted) ? noted : null;
}

export function inboundDomainOf(config: Config, baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  // An IPv6 address is not a domain, and an invalid mail address would stop every mail.
  return config.HELPDESK_INBOUND_DOMAIN || (hostname.startsWith('[') ? 'localhost' : hostname);
}
