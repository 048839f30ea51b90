// Where a request is answered when there is more than one machine: here, or by the primary (docs/cluster.md).

import { hasReached, isPosition } from '../cluster/litefs.ts';
import type { Cluster } from '../cluster/membership.ts';
import { type FromPeer, peerHeader } from '../cluster/peers.ts';
import { refusalOf } from '../cluster/role.ts';
import { DeskError } from '../domain/errors.ts';
import { isWrite, type Operation } from './operation.ts';

export interface ClusterEdge extends Pick<Cluster, 'node' | 'peers' | 'forward'> {
  /** Whether this machine's database has the schema that this executable reads. */
  isReadable: () => boolean;
}

/** How far the database had come when a write was answered; a read that sends it back sees at least that. */
export const positionHeader = 'X-Helpdesk-Position';
const positionCookie = 'helpdesk_position';
const cookieSeconds = 60;
const longestWaitMs = 5_000;

/** Which machine of the cluster passed a request on, if one did. Anybody may send the header; only they can sign it. */
export function passedOnBy({ peers }: ClusterEdge, request: Request): FromPeer | null {
  const header = request.headers.get(peerHeader);
  if (header === null) return null;
  const { pathname, search } = new URL(request.url);
  const from = peers.verify(request.method, pathname + search, header);
  return from?.client === null ? null : from;
}

/**
 * The primary's answer where this machine is not the one to give it; null where it is. Throws `unavailable` when there
 * is no primary, and for a request that was passed on to a machine that is none: it is never passed on twice.
 * @param readWhole reads a body of JSON
 */
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
  if (!isWrite(operation) && cluster.isReadable()) {
    const position = wantedPosition(request);
    if (position === null || (await node.reach(position, longestWaitMs, request.signal))) return null;
    // It has become the primary while somebody waited: there is nothing newer anywhere.
    if (node.isPrimary()) return null;
  }
  // JSON is small enough to be signed with the request; a file or a mail is passed on while it arrives.
  if (!operation.body) return await cluster.forward({ request, client, requestId });
  return await cluster.forward({ request, client, requestId, body: await readWhole() });
}

function wantedPosition(request: Request): string | null {
  const header = request.headers.get(positionHeader);
  if (header !== null && !isPosition(header)) {
    throw new DeskError('malformed', `${positionHeader} takes what an answer to a write carried under that name.`);
  }
  const match = /(?:^|;)\s*helpdesk_position=([0-9a-f]{16})[/.]([0-9a-f]{16})\s*(?:;|$)/.exec(
    request.headers.get('cookie') ?? '',
  );
  const cookie = match ? `${match[1]}/${match[2]}` : null;
  if (header === null || cookie === null) return header ?? cookie;
  return hasReached(header, cookie) ? header : cookie;
}

/** Tells whoever wrote how far the database has come; a browser, which sends cookies, is told by one. */
export function addPosition({ node }: ClusterEdge, request: Request, answer: Response): void {
  const position = node.isPrimary() ? node.position() : null;
  if (position === null) return;
  answer.headers.set(positionHeader, position);
  if (!request.headers.has('cookie')) return;
  const value = position.replace('/', '.');
  answer.headers.append(
    'Set-Cookie',
    `${positionCookie}=${value}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax`,
  );
}
