// The path of a request to its operation: another machine, or admit, decode, perform and answer.

import type { Instant } from '../base/clock.ts';
import { sha256Hex } from '../base/crypto.ts';
import { DeskError } from '../domain/errors.ts';
import { asUnavailable } from '../engine/refusals.ts';
import { maxJsonBytes, maxSecretBytes, readBody, strangersPatience } from './body.ts';
import { memberOf } from './body-gates.ts';
import { addPosition, answerElsewhere, passedOnBy } from './cluster.ts';
import { compressedResponse } from './compression.ts';
import { admissionOf } from './credentials/access.ts';
import {
  type Admitted,
  attempt,
  authenticate,
  type Counted,
  isGuarded,
  requireRights,
} from './credentials/authenticate.ts';
import { clientAddress } from './credentials/client-address.ts';
import { rateLimitHeaders } from './credentials/rate-limit.ts';
import { type Call, type Edge, isWrite, type Operation } from './operation.ts';
import type { Seen } from './request-log.ts';
import { type RequestWrites, requestWrites } from './request-writes.ts';
import { rounds } from './rounds.ts';
import { type Unchanged, unchangedSince } from './unchanged.ts';
import { decodeBody, decodeQuery, parseJson, requireJson } from './wire/decode.ts';
import { crashReply, errorReply, isKnown, parseEtags, type Reply } from './wire/respond.ts';

/** A request whose operation is known, but not yet who asks. */
interface Asked {
  edge: Edge;
  operation: Operation;
  request: Request;
  params: Record<string, string>;
  seen: Seen;
  /** Of the client, as far as proxies and other machines of the cluster are trusted. */
  address: string;
  /** Of the body, signed by the machine that passed the request on. */
  signedHash: string | null;
  now: Instant;
  counted: Counted;
  unchanged: Unchanged;
}

export async function answerOperation(
  edge: Edge,
  operation: Operation,
  request: Request,
  params: Record<string, string>,
  seen: Seen,
): Promise<Response> {
  seen.operation = operation.id;
  const counted: Counted = { allowances: [] };
  const { cluster } = edge;
  let elsewhere: Response | null = null;
  let reply: Reply | Response;
  try {
    const from = cluster && passedOnBy(cluster, request);
    const address = from?.client ?? addressOf(edge, request, seen);
    if (cluster) {
      const readWhole = () =>
        readBody(request, mostBytesOf(operation), (work) => edge.gates.bodies.team.pass(address, work));
      elsewhere = await answerElsewhere(cluster, operation, request, from, address, seen.requestId, readWhole);
    }
    reply =
      elsewhere ??
      (await answerHere({
        edge,
        operation,
        request,
        params,
        seen,
        address,
        signedHash: from?.bodyHash ?? null,
        now: edge.desk.now(),
        counted,
        unchanged: unchangedSince(edge.desk),
      }));
  } catch (thrown) {
    const error = asUnavailable(thrown);
    if (!(error instanceof DeskError)) seen.failure = error;
    reply = error instanceof DeskError ? errorReply(error, seen.requestId) : crashReply(seen.requestId);
  }
  const response = reply instanceof Response ? reply : await compressedResponse(reply, request.headers);
  for (const [name, value] of Object.entries(rateLimitHeaders(counted.allowances, edge.desk.now())))
    response.headers.set(name, value);
  if (cluster !== null && elsewhere === null && isWrite(operation)) addPosition(cluster, request, response);
  return response;
}

export function addressOf(edge: Edge, request: Request, { peer }: Seen): string {
  return clientAddress(peer, request.headers.get('x-forwarded-for') ?? undefined, edge.isTrustedProxy);
}

async function answerHere(asked: Asked): Promise<Reply | Response> {
  const { operation } = asked;
  const { caller, call, writes } = admit(asked);
  const bytes = operation.body ? await readGated(asked, caller) : null;
  // An upload says for itself what it stands for.
  if (!operation.isUpload) writes.identify(bytes ?? '');
  try {
    const stored = writes.storedReply();
    return stored === null ? await answerOnce(asked, caller, call, bytes) : complete(operation, stored, bytes);
  } catch (thrown) {
    const error = asUnavailable(thrown);
    // Strangers must not make the desk write by being refused.
    if (!(error instanceof DeskError) || admissionOf(operation.access).strangersKeys !== null) throw error;
    return await writes.refuse(error);
  }
}

