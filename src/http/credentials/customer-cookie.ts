// The cookies of customers: visits to tickets, proofs of addresses, and lists of tickets (docs/spec/customer.md#cookies).

import { customerLimits } from '../../domain/customers/link.ts';
import { ulidPattern } from '../../domain/ulid.ts';
import { cookie, cookieIn, cookiesIn, endedCookie } from './cookies.ts';

const visitName = (ticketUlid: string) => `-t-${ticketUlid.toLowerCase()}`;
const proofName = '-proof';
const listName = (siteId: number) => `-s-${siteId}`;

type Header = string | undefined;

export const visitCookie = (baseUrl: string, ticketUlid: string, secret: string) =>
  cookie(baseUrl, visitName(ticketUlid), secret, customerLimits.visitMs);

export const endedVisitCookie = (baseUrl: string, ticketUlid: string) => endedCookie(baseUrl, visitName(ticketUlid));

// More than a browser gets from the desk, so that a header full of them costs little.
const mostRead = 50;

/** The secrets of a browser's visits, by ticket. */
export function visitSecretsIn(baseUrl: string, header: Header): Map<string, string> {
  const visits = [...cookiesIn(baseUrl, header, visitName(''))].map(
    ([ulid, secret]) => [ulid.toUpperCase(), secret] as const,
  );
  return new Map(visits.filter(([ulid]) => ulidPattern.test(ulid)).slice(0, mostRead));
}

export const proofCookie = (baseUrl: string, secret: string) =>
  cookie(baseUrl, proofName, secret, customerLimits.proofMs);

export const endedProofCookie = (baseUrl: string) => endedCookie(baseUrl, proofName);

export const proofSecretIn = (baseUrl: string, header: Header) => cookieIn(baseUrl, header, proofName);

export const listCookie = (baseUrl: string, siteId: number, secret: string) =>
  cookie(baseUrl, listName(siteId), secret, customerLimits.listMs);

export const endedListCookie = (baseUrl: string, siteId: number) => endedCookie(baseUrl, listName(siteId));

export const listSecretIn = (baseUrl: string, siteId: number, header: Header) =>
  cookieIn(baseUrl, header, listName(siteId));

/** The secrets of a browser's lists, by site. */
export function listSecretsIn(baseUrl: string, header: Header): Map<number, string> {
  const lists = [...cookiesIn(baseUrl, header, '-s-')].filter(([id]) => /^\d{1,15}$/.test(id)).slice(0, mostRead);
  return new Map(lists.map(([id, secret]) => [Number(id), secret]));
}
