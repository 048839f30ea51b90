// A path with a page: it is read, and every other method is refused.

import type { Context, Hono } from 'hono';
import type { RequestVariables } from '../request-log.ts';
import { methodReply, toResponse } from '../wire/respond.ts';

export type Env = { Bindings: { peer: string }; Variables: RequestVariables };

export function readOnly(
  app: Hono<Env>,
  path: string,
  answer: (c: Context<Env>) => Response | Promise<Response>,
): void {
  app.get(path, (c) => {
    c.set('route', path);
    return answer(c);
  });
  app.all(path, (c) => {
    c.set('route', path);
    return toResponse(methodReply(['GET', 'HEAD'], c.get('requestId')));
  });
}
