// Services of the desk that an owner sets in the browser where the environment says nothing (docs/spec/people.md#the-desk).

import type { MailServer } from './mail/mailbox.ts';

/** Takes the desk's own mail, and mail of sites that leaves through no mailbox. */
export interface OwnMailServer extends MailServer {
  /** Mail of the desk itself, and of sites without an address of their own, is from it. */
  address: string;
}

/** Where agents can sign in with OpenID Connect. */
export interface OwnIssuer {
  issuer: string;
  client_id: string;
  /** The name on the button; null: the host of the issuer. */
  label: string | null;
  domains: string[];
  role_claim: string | null;
}

/** Where files are, in folders of an S3-compatible store. */
export interface OwnBucket {
  endpoint: string;
  bucket: string;
  region: string;
  access_key_id: string;
  /** Whether new files go there; else to the disk. Those that are there stay there and are read. */
  stores_files: boolean;
}

/** A folder of the bucket. Only the data directory that it belongs to writes and removes files in it; a copy of that has another. */
export interface BucketFolder {
  name: string;
  /** The identity of that data directory, which no copy has. */
  place: string;
}

/** A stored password must not reach another server than the one that it was entered for. */
export function isElsewhere(before: Readonly<MailServer> | null, after: MailServer | null): boolean {
  if (after === null) return false;
  const trusted = ['host', 'port', 'tls', 'user', 'certificate_sha256'] as const;
  return before === null || trusted.some((name) => before[name] !== after[name]);
}

/** Whether files that are in the one are not in the other. */
export const isOtherBucket = (before: OwnBucket | null, after: OwnBucket | null) =>
  before !== null && (['endpoint', 'bucket'] as const).some((name) => before[name] !== after?.[name]);

export const needsBucketSecret = (before: OwnBucket | null, after: OwnBucket) =>
  isOtherBucket(before, after) || before?.access_key_id !== after.access_key_id;

/** Why no mail can come for a domain that is named for customers' answers. */
export type DomainFault = 'takes_no_mail' | 'dns_silent' | 'no_mail_server';

/** Why a bucket is not kept: its address is private, or public without encryption; the store refuses something. */
export interface BucketFault {
  reason: 'private' | 'plain' | 'store';
  message: string;
}
