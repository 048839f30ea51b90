// A path with a page: it is read, and every other method is refused, but for those that were added before.

import type { Context, Hono } from 'hono';
import type { Seen } from '../request-log.ts';
import { methodReply, toResponse } from '../wire/respond.ts';

export type Env = { Bindings: Seen };

export function readOnly(
  app: Hono<Env>,
  path: string,
  answer: (c: Context<Env>) => Response | Promise<Response>,
  others: readonly string[] = [],
): void {
  app.get(path, (c) => {
    c.env.route = path;
    return answer(c);
  });
  app.all(path, (c) => {
    c.env.route = path;
    return toResponse(methodReply(['GET', 'HEAD', ...others], c.env.requestId));
  });
}
