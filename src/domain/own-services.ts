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

/** A stored password must not reach another server than the one that it was entered for. */
export function isElsewhere(before: Readonly<MailServer> | null, after: MailServer | null): boolean {
  if (after === null) return false;
  const trusted = ['host', 'port', 'tls', 'user', 'certificate_sha256'] as const;
  return before === null || trusted.some((name) => before[name] !== after[name]);
}
