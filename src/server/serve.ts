// The composition root: config, store, desk, jobs and http, started in order and stopped in order.

import { join } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import { noteJump, systemClock, toWire, watchClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { errorFields, type Log } from '../base/log.ts';
import { hasEnded, processName } from '../base/process.ts';
import { version } from '../base/version.ts';
import type { Cluster } from '../cluster/membership.ts';
import {
  type DataDirectory,
  databasePathOf,
  inboundDomainOf,
  noteBaseUrl,
  openDataDirectory,
} from '../data/directory.ts';
import { lastBackup } from '../data/last-backup.ts';
import { createReplicatedKeeper } from '../data/replicated-snapshots.ts';
import { createSnapshotKeeper, type SnapshotKeeper } from '../data/snapshot-keeper.ts';
import type { Desk } from '../desk/desk.ts';
import { noteTokenUse } from '../desk/people.ts';
import { DeskError } from '../domain/errors.ts';
import { createLinks } from '../files/links.ts';
import { createLiveFeed } from '../http/api/events.ts';
import { answerMetrics } from '../http/api/metrics.ts';
import { createApp } from '../http/app.ts';
import { maxRequestBytes } from '../http/body.ts';
import { guardConnection, outside } from '../http/connection.ts';
import { createAddressList } from '../http/credentials/client-address.ts';
import { createRateLimiter } from '../http/credentials/rate-limit.ts';
import { createGates } from '../http/gate.ts';
import type { Edge } from '../http/operation.ts';
import { allOperations } from '../http/operations.ts';
import { answerPeer } from '../http/peers.ts';
import { crashReply, errorReply, jsonReply, methodReply, type Reply } from '../http/wire/respond.ts';
import { fetchFromAmazon } from '../jobs/amazon.ts';
import { createBackground, type Running } from '../jobs/background.ts';
import { createMailroom } from '../jobs/mailroom.ts';
import { createRecomputer } from '../jobs/recompute.ts';
import { detachRest, removeRest } from '../jobs/removals.ts';
import { startScheduler } from '../jobs/schedule.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { checkDestination } from '../net/guarded-fetch.ts';
import { requestBodyOf } from '../outbox/delivery-content.ts';
import { createDispatcher, takeUp } from '../outbox/dispatcher.ts';
import { dispatcherOptions, guardOf, senderOf } from '../outbox/setup.ts';
import { createReader } from '../reader/reader.ts';
import { insertClockJump } from '../store/clock-jumps.ts';
import { schemaVersion } from '../store/integrity.ts';
import { schemaState } from '../store/migrate.ts';
import { removals } from '../store/removals.ts';
import { addressOf, listen, pathOf, type Server } from './listen.ts';
import { logOf } from './log.ts';

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
const tokenUsesEveryMs = 20_000;

/** This machine among others. */
interface Membership {
  cluster: Cluster;
  /** What has listened while the database was waited for. */
  server: Server;
}

/** @param membership null where there is one machine */
export async function serve(
  config: Config,
  data: DataDirectory = openDataDirectory(config),
  membership: Membership | null = null,
): Promise<RunningDesk> {
  const { desk, blobs } = data;
  const log = await logOf(config);
  data.onFileFault = (fault) => log.error(fault, 'the store for files refused');
  data.onFault = (error) => log.error(errorFields(error), 'the write-ahead log could not be taken into the database');
  const cluster = membership?.cluster ?? null;
  const mayRun = () => cluster === null || cluster.isPrimary();
  let isReadable = true;
  let isReady = false;
  let keeping: SnapshotKeeper | null = null;
  let isStopping = false;
  const tokenUses = new Map<number, number>();

  const server =
    membership?.server ??
    listen(config, maxRequestBytes, () => new Response(null, { status: 503, headers: { 'Retry-After': '1' } }));
  const url = addressOf(config, server);
  const baseUrl = config.HELPDESK_BASE_URL ?? url;
  const inboundDomain = inboundDomainOf(config, baseUrl);
  const guard = guardOf(config);
  let inFlight = 0;
  const metrics = createMetrics({ desk, log, path: data.path, requestsInFlight: () => inFlight });
  desk.writer.onBatch(metrics.onBatch);
  const reader = createReader({ log });
  const mailroom = createMailroom({
    desk,
    blobs,
    mailBlobs: data.mailBlobs,
    log,
    reader,
    sendersPerMinute: config.HELPDESK_RATE_INBOUND_SENDER,
    fetchText: fetchFromAmazon,
    onFiled: metrics.onFiled,
  });
  const recomputer = createRecomputer(desk, log);
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
    gates: createGates(),
    baseUrl,
    inboundDomain,
    isTrustedProxy: createAddressList(config.HELPDESK_TRUSTED_PROXIES),
    noteTokenUse: (tokenId) => tokenUses.set(tokenId, systemClock.now()),
    cluster: cluster && { ...cluster, isReadable: () => isReadable },
    isStopping: () => isStopping,
    mailroom,
    recomputer,
    requestBodyOf: (material) => requestBodyOf(material, baseUrl),
    refuseDestination: async (destination) => {
      const verdict = await checkDestination(destination, guard);
      // A name that has no address now may have one when the first event happens; the connection is judged then.
      return verdict.kind === 'refused' ? verdict.reason : null;
    },
  };
  const app = createApp({ edge, operations: allOperations(feed, baseUrl), log, onAnswered: metrics.onAnswered });
  const peerDoor = cluster && {
    node: cluster.node,
    peers: cluster.peers,
    files: data.localFiles,
    noteTokenUse: (tokenId: number, at: number) => noteTokenUseAt(tokenId, at),
  };
  if (cluster !== null) {
    metrics.gauge('helpdesk_node_is_primary', 'Whether this machine is the primary.', () =>
      cluster.isPrimary() ? 1 : 0,
    );
    metrics.gauge('helpdesk_replication_lag_seconds', "How old this machine's newest news from the primary is.", () => {
      const ms = cluster.node.replicationLagMs();
      return ms === null ? null : ms / 1000;
    });
  }
  const metricsDoor = { token: config.HELPDESK_METRICS_TOKEN, text: metrics.text };

  let drained: (() => void) | null = null;
  server.reload({
    fetch: guardConnection(async (request: Request, running: Server) => {
      const pathname = pathOf(request);
      // Health is asked often and by machines: no limits, no log line.
      if (pathname === '/healthz' || pathname === '/readyz')
        return outside((requestId) => {
          if (!['GET', 'HEAD'].includes(request.method)) return methodReply(['GET', 'HEAD'], requestId);
          if (pathname === '/healthz') return jsonReply(200, { status: 'ok', version });
          return readiness(edge, unreadyBecause(), ages(), requestId);
        });
      // Everything else has links in it, or is behind a limit: it wants a whole address.
      if (pathname === null || !URL.canParse(request.url)) {
        const refusal = new DeskError('malformed', 'The Host header is missing or malformed.');
        return outside((requestId) => errorReply(refusal, requestId));
      }
      if (pathname === '/metrics')
        return answerMetrics(edge, metricsDoor, request, running.requestIP(request)?.address ?? null);
      if (pathname === '/api/v1/events') running.timeout(request, 0);
      inFlight += 1;
      try {
        const toPeer = peerDoor && (await answerPeer(peerDoor, request));
        if (toPeer) return toPeer;
        return await app.fetch(request, { peer: running.requestIP(request)?.address ?? '127.0.0.1' });
      } finally {
        inFlight -= 1;
        if (inFlight === 0) drained?.();
      }
    }),
    error: (error) => {
      return outside((requestId) => {
        log.error({ requestId, ...errorFields(error) }, 'server fault');
        return crashReply(requestId);
      });
    },
  });

  /** In seconds; null where there is none yet, or where backups/ may not be read: that alone makes no desk unready. */
  function ages() {
    const since = (find: () => number | null | undefined) => {
      try {
        const at = find();
        return at === null || at === undefined ? null : Math.max(0, Math.round((systemClock.now() - at) / 1000));
      } catch (error) {
        log.warn(errorFields(error), 'backups/ cannot be read');
        return null;
      }
    };
    return {
      backup_age: since(() => lastBackup(data.path)?.at),
      snapshot_age: since(() => keeping?.newestAt()),
    };
  }

  function unreadyBecause(): string | null {
    if (!isReady || isStopping) return 'The desk is starting or stopping.';
    if (!isReadable) return 'The database has another schema than this executable; run the same version everywhere.';
    return cluster?.node.role() === 'conflict' ? 'Two machines say that they are the primary.' : null;
  }

  function noteTokenUseAt(tokenId: number, at: number): void {
    tokenUses.set(tokenId, Math.max(at, tokenUses.get(tokenId) ?? 0));
  }

  async function flushTokenUses() {
    if (tokenUses.size === 0) return;
    const uses = new Map(tokenUses);
    tokenUses.clear();
    try {
      if (cluster !== null && !cluster.isPrimary()) await cluster.sendTokenUses(uses);
      else {
        await desk.write((tx) => {
          noteTokenUse(tx, uses);
          return null;
        });
      }
    } catch (error) {
      for (const [tokenId, at] of uses) noteTokenUseAt(tokenId, at);
      throw error;
    }
  }

  if (data.recovered !== null) log.warn({}, data.recovered);
  const settings = { log, everyMs: config.HELPDESK_SNAPSHOT_EVERY, keep: config.HELPDESK_SNAPSHOT_KEEP };
  const keeper =
    cluster === null
      ? createSnapshotKeeper({ data, ...settings })
      : createReplicatedKeeper({
          database: databasePathOf(config),
          folder: join(data.path, 'backups'),
          mayRun,
          ...settings,
        });
  metrics.gauge('helpdesk_site_removal_tickets', 'Tickets of removed sites whose rows are still there.', () =>
    desk.read((tx) => removals(tx).reduce((sum, { left }) => sum + left, 0)),
  );
  metrics.gauge('helpdesk_backup_age_seconds', 'How old the last backup is.', () => {
    const last = lastBackup(data.path);
    return last === null ? null : (systemClock.now() - last.at) / 1000;
  });
  metrics.gauge('helpdesk_snapshot_age_seconds', 'How old the newest snapshot is.', () => {
    const at = keeper.newestAt();
    return at === null ? null : (systemClock.now() - at) / 1000;
  });
  // Nobody reads of somebody who was erased.
  const erasedAgain = await data.erasedAgain;
  if (erasedAgain > 0) log.info({ people: erasedAgain }, 'erased again who had come back with an older database');
  keeping = keeper;
  await keeper.start();
  async function startWork(): Promise<Running> {
    const { mailBlobs, path } = data;
    const dispatcher = createDispatcher({
      ...dispatcherOptions({ config, desk, blobs, mailBlobs, log, reader, path, baseUrl, inboundDomain }),
      onAttempt: metrics.onAttempt,
    });
    try {
      // What this process claimed when it last worked, and could not record when it had to stop, is nobody's any more.
      await takeUp(desk, (name) => name === processName || hasEnded(name));
    } catch (error) {
      await dispatcher.stop();
      throw error;
    }
    const scheduler = startScheduler({
      desk,
      blobs,
      mailBlobs,
      log,
      flushTokenUses,
      keepSnapshots: keeper.look,
      recoverMail: () => mailroom.recover('due'),
      resumeRecomputes: recomputer.resume,
      async removeSites() {
        await detachRest(desk);
        await removeRest({ desk, blobs, mailBlobs, log, isStopping: () => isStopping || !mayRun() });
      },
      removeErased: data.removeErased,
      mayRun,
      onScan: metrics.onScan,
    });
    dispatcher.wake();
    return {
      wake: dispatcher.wake,
      async stop() {
        scheduler.stop();
        if (cluster !== null) await keeper.stop();
        await dispatcher.stop();
      },
    };
  }

  /** Goes on beside the start: a crowd of costly mail must not keep the desk away from everybody. */
  function recoverMail(): void {
    mailroom.recover('all').then(
      (recovered) => {
        if (recovered > 0) log.info({ recovered }, 'mail filed that a crash had left');
      },
      (error) => log.warn(errorFields(error), 'mail is stored and not filed yet'),
    );
  }

  const background = createBackground({
    mayRun,
    start: startWork,
    onStarted: () => Promise.resolve(recoverMail()),
    log,
  });
  desk.writer.onCommit(background.wake);
  // What another process has queued is noticed by a look at a counter in memory, once a second.
  let generation = desk.generation();
  let reported: string | undefined;
  function look(): void {
    const now = desk.generation();
    const trouble = desk.trouble();
    if (trouble?.message !== reported) {
      reported = trouble?.message;
      if (trouble === null) log.info({}, 'the database is read and written again');
      else log.error({ code: trouble.reason }, `/readyz is red: ${trouble.message}`);
    }
    // A disk that is well again is noticed without anybody's write.
    if (mayRun()) desk.writer.probe().catch(() => undefined);
    const hasMoved = now !== generation;
    generation = now;
    if (hasMoved) {
      background.wake();
      data.tend();
    }
    if (cluster !== null && (hasMoved || !isReadable)) isReadable = isSchemaCurrent(desk);
  }
  const clockJump = watchClock();
  function lookAtClock(): void {
    const jump = clockJump();
    if (jump === null) return;
    noteJump(jump);
    const fields = { before: toWire(jump.before), after: toWire(jump.after) };
    if (jump.isSuspension) log.info(fields, 'the machine was asleep');
    else log.error(fields, 'the clock of this machine was set: what happened before or after it bears a wrong time');
    if (!mayRun()) return;
    desk
      .write((tx) => insertClockJump(tx, jump))
      .catch((error) => log.warn(errorFields(error), 'the jump of the clock could not be noted for the doctor'));
  }
  const watch = setInterval(() => {
    try {
      lookAtClock();
      look();
    } catch (error) {
      // A mount that has gone, a disk that fails: requests are told so one by one.
      log.error(errorFields(error), 'the database could not be looked at');
    }
  }, 1000);
  const endFollowing = cluster?.node.onChange(() => background.follow());
  // On the primary a job of the scheduler does it.
  const sending =
    cluster &&
    setInterval(() => {
      if (!mayRun()) flushTokenUses().catch((error) => log.warn(errorFields(error), 'uses of tokens wait here'));
    }, tokenUsesEveryMs);
  const started = background.follow();
  // Among several machines the role may have changed meanwhile; it is followed.
  if (cluster === null) {
    await started.catch(async (error) => {
      await background.stop();
      throw error;
    });
  }
  try {
    noteBaseUrl(data.path, baseUrl);
  } catch (error) {
    // On a full disk the desk can still be read.
    log.warn(errorFields(error), 'the address of the desk could not be noted for the commands beside it');
  }
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
      const givenUp = cluster === null ? keeper.stop() : Promise.resolve();
      endFollowing?.();
      metrics.stop();
      clearInterval(watch);
      if (sending) clearInterval(sending);
      const closing = server.stop(false);
      const filed = mailroom.stop();
      if (inFlight > 0) {
        await Promise.race([
          new Promise<void>((resolve) => {
            drained = resolve;
          }),
          new Promise<void>((resolve) => setTimeout(resolve, drainMs)),
        ]);
      }
      await background.stop();
      await Promise.race([filed, new Promise<void>((resolve) => setTimeout(resolve, drainMs).unref())]);
      // What it is still reading is filed at the next start.
      await reader.stop();
      await filed;
      await flushTokenUses().catch((error) => log.error(errorFields(error), 'last uses of tokens were not kept'));
      // Idle keep-alive connections would hold the server open.
      await Promise.race([closing, new Promise<void>((resolve) => setTimeout(resolve, 250))]);
      await server.stop(true);
      cluster?.stop();
      await givenUp;
      await data.close();
      log.info({}, 'stopped');
    },
  };
}

function isSchemaCurrent(desk: Desk): boolean {
  try {
    return desk.read((tx) => schemaState(tx, migrations)) === 'current';
  } catch {
    // A newer one, or none that can be read just now.
    return false;
  }
}

function readiness(
  edge: Edge,
  unreadyBecause: string | null,
  ages: Record<string, number | null>,
  requestId: string,
): Reply {
  try {
    if (unreadyBecause !== null) throw new DeskError('unavailable', unreadyBecause, { retryAfterSeconds: 2 });
    edge.desk.read((tx) => schemaVersion(tx));
    const trouble = edge.desk.trouble();
    if (trouble !== null) throw trouble;
    const role = edge.cluster === null ? {} : { role: edge.cluster.node.role() };
    return jsonReply(200, { status: 'ready', version, ...ages, ...role });
  } catch (error) {
    const refusal =
      error instanceof DeskError
        ? error
        : new DeskError('unavailable', 'The database cannot be read.', { retryAfterSeconds: 5 });
    return errorReply(refusal, requestId);
  }
}
