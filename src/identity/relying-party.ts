// Whether browsers offer passkeys for this desk, and the code that checks them, loaded when it is needed.

import { isIP } from 'node:net';
import { bareHost } from '../net/allow-list.ts';

export interface RelyingParty {
  id: string;
  origin: string;
  name: string;
}

/** Null where browsers offer no passkeys: on plain http, except on localhost, and at an address without a name. */
export function relyingPartyOf(baseUrl: string, name: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const host = bareHost(hostname);
  if (isIP(host) !== 0) return null;
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  return protocol === 'https:' || isLocal ? { id: host, origin, name } : null;
}

/** The compiled library finds `Reflect.getMetadata` only if it exists before the library is loaded. */
export async function loadPasskeys() {
  await import('reflect-metadata');
  return await import('./passkeys.ts');
}
