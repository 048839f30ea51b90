// HELPDESK_WEBHOOK_ALLOW: private addresses and hosts that webhooks can reach.

import { type Address, type AddressBlock, isInBlock, parseAddress, parseBlock } from './ip-address.ts';

type Entry = { port: number | null } & ({ block: AddressBlock } | { host: string });

export interface AllowList {
  permits(host: string, port: number, address: Address): boolean;
}

/** Reads `10.0.0.0/8, receiver.lan:8443, [fd00::1]`. The Error it throws names the first entry it cannot read. */
export function parseAllowList(text: string): AllowList {
  const entries = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseEntry);
  return {
    permits: (host, port, address) =>
      entries.some(
        (entry) =>
          (entry.port === null || entry.port === port) &&
          ('block' in entry ? isInBlock(entry.block, address) : entry.host === host),
      ),
  };
}

function parseEntry(text: string): Entry {
  const block = parseBlock(text);
  if (block?.prefixLength === 0) throw new Error(`${text} would allow every address. List the networks you need.`);
  if (block) return { block, port: null };
  const [, name = '', port] = /^(\[[^\]]*\]|[^:/?#@\\*]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = normaliseHost(name);
  if (host === null || Number(port ?? 0) > 65535) {
    throw new Error(`${text} is not a network (10.0.0.0/8) or a host (receiver.lan, receiver.lan:8443).`);
  }
  const literal = parseBlock(host);
  return { port: port === undefined ? null : Number(port), ...(literal ? { block: literal } : { host }) };
}

function normaliseHost(host: string): string | null {
  if (host === '' || !URL.canParse(`http://${host}`)) return null;
  return bareHost(new URL(`http://${host}`).hostname);
}

export function bareHost(hostname: string): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
  return parseAddress(bare) ? bare : bare.toLowerCase();
}
