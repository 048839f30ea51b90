// The path of a request: route, limits, credential, decoding, the operation and its answer.

import { type Context, Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { sha256Hex } from '../base/crypto.ts';
import { isLoopbackHost } from '../base/local-url.ts';
import type { Log } from '../base/log.ts';
import { type Idempotency, once, storedAnswer } from '../desk/idempotency.ts';
import { requireUnchanged } from '../desk/people/sessions.ts';
import { DeskError } from '../domain/errors.ts';
import { asUnavailable } from '../store/refusals.ts';
import { maxJsonBytes, maxSecretBytes, readBody, strangersPatience } from './body.ts';
import { senderOf } from './body-gates.ts';
import { addPosition, answerElsewhere, passedOnBy } from './cluster.ts';
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
import type { BrowserFileSource } from './pages/browser-files.ts';
import { customerReading } from './pages/customer/reading.ts';
import { addCustomerPages } from './pages/customer/routes.ts';
import { pageOfNothing } from './pages/nowhere.ts';
import { addPages } from './pages/routes.ts';
import { isSignedIn } from './pages/visitor.ts';
import { commitPart } from './parts.ts';
import { type Answered, type RequestVariables, requestLog } from './request-log.ts';
import { rounds } from './rounds.ts';
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
  operations: readonly Operation[];
  browserFiles: BrowserFileSource;
  log: Log;
  onAnswered?: (answered: Answered) => void;
}

type Bindings = { peer: string };

type Env = { Bindings: Bindings; Variables: RequestVariables };

export function createApp({ edge, operations, browserFiles, log, onAnswered }: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(requestId({ limitLength: 128, headerName: 'X-Request-Id' }));
  // The older header must not contradict the policy of what may be in a frame of the desk.
  app.use(async (c, next) => {
    await next();
    if (c.res.headers.get('Content-Security-Policy')?.includes("frame-ancestors 'self'"))
      c.res.headers.set('X-Frame-Options', 'SAMEORIGIN');
  });
  const isIsolated = canIsolate(edge.baseUrl);
  app.use(
    secureHeaders({
      crossOriginResourcePolicy: 'same-origin',
      crossOriginOpenerPolicy: isIsolated,
      originAgentCluster: isIsolated,
      xFrameOptions: 'DENY',
      strictTransportSecurity: false,
    }),
  );

  app.use(requestLog(log, onAnswered));
  const hasSession = (cookie: string | undefined) => isSignedIn(edge, cookie);
  addPages(app, browserFiles, edge.desk, hasSession);
  addCustomerPages(app, browserFiles, customerReading(edge));

  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);

  for (const [path, all] of byPath) {
    const pattern = path.replace(/\{(\w+)\}/g, ':$1');
    for (const operation of all) {
      app.on(operation.method, pattern, async (c) => {
        c.set('route', operation.path);
        c.set('operation', operation.id);
        const requestId = c.get('requestId');
        const counted: Counted = { allowances: [] };
        const { raw: request } = c.req;
        const { cluster } = edge;
        let answer: Reply | Response | null = null;
        let isHere = true;
        try {
          const from = cluster === null ? null : passedOnBy(cluster, request);
          const forwardedFor = request.headers.get('x-forwarded-for') ?? undefined;
          const address = from?.client ?? clientAddress(c.env?.peer ?? '127.0.0.1', forwardedFor, edge.isTrustedProxy);
          const readWhole = () =>
            readBody(request, mostBytesOf(operation), (work) => edge.gates.bodies.pass(address, work));
          if (cluster !== null)
            answer = await answerElsewhere(cluster, operation, request, from, address, requestId, readWhole);
          isHere = answer === null;
          answer ??= await serve(
            edge,
            operation,
            request,
            c.req.param() as Record<string, string>,
            address,
            requestId,
            counted,
            from?.bodyHash ?? null,
          );
        } catch (thrown) {
          const error = asUnavailable(thrown);
          if (!(error instanceof DeskError)) c.set('failure', error);
          answer = error instanceof DeskError ? errorReply(error, requestId) : crashReply(requestId);
        }
        const response = answer instanceof Response ? answer : await compressedResponse(answer, request.headers);
        for (const [name, value] of Object.entries(rateLimitHeaders(counted.allowances, edge.desk.now())))
          response.headers.set(name, value);
        if (cluster !== null && isHere && isWrite(operation)) addPosition(cluster, request, response);
        return response;
      });
    }
    const methods: string[] = all.map(({ method }) => method);
    if (methods.includes('GET')) methods.push('HEAD');
    app.all(pattern, (c) => {
      c.set('route', path);
      return refuseStranger(c, (requestId) => methodReply(methods, requestId));
    });
  }

  /** Requests that no operation answers are not authenticated, only counted. */
  function refuseStranger(c: Context<Env>, refusal: (requestId: string) => Reply): Response {
    const requestId = c.get('requestId');
    const counted: Counted = { allowances: [] };
    const now = edge.desk.now();
    let reply: Reply;
    try {
      const forwardedFor = c.req.header('x-forwarded-for');
      countStranger(edge, clientAddress(c.env?.peer ?? '127.0.0.1', forwardedFor, edge.isTrustedProxy), now, counted);
      reply = refusal(requestId);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      reply = errorReply(error, requestId);
    }
    return toResponse({ ...reply, headers: { ...reply.headers, ...rateLimitHeaders(counted.allowances, now) } });
  }

  app.notFound(async (c) => {
    const missing = new DeskError('not_found', 'This path does not exist.');
    const refused = refuseStranger(c, (requestId) => errorReply(missing, requestId));
    return (refused.status === 404 && (await pageOfNothing(c, browserFiles, hasSession))) || refused;
  });
  app.onError((error, c) => {
    c.set('failure', error);
    return toResponse(crashReply(c.get('requestId') ?? ''));
  });
  return app;
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
  requestId: string,
  counted: Counted,
  signedHash: string | null,
): Promise<Reply | Response> {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const url = new URL(request.url);
  const now = edge.desk.now();
  const caller = authenticate(operation, request.method, { edge, header, url, now, address, counted });
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
    const given = bytes;
    const handled = rounds.run(() => {
      if (operation.query) call.query = decodeQuery(operation.query, url);
      if (operation.body && given) call.body = decodeBody(operation.body, given.length === 0 ? {} : parseJson(given));
      return attempt(operation, caller.guesser, { edge, address, now, counted }, () => operation.handle(call));
    });
    const answer = complete(operation, await handled, bytes);
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

/** What strangers send has a gate of its own, so that it keeps no one else out. */
function readGated({ gates }: Edge, operation: Operation, caller: Admitted, request: Request): Promise<Uint8Array> {
  const isStranger = caller.visit !== null || admissionOf(operation.access).ways.length === 0;
  const most = mostBytesOf(operation);
  return isStranger
    ? readBody(request, most, (work) => gates.strangersBodies.pass(caller.guesser.network, work), strangersPatience)
    : readBody(request, most, (work) => gates.bodies.pass(senderOf(caller.actor), work));
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
