#!/usr/bin/env bun
// The program: its commands, its one-sentence errors and its exit codes (docs/spec/cli.md#exit-codes): 0 done, 1 failed, 2 wrong usage, 3 not found, 75 try again.

import { Command, CommanderError } from 'commander';
import { ConfigError } from '../src/base/config.ts';
import { diskFault, isForWantOfRoom } from '../src/base/disk.ts';
import { version } from '../src/base/version.ts';
import { DeskError } from '../src/domain/errors.ts';
import { readerWord } from '../src/reader/process.ts';
import { addCommonOptions, handDownOptions } from './command.ts';
import { TryAgainError, UnsoundError, UsageError } from './opened-desk.ts';
import { plain } from './output/text.ts';

type Register = (program: Command) => void;

// Each group is loaded when its word is typed: `serve` should not wait for what it does not need.
const groups: Record<string, { meaning: string; load: () => Promise<Register> }> = {
  serve: {
    meaning: 'migrate, listen and serve until told to stop',
    load: async () => (await import('./commands/serve.ts')).serveCommands,
  },
  demo: {
    meaning: 'fill an empty data directory with demo data',
    load: async () => (await import('./commands/serve.ts')).serveCommands,
  },
  site: { meaning: 'sites', load: async () => (await import('./commands/sites.ts')).siteCommands },
  token: { meaning: 'team tokens', load: async () => (await import('./commands/tokens.ts')).tokenCommands },
  agent: { meaning: 'agents', load: async () => (await import('./commands/agents.ts')).agentCommands },
  category: {
    meaning: 'categories of a site',
    load: async () => (await import('./commands/catalogue.ts')).catalogCommands,
  },
  priority: {
    meaning: 'priorities of a site',
    load: async () => (await import('./commands/catalogue.ts')).catalogCommands,
  },
  field: {
    meaning: 'custom fields of a site',
    load: async () => (await import('./commands/catalogue.ts')).catalogCommands,
  },
  channel: {
    meaning: 'webhook channels of a site',
    load: async () => (await import('./commands/channels.ts')).channelCommands,
  },
  rule: { meaning: 'inbound rules of a site', load: async () => (await import('./commands/channels.ts')).ruleCommands },
  mail: { meaning: 'mail that arrives', load: async () => (await import('./commands/mail.ts')).mailCommands },
  outbox: { meaning: 'what leaves the desk', load: async () => (await import('./commands/outbox.ts')).outboxCommands },
  ticket: { meaning: 'tickets', load: async () => (await import('./commands/tickets.ts')).ticketCommands },
  sla: { meaning: 'SLA clocks', load: async () => (await import('./commands/sla.ts')).slaCommands },
  export: {
    meaning: "one site's everything, as a stream",
    load: async () => (await import('./commands/transfer.ts')).transferCommands,
  },
  import: {
    meaning: 'a site out of an export',
    load: async () => (await import('./commands/transfer.ts')).transferCommands,
  },
  backup: {
    meaning: 'copy everything to a safe place, and prove it',
    load: async () => (await import('./commands/backup.ts')).backupCommands,
  },
  restore: { meaning: 'put a backup back', load: async () => (await import('./commands/backup.ts')).backupCommands },
  doctor: {
    meaning: 'whether everything in the data directory is sound',
    load: async () => (await import('./commands/doctor.ts')).doctorCommands,
  },
  config: {
    meaning: 'each setting with its value, default and meaning',
    load: async () => (await import('./commands/configuration.ts')).settingsCommands,
  },
  openapi: {
    meaning: 'print the OpenAPI document',
    load: async () => (await import('./commands/configuration.ts')).settingsCommands,
  },
  version: {
    meaning: 'print the version',
    load: async () => (await import('./commands/configuration.ts')).settingsCommands,
  },
};

/** The program with the commands that `word` needs, or with all of them. */
export async function createProgram(word: string | undefined): Promise<Command> {
  const program = handDownOptions(addCommonOptions(new Command('helpdesk')))
    .description('A self-hosted, multi-site support desk in one executable.')
    .version(version, '--version')
    .addHelpText('after', '\nExample:\n  $ helpdesk serve --port 8080')
    .showHelpAfterError('(add --help for what it takes)')
    .exitOverride();
  const chosen = word !== undefined && groups[word] ? [groups[word]] : Object.values(groups);
  const registers = new Set<Register>();
  for (const { load } of chosen) registers.add(await load());
  for (const register of registers) register(program);
  const overrideAll = (command: Command) => {
    command.exitOverride();
    for (const inner of command.commands) overrideAll(inner);
  };
  overrideAll(program);
  return program;
}

export function commandWords(): string[] {
  return Object.keys(groups);
}

/** One sentence that says what to do, and the exit code. */
function explain(error: unknown): { sentence: string; code: number } {
  if (error instanceof CommanderError) return { sentence: '', code: error.exitCode === 0 ? 0 : 2 };
  if (error instanceof TryAgainError) return { sentence: explain(error.cause).sentence, code: 75 };
  if (error instanceof UnsoundError) return { sentence: '', code: 1 };
  if (error instanceof UsageError) return { sentence: error.message, code: 2 };
  if (error instanceof ConfigError) return { sentence: error.message, code: 1 };
  if (error instanceof DeskError) {
    const details = Object.entries(error.errors ?? {}).map(([path, messages]) => `${path}: ${messages.join(' ')}`);
    // A refusal of one field says the same in both.
    const general = Object.values(error.errors ?? {}).some(([only]) => only === error.message) ? [] : [error.message];
    return { sentence: [...general, ...details].join(' '), code: error.code === 'not_found' ? 3 : 1 };
  }
  const known = ['UnreadableRow', 'DataDirectoryError', 'BackupError', 'SchemaError', 'ListenError'];
  if (error instanceof Error && known.includes(error.name)) return { sentence: error.message, code: 1 };
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
  const fault = diskFault(error, path ?? '.');
  if (fault !== null && path !== null) return { sentence: `${path} ${fault}.`, code: 1 };
  if (isForWantOfRoom(error, '.')) return { sentence: 'A disk has no room left; free some, and try again.', code: 1 };
  return { sentence: `Something went wrong: ${error instanceof Error ? error.message : String(error)}`, code: 1 };
}

/** The first word that is neither an option nor the value of one. */
function wordIn(argv: readonly string[]): string | undefined {
  return argv.find((one, at) => !one.startsWith('-') && argv[at - 1] !== '--data');
}

/** Runs one command line and tells its exit code; answers go to standard output, the sentence of an error to standard error. */
export async function run(argv: readonly string[]): Promise<number> {
  const word = wordIn(argv);
  try {
    const program = await createProgram(word);
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

if (import.meta.main && process.argv[2] === readerWord) await (await import('../src/reader/child.ts')).runReader();
else if (import.meta.main) {
  // A reader that has seen enough, as `head`, is no fault, unless the command says that it is.
  process.stdout.on('error', (error) =>
    process.exit('code' in error && error.code === 'EPIPE' ? (process.exitCode ?? 0) : 1),
  );
  process.exitCode = await run(process.argv.slice(2));
}
