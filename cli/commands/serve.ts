// helpdesk serve and helpdesk demo.

import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import type { Command } from 'commander';
import type { ConfigName } from '../../src/base/config.ts';
import { isIgnored } from '../../src/base/process.ts';
import type { Node } from '../../src/cluster/role.ts';
import type { DataDirectory } from '../../src/data/directory.ts';
import { listVisibleSites } from '../../src/desk/sites.ts';
import type { RunningDesk } from '../../src/server/serve.ts';
import { addCommand, show } from '../command.ts';
import { type CommonOptions, configOf, UsageError } from '../opened-desk.ts';

interface ServeFlags extends CommonOptions {
  host?: string;
  port?: string;
  baseUrl?: string;
  demo?: boolean;
}

function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** How this program is called from where the reader stands. */
function programName(): string {
  if (process.argv[1]?.endsWith('main.ts')) return `npx bun ${quoted(relative('.', process.argv[1]))}`;
  const onPath = Bun.which('helpdesk');
  if (onPath !== null && realpathSync(onPath) === realpathSync(process.execPath)) return 'helpdesk';
  const path = relative('.', process.execPath);
  return quoted(path.startsWith('..') ? process.execPath : `./${path}`);
}

function describeRole(node: Node): string {
  if (node.isPrimary()) return 'This machine is the primary.';
  const primary = node.primaryHost();
  return `This machine is no primary now; ${primary === null ? 'none is known' : `the primary is ${primary}`}.`;
}

function isEmpty(data: DataDirectory): boolean {
  return (
    data.desk.read((tx) => listVisibleSites(tx, data.desk.context({ kind: 'command_line' }, 'cli'), 1, 0).total) === 0
  );
}

export function serveCommands(program: Command): void {
  addCommand(
    program,
    'serve',
    'migrate, listen and serve until told to stop',
    'helpdesk serve --port 8080 --base-url https://desk.example.org',
  )
    .option('--host <address>', 'HELPDESK_HOST')
    .option('--port <port>', 'HELPDESK_PORT')
    .option('--base-url <url>', 'HELPDESK_BASE_URL')
    .option('--demo', 'fill an empty directory with a site, agents and some weeks of tickets')
    .action(async (flags: ServeFlags) => {
      const overrides: Partial<Record<ConfigName, string>> = {};
      if (flags.host !== undefined) overrides.HELPDESK_HOST = flags.host;
      if (flags.port !== undefined) overrides.HELPDESK_PORT = flags.port;
      if (flags.baseUrl !== undefined) overrides.HELPDESK_BASE_URL = flags.baseUrl;
      const config = configOf(flags, overrides);
      const { databasePathOf, openDataDirectory } = await import('../../src/data/directory.ts');
      const { logOf, serve } = await import('../../src/server/serve.ts');
      const { HELPDESK_LITEFS_DIR: mount } = config;
      const membership = mount === null ? null : await joinOthers();
      const data = openDataDirectory(config, membership?.cluster);
      const isFresh = isEmpty(data);
      let teamToken: string | null = null;
      let running: RunningDesk | null = null;
      let isStopping = false;
      const end = async (desk: RunningDesk) => {
        await desk.stop();
        process.exit(0);
      };
      const stop = () => {
        // Asked twice, somebody is in a hurry.
        if (isStopping) process.exit(1);
        isStopping = true;
        // Before it listens, it ends when it has begun: what a start leaves half done is worse than a moment more.
        if (running !== null) void end(running);
      };
      process.on('SIGTERM', stop);
      process.on('SIGINT', stop);
      // A terminal that goes away ends the desk in order; `nohup` has it stay.
      if (!isIgnored('SIGHUP')) process.on('SIGHUP', stop);
      try {
        if (flags.demo && isFresh && (membership?.cluster.isPrimary() ?? true)) {
          const { fillDemo } = await import('../../src/server/demo.ts');
          const secrets = await fillDemo(data.desk);
          teamToken = secrets.teamToken;
          // Before listening, which may fail: they are shown this once.
          process.stdout.write(
            `Demo data is in place. Its team token:\n${teamToken}\nThe site token of the demo site:\n${secrets.siteToken}\n\n`,
          );
        }
        running = await serve(config, data, membership);
      } catch (error) {
        await membership?.server.stop(true);
        await data.close();
        throw error;
      }
      if (isStopping) await end(running);
      const { url, sender } = running;
      const lines = [`Helpdesk listens on ${url} and keeps its data in ${data.path}.`];
      if (config.HELPDESK_SMTP_URL === null)
        lines.push(`No mail server is set (HELPDESK_SMTP_URL): mail is written to ${data.path}/mail as .eml files.`);
      else if (!/\.[a-z][a-z0-9-]*$/i.test(sender))
        lines.push(
          `Mail comes from ${sender}, which most mail servers refuse: set HELPDESK_MAIL_FROM to an address of yours.`,
        );
      if (membership !== null) lines.push(describeRole(membership.cluster.node));
      lines.push(`The API is described at ${url}/api/docs.`, ...nextSteps());
      process.stdout.write(`${lines.join('\n')}\n`);

      async function joinOthers() {
        const { joinCluster } = await import('../../src/cluster/membership.ts');
        const { awaitDatabase } = await import('../../src/server/replica-start.ts');
        const log = await logOf(config);
        const cluster = await joinCluster(config, databasePathOf(config), log);
        return cluster === null ? null : { cluster, server: await awaitDatabase(config, cluster, log) };
      }

      function nextSteps(): string[] {
        const program = programName();
        const where = `--data ${quoted(config.HELPDESK_DATA)}`;
        const issue = `  ${program} token issue --name me --abilities read,write,manage ${where}`;
        if (teamToken !== null)
          return ['', 'Try:', `  curl -H 'Authorization: Bearer ${teamToken}' '${url}/api/v1/tickets?q=invoice'`];
        if (isFresh)
          return ['', 'Next, in another terminal:', `  ${program} site create --name "My site" ${where}`, issue];
        if (flags.demo)
          return ['', 'There is a desk here already: no demo data was added. For a new team token:', issue];
        return [];
      }
    });
  addCommand(program, 'demo', 'fill an empty data directory with demo data', 'helpdesk demo --data ./demo').action(
    async (flags: CommonOptions) => {
      const { openDataDirectory } = await import('../../src/data/directory.ts');
      const data = openDataDirectory(configOf(flags));
      try {
        if (!isEmpty(data))
          throw new UsageError(`${data.path} has a desk in it already; name an empty directory with --data.`);
        const secrets = await (await import('../../src/server/demo.ts')).fillDemo(data.desk);
        show(flags, {
          json: { data: { tickets: secrets.tickets }, token: secrets.teamToken, site_token: secrets.siteToken },
          text: () =>
            `${secrets.tickets} tickets are in ${data.path}. The team token, shown this once:\n${secrets.teamToken}\nThe site token, shown this once:\n${secrets.siteToken}`,
        });
      } finally {
        await data.close();
      }
    },
  );
}
