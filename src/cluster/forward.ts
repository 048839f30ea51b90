// Hands a request to the primary, body and all: by Fly's proxy where there is one, else by this machine itself.

import { DeskError } from '../domain/errors.ts';
import type { Node } from './node.ts';
import { createStallTimer, type Peers, peerHeader } from './peers.ts';
import { refusalOf } from './role.ts';

interface ForwardOptions {
  node: Node;
  peers: Peers;
  /** Whether Fly's proxy stands before this machine and replays requests elsewhere. */
  isOnFly: boolean;
  /** How long nothing may move in either direction. */
  stallMs?: number;
}

export interface Forwarded {
  request: Request;
  /** Whose request it is, as this machine has established it. */
  client: string;
  requestId: string;
  /** The body, where it has been read and is to be signed with the request; else it is passed on while it arrives. */
  body?: Uint8Array;
}

/** Answers what the primary answers. Throws `unavailable` where there is none or it does not answer. */
export type Forward = (forwarded: Forwarded) => Promise<Response>;

// Fly's proxy keeps this much of a body for a replay (fly.io, Dynamic Request Routing, Limitations).
const maxReplayedBytes = 1_000_000;
const flyMachine = /^[0-9a-f]{6,32}$/;
const stallAfterMs = 45_000;
// A machine that is the primary no more may still answer what it took before, but not for long.
const formerPrimaryMs = 5_000;
const lookEveryMs = 250;

// RFC 9110, 7.6.1: these speak of one connection alone.
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

/** The headers of a message without those that speak of the connection it came by. */
export function endToEnd(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim());
  for (const name of [...hopByHop, ...named]) if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) kept.delete(name);
  return kept;
}

export function createForward({ node, peers, isOnFly, stallMs = stallAfterMs }: ForwardOptions): Forward {
  return async ({ request, client, requestId, body }) => {
    const host = node.primaryHost();
    if (host === null) throw refusalOf(node.role() === 'primary' ? 'replica' : node.role(), null);
    if (isOnFly && isReplayable(request, host)) return replay(host, requestId);
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
        method: request.method,
        headers,
        body: (body ?? (request.body === null ? null : watched(request.body, stall.moved))) as BodyInit | null,
        redirect: 'manual',
        decompress: false,
        // A connection that was kept may have been closed by the other side, and a write must not be sent twice.
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

/** Aborts when another machine, or none, has been the primary for a while: then nobody needs to wait for this one. */
function watchPrimary(node: Node, host: string): { signal: AbortSignal; end(): void } {
  const over = new AbortController();
  let leftMs = formerPrimaryMs;
  const timer = setInterval(() => {
    leftMs = node.primaryHost() === host ? formerPrimaryMs : leftMs - lookEveryMs;
    if (leftMs <= 0) over.abort();
  }, lookEveryMs);
  return { signal: over.signal, end: () => clearInterval(timer) };
}

/** The same bytes, and word of each piece that passes. */
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

/** Whether Fly's proxy can do it: the body is known to be small, the host is a machine of Fly, and it has not been tried yet. */
function isReplayable(request: Request, host: string): boolean {
  if (!flyMachine.test(host) || request.headers.has('fly-replay-src')) return false;
  const length = request.headers.get('content-length');
  if (length === null) return request.body === null;
  return /^\d{1,15}$/.test(length) && Number(length) <= maxReplayedBytes;
}

/** Fly's proxy takes this answer for itself; whoever sees it did not come through that proxy. */
function replay(host: string, requestId: string): Response {
  const body = {
    message: 'Only the primary answers this; it must come through the proxy of Fly, which takes it there.',
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
  const sentence = isUncertain
    ? `The primary, ${host}, took the request and did not answer it. Whether it was done is not known; with the same Idempotency-Key it can be repeated safely.`
    : `The primary, ${host}, cannot be reached; nothing was stored.`;
  return new DeskError('unavailable', sentence, { retryAfterSeconds: 2 });
}
