// GET /metrics, for this machine and for callers with the metrics token.

import { isSameSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { DeskError } from '../../domain/errors.ts';
import { countFailure } from '../credentials/authenticate.ts';
import { bearerIn } from '../credentials/bearer.ts';
import { clientAddress, createAddressList } from '../credentials/client-address.ts';
import type { Edge } from '../operation.ts';
import { errorReply, methodReply, type Reply, toResponse } from '../wire/respond.ts';

const isLoopback = createAddressList(['127.0.0.0/8', '::1']);
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'fly-client-ip',
  'true-client-ip',
];

/** A proxy here also connects locally, so its headers mean no; so does a host name, which web pages can point here. */
function isFromThisMachine(request: Request, peer: string | null): boolean {
  if (peer === null || !isLoopback(peer)) return false;
  if (forwardingHeaders.some((name) => request.headers.has(name))) return false;
  const host = new URL(request.url).hostname.replace(/^\[(.*)\]$/, '$1');
  return host === 'localhost' || isLoopback(host);
}

export async function answerMetrics(
  edge: Edge,
  { token, text }: { token: string | null; text: () => Promise<string> },
  request: Request,
  peer: string | null,
): Promise<Response> {
  const requestId = newUlid(edge.desk.now());
  const refused = (reply: Reply) => {
    const response = toResponse(reply);
    response.headers.set('Cache-Control', 'no-store');
    response.headers.set('X-Request-Id', requestId);
    return response;
  };
  const isLocal = isFromThisMachine(request, peer);
  if (!isLocal && token === null)
    return refused(errorReply(new DeskError('not_found', 'This path does not exist.'), requestId));
  if (!['GET', 'HEAD'].includes(request.method)) return refused(methodReply(['GET', 'HEAD'], requestId));
  try {
    if (!isLocal && token !== null) requireToken(edge, token, request, peer);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    return refused(errorReply(error, requestId));
  }
  return new Response(await text(), {
    headers: {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    },
  });
}

function requireToken(edge: Edge, token: string, request: Request, peer: string | null): void {
  const bearer = bearerIn(request.headers.get('authorization') ?? undefined);
  if (bearer === null || bearer === '') {
    throw new DeskError('unauthenticated', 'Send the metrics token as Authorization: Bearer <token>.', {
      reason: 'missing_token',
    });
  }
  if (isSameSecret(bearer, token)) return;
  const address = clientAddress(
    peer ?? '0.0.0.0',
    request.headers.get('x-forwarded-for') ?? undefined,
    edge.isTrustedProxy,
  );
  countFailure(edge, address, edge.desk.now(), { allowances: [] });
  throw new DeskError('unauthenticated', 'The metrics token is wrong.', { reason: 'unknown_token' });
}
