// Desks on several machines, in one process, each with its own imitation of LiteFS. All mounts lead to one database
// file, so commits of the primary are on the others at once, while the position files say what the test wants.

import { migrations } from '../../migrations/index.ts';
import type { Migration } from '../../migrations/step.ts';
import { type Config, readConfig } from '../../src/base/config.ts';
import type { Log } from '../../src/base/log.ts';
import { joinCluster } from '../../src/cluster/membership.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { databasePathOf } from '../../src/data/layout.ts';
import { logOf } from '../../src/server/log.ts';
import { awaitDatabase } from '../../src/server/replica-start.ts';
import { type RunningDesk, serve } from '../../src/server/serve.ts';
import { temporaryFolder } from './folders.ts';
import { type FakeLiteFS, fakeLiteFS, replicate } from './litefs.ts';

export const clusterKey = Buffer.alloc(32, 5).toString('base64');

export interface Machine {
  litefs: FakeLiteFS;
  config: Config;
  running: RunningDesk;
  /** Its name in `.primary`: its port. */
  host: string;
  ask(method: string, path: string, asking?: { headers?: Record<string, string>; body?: BodyInit }): Promise<Answer>;
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  json: any;
}

export async function askAt(
  url: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: BodyInit } = {},
): Promise<Answer> {
  const type: Record<string, string> = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
  const response = await fetch(url + path, { method, headers: { ...type, ...headers }, body: body ?? null });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : null,
  };
}

function configOfMachine(litefs: FakeLiteFS, more: Record<string, string> = {}): Config {
  return readConfig(
    {},
    {
      HELPDESK_DATA: temporaryFolder(),
      HELPDESK_PORT: '0',
      HELPDESK_BASE_URL: 'http://desk.example',
      HELPDESK_LOG_LEVEL: 'silent',
      HELPDESK_SYNCHRONOUS: 'OFF',
      HELPDESK_RATE_INGEST_CALLER: '0',
      HELPDESK_RATE_INGEST_SITE: '0',
      HELPDESK_RATE_OTHER: '0',
      HELPDESK_SECRET_KEY: clusterKey,
      HELPDESK_LITEFS_DIR: litefs.mount,
      HELPDESK_LITEFS_URL: litefs.url,
      HELPDESK_PEER_URL: 'http://127.0.0.1:{hostname}',
      ...more,
    },
  );
}

/** A primary, or a replica of `primary`. */
export async function startMachine(
  primary: Machine | null,
  more: Record<string, string> = {},
  freeBytes?: () => number,
): Promise<Machine> {
  const litefs = await fakeLiteFS();
  litefs.setPrimary(primary === null);
  litefs.setPosition(1);
  if (primary !== null) {
    litefs.namePrimary(primary.host);
    replicate(primary.litefs.database, litefs.database);
  }
  return await startOn(litefs, more, migrations, { freeBytes });
}

interface Starting {
  freeBytes?: (() => number) | undefined;
  /** Hears the address of a machine that listens, and waits for the database. */
  onWaiting?: (url: string) => void;
}

/** The log of the desk, in which it tells that it waits. */
function tellingLog(log: Log, { onWaiting }: Starting): Log {
  return {
    ...log,
    warn(fields, message) {
      if (message === 'waiting for the database') onWaiting?.((fields as { url: string }).url);
      log.warn(fields, message);
    },
  };
}

/** @param known the schemas of its executable, for one of another version */
export async function startOn(
  litefs: FakeLiteFS,
  more: Record<string, string> = {},
  known: readonly Migration[] = migrations,
  starting: Starting = {},
): Promise<Machine> {
  const config = configOfMachine(litefs, more);
  const log = tellingLog(await logOf(config), starting);
  // These machines and their LiteFS share one event loop, which a busy computer can hold for seconds.
  const cluster = await joinCluster(config, databasePathOf(config), log, {
    freeBytes: starting.freeBytes,
    staleMs: 30_000,
  });
  if (cluster === null) throw new Error('no mount');
  cluster.primaryWatch.start(() => undefined);
  const server = await awaitDatabase(config, cluster, log, known);
  const running = await serve(config, openDataDirectory(config, cluster, known), { cluster, server });
  let isStopped = false;
  return {
    litefs,
    config,
    running,
    host: new URL(running.url).port,
    ask: (method, path, asking) => askAt(running.url, method, path, asking),
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await running.stop();
      litefs.close();
    },
  };
}

/** The other machine takes over, in LiteFS's order. */
export function handOver(from: Machine, to: Machine): void {
  from.litefs.setPrimary(false);
  from.litefs.namePrimary(to.host);
  to.litefs.namePrimary(null);
  to.litefs.setPrimary(true);
}
