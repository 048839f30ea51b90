// Customers' links to their tickets: kinds, limits and when they end (docs/spec/customer.md#links).

import { dayMs, hourMs, minuteMs } from '../instant.ts';
import type { TicketStatus } from '../tickets/ticket.ts';

/**
 * `application` is the access token of the ingest API, and `list` a ticket opened from "My tickets". `shared` is in a mail
 * that others than the author read: it has no address, and who writes says and proves who they are.
 */
export const customerLinkKinds = ['mail', 'requested', 'form', 'application', 'list', 'shared'] as const;
export type CustomerLinkKind = (typeof customerLinkKinds)[number];

export const customerLimits = {
  visitMs: 30 * dayMs,
  /** After its browser has opened a link again. */
  replacedMs: minuteMs,
  /** After this many of one link, the oldest visit ends. */
  visitsOfLink: 200,
  /** A browser sends all its cookies with each request. */
  visitsOfBrowser: 20,
  proofMs: 90 * dayMs,
  proofsOfBrowser: 50,
  listMs: 30 * dayMs,
  codeMs: 10 * minuteMs,
  codeAttempts: 5,
  /** Within an hour, of one address on one site, asked for from one network; as many again by its links, from anywhere. */
  codesAnHour: 3,
  /** The same from all networks together, which bounds the mail that strangers can cause. */
  codesFromAllAnHour: 12,
  codeDigits: 6,
  /** Within an hour, on one site. Further codes are longer, so that no one can guess among very many. */
  shortCodesAnHour: 60,
  longCodeDigits: 10,
  /** Within an hour, for one ticket. */
  requestsAnHour: 3,
  hourMs,
  /** After the ticket was closed. */
  closedMs: 180 * dayMs,
} as const;

/** Whether links to a ticket still open it. */
export function isReadable({ closedAt }: { closedAt: number | null }, now: number): boolean {
  return closedAt === null || now < closedAt + customerLimits.closedMs;
}

/** The state of a ticket in a customer's words. */
export const statusWords = ['received', 'in_progress', 'answered', 'waiting_for_you', 'solved', 'closed'] as const;
type StatusWords = (typeof statusWords)[number];

interface Heard {
  status: TicketStatus;
  lastCustomerMessageAt: number | null;
  lastAgentMessageAt: number | null;
}

export function statusWordsOf({ status, lastCustomerMessageAt, lastAgentMessageAt }: Heard): StatusWords {
  switch (status) {
    case 'pending':
      return 'waiting_for_you';
    case 'resolved':
      return 'solved';
    case 'closed':
      return 'closed';
    case 'open':
      if (lastAgentMessageAt === null) return 'received';
      return lastAgentMessageAt >= (lastCustomerMessageAt ?? 0) ? 'answered' : 'in_progress';
  }
}

/** How a customer is called to other customers: many mail programs put the address in the place of a name. */
export function nameForOthers(name: string | null, address: string): string {
  return name && !name.includes('@') ? name : addressHint(address);
}

/** Enough for the owner to recognise an address, and too little for others: `m…@e….org`. */
export function addressHint(address: string): string {
  if (address === '') return '';
  const at = address.lastIndexOf('@');
  const [local = '', domain = ''] = [address.slice(0, at), address.slice(at + 1)];
  const dot = domain.lastIndexOf('.');
  const first = (text: string) => [...text][0] ?? '';
  return `${first(local)}…@${first(domain)}…${dot > 0 ? domain.slice(dot) : ''}`;
}
