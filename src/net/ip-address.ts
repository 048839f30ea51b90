// IP addresses and networks as numbers, and which of them are public.

import { isIPv4, isIPv6 } from 'node:net';

export interface Address {
  family: 4 | 6;
  value: bigint;
}

export interface AddressBlock extends Address {
  prefixLength: number;
}

export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, value: joinParts(text.split('.'), 10, 8n) };
  if (!isIPv6(text) || text.includes('%')) return null;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const head = dotted?.[1] ?? text;
  const tail = dotted?.[2] ? joinParts(dotted[2].split('.'), 10, 8n) : null;
  const full = tail === null ? head : `${head}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [left = '', right] = full.split('::');
  const before = left === '' ? [] : left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return { family: 6, value: joinParts([...before, ...zeros, ...after], 16, 16n) };
}

function joinParts(parts: string[], radix: number, bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(Number.parseInt(part, radix)), 0n);
}

export function parseBlock(text: string): AddressBlock | null {
  const [written = '', prefix, ...rest] = text.split('/');
  const address = parseAddress(written);
  if (!address || rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null;
  const width = address.family === 4 ? 32 : 128;
  const prefixLength = prefix === undefined ? width : Number(prefix);
  return prefixLength > width ? null : { ...address, prefixLength };
}

export function isInBlock(block: AddressBlock, address: Address): boolean {
  if (block.family !== address.family) return false;
  const hostBits = BigInt((block.family === 4 ? 32 : 128) - block.prefixLength);
  return block.value >> hostBits === address.value >> hostBits;
}

const blocks = (texts: string[]) => texts.map((text) => parseBlock(text)!);

// IANA's special-purpose registries, and Azure's metadata host, which has a public address.
const special = blocks([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, Alibaba's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's metadata and DNS
  '169.254.0.0/16', // link-local, metadata of nearly every cloud
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, Oracle's metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries an IPv4 address
  '3fff::/20', // documentation
]);
// The rest of IPv6 is loopback, mapped, translated, local, multicast or unassigned.
const globalUnicast = parseBlock('2000::/3')!;

/** False for any IPv6 address that carries an IPv4 address. */
export function isPublicAddress(address: Address): boolean {
  if (address.family === 6 && !isInBlock(globalUnicast, address)) return false;
  return !special.some((block) => isInBlock(block, address));
}
