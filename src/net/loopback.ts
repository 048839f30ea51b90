// Addresses of this very machine.

import { bareHost } from './allow-list.ts';
import { isInBlock, parseAddress, parseBlock } from './ip-address.ts';

const blocks = ['127.0.0.0/8', '::1'].map((text) => parseBlock(text)!);

/** @param hostname as `URL` gives it */
export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname);
  const address = parseAddress(host);
  if (address) return blocks.some((block) => isInBlock(block, address));
  return host === 'localhost' || host.endsWith('.localhost');
}
