// Around every request: its id, one log line and one count, and the headers that every answer has.

import { monotonicMs, systemClock } from '../base/clock.ts';
import { newUlid } from '../base/ids.ts';
import { isLoopbackHost } from '../base/local-url.ts';
import { errorFields, type Log } from '../base/log.ts';
import { crashReply, toResponse } from './wire/respond.ts';

export interface Answered {
  operation: string | null;
  status: number;
  durationMs: number;
}

/** What is known of a request while it is answered. */
export interface Seen {
  readonly requestId: string;
  readonly peer: string;
  readonly url: URL;
  route?: string;
  operation?: string;
  failure?: unknown;
}

type Answer = (request: Request, seen: Seen) => Promise<Response>;

/** Over plain http in a network, browsers take no headers that isolate a page, and complain about them. */
function canIsolate(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || isLoopbackHost(hostname);
}

const secureHeaders = (baseUrl: string): [name: string, value: string][] => [
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ...(canIsolate(baseUrl)
    ? ([
        ['Cross-Origin-Opener-Policy', 'same-origin'],
        ['Origin-Agent-Cluster', '?1'],
      ] as [string, string][])
    : []),
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Download-Options', 'noopen'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  ['X-XSS-Protection', '0'],
];

const longestId = 128;

function idOf(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && given.length <= longestId && /^[\w\-=]+$/.test(given) ? given : newUlid(systemClock.now());
}

export function answering(
  answer: Answer,
  desk: { readonly baseUrl: string },
  log: Log,
  onAnswered: ((answered: Answered) => void) | undefined,
): (request: Request, from?: { peer: string }) => Promise<Response> {
  let everywhere = { of: desk.baseUrl, headers: secureHeaders(desk.baseUrl) };
  return async (request, { peer } = { peer: '127.0.0.1' }) => {
    const startedAt = monotonicMs();
    const seen: Seen = { requestId: idOf(request), peer, url: new URL(request.url) };
    const response = await answer(request, seen).catch((error) => {
      seen.failure = error;
      return toResponse(crashReply(seen.requestId));
    });
    const { headers, status } = response;
    const { baseUrl } = desk;
    if (everywhere.of !== baseUrl) everywhere = { of: baseUrl, headers: secureHeaders(baseUrl) };
    for (const [name, value] of everywhere.headers) headers.set(name, value);
    // The older header must not contradict the policy of what may be in a frame of the desk.
    const isFramed = headers.get('Content-Security-Policy')?.includes("frame-ancestors 'self'") === true;
    headers.set('X-Frame-Options', isFramed ? 'SAMEORIGIN' : 'DENY');
    headers.set('X-Request-Id', seen.requestId);
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    const tookMs = monotonicMs() - startedAt;
    onAnswered?.({ operation: seen.operation ?? null, status, durationMs: tookMs });
    // The route, not the URL: paths and queries carry tokens.
    const fields = {
      requestId: seen.requestId,
      method: request.method,
      route: seen.route ?? 'unknown',
      status,
      durationMs: Math.round(tookMs * 10) / 10,
    };
    if (seen.failure !== undefined) log.error({ ...fields, ...errorFields(seen.failure) }, 'request crashed');
    else log.info(fields, 'request');
    return response;
  };
}
