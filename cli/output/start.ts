// What `helpdesk serve` prints when it has started.

import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { findProgram, programFiles } from '#platform/runtime.ts';
import type { Config } from '../../src/base/config.ts';
import { isLoopbackHost } from '../../src/base/local-url.ts';
import type { Node } from '../../src/cluster/node.ts';
import { mailsOwn } from '../../src/desk/outbox/own-server.ts';
import type { RunningDesk } from '../../src/server/serve.ts';

interface Started {
  config: Config;
  desk: RunningDesk;
  /** Null on a single machine. */
  node: Node | null;
  wasEmpty: boolean;
  isDemo: boolean;
  /** Of the demo data, if it was just created. */
  demoToken: string | null;
  /** A link that lets the first owner in, or the owner of the demo data. */
  entry: { url: string; isOfDemo: boolean } | null;
}

export function startMessage(started: Started): string {
  const { config, desk, node } = started;
  const { url, sender, data } = desk;
  const hasServer = config.HELPDESK_SMTP_URL !== null;
  const lines = [`Helpdesk listens on ${url} and keeps its data in ${data.path}.`];
  if (!data.desk.read((tx) => mailsOwn(tx, { hasMailServer: hasServer })))
    lines.push(
      `No mail server is set, so mail that leaves through no mailbox is written to ${data.path}/mail as .eml files. An owner sets one in the browser, or HELPDESK_SMTP_URL does.`,
    );
  else if (hasServer && !/\.[a-z][a-z0-9-]*$/i.test(sender))
    lines.push(
      `Mail is sent from ${sender}, which most mail servers refuse. Set HELPDESK_MAIL_FROM to your own address.`,
    );
  if (node !== null) lines.push(describeRole(node));
  if (isExposed(data.addresses.baseUrl))
    lines.push(
      'Warning: passwords and sessions cross the network unencrypted, because the base URL is plain http. Put a proxy with https in front and set HELPDESK_BASE_URL.',
    );
  lines.push(`The API is described at ${url}/api/docs.`, ...entryOf(started), ...nextSteps(started));
  return lines.join('\n');
}

/** Whether browsers reach the desk over plain http from other machines. */
function isExposed(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

function entryOf({ entry }: Started): string[] {
  if (entry === null) return [];
  const what = entry.isOfDemo
    ? 'Open this link to sign in as the owner of the demo data. It works once, for 15 minutes:'
    : 'No owner can sign in yet. Open this link to become the first one. It works until it is used or the desk restarts:';
  return ['', what, entry.url];
}

function describeRole(node: Node): string {
  if (node.isPrimary()) return 'This machine is the primary.';
  const primary = node.primaryHost();
  return `This machine is not the primary; ${primary === null ? 'no primary is known' : `the primary is ${primary}`}.`;
}

function nextSteps({ config, desk, wasEmpty, isDemo, demoToken }: Started): string[] {
  const program = programName();
  const where = `--data ${quoted(config.HELPDESK_DATA)}`;
  const issue = `  ${program} token issue --name me --abilities read,write,manage ${where}`;
  if (demoToken !== null)
    return ['', 'Try:', `  curl -H 'Authorization: Bearer ${demoToken}' '${desk.url}/api/v1/tickets?q=invoice'`];
  if (wasEmpty)
    return [
      '',
      'The browser then leads through the first steps. Without it, in another terminal:',
      `  ${program} site create --name "My site" ${where}`,
      issue,
    ];
  if (isDemo) return ['', 'The desk already has data, so no demo data was added. To create a team token:', issue];
  return [];
}

/** The command that starts this program from the current directory. */
function programName(): string {
  if (process.argv[1]?.endsWith('main.ts')) return `npx bun ${quoted(relative('.', process.argv[1]))}`;
  const typed = programFiles();
  const onPath = findProgram('helpdesk');
  if (onPath !== null && realpathSync(onPath) === realpathSync(typed.at(-1) ?? '')) return 'helpdesk';
  return typed.map(fromHere).join(' ');
}

function fromHere(file: string): string {
  const path = relative('.', file);
  return quoted(path.startsWith('..') ? file : `./${path}`);
}

function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
