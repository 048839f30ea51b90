// The path of a request: route, limits, credential, decoding, the operation and its answer.

import { Hono } from 'hono';
import { sha256Hex } from '../base/crypto.ts';
import { isLoopbackHost } from '../base/local-url.ts';
import type { Log } from '../base/log.ts';
import { type Idempotency, once, storedAnswer } from '../desk/idempotency.ts';
import { requireUnchanged } from '../desk/people/sessions.ts';
import { DeskError } from '../domain/errors.ts';
import { asUnavailable } from '../engine/refusals.ts';
import { maxJsonBytes, maxSecretBytes, readBody, strangersPatience } from './body.ts';
import { senderOf } from './body-gates.ts';
import { addPosition, answerElsewhere, passedOnBy } from './cluster.ts';
import { commitPart } from './commit-part.ts';
import { compressedResponse } from './compression.ts';
import { admissionOf } from './credentials/access.ts';
import {
  type Admitted,
  attempt,
  authenticate,
  type Counted,
  countStranger,
  isGuarded,
  requireRights,
} from './credentials/authenticate.ts';
import { clientAddress } from './credentials/client-address.ts';
import { rateLimitHeaders } from './credentials/rate-limit.ts';
import type { Caller } from './credentials/recognisers.ts';
import { type Call, type Edge, isWrite, type Operation } from './operation.ts';
import type { Route } from './operations.ts';
import type { BrowserFileSource } from './pages/browser-files.ts';
import { addCustomerPages } from './pages/customer/routes.ts';
import { notFoundPage } from './pages/not-found.ts';
import { addPages } from './pages/routes.ts';
import { isSignedIn } from './pages/visitor.ts';
import { type Answered, answering, type Seen } from './request-log.ts';
import { rounds } from './rounds.ts';
import { unchangedSince } from './unchanged.ts';
import { decodeBody, decodeQuery, parseJson, requireJson } from './wire/decode.ts';
import {
  crashReply,
  errorReply,
  isKnown,
  methodReply,
  parseEtags,
  type Reply,
  statusOf,
  toResponse,
} from './wire/respond.ts';

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
        return answerOperation(loaded instanceof Promise ? await loaded : loaded, request, params, seen);
      }
      return refuseStranger(request, seen, methodReply(methods, seen.requestId));
    };
  }

  async function answerOperation(
    operation: Operation,
    request: Request,
    params: Record<string, string>,
    seen: Seen,
  ): Promise<Response> {
    seen.operation = operation.id;
    const { requestId } = seen;
    const counted: Counted = { allowances: [] };
    const { cluster } = edge;
    let answer: Reply | Response | null = null;
    let isHere = true;
    try {
      const from = cluster === null ? null : passedOnBy(cluster, request);
      const address = from?.client ?? addressOf(request, seen);
      const readWhole = () =>
        readBody(request, mostBytesOf(operation), (work) => edge.gates.bodies.team.pass(address, work));
      if (cluster !== null)
        answer = await answerElsewhere(cluster, operation, request, from, address, requestId, readWhole);
      isHere = answer === null;
      answer ??= await serve(edge, operation, request, params, address, seen, counted, from?.bodyHash ?? null);
    } catch (thrown) {
      const error = asUnavailable(thrown);
      if (!(error instanceof DeskError)) seen.failure = error;
      answer = error instanceof DeskError ? errorReply(error, requestId) : crashReply(requestId);
    }
    const response = answer instanceof Response ? answer : await compressedResponse(answer, request.headers);
    for (const [name, value] of Object.entries(rateLimitHeaders(counted.allowances, edge.desk.now())))
      response.headers.set(name, value);
    if (cluster !== null && isHere && isWrite(operation)) addPosition(cluster, request, response);
    return response;
  }

  const addressOf = (request: Request, { peer }: Seen) =>
    clientAddress(peer, request.headers.get('x-forwarded-for') ?? undefined, edge.isTrustedProxy);

  /** Requests that no operation answers are not authenticated, only counted. */
  function refuseStranger(request: Request, seen: Seen, refusal: Reply): Response {
    const counted: Counted = { allowances: [] };
    const now = edge.desk.now();
    let reply = refusal;
    try {
      countStranger(edge, addressOf(request, seen), now, counted);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      reply = errorReply(error, seen.requestId);
    }
    return toResponse({ ...reply, headers: { ...reply.headers, ...rateLimitHeaders(counted.allowances, now) } });
  }

  app.notFound(async (c) => {
    const missing = new DeskError('not_found', 'This path does not exist.');
    const refused = refuseStranger(c.req.raw, c.env, errorReply(missing, c.env.requestId));
    return (refused.status === 404 && (await notFoundPage(c, browserFiles, hasSession))) || refused;
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
  return { fetch: answering(route, canIsolate(edge.baseUrl), log, onAnswered) };
}

/** Over plain http in a network, browsers take no headers that isolate a page, and complain about them. */
function canIsolate(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || isLoopbackHost(hostname);
}

const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;
// Not stored for an Idempotency-Key: a repeat checks credential, rate limit and availability again.
const unstoredStatuses = [401, 403, 429, 503];

async function serve(
  edge: Edge,
  operation: Operation,
  request: Request,
  params: Record<string, string>,
  address: string,
  { requestId, url }: Seen,
  counted: Counted,
  signedHash: string | null,
): Promise<Reply | Response> {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const now = edge.desk.now();
  const unchanged = unchangedSince(edge.desk);
  const caller = authenticate(operation, request.method, { edge, header, url, now, address, counted, unchanged });
  const ctx = edge.desk.context(caller.actor, requestId, address);
  requireRights(ctx, operation, caller.session);
  const key = header('idempotency-key');
  if (operation.method === 'POST' && key !== undefined && !idempotencyKeyPattern.test(key)) {
    throw new DeskError('malformed', 'An Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  const isKeyed =
    operation.method === 'POST' &&
    key !== undefined &&
    caller.credential !== null &&
    operation.isNeverRepeated !== true;
  const place = `${operation.method} ${url.pathname}${url.search}`;
  let idempotency: Idempotency | null = null;
  const call: Call = {
    edge,
    request,
    url,
    actor: caller.actor,
    site: caller.site,
    session: caller.session,
    visit: caller.visit,
    guesser: caller.guesser,
    ctx,
    params,
    query: {},
    body: undefined,
    ifMatch: parseEtags(header('if-match')),
    header,
    async commit(act, fingerprint) {
      if (isKeyed && fingerprint !== undefined) idempotency = keyed(caller, key, place, fingerprint);
      const answer = await edge.desk.write((tx) => {
        requireUnchanged(tx, ctx);
        return once(tx, ctx, idempotency, () => act(tx));
      });
      return answer.isRepeat ? repeated(answer) : answer;
    },
    commitPart: (part, act) => commitPart(edge, ctx, idempotency, part, act),
  };
  let bytes: Uint8Array | null = null;
  if (operation.body) {
    bytes = await readGated(edge, operation, caller, request);
    if (signedHash !== null && sha256Hex(bytes) !== signedHash)
      throw new DeskError('malformed', 'The body does not match the signature of the machine that forwarded it.');
    if (bytes.length > 0 || !operation.isBodyOptional) requireJson(header('content-type'), header('content-encoding'));
    if (isKeyed) idempotency = keyed(caller, key, place, sha256Hex(bytes));
  } else if (isKeyed && !operation.isUpload) idempotency = keyed(caller, key, place, '');
  try {
    if (idempotency) {
      const own = idempotency;
      const stored = edge.desk.read((tx) => storedAnswer(tx, ctx, own));
      if (stored) {
        // A repeated answer confirms the write again, so this machine must be as sure of itself as for a new one.
        edge.desk.writer.requireWritable();
        return complete(operation, repeated(stored), bytes);
      }
    }
    const isKept = operation.isKept === true && caller.credential !== null;
    const keptAs = isKept ? `${caller.credential} ${url.pathname}${url.search}` : null;
    const known = keptAs === null ? undefined : unchanged.answers.find(keptAs, now);
    if (known !== undefined) return unlessUnchanged(known, header('if-none-match'));
    const given = bytes;
    const handled = rounds.run(() => {
      if (operation.query) call.query = decodeQuery(operation.query, url);
      if (operation.body && given) call.body = decodeBody(operation.body, given.length === 0 ? {} : parseJson(given));
      return attempt(operation, caller.guesser, { edge, address, now, counted }, () => operation.handle(call));
    });
    const answer = complete(operation, await handled, bytes);
    if (keptAs !== null && !(answer instanceof Response) && answer.status === 200)
      unchanged.answers.keep(keptAs, answer, answer.body.length, now);
    return operation.hasEtag && request.method === 'GET' && !(answer instanceof Response)
      ? unlessUnchanged(answer, header('if-none-match'))
      : answer;
  } catch (thrown) {
    const error = asUnavailable(thrown);
    if (!(error instanceof DeskError)) throw error;
    const isStored = error.reason !== 'idempotency_key_reused' && !unstoredStatuses.includes(statusOf(error.code));
    // Strangers must not make the desk write by being refused.
    if (idempotency && isStored && admissionOf(operation.access).strangersKeys === null) {
      const own: Idempotency = idempotency;
      const refusal = await edge.desk.write((tx) => once(tx, ctx, own, () => errorReply(error, requestId)));
      return refusal.isRepeat ? repeated(refusal) : refusal;
    }
    throw error;
  }
}

function mostBytesOf(operation: Operation): number {
  return operation.maxBodyBytes ?? (isGuarded(operation) ? maxSecretBytes : maxJsonBytes);
}

function readGated({ gates }: Edge, operation: Operation, caller: Admitted, request: Request): Promise<Uint8Array> {
  const isStranger = caller.visit !== null || admissionOf(operation.access).ways.length === 0;
  const { crowd, name } = senderOf(caller.actor, isStranger, caller.guesser.network);
  const pass = <T>(work: () => Promise<T>) => gates.bodies[crowd].pass(name, work);
  return readBody(request, mostBytesOf(operation), pass, isStranger ? strangersPatience : {});
}

function keyed(caller: Caller, key: string | undefined, place: string, body: string): Idempotency {
  return { credential: caller.credential ?? '', key: key ?? '', fingerprint: sha256Hex(`${place}\n${body}`) };
}

function complete<Answer extends Reply | Response>(
  operation: Operation,
  answer: Answer,
  bytes: Uint8Array | null,
): Answer | Reply {
  if (!operation.complete || !operation.body || !bytes || answer instanceof Response || answer.status >= 300)
    return answer;
  return operation.complete(answer, decodeBody(operation.body, parseJson(bytes)));
}

function repeated(answer: Reply): Reply {
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

function unlessUnchanged(answer: Reply, ifNoneMatch: string | undefined): Reply {
  const etag = answer.headers.ETag;
  if (etag === undefined || !isKnown(ifNoneMatch, etag)) return answer;
  return { status: 304, body: '', headers: { ETag: etag } };
}
