// One log line and one count for each request, and the headers that every answer has.

import type { MiddlewareHandler } from 'hono';
import { monotonicMs } from '../base/clock.ts';
import { errorFields, type Log } from '../base/log.ts';

export interface Answered {
  operation: string | null;
  status: number;
  durationMs: number;
}

export type RequestVariables = { requestId: string; route: string; operation: string; failure: unknown };

export function requestLog(
  log: Log,
  onAnswered: ((answered: Answered) => void) | undefined,
): MiddlewareHandler<{ Variables: RequestVariables }> {
  return async (c, next) => {
    const startedAt = monotonicMs();
    await next();
    // Handlers return whole responses, without the headers that middleware set before.
    c.res.headers.set('X-Request-Id', c.get('requestId'));
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store');
    const tookMs = monotonicMs() - startedAt;
    onAnswered?.({ operation: c.get('operation') ?? null, status: c.res.status, durationMs: tookMs });
    // The route, not the URL: paths and queries carry tokens.
    const fields = {
      requestId: c.get('requestId'),
      method: c.req.method,
      route: c.get('route') ?? 'unknown',
      status: c.res.status,
      durationMs: Math.round(tookMs * 10) / 10,
    };
    const failure = c.get('failure');
    if (failure !== undefined) log.error({ ...fields, ...errorFields(failure) }, 'request crashed');
    else log.info(fields, 'request');
  };
}
