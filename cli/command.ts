// How a command is made: common flags, an example in its help, one answer for people and one for --json.

import type { Command } from 'commander';
import type { CommonOptions } from './open.ts';

/** What a command answers: the API's envelope for --json, and words for people. */
export interface Answer {
  json: unknown;
  /** Made only when it is shown. */
  text: () => string;
}

/** Adds a word under which commands stand, with an example at the end of its help. */
export function addGroup(program: Command, word: string, description: string, example: string): Command {
  return program.command(word).description(description).addHelpText('after', `\nExample:\n  $ ${example}`);
}

/** Adds a command with --data and --json, and an example at the end of its help. */
export function addCommand(parent: Command, usage: string, description: string, example: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--data <directory>', 'the data directory (HELPDESK_DATA, ./data)')
    .option('--json', "answer with the API's own JSON on standard output")
    .addHelpText('after', `\nExample:\n  $ ${example}`);
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