/** Who asks, whether they may, and how often. */
function admit(asked: Asked): { caller: Admitted; call: Call; writes: RequestWrites } {
  const { edge, operation, request, params, seen, address } = asked;
  const { requestId, url } = seen;
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const caller = authenticate(operation, request.method, { ...asked, header, url });
  const ctx = edge.desk.context(caller.actor, requestId, address);
  requireRights(ctx, operation, caller.session);
  const key = operation.method === 'POST' ? idempotencyKeyIn(header('idempotency-key')) : null;
  const { credential } = caller;
  const isKeyed = key !== null && credential !== null && operation.isNeverRepeated !== true;
  const place = `${operation.method} ${url.pathname}${url.search}`;
  const writes = requestWrites(edge, ctx, isKeyed ? { credential, key, place } : null);
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
    commit: writes.commit,
    commitWithOthers: writes.commitWithOthers,
    commitPart: writes.commitPart,
  };
  return { caller, call, writes };
}

const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

function idempotencyKeyIn(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (!idempotencyKeyPattern.test(header))
    throw new DeskError('malformed', 'An Idempotency-Key must be 1 to 255 visible ASCII characters.');
  return header;
}

async function readGated(asked: Asked, caller: Admitted): Promise<Uint8Array> {
  const { edge, operation, request, signedHash } = asked;
  const isStranger = caller.visit !== null || admissionOf(operation.access).ways.length === 0;
  const { crowd, name } = isStranger
    ? ({ crowd: 'strangers', name: caller.guesser.network } as const)
    : memberOf(caller.actor);
  const pass = <T>(work: () => Promise<T>) => edge.gates.bodies[crowd].pass(name, work);
  const bytes = await readBody(request, mostBytesOf(operation), pass, isStranger ? strangersPatience : {});
  if (signedHash !== null && sha256Hex(bytes) !== signedHash)
    throw new DeskError('malformed', 'The body does not match the signature of the machine that forwarded it.');
  const { headers } = request;
  if (bytes.length > 0 || !operation.isBodyOptional)
    requireJson(headers.get('content-type') ?? undefined, headers.get('content-encoding') ?? undefined);
  return bytes;
}

function mostBytesOf(operation: Operation): number {
  return operation.maxBodyBytes ?? (isGuarded(operation) ? maxSecretBytes : maxJsonBytes);
}

/** What the operation answers; while nothing was committed, the same again without asking it. */
async function answerOnce(
  asked: Asked,
  caller: Admitted,
  call: Call,
  bytes: Uint8Array | null,
): Promise<Reply | Response> {
  const { operation, now, unchanged } = asked;
  const ifNoneMatch = call.header('if-none-match');
  const isKept = operation.isKept === true && caller.credential !== null;
  const keptAs = isKept ? `${caller.credential} ${call.url.pathname}${call.url.search}` : null;
  const known = keptAs === null ? undefined : unchanged.answers.find(keptAs, now);
  if (known !== undefined) return unlessUnchanged(known, ifNoneMatch);
  const handled = rounds.run(() => {
    if (operation.query) call.query = decodeQuery(operation.query, call.url);
    if (operation.body && bytes) call.body = decodeBody(operation.body, bytes.length === 0 ? {} : parseJson(bytes));
    return attempt(operation, caller.guesser, asked, () => operation.handle(call));
  });
  const reply = complete(operation, await handled, bytes);
  if (reply instanceof Response) return reply;
  if (keptAs !== null && reply.status === 200) unchanged.answers.keep(keptAs, reply, reply.body.length, now);
  return operation.hasEtag && call.request.method === 'GET' ? unlessUnchanged(reply, ifNoneMatch) : reply;
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

function unlessUnchanged(answer: Reply, ifNoneMatch: string | undefined): Reply {
  const etag = answer.headers.ETag;
  if (etag === undefined || !isKnown(ifNoneMatch, etag)) return answer;
  return { status: 304, body: '', headers: { ETag: etag } };
}
