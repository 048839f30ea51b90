// Starts a machine whose database comes from another one: until it has arrived, the primary answers its requests.

import { migrations } from '../../migrations/index.ts';
import type { Migration } from '../../migrations/step.ts';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import { version } from '../base/version.ts';
import type { Cluster } from '../cluster/membership.ts';
import { databasePathOf } from '../data/layout.ts';
import { arrivedDatabase } from '../data/open-database.ts';
import { DeskError } from '../domain/errors.ts';
import { maxRequestBytes } from '../http/body.ts';
import { guardConnection, outside } from '../http/connection.ts';
import { clientAddress, createAddressList } from '../http/credentials/client-address.ts';
import { errorReply, jsonReply } from '../http/wire/respond.ts';
import { forwardingReply, healthPaths } from './health.ts';
import { addressOf, listen, pathOf, type Server } from './listen.ts';
import { primaryAnswers } from './primary-answers.ts';

const checkEveryMs = 250;

/** Resolves with a database from the primary, or as the primary. Throws SchemaError for a newer schema. */
export async function awaitDatabase(
  config: Config,
  cluster: Cluster,
  log: Log,
  known: readonly Migration[] = migrations,
): Promise<Server> {
  const isTrustedProxy = createAddressList(config.HELPDESK_TRUSTED_PROXIES);
  const database = databasePathOf(config);
  let state = arrivedDatabase(database, known);
  // Without the mount, the folder below it would take the database, and no other machine would get it.
  const hasArrived = () => cluster.mount.identity() !== null && (cluster.isPrimary() || state === 'current');

  const respond = async (request: Request, running: Server) => {
    const path = pathOf(request) ?? '';
    if (path === '/healthz') return outside(() => jsonReply(200, { status: 'ok', version }));
    if (healthPaths.includes(path)) {
      // Without a database, this machine could not become the primary either.
      const isReady = state === 'older' && (await cluster.reachesPrimary());
      return outside((requestId) => (isReady ? forwardingReply(cluster) : errorReply(unavailable(), requestId)));
    }
    if (path === '/metrics' || !URL.canParse(request.url))
      return outside((requestId) => errorReply(unavailable(), requestId));
    const peer = running.requestIP(request)?.address ?? '127.0.0.1';
    const forwardedFor = request.headers.get('x-forwarded-for') ?? undefined;
    return await primaryAnswers(cluster, request, clientAddress(peer, forwardedFor, isTrustedProxy), reason(), log);
  };
  const server = await listen(config, maxRequestBytes, guardConnection(respond));
  const unavailable = () => new DeskError('unavailable', reason(), { retryAfterSeconds: 2 });

  const reason = () => cluster.whyNoDatabase(state);

  try {
    if (!hasArrived())
      log.warn({ url: addressOf(config, server), state, reason: reason() }, 'waiting for the database');
    while (!hasArrived()) {
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs));
      state = arrivedDatabase(database, known);
    }
    return server;
  } catch (error) {
    await server.stop(true);
    throw error;
  }
}
