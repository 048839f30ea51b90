// The cookie that holds a session's token (docs/spec/people.md#sessions).

import { sessionLimits } from '../../domain/sign-in.ts';

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');

/** Browsers refuse a `__Host-` cookie from a sibling host or from plain http. */
function cookieName(baseUrl: string): string {
  return isSecure(baseUrl) ? '__Host-helpdesk' : 'helpdesk';
}

const attributes = (baseUrl: string) => `Path=/; HttpOnly; SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`;

export function sessionCookie(baseUrl: string, secret: string): string {
  return `${cookieName(baseUrl)}=${secret}; Max-Age=${sessionLimits.longestMs / 1000}; ${attributes(baseUrl)}`;
}

export function endedCookie(baseUrl: string): string {
  return `${cookieName(baseUrl)}=; Max-Age=0; ${attributes(baseUrl)}`;
}

/** Two different cookies count as none: on plain http, a sibling host can add a session that it chose. */
export function sessionSecretIn(baseUrl: string, header: string | undefined): string | null {
  if (header === undefined) return null;
  const start = `${cookieName(baseUrl)}=`;
  const found = new Set<string>();
  for (const part of header.split(';')) {
    const pair = part.trim();
    if (pair.startsWith(start)) found.add(pair.slice(start.length));
  }
  const [secret = ''] = found;
  return found.size === 1 && secret !== '' ? secret : null;
}
