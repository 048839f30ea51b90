// helpdesk serve and demo.

import type { Command } from 'commander';
import type { Config, ConfigName } from '../../src/base/config.ts';
import { isIgnored } from '../../src/base/process.ts';
import type { DataDirectory } from '../../src/data/directory.ts';
import { listVisibleSites } from '../../src/desk/sites/sites.ts';
import type { LinkPurpose } from '../../src/domain/people/sign-in.ts';
import type { RunningDesk } from '../../src/server/serve.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { explain, UsageError } from '../errors.ts';
import { configOf } from '../flags.ts';
import { startMessage } from '../output/start.ts';

interface ServeFlags extends CommonOptions {
  host?: string;
  port?: string;
  baseUrl?: string;
  demo?: boolean;
}

export function serveCommands(program: Command): void {
  addCommand(
    program,
    'serve',
    'start the desk; migrates the database first if needed',
    'helpdesk serve --port 8080 --base-url https://desk.example.org',
  )
    .option('--host <address>', 'address to listen on (default: HELPDESK_HOST, or 127.0.0.1)')
    .option('--port <port>', 'port to listen on (default: HELPDESK_PORT, or 8080)')
    .option('--base-url <url>', 'public address of the desk, for links (default: HELPDESK_BASE_URL)')
    .option('--demo', 'fill an empty data directory with a site, agents and a few weeks of tickets')
    .action(runServe);
  addCommand(program, 'demo', 'fill an empty data directory with demo data', 'helpdesk demo --data ./demo').action(
    runDemo,
  );
}

function isEmpty(data: DataDirectory): boolean {
  return (
    data.desk.read((tx) => listVisibleSites(tx, data.desk.context({ kind: 'command_line' }, 'cli'), 1, 0).total) === 0
  );
}

function serveConfig({ host, port, baseUrl, ...flags }: ServeFlags): Config {
  const overrides: Partial<Record<ConfigName, string>> = {};
  if (host !== undefined) overrides.HELPDESK_HOST = host;
  if (port !== undefined) overrides.HELPDESK_PORT = port;
  if (baseUrl !== undefined) overrides.HELPDESK_BASE_URL = baseUrl;
  return configOf(flags, overrides);
}

async function runServe(flags: ServeFlags): Promise<void> {
  const config = serveConfig(flags);
  if (config.HELPDESK_LITEFS_DIR !== null) {
    const { keepRunning, endWithSupervisor, keptWord } = await import('../../src/server/supervisor.ts');
    if (process.argv[2] !== keptWord) process.exit(await keepRunning({ mount: await mountOf(config) }));
    endWithSupervisor();
  }
  const { openDataDirectory } = await import('../../src/data/directory.ts');
  const { serve } = await import('../../src/server/serve.ts');
  const ending = createEnding();
  const membership = config.HELPDESK_LITEFS_DIR === null ? null : await joinOthers(config, ending.withoutPrimary);
  const data = openDataDirectory(config, membership?.cluster);
  const wasEmpty = isEmpty(data);
  ending.onSignals();
  let demoToken: string | null = null;
  let desk: RunningDesk;
  let entry: Entry | null;
  try {
    if (flags.demo && wasEmpty && (membership?.cluster.isPrimary() ?? true)) {
      const { fillDemo } = await import('../../src/server/demo/demo.ts');
      const { teamToken, siteToken } = await fillDemo(data.desk);
      demoToken = teamToken;
      // Printed before the desk listens: if that fails, the tokens are not lost.
      process.stdout.write(
        `Demo data was added. Its team token:\n${teamToken}\nThe token of its first site:\n${siteToken}\n\n`,
      );
    }
    // Before the desk answers: until then, the link of the last start would still work.
    entry = (membership?.cluster.isPrimary() ?? true) ? await entryOf(data, flags.demo ?? false) : null;
    desk = await serve(config, data, membership);
  } catch (error) {
    await membership?.server.stop(true);
    await data.close();
    throw error;
  }
  await ending.startedAs(desk);
  const node = membership?.cluster.node ?? null;
  const { linkUrl } = await import('../../src/desk/people/sign-in-links.ts');
  const { baseUrl } = data.addresses;
  const entered = entry && {
    url: linkUrl(baseUrl, entry.purpose, entry.secret),
    isOfDemo: entry.purpose === 'sign_in',
  };
  process.stdout.write(
    `${startMessage({ config, desk, node, wasEmpty, isDemo: flags.demo ?? false, demoToken, entry: entered })}\n`,
  );
}

