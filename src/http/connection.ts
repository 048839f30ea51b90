// Refuses invalid requests before any handler, and closes connections whose body was not read to its end.

import { systemClock } from '../base/clock.ts';
import { newUlid } from '../base/ids.ts';
import { DeskError } from '../domain/errors.ts';
import { declaredBytes, isReadToEnd, smallBytes } from './body.ts';
import { errorReply, type Reply, toResponse } from './wire/respond.ts';

// A connection stays open only when the rest of its body is short and arrives soon.
const drainBytes = 1024 * 1024;
const drainMs = 300;

/** The server keeps reading a body even after the answer, so a connection whose body does not end is closed. */
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
    return new DeskError('malformed', 'A request must have exactly one Host.', { reason: 'bad_request' });
  // The server discards these bodies, however long they are.
  if (isBodiless(request) && (request.headers.has('transfer-encoding') || declaredBytes(request) > smallBytes))
    return new DeskError('malformed', `A ${request.method} request cannot have a body.`);
  return null;
}

const isBodiless = (request: Request) => ['GET', 'HEAD'].includes(request.method);

export function outside(answer: (requestId: string) => Reply): Response {
  const requestId = newUlid(systemClock.now());
  const reply = answer(requestId);
  return toResponse({
    ...reply,
    headers: { ...reply.headers, 'X-Request-Id': requestId, 'Cache-Control': 'no-store' },
  });
}

const refuse = (error: DeskError) => outside((requestId) => errorReply(error, requestId));

/** Whether the body has ended, or ends soon enough to discard the rest. */
async function endsWithAnswer(request: Request): Promise<boolean> {
  if (isReadToEnd(request)) return true;
  const isChunked = request.headers.has('transfer-encoding');
  const declared = request.headers.get('content-length');
  if (!isChunked && (declared === null || declaredBytes(request) <= smallBytes)) return true;
  // A reader started and gave up: the body is too large, too slow or malformed.
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
    return false;
  } finally {
    clearTimeout(timer);
  }
}
