// Starts a machine whose database comes from another one: until it has arrived, the primary answers its requests.

import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { newUlid } from '../base/ids.ts';
import { errorFields, type Log } from '../base/log.ts';
import { version } from '../base/version.ts';
import type { Cluster } from '../cluster/membership.ts';
import { peerHeader } from '../cluster/peers.ts';
import { databasePathOf } from '../data/layout.ts';
import { arrivedDatabase } from '../data/open-database.ts';
import { DeskError } from '../domain/errors.ts';
import { maxRequestBytes } from '../http/body.ts';
import { guardConnection } from '../http/connection.ts';
import { clientAddress, createAddressList } from '../http/credentials/client-address.ts';
import { crashReply, errorReply, jsonReply, toResponse } from '../http/wire/respond.ts';
import { addressOf, listen, pathOf, type Server } from './listen.ts';

const checkEveryMs = 250;

/** Resolves with a database from the primary, or as the primary. Throws SchemaError for a newer schema. */
export async function awaitDatabase(config: Config, cluster: Cluster, log: Log): Promise<Server> {
  const isTrustedProxy = createAddressList(config.HELPDESK_TRUSTED_PROXIES);
  const database = databasePathOf(config);
  let state = arrivedDatabase(database);
  // Without the mount, the folder below it would take the database, and no other machine would get it.
  const hasArrived = () => cluster.mount.identity() !== null && (cluster.isPrimary() || state === 'current');

  const respond = async (request: Request, running: Server) => {
    const peer = running.requestIP(request)?.address ?? '127.0.0.1';
    const forwardedFor = request.headers.get('x-forwarded-for') ?? undefined;
    const requestId = newUlid(systemClock.now());
    try {
      return await answer(request, clientAddress(peer, forwardedFor, isTrustedProxy), requestId);
    } catch (error) {
      if (error instanceof DeskError) return toResponse(errorReply(error, requestId));
      log.error(errorFields(error), 'request crashed');
      return toResponse(crashReply(requestId));
    }
  };
  const server = await listen(config, maxRequestBytes, guardConnection(respond));

  async function answer(request: Request, client: string, requestId: string): Promise<Response> {
    const path = pathOf(request) ?? '';
    if (path === '/healthz') return toResponse(jsonReply(200, { status: 'ok', version }));
    if (path.startsWith('/api/') && URL.canParse(request.url) && !request.headers.has(peerHeader))
      return await cluster.forward({ request, client, requestId });
    throw new DeskError('unavailable', reason(), { retryAfterSeconds: 2 });
  }

  const reason = () => cluster.whyNoDatabase(state);

  try {
    if (!hasArrived())
      log.warn({ url: addressOf(config, server), state, reason: reason() }, 'waiting for the database');
    while (!hasArrived()) {
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs));
      state = arrivedDatabase(database);
    }
    return server;
  } catch (error) {
    await server.stop(true);
    throw error;
  }
}
