// Limits of a site's form (docs/spec/customer.md#form).

import { hourMs, minuteMs } from '../instant.ts';

export const formLimits = {
  /** Tickets of an address that no one has proved. What comes beyond waits for an agent. */
  unconfirmedAnHour: 5,
  /** How much of one address, and of one site, can wait for an agent. */
  heldOfAddress: 20,
  heldOnSite: 1000,
  files: 10,
  uploadMs: 15 * minuteMs,
} as const;

export const unconfirmedMs = hourMs;

/**
 * What a browser must guess at most: half of it on average. Pure JavaScript on a telephone takes about half a second
 * (docs/customers.md).
 */
export const proofOfWork = { maxNumber: 100_000, lifetimeMs: 10 * minuteMs };

/** Of one page of "My tickets": how many are shown, how many are looked at, and how much text is searched. */
export const ownTicketLimits = { onPage: 20, looked: 200, characters: 1_000_000 } as const;

/** `mia+shop@example.org` and `mia@example.org` are one mailbox with most providers. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [mailbox = ''] = address.slice(0, at).split('+');
  return (mailbox === '' ? address : mailbox + address.slice(at)).toLowerCase();
}
