// How a command is declared: its common options, an example in its help, and an answer as text or JSON.

import type { Command } from 'commander';

export interface CommonOptions {
  data?: string;
  json?: boolean;
}

interface Answer {
  /** The API's envelope, for --json. */
  json: unknown;
  text: () => string;
}

/** Adds the options of every command; they can also be given before its name. */
export function addCommonOptions(command: Command): Command {
  return (
    command
      .option('--data <directory>', 'data directory (default: HELPDESK_DATA, or ./data)')
      .option('--json', 'print the same JSON as the API')
      // Without this, a parent command takes the options that belong to its subcommand.
      .enablePositionalOptions()
  );
}

/** Passes the common options before a command's name on to it, unless the command repeats them. */
export function handDownOptions(program: Command): Command {
  return program.hook('preAction', (_program, action) => {
    for (let above = action.parent; above !== null; above = above.parent)
      for (const [name, value] of Object.entries(above.opts<CommonOptions>()))
        if (action.getOptionValueSource(name) === undefined) action.setOptionValueWithSource(name, value, 'cli');
  });
}

/** Adds a command, or a group of commands, with --data and --json, and an example at the end of its help. */
export function addCommand(parent: Command, usage: string, description: string, example: string): Command {
  return addCommonOptions(parent.command(usage).description(description)).addHelpText(
    'after',
    `\nExample:\n  $ ${example}`,
  );
}

const siteMeaning = 'site: id, ULID or slug';

export const requireSite = (command: Command) => command.requiredOption('--site <site>', siteMeaning);
export const allowSite = (command: Command) => command.option('--site <site>', `only this ${siteMeaning}`);
export const askBeforeRemoving = (command: Command) => command.option('--yes', 'do not ask for confirmation');

export function show(options: CommonOptions, answer: Answer): void {
  process.stdout.write(`${options.json ? JSON.stringify(answer.json) : answer.text()}\n`);
}
