// Starts the desk in order, and stops it in order.

import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import { errorFields, type Log } from '../base/log.ts';
import { version } from '../base/version.ts';
import type { Cluster } from '../cluster/membership.ts';
import { noteBaseUrl } from '../data/desk-address.ts';
import { type DataDirectory, openDataDirectory } from '../data/directory.ts';
import { databasePathOf } from '../data/layout.ts';
import { clearCopies } from '../data/reading-copy.ts';
import { createRegularSnapshots, type RegularSnapshots } from '../data/regular-snapshots.ts';
import { createReplicatedSnapshots } from '../data/replicated-snapshots.ts';
import { scannerAt } from '../files/clamav.ts';
import { createApp } from '../http/app.ts';
import { maxRequestBytes } from '../http/body.ts';
import { knownRoutes } from '../http/known-routes.ts';
import { routesOf } from '../http/operations.ts';
import { createLiveFeed, type LiveFeed } from '../http/streams/live-feed.ts';
import { fetchFromAmazon } from '../jobs/amazon-documents.ts';
import { createBackground } from '../jobs/background.ts';
import { createMailroom } from '../jobs/mailroom.ts';
import { createRecomputer } from '../jobs/recompute.ts';
import type { JobRun } from '../jobs/schedule.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { sparingOutages } from '../net/dns-outage.ts';
import { createDns } from '../net/dns-records.ts';
import { spamFilterAt } from '../net/rspamd.ts';
import { createReader } from '../reader/reader.ts';
import { browserFiles } from './browser/files.ts';
import { collectCredentialUses } from './credential-uses.ts';
import { addGauges } from './gauges.ts';
import { createHealth, type ServerState } from './health.ts';
import { createEdge } from './http-edge.ts';
import { addressOf, listen, type Server } from './listen.ts';
import { logOf } from './log.ts';
import { countInFlight, createRequestHandler, type InFlight } from './requests.ts';
import { createStop } from './stop.ts';
import { startWatch } from './watch.ts';
import { recoverMail, startWork } from './work.ts';

export interface RunningDesk {
  url: string;
  sender: string;
  data: DataDirectory;
  log: Log;
  stop(): Promise<void>;
}

interface Membership {
  cluster: Cluster;
  /** The socket that was opened while the database was still arriving. */
  server: Server;
}

export async function serve(
  config: Config,
  data: DataDirectory = openDataDirectory(config),
  membership: Membership | null = null,
): Promise<RunningDesk> {
  const { desk, addresses } = data;
  const cluster = membership?.cluster ?? null;
  const mayRun = () => cluster === null || (cluster.isPrimary() && cluster.handover.mayWork());
  const state: ServerState = { isReady: false, isStopping: false, isReadable: true };
  const log = await logOf(config);
  reportFaults(data, log);

  const server = membership?.server ?? (await listen(config, maxRequestBytes, notYet));
  const url = addressOf(config, server);
  addresses.listenAt(url);

  const inFlight = countInFlight();
  const parts = createParts({ config, data, cluster, state, log }, inFlight.count);
  const { mailroom, snapshots } = parts;
  const feed = createLiveFeed(desk);
  await eraseAgain(data, log);
  answerRequests(parts, server, feed, inFlight);
  clearCopies(data.path).catch((error) =>
    log.warn(errorFields(error), 'copies of the database that a command left could not be removed'),
  );
  await snapshots.start();
  const background = createBackground({
    mayRun,
    start: () => startWork({ ...parts, isCluster: cluster !== null, mayRun }),
    onStarted() {
      recoverMail(mailroom, log);
      cluster?.contact
        .endTurn()
        .catch((error) =>
          log.warn(errorFields(error), 'Consul does not let the next replica leave a lost primary yet'),
        );
      return Promise.resolve();
    },
    log,
  });
  desk.writer.onCommit(background.wake);
  const endWatch = startWatch({
    desk,
    known: data.known,
    path: data.path,
    log,
    isCluster: cluster !== null,
    mayWrite: mayRun,
    state,
    onForeignCommit() {
      background.wake();
      data.tend();
      if (state.isReadable) data.takeUpSettings();
    },
  });
  cluster?.handover.follow(background.follow);
  cluster?.relief.allow(() => state.isReady && !state.isStopping && state.isReadable);
  const endFollowing = cluster?.node.onChange(() => {
    desk.store.sharedIndex?.distrust();
    void background.follow();
  });
  const stop = createStop({
    running: { ...parts, feed, server, inFlight, background },
    state,
    endListening() {
      endFollowing?.();
      endWatch();
    },
    log,
  });
  const started = background.follow();
  // In a cluster the role may have changed since, and `background` follows it.
  if (cluster === null) {
    await started.catch(async (error) => {
      await stop();
      throw error;
    });
  }
  noteAddress(data, config.HELPDESK_BASE_URL ?? url, log);
  state.isReady = true;
  log.info({ version, url }, 'listening');
  return { url, sender: addresses.mailFrom, data, log, stop };
}

