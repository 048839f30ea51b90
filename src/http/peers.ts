// Requests between the machines of a cluster. Any other caller gets a 404.

import { sha256Hex } from '../base/crypto.ts';
import { primariesPeerPath } from '../cluster/file-search.ts';
import { handoverPeerPath } from '../cluster/handover.ts';
import type { Cluster } from '../cluster/membership.ts';
import { type FromPeer, peerHeader, peerPath } from '../cluster/peers.ts';
import { primaryPeerPath } from '../cluster/primary-watch.ts';
import { DeskError } from '../domain/errors.ts';
import { type UsedCredential, usedCredentials } from '../domain/people/credential-use.ts';
import { ulidPattern } from '../domain/ulid.ts';
import type { Blobs } from '../files/blobs.ts';
import { parseRange } from './api/tickets/files.ts';
import { maxJsonBytes, readBody } from './body.ts';
import type { PresenceRegister } from './streams/presence.ts';
import { presencePeerPath } from './streams/replica-presence.ts';

interface PeerDoor extends Pick<Cluster, 'node' | 'peers' | 'handover' | 'isSureOfRole' | 'room' | 'replicas'> {
  files: Readonly<Record<string, Blobs>>;
  noteUse: (kind: UsedCredential, id: number, at: number) => void;
  presence: Pick<PresenceRegister, 'all'>;
}

/** Null for a request that does not come from a machine of this cluster. */
export async function answerPeer(door: PeerDoor, request: Request): Promise<Response | null> {
  const { pathname, search } = new URL(request.url);
  if (!pathname.startsWith(peerPath) || !request.headers.has(peerHeader)) return null;
  const isPost = request.method === 'POST';
  let from: FromPeer | null;
  try {
    from = door.peers.verify(request.method, pathname + search, request.headers.get(peerHeader));
  } catch (error) {
    if (error instanceof DeskError) return new Response(null, { status: 503 });
    throw error;
  }
  if (from === null) return null;
  const bytes = isPost ? await readBody(request, maxJsonBytes) : new Uint8Array(0);
  if (sha256Hex(bytes) !== from.bodyHash) return null;
  const body = new TextDecoder().decode(bytes);
  const [kind, ...rest] = pathname.slice(peerPath.length).split('/');
  if (kind === 'node' && rest.length === 0) return await tellRole(door, from);
  if (kind === primaryPeerPath && rest.length === 0 && !isPost) {
    door.replicas.note(new URLSearchParams(search));
    return Response.json({ is_primary: door.isSureOfRole(), has_room: door.room.isEnoughForPrimary() });
  }
  if (kind === handoverPeerPath && rest.length === 0 && isPost) return await handOver(door);
  if (kind === primariesPeerPath && rest.length === 0 && !isPost) return Response.json(door.node.formerPrimaries());
  if (kind === 'uses' && rest.length === 0 && isPost) return takeUses(door, body);
  if (kind === presencePeerPath && rest.length === 0 && !isPost) return tellPresence(door);
  if (kind === 'files' && rest.length === 2 && !isPost) return sendFile(door, request, rest[0] ?? '', rest[1] ?? '');
  return null;
}

/** Only a primary asks, so a claim of this machine to be the primary too is a conflict. */
async function tellRole({ node, peers: { sender: own } }: PeerDoor, from: FromPeer): Promise<Response> {
  const claimsPrimary = await node.claimsPrimary();
  if (claimsPrimary && from.sender !== own) node.noteRival();
  return Response.json({ name: own, claims_primary: claimsPrimary, role: node.role() });
}

async function handOver({ handover }: PeerDoor): Promise<Response> {
  try {
    await handover.begin();
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof DeskError) return Response.json({ message: error.message }, { status: 503 });
    throw error;
  }
}

function takeUses({ node, noteUse }: PeerDoor, body: string): Response {
  if (!node.isPrimary()) return new Response(null, { status: 503 });
  const uses: unknown = JSON.parse(body);
  if (!Array.isArray(uses)) return new Response(null, { status: 400 });
  for (const use of uses) {
    const { kind, id, at } = (typeof use === 'object' ? use : null) ?? {};
    const known = usedCredentials.find((one) => one === kind);
    if (known !== undefined && Number.isSafeInteger(id) && Number.isSafeInteger(at)) noteUse(known, id, at);
  }
  return new Response(null, { status: 204 });
}

function tellPresence({ node, presence }: PeerDoor): Response {
  return node.isPrimary() ? Response.json(presence.all()) : new Response(null, { status: 503 });
}

async function sendFile({ files }: PeerDoor, request: Request, kind: string, ulid: string): Promise<Response> {
  const blobs = Object.hasOwn(files, kind) ? files[kind] : undefined;
  const size = blobs !== undefined && ulidPattern.test(ulid) ? await blobs.size(ulid) : null;
  if (blobs === undefined || size === null) return new Response(null, { status: 404 });
  if (request.method === 'HEAD') return new Response(null, { headers: { 'Content-Length': String(size) } });
  const range = parseRange(request.headers.get('range') ?? undefined, size);
  if (range === 'unsatisfiable') return new Response(null, { status: 416 });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const headers: Record<string, string> = { 'Content-Length': String(end - start + 1) };
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${size}`;
  return new Response(blobs.read(ulid, start, end), { status: range ? 206 : 200, headers });
}
