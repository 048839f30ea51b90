#!/usr/bin/env bun
// The program: finds the command, runs it, and exits with its code.

import { Command } from 'commander';
import { version } from '../src/base/version.ts';
import { readerWord } from '../src/reader/process.ts';
import { keptWord } from '../src/server/supervisor.ts';
import { addCommonOptions, handDownOptions } from './command.ts';
import { explain } from './errors.ts';
import type { Register } from './operation-command.ts';
import { plain } from './output/text.ts';

const serve = async () => (await import('./commands/serve.ts')).serveCommands;
const transfer = async () => (await import('./commands/transfer.ts')).transferCommands;
const backup = async () => (await import('./commands/backup.ts')).backupCommands;
const configuration = async () => (await import('./commands/configuration.ts')).configurationCommands;

// A module is loaded when its command is used, so that `serve` does not wait for code that it does not need.
const modules: Record<string, () => Promise<Register>> = {
  serve,
  demo: serve,
  desk: async () => (await import('./commands/desk.ts')).deskCommands,
  site: async () => (await import('./commands/sites.ts')).siteCommands,
  token: async () => (await import('./commands/tokens.ts')).tokenCommands,
  agent: async () => (await import('./commands/agents.ts')).agentCommands,
  team: async () => (await import('./commands/teams.ts')).teamCommands,
  category: async () => (await import('./commands/catalogue.ts')).categoryCommands,
  priority: async () => (await import('./commands/catalogue.ts')).priorityCommands,
  field: async () => (await import('./commands/catalogue.ts')).fieldCommands,
  sender: async () => (await import('./commands/senders.ts')).senderCommands,
  mailbox: async () => (await import('./commands/mailboxes.ts')).mailboxCommands,
  template: async () => (await import('./commands/templates.ts')).templateCommands,
  channel: async () => (await import('./commands/channels.ts')).channelCommands,
  rule: async () => (await import('./commands/rules.ts')).ruleCommands,
  macro: async () => (await import('./commands/macros.ts')).macroCommands,
  audit: async () => (await import('./commands/audit.ts')).auditCommands,
  mail: async () => (await import('./commands/mail.ts')).mailCommands,
  outbox: async () => (await import('./commands/outbox.ts')).outboxCommands,
  ticket: async () => (await import('./commands/tickets.ts')).ticketCommands,
  view: async () => (await import('./commands/views.ts')).viewCommands,
  report: async () => (await import('./commands/reports.ts')).reportCommands,
  sla: async () => (await import('./commands/sla.ts')).slaCommands,
  export: transfer,
  import: transfer,
  backup,
  restore: backup,
  promote: async () => (await import('./commands/promote.ts')).promoteCommands,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommands,
  config: configuration,
  openapi: configuration,
  version: configuration,
};

/** The program with the module of one command, or with all modules. @param inner the command of a group */
export async function createProgram(word: string | undefined, inner?: string): Promise<Command> {
  const program = handDownOptions(addCommonOptions(new Command('helpdesk')))
    .description('A self-hosted support desk for one or many sites.')
    .version(version, '--version')
    .addHelpText('after', '\nExample:\n  $ helpdesk serve --port 8080')
    .showHelpAfterError('(add --help for usage)')
    .exitOverride();
  const chosen = word !== undefined && Object.hasOwn(modules, word) ? [modules[word]!] : Object.values(modules);
  const registers = new Set<Register>();
  for (const load of chosen) registers.add(await load());
  for (const register of registers) await register(program, inner);
  const overrideAll = (command: Command) => {
    command.exitOverride();
    for (const inner of command.commands) overrideAll(inner);
  };
  overrideAll(program);
  return program;
}

export function commandWords(): string[] {
  return Object.keys(modules);
}

function wordsIn(argv: readonly string[]): string[] {
  return argv.filter((one, at) => !one.startsWith('-') && argv[at - 1] !== '--data');
}

/** Runs one command line and returns its exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const [word, inner] = wordsIn(argv);
  try {
    const program = await createProgram(word, inner);
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    const { sentence, code } = explain(error);
    if (sentence !== '') process.stderr.write(`${plain(sentence)}\n`);
    return code;
  }
}

/** Runs this process's own command line. */
export async function main(): Promise<void> {
  if (process.argv[2] === readerWord) return await (await import('../src/reader/child.ts')).runReader();
  // A reader such as `head` may close the pipe early. That is a failure only if the command set an exit code.
  process.stdout.on('error', (error) =>
    process.exit('code' in error && error.code === 'EPIPE' ? (process.exitCode ?? 0) : 1),
  );
  process.exitCode = await run(process.argv.slice(process.argv[2] === keptWord ? 3 : 2));
}

if (import.meta.main) await main();
