// Which page or operation answers a request (its path from there: answer-operation.ts).

import { Hono } from 'hono';
import type { Log } from '../base/log.ts';
import { DeskError } from '../domain/errors.ts';
import { addressOf, answerOperation } from './answer-operation.ts';
import { type Counted, countStranger } from './credentials/authenticate.ts';
import { rateLimitHeaders } from './credentials/rate-limit.ts';
import type { Edge } from './operation.ts';
import type { Route } from './operations.ts';
import type { BrowserFileSource } from './pages/browser-files.ts';
import { addCustomerPages } from './pages/customer/routes.ts';
import { addPages } from './pages/routes.ts';
import { isSignedIn } from './pages/visitor.ts';
import { type Answered, answering, type Seen } from './request-log.ts';
import { errorReply, methodReply, type Reply, toResponse } from './wire/respond.ts';

interface AppOptions {
  edge: Edge;
  routes: readonly Route[];
  browserFiles: BrowserFileSource;
  log: Log;
  onAnswered?: (answered: Answered) => void;
}

type Env = { Bindings: Seen };

interface App {
  fetch(request: Request, from?: { peer: string }): Promise<Response>;
}

type AnswerPath = (request: Request, params: Record<string, string>, seen: Seen) => Promise<Response>;

export function createApp({ edge, routes, browserFiles, log, onAnswered }: AppOptions): App {
  const app = new Hono<Env>();
  const hasSession = (cookie: string | undefined) => isSignedIn(edge, cookie);
  addPages(app, browserFiles, edge.desk, hasSession);
  addCustomerPages(app, browserFiles, edge, async (request, seen) => {
    const own = exact.get(new URL(request.url).pathname);
    if (own === undefined) throw new Error('A page called what is no operation.');
    return await own(request, {}, seen);
  });

  const byPath = new Map<string, Route[]>();
  for (const known of routes) byPath.set(known.path, [...(byPath.get(known.path) ?? []), known]);
  // Most requests: they need no router.
  const exact = new Map<string, AnswerPath>();
  for (const [path, all] of byPath) {
    const answer = answerPath(path, all);
    if (!path.includes('{')) exact.set(path, answer);
    app.all(path.replace(/\{(\w+)\}/g, ':$1'), (c) =>
      answer(c.req.raw, c.req.param() as Record<string, string>, c.env),
    );
  }

  function answerPath(path: string, all: readonly Route[]): AnswerPath {
    const methods: string[] = all.map(({ method }) => method);
    if (methods.includes('GET')) methods.push('HEAD');
    return async (request, params, seen) => {
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const known = all.find((one) => one.method === method);
      seen.route = path;
      if (known !== undefined) {
        const loaded = known.load();
        // Most have been loaded before, and need no turn of their own.
        return answerOperation(edge, loaded instanceof Promise ? await loaded : loaded, request, params, seen);
      }
      return refuseStranger(request, seen, methodReply(methods, seen.requestId));
    };
  }

  /** Requests that no operation answers are not authenticated, only counted. */
  function refuseStranger(request: Request, seen: Seen, refusal: Reply): Response {
    const counted: Counted = { allowances: [] };
    const now = edge.desk.now();
    let reply = refusal;
    try {
      countStranger(edge, addressOf(edge, request, seen), now, counted);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      reply = errorReply(error, seen.requestId);
    }
    return toResponse({ ...reply, headers: { ...reply.headers, ...rateLimitHeaders(counted.allowances, now) } });
  }

  app.notFound(async (c) => {
    const missing = new DeskError('not_found', 'This path does not exist.');
    const refused = refuseStranger(c.req.raw, c.env, errorReply(missing, c.env.requestId));
    if (refused.status !== 404) return refused;
    const { notFoundPage } = await import('./pages/not-found.ts');
    return (await notFoundPage(c, browserFiles, hasSession)) ?? refused;
  });
  app.onError((error) => {
    throw error;
  });

  async function route(request: Request, seen: Seen): Promise<Response> {
    const answer = exact.get(seen.url.pathname);
    if (answer === undefined) return await app.fetch(request, seen);
    const answered = await answer(request, {}, seen);
    return request.method === 'HEAD' ? new Response(null, answered) : answered;
  }
  return { fetch: answering(route, edge, log, onAnswered) };
}
