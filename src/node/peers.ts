// How the machines of a cluster talk to one another: requests that carry a signature which only they can make.

import { monotonicMs, systemClock } from '../base/clock.ts';
import { isSameSecret, type Seal, sha256Hex } from '../base/crypto.ts';
import { processName } from '../base/process.ts';

/** The header that carries the signature: version, moment, sender, the client's address, the signature itself. */
export const peerHeader = 'X-Helpdesk-Peer';
/** What the machines ask of one another lies under this path, and answers to nobody else. */
export const peerPath = '/internal/';

// As far as the clocks of two machines may be apart.
const maxSkewMs = 60_000;
// An answer, its body included, takes no longer.
const wholeMs = 120_000;

export interface FromPeer {
  /** Which process sent it. */
  sender: string;
  /** Whose request it passes on; null for one of its own. */
  client: string | null;
}

export interface Peers {
  /** The name that this machine is known by. */
  readonly sender: string;
  /** The value of the header for a request; a body is signed when it is given. */
  sign(method: string, target: string, client?: string | null, body?: string): string;
  /** Who sent a request; null when none of the cluster did. */
  verify(method: string, target: string, header: string | null | undefined, body?: string): FromPeer | null;
  /** Where a machine answers. */
  addressOf(host: string): string;
  /** Asks another machine, and gives up after `ms`. Rejects when it cannot be reached. */
  ask(host: string, method: string, target: string, options?: AskOptions): Promise<Response>;
}

interface AskOptions {
  body?: string;
  headers?: Record<string, string>;
  /** How long until the head of the answer; its body may take longer. */
  ms?: number;
}

/**
 * @param seal the key that all machines share
 * @param template where machines reach one another, with `{hostname}`
 * @param sender the name that this one is known by
 */
export function createPeers(seal: Seal, template: string, sender: string = processName): Peers {
  const macOf = (parts: string[]) => seal.sign('peer', parts.join('\n'));
  const target = (url: string) => url.replace(/^https?:\/\/[^/]+/, '');

  function sign(method: string, path: string, client: string | null = null, body = ''): string {
    const at = String(systemClock.now());
    const fields = ['v1', at, sender, client ?? '-'];
    return [...fields, macOf([...fields, method, target(path), sha256Hex(body)])].join(' ');
  }

  function addressOf(host: string): string {
    return template.replace('{hostname}', host.includes(':') ? `[${host}]` : host);
  }

  return {
    sender,
    sign,
    verify(method, path, header, body = '') {
      const [version = '', at = '', from = '', client = '', mac = '', ...rest] = (header ?? '').split(' ');
      if (version !== 'v1' || rest.length > 0 || !/^\d{1,15}$/.test(at)) return null;
      if (Math.abs(Number(at) - systemClock.now()) > maxSkewMs) return null;
      const expected = macOf([version, at, from, client, method, target(path), sha256Hex(body)]);
      if (!isSameSecret(expected, mac)) return null;
      return { sender: from, client: client === '-' ? null : client };
    },
    addressOf,
    async ask(host, method, path, { body, headers = {}, ms = 5_000 } = {}) {
      const patience = new AbortController();
      const timer = setTimeout(() => patience.abort(), ms);
      try {
        return await fetch(addressOf(host) + path, {
          method,
          headers: { ...headers, [peerHeader]: sign(method, path, null, body) },
          ...(body === undefined ? {} : { body }),
          redirect: 'error',
          keepalive: false,
          signal: AbortSignal.any([patience.signal, AbortSignal.timeout(wholeMs)]),
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** A clock for whoever waits as long as something moves: aborts when nothing has for `ms`. */
export function createStallTimer(ms: number): { signal: AbortSignal; moved(): void; end(): void; sinceMs(): number } {
  const patience = new AbortController();
  const startedAt = monotonicMs();
  let timer = setTimeout(() => patience.abort(), ms);
  return {
    signal: patience.signal,
    moved() {
      clearTimeout(timer);
      timer = setTimeout(() => patience.abort(), ms);
    },
    end: () => clearTimeout(timer),
    sinceMs: () => monotonicMs() - startedAt,
  };
}
