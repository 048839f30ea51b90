// What each kind of operation admits: the one table that limits, statuses and documentation are derived from.

import type { ErrorCode } from '../../domain/errors.ts';
import type { RateLimits } from './rate-limit.ts';

export const credentialSchemes = {
  siteToken: { type: 'apiKey', in: 'header', name: 'X-Site-Token' },
  accessToken: { type: 'apiKey', in: 'query', name: 'access_token' },
  teamToken: { type: 'http', scheme: 'bearer' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-helpdesk',
    description:
      'The cookie of an agent who signed in; helpdesk on plain http. Writes must come from a page of the desk.',
  },
  visit: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-helpdesk-t-{ticket}',
    description:
      'The cookie of a customer who opened a link; it begins with helpdesk-t- on plain http. The ulid in its name is in lower case. Writes must come from a page of the desk.',
  },
} as const;
export type CredentialName = keyof typeof credentialSchemes;

/** All of these credentials are needed. */
export type Way = readonly [CredentialName, ...CredentialName[]];

interface Admission {
  ways: readonly Way[];
  countsItself: boolean;
  needsAbility: boolean;
  /** Refusals that count as a failed attempt of the address, since the operation itself looks up a secret. */
  failures: readonly ErrorCode[];
  /** Addresses that failed too often are refused even with the right secret, since people choose bad passwords. */
  isGuarded: boolean;
  /** Which limit counts an address that needs no credential. */
  strangersLimit: keyof RateLimits;
  /** Whose Idempotency-Keys those of callers without a credential are. Refusals are not stored, and other sites' pages cannot use it. */
  strangersKeys: string | null;
  /** The answer is the same for everyone, and caches may keep it. */
  isForEveryone: boolean;
}

const usual = {
  ways: [],
  countsItself: false,
  needsAbility: false,
  failures: [],
  isGuarded: false,
  strangersLimit: 'other',
  strangersKeys: null,
  isForEveryone: false,
} as const;

const admissions = {
  public: { ...usual, isForEveryone: true },
  signed: usual,
  /** For everyone, but not for caches. */
  open: usual,
  inbound: { ...usual, countsItself: true, failures: ['not_found'] },
  site: { ...usual, ways: [['siteToken']] },
  thread: { ...usual, ways: [['siteToken', 'accessToken']], failures: ['not_found'] },
  /** The agent API: a team token, or an agent who signed in. */
  team: { ...usual, ways: [['teamToken'], ['session']], needsAbility: true },
  /** What only a person can do: their own account. */
  session: { ...usual, ways: [['session']] },
  /** A customer's page of one ticket. */
  visit: { ...usual, ways: [['visit']] },
  /** A customer's link, or a code: secrets that strangers may guess. */
  customer: { ...usual, failures: ['not_found'], isGuarded: true },
  /** A password, a code or a link, from someone who has no session yet. */
  sign_in: { ...usual, failures: ['unauthenticated', 'gone'], isGuarded: true },
  /** What anyone can send to a site. */
  form: { ...usual, strangersLimit: 'ingestCaller', strangersKeys: 'form' },
} as const satisfies Record<string, Admission>;
export type Access = keyof typeof admissions;

/** Undefined for a word that is not in the table: it admits no one. */
export function admissionOf(access: Access): Admission;
export function admissionOf(access: string): Admission | undefined;
export function admissionOf(access: string): Admission | undefined {
  return Object.hasOwn(admissions, access) ? admissions[access as Access] : undefined;
}

export function admits(access: Access, credential: CredentialName): boolean {
  return admissionOf(access).ways.some((way) => way.includes(credential));
}
