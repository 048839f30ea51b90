// The address of a request, as a browser would read it. Hono's adapter refuses unusual ones, and the desk wants to answer them itself.

import type { IncomingMessage } from 'node:http';

const usualHost = /^[a-z0-9._-]+(?::\d{1,5})?$/i;

/** Whether Hono's adapter reads the address of a request as the desk does. */
export function isPlain({ headers: { host = '' }, url = '' }: IncomingMessage): boolean {
  return usualHost.test(host) && URL.canParse(`http://${host}`) && url.startsWith('/') && !url.includes('\\');
}

/** Only the path if there is no Host. It is not a valid address if the Host is malformed. */
export function addressAsked({ headers: { host }, url = '/' }: IncomingMessage): string {
  if (!url.startsWith('/')) return url;
  if (host === undefined || host === '') return url;
  const address = `http://${host}${url}`;
  return URL.canParse(address) ? new URL(address).href : address;
}
