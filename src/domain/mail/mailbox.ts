// A mailbox that a team already has: how the desk reaches it, and when it tries again (docs/spec/mailboxes.md).

import { minuteMs } from '../instant.ts';

export const mailProviders = ['google', 'microsoft', 'other'] as const;
export type MailProvider = (typeof mailProviders)[number];

/** Where the large providers are; a team names only its address. */
export const knownServers: Readonly<Record<MailProvider, { imap: string; smtp: string } | null>> = {
  google: { imap: 'imap.gmail.com', smtp: 'smtp.gmail.com' },
  microsoft: { imap: 'outlook.office365.com', smtp: 'smtp.office365.com' },
  other: null,
};

/** Whose addresses everyone can have. */
export const providerDomains: Readonly<Record<string, MailProvider>> = {
  'gmail.com': 'google',
  'googlemail.com': 'google',
  'outlook.com': 'microsoft',
  'hotmail.com': 'microsoft',
  'live.com': 'microsoft',
};

/** What a provider asks its customers to publish in DNS. */
export interface KnownProvider {
  name: string;
  hosts: RegExp;
  spf: string;
  /** Its usual one. */
  dkim: { selector: string; type: 'TXT' | 'CNAME' };
  domains: readonly string[];
}

const domainsOf = (provider: MailProvider) =>
  Object.keys(providerDomains).filter((domain) => providerDomains[domain] === provider);

const known: readonly KnownProvider[] = [
  {
    name: 'Google',
    hosts: /(?:^|\.)(?:gmail|google|googlemail)\.com$/,
    spf: '_spf.google.com',
    dkim: { selector: 'google', type: 'TXT' },
    domains: domainsOf('google'),
  },
  {
    name: 'Microsoft',
    hosts: /(?:^|\.)(?:office365|outlook)\.com$/,
    spf: 'spf.protection.outlook.com',
    dkim: { selector: 'selector1', type: 'CNAME' },
    domains: domainsOf('microsoft'),
  },
];

/** Whose server that is; null for all others. */
export const providerAt = (host: string | null): KnownProvider | null =>
  known.find(({ hosts }) => host !== null && hosts.test(host.toLowerCase())) ?? null;

export const mailAuthentications = ['password', 'oauth'] as const;
export type MailAuthentication = (typeof mailAuthentications)[number];

/** `none`: in clear text, which only a server on the same machine may ask for. */
export const tlsModes = ['implicit', 'starttls', 'none'] as const;
export type TlsMode = (typeof tlsModes)[number];

export const afterFilings = ['leave', 'mark_read', 'move'] as const;
type AfterFiling = (typeof afterFilings)[number];

export interface MailServer {
  host: string;
  port: number;
  tls: TlsMode;
  /** Null: the server takes mail without asking who sends it. */
  user: string | null;
  /** Of the one certificate that is trusted, without regard to who signed it. Null: any that verifies for the host. */
  certificate_sha256: string | null;
}

export interface IncomingServer extends MailServer {
  type: 'imap';
  user: string;
  folder: string;
  after_filing: AfterFiling;
  /** Where `move` puts them. */
  move_to: string | null;
}

export interface OutgoingServer extends MailServer {
  type: 'smtp';
}

/** How reading goes. `refused`: the password was wrong; `consent_needed`: the provider gives no access. Both wait for a person. */
const readingStates = ['waiting', 'connected', 'failing', 'refused', 'consent_needed'] as const;
export type ReadingState = (typeof readingStates)[number];

/** As shown: what reading says, unless it does not read. */
export const mailboxStates = [...readingStates, 'paused', 'send_only'] as const;
export type MailboxState = (typeof mailboxStates)[number];

/** Why a test of a mailbox did not work, where it can be told. */
export const trialReasons = ['password', 'consent', 'certificate', 'busy', 'folder', 'not_allowed', 'other'] as const;
export type TrialReason = (typeof trialReasons)[number];

/** More could lock the account. */
export const mostWrongSignIns = 3;

const firstPauseMs = 5_000;
const longestPauseMs = 5 * minuteMs;

/** @param failures in a row, from 1 @param random in [0, 1), so that mailboxes of one server do not come back together */
export function pauseMs(failures: number, random: number): number {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(pause * (0.8 + 0.2 * random));
}

/** After so many new numberings of one folder, only what is in the messages counts. */
export const mostRenumberings = 3;

/** A connection that fails at the same message so often goes on without it. */
export const mostTriesOfMessage = 3;

/** Nothing is tried again until a person has acted. */
export const waitsForPerson = (state: ReadingState) => state === 'refused' || state === 'consent_needed';

export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

/** Whether mail from elsewhere reaches it: none reaches a name of this machine or the bare number of an address. */
export function isReachableAddress(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return /^[^[]*[a-z]/i.test(domain) && !isLoopbackHost(domain);
}
