// What answers a request: health, metrics, another machine of the cluster, or the app. Counts those in flight.

import { errorFields, type Log } from '../base/log.ts';
import type { Cluster } from '../cluster/membership.ts';
import type { DataDirectory } from '../data/directory.ts';
import { DeskError } from '../domain/errors.ts';
import { answerMetrics } from '../http/api/metrics.ts';
import { guardConnection, outside } from '../http/connection.ts';
import { clientAddress } from '../http/credentials/client-address.ts';
import type { Edge } from '../http/operation.ts';
import { answerPeer } from '../http/peers.ts';
import { crashReply, errorReply } from '../http/wire/respond.ts';
import type { CredentialUses } from './credential-uses.ts';
import { type createHealth, healthPaths, otherSchema, type ServerState } from './health.ts';
import { pathOf, type Server } from './listen.ts';
import { primaryAnswers } from './primary-answers.ts';

export interface InFlight {
  count(): number;
  during<T>(act: () => Promise<T>): Promise<T>;
  /** Also resolves after `ms`. */
  drained(ms: number): Promise<void>;
}

export function countInFlight(): InFlight {
  let count = 0;
  let onDrained: (() => void) | null = null;
  return {
    count: () => count,
    async during(act) {
      count += 1;
      try {
        return await act();
      } finally {
        count -= 1;
        if (count === 0) onDrained?.();
      }
    },
    async drained(ms) {
      if (count === 0) return;
      const drained = new Promise<void>((resolve) => {
        onDrained = resolve;
      });
      await Promise.race([drained, new Promise<void>((resolve) => setTimeout(resolve, ms))]);
    },
  };
}

const streamPaths = ['/api/v1/events', '/api/v1/live'];

interface RequestOptions {
  app: { fetch(request: Request, env: { peer: string }): Response | Promise<Response> };
  edge: Edge;
  health: ReturnType<typeof createHealth>;
  metrics: Parameters<typeof answerMetrics>[1];
  inFlight: InFlight;
  cluster: Cluster | null;
  state: Pick<ServerState, 'isReadable'>;
  localFiles: DataDirectory['localFiles'];
  credentialUses: CredentialUses;
  log: Log;
}

export function createRequestHandler(options: RequestOptions) {
  const { app, edge, health, metrics, inFlight, cluster, state, localFiles, credentialUses, log } = options;
  const peerDoor = cluster && {
    node: cluster.node,
    peers: cluster.peers,
    handover: cluster.handover,
    isSureOfRole: cluster.isSureOfRole,
    room: cluster.room,
    replicas: cluster.replicas,
    files: localFiles,
    noteUse: credentialUses.note,
    presence: edge.presence,
  };

  async function answer(request: Request, server: Server): Promise<Response> {
    const path = pathOf(request);
    // Load balancers and monitors ask for health all the time, so it has no limits and no log line.
    if (path !== null && healthPaths.includes(path)) {
      const canForward = !state.isReadable && (await cluster?.reachesPrimary()) === true;
      return outside((requestId) => health(path, request.method, requestId, canForward));
    }
    if (path === null || request.url.startsWith('/')) {
      const refusal = new DeskError('malformed', 'The Host header is missing or malformed.');
      return outside((requestId) => errorReply(refusal, requestId));
    }
    const address = server.requestIP(request)?.address ?? null;
    if (path === '/metrics') return answerMetrics(edge, metrics, request, address);
    if (streamPaths.includes(path)) server.timeout(request, 0);
    return await inFlight.during(async () => {
      const toPeer = peerDoor && (await answerPeer(peerDoor, request));
      if (toPeer) return toPeer;
      const peer = address ?? '127.0.0.1';
      if (cluster === null || state.isReadable) return await app.fetch(request, { peer });
      const forwardedFor = request.headers.get('x-forwarded-for') ?? undefined;
      const client = clientAddress(peer, forwardedFor, edge.isTrustedProxy);
      return await primaryAnswers(cluster, request, client, otherSchema, log);
    });
  }

  return {
    fetch: guardConnection(answer),
    error: (error: unknown) =>
      outside((requestId) => {
        log.error({ requestId, ...errorFields(error) }, 'the server failed');
        return crashReply(requestId);
      }),
  };
}
