// Host names to addresses, without holding up anybody while a name server is silent.

import { lookup } from 'node:dns/promises';

/** The addresses of a host name, by the hosts file and DNS. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

/**
 * On Linux getaddrinfo holds one of the process's few threads for as long as a name server says nothing, and those
 * threads also read and write every file: two dead names would stop all other channels, uploads and downloads. c-ares
 * waits without a thread. Elsewhere the system's own way does not wait in one either.
 */
export const resolveHost: Resolve =
  process.platform === 'linux'
    ? (host) => Bun.dns.lookup(host, { backend: 'c-ares' })
    : (host) => lookup(host, { all: true, verbatim: true });

const phrases: Record<string, string> = {
  ENOTFOUND: 'its name does not exist',
  DNS_ENOTFOUND: 'its name does not exist',
  DNS_ENODATA: 'its name has no address',
};

/** Why a name could not be resolved, as one phrase; null for errors that are of something else. */
export function resolvingFault(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return phrases[code] ?? (/^(DNS_|EAI_)/.test(code) ? 'its name could not be resolved' : null);
}
