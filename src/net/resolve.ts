// Host name lookup that blocks no thread while a name server is silent.

import { lookup } from 'node:dns/promises';
import { lookupWithoutThread } from '#platform/dns.ts';

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

/** On Linux, getaddrinfo blocks a thread that also reads and writes files; two dead names would stop all uploads. */
export const resolveHost: Resolve =
  process.platform === 'linux' ? lookupWithoutThread : (host) => lookup(host, { all: true, verbatim: true });

const phrases: Record<string, string> = {
  ENOTFOUND: 'its name does not exist',
  DNS_ENOTFOUND: 'its name does not exist',
  DNS_ENODATA: 'its name has no address',
};

export function resolvingFault(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return phrases[code] ?? (/^(DNS_|EAI_)/.test(code) ? 'its name could not be resolved' : null);
}
