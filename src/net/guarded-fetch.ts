// The HTTP client for untrusted servers: refuses addresses that are not public and limits time and size.

import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { WebhookAttempt } from '../domain/outbox/delivery.ts';
import { type AllowList, bareHost } from './allow-list.ts';
import { parseAddress } from './ip-address.ts';
import { assertPermitted, type Permission, permittedAddresses, Refused } from './permitted.ts';
import { type Resolve, resolveHost, resolvingFault } from './resolve.ts';

export interface Guard {
  allow: AllowList;
  timeoutMs: number;
  resolve?: Resolve;
  authoritiesPem?: string;
}

interface OutgoingRequest {
  method: 'POST' | 'GET';
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

interface Answer {
  ended: WebhookAttempt;
  excerpt: string;
  error: string | null;
}

interface WholeAnswer {
  status: number;
  contentType: string;
  body: string;
}

const excerptBytes = 2048;

/** `unresolved`: the name has no address now, which can change. `guardedFetch` checks the connection again. */
export async function checkDestination(
  url: string,
  guard: Guard,
): Promise<{ kind: 'fine' } | { kind: 'refused' | 'unresolved'; reason: string }> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error('its name took too long to resolve')), guard.timeoutMs);
  try {
    const destination = readDestination(url);
    await Promise.race([permittedAddresses(destination.host, destination.port, permissionOf(guard)), deadline.promise]);
    return { kind: 'fine' };
  } catch (error) {
    return { kind: error instanceof Refused ? 'refused' : 'unresolved', reason: phrase(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** Never rejects, follows no redirect, reuses no connection. A body that is cut short only shortens the excerpt. */
export async function guardedFetch(outgoing: OutgoingRequest, guard: Guard): Promise<Answer> {
  const { ended, body, error } = await exchange(outgoing, guard, excerptBytes);
  return { ended, excerpt: textOf(body), error: ended.kind === 'answered' ? null : error };
}

/** The whole answer, whatever its status. Throws an Error that says why there is none. */
export async function guardedRead(outgoing: OutgoingRequest, guard: Guard, mostBytes: number): Promise<WholeAnswer> {
  const { ended, contentType, body, error } = await exchange(outgoing, guard, mostBytes);
  if (ended.kind !== 'answered' || error !== null) throw new Error(error ?? 'no answer');
  return { status: ended.status, contentType, body: textOf(body) };
}

interface Exchange {
  ended: WebhookAttempt;
  contentType: string;
  body: Buffer;
  error: string | null;
}

function exchange(outgoing: OutgoingRequest, guard: Guard, mostBytes: number): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const chunks: Buffer[] = [];
  let answered: WebhookAttempt | null = null;
  let contentType = '';
  let connection: ClientRequest | null = null;
  let isSettled = false;

  const settle = (ended: WebhookAttempt, error: string | null) => {
    if (isSettled) return;
    isSettled = true;
    clearTimeout(timer);
    connection?.destroy();
    resolve({ ended, contentType, body: Buffer.concat(chunks).subarray(0, mostBytes), error });
  };
  const fail = (error: unknown) =>
    settle(answered ?? { kind: error instanceof Refused ? 'refused' : 'unreachable' }, phrase(error));
  const timer = setTimeout(() => {
    settle(
      answered ?? { kind: 'timed_out' },
      `no ${answered ? 'whole ' : ''}answer within ${guard.timeoutMs / 1000} s`,
    );
  }, guard.timeoutMs);

  const receive = (response: IncomingMessage) => {
    const ended: WebhookAttempt = {
      kind: 'answered',
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'] ?? null,
    };
    answered = ended;
    contentType = response.headers['content-type'] ?? '';
    let received = 0;
    response.on('data', (chunk: Buffer) => {
      if (received < mostBytes) chunks.push(chunk);
      received += chunk.length;
      if (received > mostBytes) settle(ended, `the answer has more than ${mostBytes} bytes`);
    });
    response.on('end', () => settle(ended, null));
    response.on('close', () => settle(ended, 'the answer was cut off'));
    response.on('error', fail);
  };

  try {
    connection = open(outgoing, guard);
    connection.on('response', receive);
    connection.on('upgrade', (response, socket) => {
      // An upgraded socket is detached: destroying the request would leave it open.
      socket.destroy();
      receive(response);
    });
    connection.on('error', fail);
    connection.on('close', () => fail(new Error('connection closed without an answer')));
  } catch (error) {
    fail(new Refused(phrase(error)));
  }
  return promise;
}

function readDestination(text: string): { url: URL; host: string; port: number } {
  if (!URL.canParse(text)) throw new Refused('not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Refused('only https and http are allowed');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { url, host: bareHost(url.hostname), port };
}

const permissionOf = ({ allow, resolve = resolveHost }: Guard): Permission => ({
  allow,
  resolve,
  setting: 'HELPDESK_WEBHOOK_ALLOW',
});

function open(outgoing: OutgoingRequest, guard: Guard): ClientRequest {
  const destination = readDestination(outgoing.url);
  const { url, host, port } = destination;
  // Node does not call `lookup` for a literal address.
  const literal = parseAddress(host);
  if (literal) assertPermitted(literal, host, port, permissionOf(guard));
  const lookup: LookupFunction = (_host, _options, done) => {
    permittedAddresses(destination.host, destination.port, permissionOf(guard)).then(
      (addresses) => done(null, addresses),
      (error) => done(error, []),
    );
  };
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
    method: outgoing.method,
    host,
    port,
    path: url.pathname + url.search,
    headers: { ...basicAuthorisation(url), ...outgoing.headers, host: url.host, 'accept-encoding': 'identity' },
    lookup,
    agent: false,
    ...(guard.authoritiesPem === undefined ? {} : { ca: guard.authoritiesPem }),
    rejectUnauthorized: true,
  });
  if (outgoing.method === 'POST') request.setHeader('content-length', Buffer.byteLength(outgoing.body));
  // DNS can answer differently the second time, so the connected address is checked before anything is sent.
  request.once('socket', (socket) => {
    const proceed = () => {
      try {
        const peer = parseAddress(socket.remoteAddress ?? '');
        if (!peer) throw new Error('connection closed immediately');
        assertPermitted(peer, host, port, permissionOf(guard));
        request.end(outgoing.body);
      } catch (error) {
        request.destroy(error as Error);
      }
    };
    if (socket.connecting) socket.once('connect', proceed);
    else proceed();
  });
  return request;
}

function basicAuthorisation(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

const phrases: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENETUNREACH: 'network unreachable',
  EHOSTUNREACH: 'host unreachable',
  ETIMEDOUT: 'connection timed out',
};

function phrase(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    resolvingFault(error) ?? phrases[code] ?? (code === '' ? error.message : `${error.message} (${code})`).slice(0, 300)
  );
}
