// How a command is made: common flags, an example in its help, one answer for people and one for --json.

import type { Command } from 'commander';
import type { CommonOptions } from './opened-desk.ts';

/** What a command answers: the API's envelope for --json, and words for people. */
interface Answer {
  json: unknown;
  /** Made only when it is shown. */
  text: () => string;
}

/** Adds the options that every command takes, which may also stand before its words. */
export function addCommonOptions(command: Command): Command {
  return (
    command
      .option('--data <directory>', 'the data directory (HELPDESK_DATA, ./data)')
      .option('--json', "answer with the API's own JSON on standard output")
      // Without it, whoever stands further up takes the options of whoever stands below.
      .enablePositionalOptions()
  );
}

/** Gives a command the common options that stood before it; what stands after its words counts more. */
export function handDownOptions(program: Command): Command {
  return program.hook('preAction', (_program, action) => {
    for (let above = action.parent; above !== null; above = above.parent)
      for (const [name, value] of Object.entries(above.opts<CommonOptions>()))
        if (action.getOptionValueSource(name) === undefined) action.setOptionValueWithSource(name, value, 'cli');
  });
}

/** Adds a word under which commands stand, with an example at the end of its help. */
export function addGroup(program: Command, word: string, description: string, example: string): Command {
  return addCommonOptions(program.command(word).description(description)).addHelpText(
    'after',
    `\nExample:\n  $ ${example}`,
  );
}

/** Adds a command with --data and --json, and an example at the end of its help. */
export function addCommand(parent: Command, usage: string, description: string, example: string): Command {
  return addCommonOptions(parent.command(usage).description(description)).addHelpText(
    'after',
    `\nExample:\n  $ ${example}`,
  );
}

export function show(options: CommonOptions, answer: Answer): void {
  process.stdout.write(`${options.json ? JSON.stringify(answer.json) : answer.text()}\n`);
}

/** Flags that may be given several times. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Only the keys that were given. */
export function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

export const list = (text: string | undefined) =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
