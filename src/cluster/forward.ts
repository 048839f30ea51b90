// Forwards a request to the primary: through Fly's proxy if there is one, otherwise directly.

import { passedOn } from '../base/pass-on.ts';
import { DeskError } from '../domain/errors.ts';
import type { Node } from './node.ts';
import { createStallTimer, type Peers, peerHeader } from './peers.ts';
import { isReachable } from './reachable.ts';
import { refusalOf } from './role.ts';

interface ForwardOptions {
  node: Node;
  peers: Peers;
  isOnFly: boolean;
  stallMs?: number;
}

export interface Forwarded {
  request: Request;
  client: string;
  requestId: string;
  /** A body that was already read, to be signed with the request; any other is passed on as it arrives. */
  body?: Uint8Array;
}

export type Forward = (forwarded: Forwarded) => Promise<Response>;

// Fly's proxy keeps this much of a body for a replay (fly.io, Dynamic Request Routing, Limitations).
const maxReplayedBytes = 1_000_000;
const flyMachine = /^[0-9a-f]{6,32}$/;
const stallAfterMs = 45_000;
// A machine that is no longer the primary may still answer earlier requests, but not for long.
const formerPrimaryMs = 5_000;
const lookEveryMs = 250;

// RFC 9110, 7.6.1: these describe only one connection.
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export function endToEnd(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim());
  for (const name of [...hopByHop, ...named]) if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) kept.delete(name);
  return kept;
}

export function createForward({ node, peers, isOnFly, stallMs = stallAfterMs }: ForwardOptions): Forward {
  return async ({ request, client, requestId, body }) => {
    const named = node.primaryHost();
    if (named === null) throw refusalOf(node.role() === 'primary' ? 'replica' : node.role(), null);
    const host = isOnFly && flyMachine.test(named) ? named : await reachablePrimary(node, peers, named);
    if (isOnFly && canFlyReplay(request, host)) return flyReplay(host, requestId);
    const { pathname, search } = new URL(request.url);
    const headers = endToEnd(request.headers);
    for (const name of ['host', 'expect']) headers.delete(name);
    const signed = body ?? (request.body === null ? '' : null);
    headers.set(peerHeader, peers.sign(request.method, pathname + search, client, signed));
    headers.set('X-Request-Id', requestId);
    const stall = createStallTimer(stallMs);
    const deposed = watchPrimary(node, host);
    let answer: Response;
    try {
      answer = await fetch(peers.addressOf(host) + pathname + search, {
        ...passedOn(headers),
        method: request.method,
        body: (body ?? (request.body === null ? null : watched(request.body, stall.moved))) as BodyInit | null,
        redirect: 'manual',
        // The other side may have closed a kept connection, and a write must not be sent twice.
        keepalive: false,
        signal: AbortSignal.any([stall.signal, deposed.signal, request.signal]),
      });
    } catch (error) {
      stall.end();
      throw unanswered(error, host, request.method);
    } finally {
      deposed.end();
    }
    const passed = endToEnd(answer.headers);
    if (answer.body === null || request.method === 'HEAD') {
      stall.end();
      return new Response(null, { status: answer.status, headers: passed });
    }
    return new Response(watched(answer.body, stall.moved, stall.end), { status: answer.status, headers: passed });
  };
}

/** Nothing has been sent yet, so another machine that has become the primary meanwhile can have the request. */
async function reachablePrimary(node: Node, peers: Peers, named: string): Promise<string> {
  if (await isReachable(peers.addressOf(named))) return named;
  const next = node.primaryHost();
  if (next !== null && next !== named && (await isReachable(peers.addressOf(next)))) return next;
  throw unreachable(named);
}

function unreachable(host: string): DeskError {
  return new DeskError('unavailable', `The primary, ${host}, cannot be reached; nothing was stored.`, {
    retryAfterSeconds: 2,
  });
}

function watchPrimary(node: Node, host: string): { signal: AbortSignal; end(): void } {
  const over = new AbortController();
  let leftMs = formerPrimaryMs;
  const timer = setInterval(() => {
    leftMs = node.primaryHost() === host ? formerPrimaryMs : leftMs - lookEveryMs;
    if (leftMs <= 0) over.abort();
  }, lookEveryMs);
  return { signal: over.signal, end: () => clearInterval(timer) };
}

function watched(
  source: ReadableStream<Uint8Array>,
  moved: () => void,
  ended: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        moved();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        ended();
        controller.close();
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    cancel(reason) {
      ended();
      return reader.cancel(reason);
    },
  });
}

/** Whether Fly's proxy can replay this: a small body of known size, a host on Fly, and the first try. */
function canFlyReplay(request: Request, host: string): boolean {
  if (!flyMachine.test(host) || request.headers.has('fly-replay-src')) return false;
  const length = request.headers.get('content-length');
  if (length === null) return request.body === null;
  return /^\d{1,15}$/.test(length) && Number(length) <= maxReplayedBytes;
}

/** Fly's proxy handles this answer itself; a client sees it only without that proxy. */
function flyReplay(host: string, requestId: string): Response {
  const body = {
    message: "Only the primary can answer this. Send it through Fly's proxy, which passes it on.",
    code: 'conflict',
    request_id: requestId,
  };
  return Response.json(body, {
    status: 409,
    headers: { 'fly-replay': `instance=${host}`, 'Cache-Control': 'no-store' },
  });
}

const neverSent = [
  'ConnectionRefused',
  'ECONNREFUSED',
  'FailedToOpenSocket',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

function unanswered(error: unknown, host: string, method: string): DeskError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isUncertain = !neverSent.includes(code) && method !== 'GET' && method !== 'HEAD';
  if (!isUncertain) return unreachable(host);
  return new DeskError(
    'unavailable',
    `The primary, ${host}, received the request but did not answer. It may or may not have been carried out; you can repeat it safely with the same Idempotency-Key.`,
    { retryAfterSeconds: 2 },
  );
}
