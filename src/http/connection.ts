// Around every answer: what no door may see, and the end of a connection whose body nobody wants.

import { systemClock } from '../base/clock.ts';
import { newUlid } from '../base/ids.ts';
import { DeskError } from '../domain/errors.ts';
import { declaredBytes, isReadToEnd, smallBytes } from './body.ts';
import { errorReply, type Reply, toResponse } from './wire/respond.ts';

// A client that is about to end its body gets its answer on a connection that stays; one that is not is cut off.
const drainBytes = 1024 * 1024;
const drainMs = 300;

/**
 * The same handler for requests of one Host, whose bodies end: the server would go on reading for as long as a client
 * sends, the answer notwithstanding, so that a connection is closed when its body does not end with the answer.
 */
export function guardConnection<Rest extends unknown[]>(
  handle: (request: Request, ...rest: Rest) => Response | Promise<Response>,
): (request: Request, ...rest: Rest) => Promise<Response> {
  return async (request, ...rest) => {
    const refusal = refusalOf(request);
    const response = refusal === null ? await handle(request, ...rest) : refuse(refusal);
    if (!(await endsWithAnswer(request))) response.headers.set('Connection', 'close');
    return response;
  };
}

function refusalOf(request: Request): DeskError | null {
  // Two Host headers arrive as one with a comma (RFC 9112, 3.2).
  if (request.headers.get('host')?.includes(','))
    return new DeskError('malformed', 'A request names one Host.', { reason: 'bad_request' });
  // The server throws these bodies away unseen, however long they go on.
  if (isBodiless(request) && (request.headers.has('transfer-encoding') || declaredBytes(request) > smallBytes))
    return new DeskError('malformed', `A ${request.method} takes no body.`);
  return null;
}

const isBodiless = (request: Request) => ['GET', 'HEAD'].includes(request.method);

/** What is answered before, or without, the app: with a request id all the same. */
export function outside(answer: (requestId: string) => Reply): Response {
  const requestId = newUlid(systemClock.now());
  const reply = answer(requestId);
  return toResponse({
    ...reply,
    headers: { ...reply.headers, 'X-Request-Id': requestId, 'Cache-Control': 'no-store' },
  });
}

const refuse = (error: DeskError) => outside((requestId) => errorReply(error, requestId));

/** Whether the request's body has ended, or ends of itself within what the server may throw away. */
async function endsWithAnswer(request: Request): Promise<boolean> {
  if (isReadToEnd(request)) return true;
  const isChunked = request.headers.has('transfer-encoding');
  const declared = request.headers.get('content-length');
  if (!isChunked && (declared === null || declaredBytes(request) <= smallBytes)) return true;
  // Somebody has begun to read it and given it up: too large, too slow, or not what it should be.
  if (isBodiless(request) || request.bodyUsed || request.body === null || request.body.locked) return false;
  if (declaredBytes(request) > drainBytes) return false;
  return await drains(request.body);
}

async function drains(body: ReadableStream<Uint8Array>): Promise<boolean> {
  const reader = body.getReader();
  const patience = Promise.withResolvers<null>();
  const timer = setTimeout(() => patience.resolve(null), drainMs);
  try {
    for (let left = drainBytes; left > 0; ) {
      const next = await Promise.race([reader.read(), patience.promise]);
      if (next === null) return false;
      if (next.done) return true;
      left -= next.value.length;
    }
    return false;
  } catch {
    // The client has gone.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
