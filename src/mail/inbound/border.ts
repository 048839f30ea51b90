// Where a message came in: the newest hop that names a client, written by a server that the site trusts.

import { getClientAddress, parseReceived } from 'mailauth/lib/parse-received.js';

interface Border {
  /** The address that handed the message over; null when no trusted header names one. */
  client: string | null;
  helo: string | null;
}

interface Hop extends Border {
  by: string;
}

const mostHops = 50;

/**
 * Only what stands above the border was written by servers of the site: a stranger can write all that is below.
 * @param received the Received headers, newest first
 */
export function borderOf(received: readonly string[], trustedServers: readonly string[]): Border {
  const hops = received.slice(0, mostHops).flatMap(hopOf);
  const trusted = trustedServers.map((server) => server.toLowerCase());
  const first = hops.findIndex(({ by }) => trusted.some((server) => by === server || by.endsWith(`.${server}`)));
  // A server hands mail over to itself too, as to a filter or a mailbox: those hops name no one else.
  const border = hops.slice(Math.max(0, first)).find(({ client }) => client !== null && !isLoopback(client));
  return border === undefined ? { client: null, helo: null } : { client: border.client, helo: border.helo };
}

function hopOf(header: string): Hop[] {
  const read = parseReceived(`Received: ${header}`);
  if (read === false) return [];
  const client = getClientAddress(read.from) || null;
  const helo = /^[\w.-]{1,253}$/.exec(read.from?.value?.split(/\s/, 1)[0] ?? '')?.[0] ?? null;
  return [{ client, helo, by: (read.by?.value ?? '').split(/\s/, 1)[0]!.toLowerCase() }];
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\./i.test(address) || address === '::1';
}
