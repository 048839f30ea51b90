// Signed, short-lived links to attachments (docs/spec/api.md#attachments).

import type { Instant } from '../base/clock.ts';
import { isSameSecret, type Seal } from '../base/crypto.ts';

/** A file, and the ticket on which it was shown; none while it waits for a new ticket. */
interface LinkedFile {
  ulid: string;
  ticketId?: number;
}

interface LinkQuery {
  expires?: string | undefined;
  ticket?: string | undefined;
  signature?: string | undefined;
}

export interface Links {
  attachment(file: LinkedFile, now: Instant): { url: string; expiresAt: Instant };
  /** On which ticket the file was shown, and when. */
  verify(
    ulid: string,
    query: LinkQuery,
    now: Instant,
  ): { ticketId: number | null; madeAt: Instant } | 'expired' | 'forged';
}

/** @param desk where it is, as it is now */
export function createLinks(seal: Seal, desk: { readonly baseUrl: string }, ttlMs: number): Links {
  const sign = (ulid: string, ticket: string, expires: string) =>
    seal.sign('attachment', `${ulid}.${ticket}.${expires}`);
  return {
    attachment({ ulid, ticketId }, now) {
      const expiresAt = now + ttlMs;
      const ticket = ticketId === undefined ? '' : String(ticketId);
      const signature = sign(ulid, ticket, String(expiresAt));
      const named = ticket === '' ? '' : `&ticket=${ticket}`;
      return {
        url: `${desk.baseUrl}/api/v1/attachments/${ulid}?expires=${expiresAt}${named}&signature=${signature}`,
        expiresAt,
      };
    },
    verify(ulid, { expires = '', ticket = '', signature = '' }, now) {
      if (!/^\d{1,15}$/.test(expires) || !isSameSecret(sign(ulid, ticket, expires), signature)) return 'forged';
      if (Number(expires) <= now) return 'expired';
      return { ticketId: ticket === '' ? null : Number(ticket), madeAt: Number(expires) - ttlMs };
    },
  };
}
