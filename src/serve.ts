// The composition root: config, store, desk, jobs and http, started in order and stopped in order.

import { createSnapshotKeeper } from './backup/keeper.ts';
import { systemClock } from './base/clock.ts';
import type { Config } from './base/config.ts';
import { createLog, errorFields, type Log } from './base/log.ts';
import { version } from './base/version.ts';
import { type DataDirectory, inboundDomainOf, openDataDirectory } from './data-directory.ts';
import { noteTokenUse } from './desk/people.ts';
import { DeskError } from './domain/errors.ts';
import { createLinks } from './files/links.ts';
import { createApp } from './http/app.ts';
import type { Edge } from './http/call.ts';
import { createAddressList } from './http/client-address.ts';
import { createLiveFeed } from './http/events.ts';
import { answerMetrics } from './http/metrics.ts';
import { allOperations } from './http/operations.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { crashReply, errorReply, jsonReply, toResponse } from './http/respond.ts';
import { createMailroom, fetchFromAmazon } from './mailroom.ts';
import { createMetrics } from './metrics/metrics.ts';
import { startDispatcher } from './outbox/dispatcher.ts';
import { checkDestination } from './outbox/guarded-fetch.ts';
import { requestBodyOf } from './outbox/material.ts';
import { dispatcherOptions, guardOf, senderOf } from './outbox/setup.ts';
import { startScheduler } from './scheduler.ts';

export interface RunningDesk {
  /** The address it listens on. */
  url: string;
  /** Whom mail is from where a site has no sender of its own. */
  sender: string;
  data: DataDirectory;
  log: Log;
  /** Lets what is in flight finish, then closes everything. */
  stop(): Promise<void>;
}

// What is in flight gets this long; a client that is slower than that has to try again.
const drainMs = 10_000;

