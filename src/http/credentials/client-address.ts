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

// `::ffff:192.0.2.1`, or the same in hexadecimal; proxies and kernels write both.
function unmapped(address: string): string {
  const mapped = /^(?:0{0,4}:){2,5}ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address);
  if (!mapped || isIP(address) !== 6) return address;
  if (mapped[1] !== undefined) return mapped[1];
  const [high, low] = [Number.parseInt(mapped[2] ?? '0', 16), Number.parseInt(mapped[3] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The address of a hop, without the port that some proxies add; null for what is not an address, such as `unknown`. */
function addressOfHop(hop: string): string | null {
  const [, bracketed, bracketedPort, v4, v4Port] =
    /^(?:\[([0-9a-f:.]+)\](?::(\d{1,5}))?|(\d+\.\d+\.\d+\.\d+):(\d{1,5}))$/i.exec(hop) ?? [];
  if (Number(bracketedPort ?? v4Port ?? 0) > 65_535) return null;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? unmapped(bracketed) : null;
  const address = v4 ?? hop;
  // A zone is of the machine that wrote it, and of no other.
  return isIP(address) === 0 || address.includes('%') ? null : unmapped(address);
}

/** Read from the right, past trusted proxies: what is left of the first stranger was written by the client. */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  let client = unmapped(peer);
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim());
  while (isTrusted(client) && hops.length > 0) {
    const hop = addressOfHop(hops.pop() ?? '');
    if (hop === null) break;
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
