// Which machine of a cluster answers a request: this one or the primary (docs/cluster.md).

import { hasReached, isPosition } from '../cluster/litefs.ts';
import { type FromPeer, peerHeader } from '../cluster/peers.ts';
import { refusalOf } from '../cluster/role.ts';
import { DeskError } from '../domain/errors.ts';
import type { ClusterEdge } from './cluster-edge.ts';
import { isWrite, type Operation } from './operation.ts';

/** The position of the database after a write; a read that sends it back includes that write. */
export const positionHeader = 'X-Helpdesk-Position';
const positionCookie = 'helpdesk_position';
const cookieSeconds = 60;
const longestWaitMs = 5_000;

export function passedOnBy({ peers }: ClusterEdge, request: Request): FromPeer | null {
  const header = request.headers.get(peerHeader);
  if (header === null) return null;
  const { pathname, search } = new URL(request.url);
  const from = peers.verify(request.method, pathname + search, header);
  return from?.client === null ? null : from;
}

/** Null when this machine answers. Throws `unavailable` without a primary. Nothing is forwarded twice. */
export async function answerElsewhere(
  cluster: ClusterEdge,
  operation: Operation,
  request: Request,
  from: FromPeer | null,
  client: string,
  requestId: string,
  readWhole: () => Promise<Uint8Array>,
): Promise<Response | null> {
  const { node } = cluster;
  const isPrimary = node.isPrimary();
  if (isPrimary) return null;
  if (from !== null) throw refusalOf(node.role(), null);
  if (!isWrite(operation)) {
    const position = wantedPosition(request);
    if (position === null || (await node.reach(position, longestWaitMs, request.signal))) return null;
    // This machine became the primary during the wait, so no other machine has newer data.
    if (node.isPrimary()) return null;
  }
  // JSON is small enough to be read and signed first; files and mail are streamed.
  if (!operation.body) return await cluster.forward({ request, client, requestId });
  return await cluster.forward({ request, client, requestId, body: await readWhole() });
}

function wantedPosition(request: Request): string | null {
  const header = request.headers.get(positionHeader);
  if (header !== null && !isPosition(header)) {
    throw new DeskError('malformed', `${positionHeader} must be a value from the answer to a write.`);
  }
  const match = /(?:^|;)\s*helpdesk_position=([0-9a-f]{16})[/.]([0-9a-f]{16})\s*(?:;|$)/.exec(
    request.headers.get('cookie') ?? '',
  );
  const cookie = match ? `${match[1]}/${match[2]}` : null;
  if (header === null || cookie === null) return header ?? cookie;
  return hasReached(header, cookie) ? header : cookie;
}

export function addPosition({ node }: ClusterEdge, request: Request, answer: Response): void {
  const position = node.isPrimary() ? node.position() : null;
  if (position === null) return;
  answer.headers.set(positionHeader, position);
  if (!request.headers.has('cookie') && !answer.headers.has('set-cookie')) return;
  const value = position.replace('/', '.');
  answer.headers.append(
    'Set-Cookie',
    `${positionCookie}=${value}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax`,
  );
}