interface Entry {
  purpose: LinkPurpose;
  secret: string;
}

/**
 * What lets in the first owner of a desk on which no owner can sign in. On the data of a demo that is its own owner, who
 * with `--demo` gets a link at each start.
 */
async function entryOf({ desk }: DataDirectory, isDemo: boolean): Promise<Entry | null> {
  const { demoOwner } = await import('../../src/server/demo/owner.ts');
  const { hasOwner, linkDemoOwner, renewSetupLink } = await import('../../src/desk/people/sign-in-links.ts');
  const ctx = desk.context({ kind: 'command_line' }, 'cli');
  try {
    return await desk.write((tx) => {
      const owner = isDemo || !hasOwner(tx) ? demoOwner(tx) : undefined;
      if (owner) return { purpose: 'sign_in', secret: linkDemoOwner(tx, ctx, owner) };
      const secret = renewSetupLink(tx, ctx);
      return secret === null ? null : { purpose: 'setup', secret };
    });
  } catch (error) {
    // A desk on a full disk can still be read.
    process.stderr.write(`No link for signing in could be stored: ${explain(error).sentence}\n`);
    return null;
  }
}

// sysexits.h: a temporary failure, so that a service manager starts the desk again.
const lostPrimaryCode = 75;
// What a stop may take: ten seconds for requests, thirty for deliveries.
const longestStopMs = 45_000;

/** The desk stops in order: on the first signal, during its start as soon as it has started, and when the primary is lost. */
function createEnding() {
  let desk: RunningDesk | null = null;
  let isStopping = false;
  const end = async (running: RunningDesk, code: number) => {
    await running.stop();
    process.exit(code);
  };
  return {
    /** The second signal ends the desk at once. */
    onSignals() {
      const onSignal = () => {
        if (isStopping) process.exit(1);
        isStopping = true;
        if (desk !== null) void end(desk, 0);
      };
      process.on('SIGTERM', onSignal);
      process.on('SIGINT', onSignal);
      // A closed terminal stops the desk, unless it was started with `nohup`.
      if (!isIgnored('SIGHUP')) process.on('SIGHUP', onSignal);
    },
    withoutPrimary() {
      if (desk === null) process.exit(lostPrimaryCode);
      isStopping = true;
      setTimeout(() => process.exit(lostPrimaryCode), longestStopMs);
      void end(desk, lostPrimaryCode);
    },
    async startedAs(running: RunningDesk) {
      desk = running;
      if (isStopping) await end(running, 0);
    },
  };
}

async function mountOf(config: Config) {
  const { databasePathOf } = await import('../../src/data/layout.ts');
  const { openMount } = await import('../../src/cluster/litefs.ts');
  return openMount(databasePathOf(config));
}

async function joinOthers(config: Config, onLost: () => void) {
  const { databasePathOf } = await import('../../src/data/layout.ts');
  const { joinCluster } = await import('../../src/cluster/membership.ts');
  const { awaitDatabase } = await import('../../src/server/replica-start.ts');
  const { logOf } = await import('../../src/server/log.ts');
  const log = await logOf(config);
  const cluster = await joinCluster(config, databasePathOf(config), log);
  if (cluster === null) return null;
  cluster.primaryWatch.start(onLost);
  return { cluster, server: await awaitDatabase(config, cluster, log) };
}

async function runDemo(flags: CommonOptions): Promise<void> {
  const { openDataDirectory } = await import('../../src/data/directory.ts');
  const data = openDataDirectory(configOf(flags));
  try {
    if (!isEmpty(data)) throw new UsageError(`${data.path} already has data. Name an empty directory with --data.`);
    const { fillDemo } = await import('../../src/server/demo/demo.ts');
    const { tickets, teamToken, siteToken } = await fillDemo(data.desk);
    show(flags, {
      json: { data: { tickets }, token: teamToken, site_token: siteToken },
      text: () =>
        [
          `Added ${tickets} tickets to ${data.path}. The team token, shown only once:`,
          teamToken,
          'The site token, shown only once:',
          siteToken,
        ].join('\n'),
    });
  } finally {
    await data.close();
  }
}
