// Requests between the machines of a cluster, with a signature that only they can make.

import { monotonicMs, systemClock } from '../base/clock.ts';
import { isSameSecret, randomSecret, type Seal, sha256Hex } from '../base/crypto.ts';
import { processName } from '../base/process.ts';
import { DeskError } from '../domain/errors.ts';

/** Version, moment, sender, client's address, nonce, hash of the body, signature. */
export const peerHeader = 'X-Helpdesk-Peer';
/** Requests between machines have this path; others are refused. */
export const peerPath = '/internal/';

/** How long a signature is valid, so how far clocks may differ. */
export const maxSkewMs = 60_000;
// An earlier process of this machine may have accepted requests signed before this one started.
const startSlackMs = 2_000;
const streamed = '-';
const wholeMs = 120_000;

export interface FromPeer {
  sender: string;
  client: string | null;
  bodyHash: string | null;
}

export interface Peers {
  readonly sender: string;
  sign(method: string, target: string, client?: string | null, body?: string | Uint8Array | null): string;
  /** Null if it is not from the cluster. Throws `unavailable` for a repeat. The caller must compare the body's hash. */
  verify(method: string, target: string, header: string | null | undefined): FromPeer | null;
  addressOf(host: string): string;
  ask(host: string, method: string, target: string, options?: AskOptions): Promise<Response>;
}

interface AskOptions {
  body?: string;
  headers?: Record<string, string>;
  ms?: number;
}

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
      // Only signed nonces are remembered, so that a stranger cannot fill the memory.
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
    'Another machine signed this request too long ago, or it was sent before: either the clocks differ, or the request was repeated.',
    { reason: 'peer_signature_used', retryAfterSeconds: 5 },
  );
}

/** Remembers nonces at least as long as a signature is valid, at most twice as long. */
function createMemory() {
  let recent = new Set<string>();
  let older = new Set<string>();
  let turnedAt = monotonicMs();
  return {
    isNew(nonce: string): boolean {
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