const notYet = () => new Response(null, { status: 503, headers: { 'Retry-After': '1' } });

interface Prepared {
  config: Config;
  data: DataDirectory;
  cluster: Cluster | null;
  state: ServerState;
  log: Log;
}

function createParts(prepared: Prepared, requestsInFlight: () => number) {
  const { config, data, cluster, log } = prepared;
  const { desk } = data;
  const metrics = createMetrics({ desk, log, path: data.path, requestsInFlight });
  desk.writer.onBatch(metrics.onBatch);
  const reader = createReader({ log });
  const snapshots = regularSnapshots(config, data, cluster, log);
  const scanner = scannerAt(config.HELPDESK_CLAMAV);
  const spamFilter = spamFilterAt(config.HELPDESK_RSPAMD_URL);
  addGauges(metrics, { desk, path: data.path, cluster, snapshots, scanner, spamFilter });
  return {
    ...prepared,
    metrics,
    credentialUses: collectCredentialUses(desk, cluster, log),
    reader,
    scanner,
    spamFilter,
    mailroom: createMailroom({
      desk,
      blobs: data.blobs,
      mailBlobs: data.mailBlobs,
      log,
      reader,
      sendersPerMinute: config.HELPDESK_RATE_INBOUND_SENDER,
      fetchText: fetchFromAmazon,
      askDns: sparingOutages(createDns()),
      spamFilter,
      onChecked: metrics.onSenderChecked,
      onFiled: metrics.onFiled,
    }),
    recomputer: createRecomputer(desk, log),
    jobRuns: new Map<string, JobRun>(),
    snapshots,
  };
}

function answerRequests(
  parts: ReturnType<typeof createParts>,
  server: Server,
  feed: LiveFeed,
  inFlight: InFlight,
): void {
  const { config, data, cluster, snapshots, metrics, credentialUses, state, log } = parts;
  const edge = createEdge(parts);
  const app = createApp({
    edge,
    routes: routesOf(knownRoutes, feed, data.addresses),
    browserFiles,
    log,
    onAnswered: metrics.onAnswered,
  });
  server.reload(
    createRequestHandler({
      app,
      edge,
      health: createHealth({
        desk: data.desk,
        path: data.path,
        cluster,
        snapshots,
        maxLagMs: config.HELPDESK_MAX_LAG,
        state,
        log,
      }),
      metrics: { token: config.HELPDESK_METRICS_TOKEN, text: metrics.text },
      inFlight,
      cluster,
      state,
      localFiles: data.localFiles,
      credentialUses,
      log,
    }),
  );
}

function reportFaults(data: DataDirectory, log: Log): void {
  data.onFileFault = (fault) => log.error(fault, 'the file store refused a request');
  data.onFault = (error) => log.error(errorFields(error), 'the write-ahead log could not be copied into the database');
  if (data.recovered !== null) log.warn({}, data.recovered);
}

function regularSnapshots(config: Config, data: DataDirectory, cluster: Cluster | null, log: Log): RegularSnapshots {
  const settings = { log, everyMs: config.HELPDESK_SNAPSHOT_EVERY, keep: config.HELPDESK_SNAPSHOT_KEEP };
  if (cluster === null) return createRegularSnapshots({ data, ...settings });
  return createReplicatedSnapshots({
    database: databasePathOf(config),
    folder: join(data.path, 'backups'),
    mayRun: cluster.isPrimary,
    ...settings,
  });
}

/** An older database brings erased people back; the desk opens when they are erased again. */
async function eraseAgain(data: DataDirectory, log: Log): Promise<void> {
  const people = await data.erasedAgain;
  if (people > 0) log.info({ people }, 'erased again people who came back with an older database');
}

function noteAddress(data: DataDirectory, baseUrl: string, log: Log): void {
  try {
    noteBaseUrl(data.path, baseUrl);
  } catch (error) {
    // A desk on a full disk can still be read.
    log.warn(errorFields(error), 'the address of the desk could not be saved for other commands');
  }
}
