// DNS lookups that do not use a thread for each name.

/** getaddrinfo would block a thread that also reads and writes files. */
export function lookupWithoutThread(host: string): Promise<{ address: string; family: number }[]> {
  return Bun.dns.lookup(host, { backend: 'c-ares' });
}
