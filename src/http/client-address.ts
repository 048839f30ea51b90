// Whose request it is: the peer's address, or what a trusted proxy says it was.

import { BlockList, isIP } from 'node:net';

/** A list of addresses and CIDRs as a matcher; IPv4 written as IPv6 is matched as IPv4. */
export function createAddressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = unmapped(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  };
}

function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/**
 * The client's address. X-Forwarded-For is read from the right, past the proxies that are trusted; what stands left of
 * the first stranger was written by the client and proves nothing.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  let client = unmapped(peer);
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim());
  while (isTrusted(client) && hops.length > 0) {
    const hop = unmapped((hops.pop() ?? '').replace(/^\[(.*)\](?::\d+)?$/, '$1'));
    if (isIP(hop) === 0) break;
    client = hop;
  }
  return client;
}

/** The unit of limits: an IPv6 customer is given 2^64 addresses, so they count as one. */
export function limitKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = address.includes('::')
    ? [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
    : left;
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