export async function serve(config: Config, data: DataDirectory = openDataDirectory(config)): Promise<RunningDesk> {
  const { desk, blobs } = data;
  const format =
    config.HELPDESK_LOG_FORMAT === 'auto' ? (process.stderr.isTTY ? 'pretty' : 'json') : config.HELPDESK_LOG_FORMAT;
  const log = await createLog(config.HELPDESK_LOG_LEVEL, format);
  data.onFault = (error) => log.error(errorFields(error), 'the write-ahead log could not be taken into the database');
  let isReady = false;
  let isStopping = false;
  const tokenUses = new Map<number, number>();

  const server = listen(config, () => new Response(null, { status: 503, headers: { 'Retry-After': '1' } }));
  const host = config.HELPDESK_HOST.includes(':') ? `[${config.HELPDESK_HOST}]` : config.HELPDESK_HOST;
  const url = `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${server.port}`;
  const baseUrl = config.HELPDESK_BASE_URL ?? url;
  const inboundDomain = inboundDomainOf(config, baseUrl);
  const guard = guardOf(config);
  let inFlight = 0;
  const metrics = createMetrics({ desk, log, path: data.path, requestsInFlight: () => inFlight });
  desk.writer.onBatch(metrics.onBatch);
  const mailroom = createMailroom({
    desk,
    blobs,
    mailBlobs: data.mailBlobs,
    log,
    fetchText: fetchFromAmazon,
    onFiled: metrics.onFiled,
  });
  const feed = createLiveFeed(desk);
  const edge: Edge = {
    desk,
    blobs,
    links: createLinks(desk.seal, baseUrl, config.HELPDESK_ATTACHMENT_URL_TTL),
    limits: {
      ingestCaller: createRateLimiter(config.HELPDESK_RATE_INGEST_CALLER),
      ingestSite: createRateLimiter(config.HELPDESK_RATE_INGEST_SITE),
      other: createRateLimiter(config.HELPDESK_RATE_OTHER),
      inbound: createRateLimiter(config.HELPDESK_RATE_INBOUND),
      authFailures: createRateLimiter(config.HELPDESK_RATE_AUTH_FAILURES),
    },
    baseUrl,
    inboundDomain,
    isTrustedProxy: createAddressList(config.HELPDESK_TRUSTED_PROXIES),
    isReady: () => isReady && !isStopping,
    noteTokenUse: (tokenId) => tokenUses.set(tokenId, systemClock.now()),
    isStopping: () => isStopping,
    mailroom,
    requestBodyOf: (material) => requestBodyOf(material, baseUrl),
    refuseDestination: async (destination) => {
      const verdict = await checkDestination(destination, guard);
      // A name that has no address now may have one when the first event happens; the connection is judged then.
      return verdict.kind === 'refused' ? verdict.reason : null;
    },
  };
  const app = createApp({ edge, operations: allOperations(feed, baseUrl), log, onAnswered: metrics.onAnswered });
  const metricsDoor = { token: config.HELPDESK_METRICS_TOKEN, text: metrics.text };

  let drained: (() => void) | null = null;
  server.reload({
    fetch: async (request, running) => {
      if (!URL.canParse(request.url)) {
        return toResponse(errorReply(new DeskError('malformed', 'The Host header is missing or malformed.'), ''));
      }
      const { pathname } = new URL(request.url);
      // Health is asked often and by machines: no limits, no log line.
      if (pathname === '/healthz') return toResponse(jsonReply(200, { status: 'ok', version }));
      if (pathname === '/readyz') return readiness(edge);
      if (pathname === '/metrics')
        return answerMetrics(edge, metricsDoor, request, running.requestIP(request)?.address ?? null);
      if (pathname === '/api/v1/events') running.timeout(request, 0);
      inFlight += 1;
      try {
        return await app.fetch(request, { peer: running.requestIP(request)?.address ?? '127.0.0.1' });
      } finally {
        inFlight -= 1;
        if (inFlight === 0) drained?.();
      }
    },
    error: (error) => {
      log.error(errorFields(error), 'server fault');
      return toResponse(crashReply(''));
    },
  });

  async function flushTokenUses() {
    if (tokenUses.size === 0) return;
    const uses = new Map(tokenUses);
    tokenUses.clear();
    await desk.write((tx) => {
      noteTokenUse(tx, uses);
      return null;
    });
  }

  if (data.recovered !== null) log.warn({}, data.recovered);
  const keeper = createSnapshotKeeper({
    data,
    log,
    everyMs: config.HELPDESK_SNAPSHOT_EVERY,
    keep: config.HELPDESK_SNAPSHOT_KEEP,
  });
  await keeper.start();
  const scheduler = startScheduler({
    desk,
    blobs,
    mailBlobs: data.mailBlobs,
    log,
    flushTokenUses,
    keepSnapshots: keeper.look,
    recoverMail: () => mailroom.recover('due'),
    onScan: metrics.onScan,
  });
  const dispatcher = await startDispatcher({
    ...dispatcherOptions({
      config,
      desk,
      blobs,
      mailBlobs: data.mailBlobs,
      log,
      path: data.path,
      baseUrl,
      inboundDomain,
    }),
    onTried: metrics.onTried,
  });
  // What another process has queued is noticed by a look at a counter in memory, once a second.
  let generation = desk.generation();
  const watch = setInterval(() => {
    const now = desk.generation();
    if (now !== generation) {
      dispatcher.wake();
      data.tend();
    }
    generation = now;
  }, 1000);
  const recovered = await mailroom.recover('all');
  if (recovered > 0) log.info({ recovered }, 'mail filed that a crash had left');
  isReady = true;
  log.info({ version, url }, 'listening');

  return {
    url,
    sender: senderOf(config, inboundDomain),
    data,
    log,
    async stop() {
      if (isStopping) return;
      isStopping = true;
      feed.close();
      scheduler.stop();
      metrics.stop();
      clearInterval(watch);
      const closing = server.stop(false);
      if (inFlight > 0) {
        await Promise.race([
          new Promise<void>((resolve) => {
            drained = resolve;
          }),
          new Promise<void>((resolve) => setTimeout(resolve, drainMs)),
        ]);
      }
      await dispatcher.stop();
      await flushTokenUses().catch((error) => log.error(errorFields(error), 'last uses of tokens were not kept'));
      // Idle keep-alive connections would hold the server open.
      await Promise.race([closing, new Promise<void>((resolve) => setTimeout(resolve, 250))]);
      await server.stop(true);
      await data.close();
      log.info({}, 'stopped');
    },
  };
}

function readiness(edge: Edge): Response {
  try {
    if (!edge.isReady())
      throw new DeskError('unavailable', 'The desk is starting or stopping.', { retryAfterSeconds: 2 });
    edge.desk.read(() => null);
    return toResponse(jsonReply(200, { status: 'ready', version }));
  } catch (error) {
    const refusal =
      error instanceof DeskError
        ? error
        : new DeskError('unavailable', 'The database cannot be read.', { retryAfterSeconds: 5 });
    return toResponse(errorReply(refusal, ''));
  }
}

function listen(config: Config, fetch: (request: Request) => Response) {
  try {
    return Bun.serve({
      hostname: config.HELPDESK_HOST,
      port: config.HELPDESK_PORT,
      // Bodies are bounded where they are read, so that the refusal has the one shape.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: 60,
      development: false,
      // Two desks on one port would each get some of the requests.
      reusePort: false,
      fetch,
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ListenError(
      `Cannot listen on ${config.HELPDESK_HOST}:${config.HELPDESK_PORT} (${code}); choose another with --port or HELPDESK_PORT.`,
    );
  }
}

/** The address to listen on is taken or not allowed. */
export class ListenError extends Error {
  override name = 'ListenError';
}
