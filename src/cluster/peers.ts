// How the machines of a cluster talk to one another: requests that carry a signature which only they can make.

import { monotonicMs, systemClock } from '../base/clock.ts';
import { isSameSecret, randomSecret, type Seal, sha256Hex } from '../base/crypto.ts';
import { processName } from '../base/process.ts';
import { DeskError } from '../domain/errors.ts';

/** The header that carries the signature: version, moment, sender, client's address, nonce, hash of the body, signature. */
export const peerHeader = 'X-Helpdesk-Peer';
/** What the machines ask of one another lies under this path, and answers to nobody else. */
export const peerPath = '/internal/';

// As far as the clocks of two machines may be apart.
const maxSkewMs = 60_000;
// What this process has taken is not taken again; what was signed before it began, a former process may have taken.
const startSlackMs = 2_000;
// Of a body that is passed on while it arrives.
const streamed = '-';
// An answer, its body included, takes no longer.
const wholeMs = 120_000;

export interface FromPeer {
  /** Which process sent it. */
  sender: string;
  /** Whose request it passes on; null for one of its own. */
  client: string | null;
  /** Of the body, as it was signed; null for one that was passed on while it arrived. */
  bodyHash: string | null;
}

export interface Peers {
  /** The name that this machine is known by. */
  readonly sender: string;
  /** The value of the header for one request; `body` is null for one that is passed on while it arrives. */
  sign(method: string, target: string, client?: string | null, body?: string | Uint8Array | null): string;
  /**
   * Who sent a request; null when none of the cluster did. Throws `unavailable` for a request that was sent before, or too
   * long ago. The body's hash is what was signed: whoever reads the body compares it.
   */
  verify(method: string, target: string, header: string | null | undefined): FromPeer | null;
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

  const bornAt = systemClock.now();
  const taken = createMemory();

  function sign(
    method: string,
    path: string,
    client: string | null = null,
    body: string | Uint8Array | null = '',
  ): string {
    const at = String(systemClock.now());
    const fields = ['v2', at, sender, client ?? '-', randomSecret('n'), body === null ? streamed : sha256Hex(body)];
    return [...fields, macOf([...fields, method, target(path)])].join(' ');
  }

  function addressOf(host: string): string {
    return template.replace('{hostname}', host.includes(':') ? `[${host}]` : host);
  }

  return {
    sender,
    sign,
    verify(method, path, header) {
      const fields = (header ?? '').split(' ');
      const [version, at = '', from = '', client = '', nonce = '', bodyHash = '', mac = ''] = fields;
      if (version !== 'v2' || fields.length !== 7 || !/^\d{1,15}$/.test(at)) return null;
      if (!isSameSecret(macOf([...fields.slice(0, 6), method, target(path)]), mac)) return null;
      const signedAt = Number(at);
      const isOld = Math.abs(signedAt - systemClock.now()) > maxSkewMs || signedAt < bornAt - startSlackMs;
      // Only what a machine of the cluster signed is remembered, so that no stranger can fill the memory.
      if (isOld || !taken.isNew(nonce)) throw sentAgain();
      return {
        sender: from,
        client: client === '-' ? null : client,
        bodyHash: bodyHash === streamed ? null : bodyHash,
      };
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

function sentAgain(): DeskError {
  return new DeskError(
    'unavailable',
    'Another machine signed this request too long ago, or it was sent before: the clocks differ, or somebody repeats it.',
    { reason: 'peer_signature_used', retryAfterSeconds: 5 },
  );
}

/** Nonces of as long as a signature is good for, and at most twice as long. */
function createMemory() {
  let recent = new Set<string>();
  let older = new Set<string>();
  let turnedAt = monotonicMs();
  return {
    isNew(nonce: string): boolean {
      // A signature may be as much ahead of this clock as behind it.
      if (monotonicMs() - turnedAt > 2 * maxSkewMs) {
        older = recent;
        recent = new Set();
        turnedAt = monotonicMs();
      }
      if (recent.has(nonce) || older.has(nonce)) return false;
      recent.add(nonce);
      return true;
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
