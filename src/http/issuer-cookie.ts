// What the desk must remember while someone is at the issuer: sealed in a cookie, so that any machine can read it.

import * as z from 'zod';
import type { Instant } from '../base/clock.ts';
import type { Seal } from '../base/crypto.ts';
import { minuteMs } from '../domain/instant.ts';
import type { OidcSecrets } from '../identity/oidc.ts';

const lifetimeMs = 10 * minuteMs;

const kept = z.object({
  kind: z.literal('oidc'),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  until: z.number(),
});

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');
const nameOf = (baseUrl: string) => (isSecure(baseUrl) ? '__Host-helpdesk-issuer' : 'helpdesk-issuer');

function cookie(baseUrl: string, value: string, seconds: number): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${nameOf(baseUrl)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

interface Kept {
  secrets: OidcSecrets;
  returnTo: string;
}

export function issuerCookie(baseUrl: string, seal: Seal, { secrets, returnTo }: Kept, now: Instant): string {
  const text = JSON.stringify({ kind: 'oidc', ...secrets, returnTo, until: now + lifetimeMs });
  return cookie(baseUrl, seal.seal(text), lifetimeMs / 1000);
}

export const endedIssuerCookie = (baseUrl: string) => cookie(baseUrl, '', 0);

/** Null when there is none, or it is not the desk's own, or too old. */
export function readIssuerCookie(baseUrl: string, seal: Seal, header: string | undefined, now: Instant): Kept | null {
  const start = `${nameOf(baseUrl)}=`;
  const pair = (header ?? '').split(';').find((part) => part.trim().startsWith(start));
  if (pair === undefined) return null;
  const text = opened(seal, pair.trim().slice(start.length));
  const read = kept.safeParse(text);
  if (!read.success || read.data.until <= now || read.data.until > now + lifetimeMs) return null;
  const { state, nonce, verifier, returnTo } = read.data;
  return { secrets: { state, nonce, verifier }, returnTo };
}

function opened(seal: Seal, sealed: string): unknown {
  try {
    return JSON.parse(seal.open(sealed));
  } catch {
    return null;
  }
}
