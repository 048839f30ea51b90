// Whom a site always or never hears by mail. An entry is an address, or a domain with all below it.

import { canonicalAddress, normaliseEmailOrDomain } from './address.ts';

type Lists = { blocked_senders: readonly string[]; allowed_senders: readonly string[] };

/** The stored form: `mia@example.org`, or `@example.org` for a domain. Null for anything else. */
export function listedSender(text: string): string | null {
  const written = text.trim();
  const entry = normaliseEmailOrDomain(written.includes('@') ? written : `@${written}`);
  return canonicalAddress(entry.startsWith('@') ? `x${entry}` : entry) === null ? null : entry;
}

/** What is written most exactly counts, and of two equal entries the one that blocks. */
export function listingOf(sender: string, { blocked_senders: blocked, allowed_senders: allowed }: Lists) {
  const domain = sender.slice(sender.lastIndexOf('@') + 1).split('.');
  for (const entry of [sender, ...domain.map((_, at) => `@${domain.slice(at).join('.')}`)]) {
    if (blocked.includes(entry)) return 'blocked' as const;
    if (allowed.includes(entry)) return 'allowed' as const;
  }
  return null;
}
