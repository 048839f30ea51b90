// A command that asks one operation of the API: its flags, its question before a removal, and how the answer is printed.

import type { Command } from 'commander';
import type { Operation } from '../src/http/operation.ts';
import { ask, askFor, type OperationName, operationOf, type Question } from './ask.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, requireSite, show } from './command.ts';
import { UnsoundError, UsageError } from './errors.ts';
import { bodyOf, confirmed, rowId, ticketName } from './flags.ts';
import { type Opened, withDesk } from './opened-desk.ts';
import { type FlagChoice, flagsOf, type OperationFlag } from './operation-flags.ts';
import { dim, fields, table } from './output/text.ts';

type Values = Readonly<Record<string, unknown>>;

type Options = CommonOptions & { yes?: boolean };

/** Adds commands to the program. @param chosen the word after the group's, if there is one */
export type Register = (program: Command, chosen: string | undefined) => void | Promise<void>;

/** One use of a command. */
export interface Use {
  opened: Opened;
  flags: Readonly<Record<string, string | undefined>>;
  /** The words after the command, by their names in its usage. */
  words: Readonly<Record<string, string>>;
  /** Those of a word that can be repeated. */
  list: readonly string[];
  /** What `reads` found. */
  row: Row;
  ask<Answer>(name: OperationName, question?: Question): Promise<Answer>;
}

/** What a command is about, as far as all of them have it. */
interface Row {
  id: number;
  name: string;
  slug: string;
}

export interface OperationCommand extends FlagChoice {
  /** Its words fill the parameters of the operation's path that have their names. */
  usage: string;
  does: string;
  example: string;
  operation: OperationName;
  /** The field of the body that is read from standard input without its flag, --body. */
  text?: string;
  /** Further flags. */
  own?(command: Command): void;
  params?(use: Use): Record<string, string>;
  /** An operation that reads what the command is about, with the same parameters; or a function that does. */
  reads?: OperationName | ((use: Use) => Row | Promise<Row>);
  query?(use: Use): Values | Promise<Values>;
  /** Values by path, such as `settings.locale`. */
  body?(use: Use): Values | Promise<Values>;
  /** Asked before something is removed. */
  question?(use: Use): string;
  /** What else the command does; what it returns is shown instead of the answer. */
  after?(use: Use, answer: unknown): unknown;
  /** Of a table: `heading=path`, or a path that is its own heading. */
  columns?: readonly string[];
  print?(answer: unknown, use: Use): string | Promise<string>;
  /** Whether everything that was asked for was done; otherwise the command has failed. */
  isSound?(answer: unknown): boolean;
  mayCreate?: true;
}

/**
 * A group of such commands. Operations are loaded only for the command that is used.
 * @param more adds commands of another kind
 */
export function operationGroup(
  word: string,
  meaning: string,
  example: string,
  commands: readonly OperationCommand[],
  more: (group: Command) => void = () => undefined,
): Register {
  return async (program, chosen) => {
    const group = addCommand(program, word, meaning, example);
    const isChosen = ({ usage }: OperationCommand) => usage.split(' ')[0] === chosen;
    const known = commands.filter(isChosen);
    for (const command of commands) {
      const added = addCommand(group, command.usage, command.does, command.example);
      if (known.length === 0 || isChosen(command)) await complete(added, command);
    }
    more(group);
    group.description(`${meaning}: ${group.commands.map((command) => command.name()).join(', ')}`);
  };
}

const paramsOf = ({ words, flags }: Use) => ({ site: flags.site, ...words });

async function complete(added: Command, command: OperationCommand): Promise<void> {
  const operation = await operationOf(command.operation);
  const flags = flagsOf(operation, { ...command, without: [...(command.without ?? []), command.text ?? ''] });
  const names = added.registeredArguments.map((argument) => argument.name());
  if (operation.path.includes('{site}') && !names.includes('site') && !command.params) requireSite(added);
  for (const { option } of flags) added.addOption(option);
  if (command.text !== undefined) added.option('--body <text>', 'text (default: read from standard input)');
  command.own?.(added);
  if (command.question !== undefined) askBeforeRemoving(added);
  added.action(async (...given: unknown[]) => {
    const options = given[names.length] as Options;
    const words = Object.fromEntries(names.map((name, at) => [name, wordOf(name, given[at])]));
    const list = given.slice(0, names.length).flatMap((word) => (Array.isArray(word) ? (word as string[]) : []));
    await withDesk(
      options,
      async (opened) => {
        const askThis: Use['ask'] = (name, question) => askFor(opened, name, question);
        const texts = options as Use['flags'];
        const row = { id: 0, name: '', slug: '' };
        await run(command, operation, flags, options, { opened, flags: texts, words, list, row, ask: askThis });
      },
      { mayCreate: command.mayCreate ?? false },
    );
  });
}

function wordOf(name: string, given: unknown): string {
  if (typeof given !== 'string') return '';
  return name === 'id' ? String(rowId(given)) : name === 'ticket' ? ticketName(given) : given;
}

async function run(
  command: OperationCommand,
  operation: Operation,
  flags: readonly OperationFlag[],
  options: Options,
  use: Use,
): Promise<void> {
  const { opened } = use;
  use.row = await rowOf(command, use);
  const values = new Map<readonly string[], unknown>();
  for (const flag of flags) {
    const value = await flag.valueOf(use.flags, opened);
    if (value !== undefined) values.set(flag.path, value);
  }
  if (command.text !== undefined) values.set([command.text], await bodyOf(use.flags.body));
  const isQuery = operation.body === undefined;
  for (const [path, value] of Object.entries((await (isQuery ? command.query : command.body)?.(use)) ?? {}))
    if (value !== undefined) values.set(path.split('.'), value);
  if (operation.method === 'PATCH' && values.size === 0)
    throw new UsageError(`Nothing to change: see \`${command.example.split(' ').slice(0, 3).join(' ')} --help\`.`);
  if (command.question !== undefined) confirmed(command.question(use), options.yes);
  const response = await ask(opened, command.operation, {
    params: { ...paramsOf(use), ...command.params?.(use) },
    ...(isQuery ? { query: queryOf(values) } : { body: nested(values) }),
  });
  if (response.headers.get('Content-Type')?.startsWith('text/') && response.body !== null)
    return await printAll(response.body);
  const answer: unknown = response.status === 204 ? { data: null } : await response.json();
  const shown = (await command.after?.(use, answer)) ?? answer;
  const text = options.json ? '' : await (command.print?.(shown, use) ?? printed(shown, command.columns));
  show(options, { json: shown, text: () => [text, ...opened.warnings].join('\n') });
  if (command.isSound?.(answer) === false) throw new UnsoundError('Some of it was not done.');
}

async function printAll(parts: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const part of parts)
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(decoder.decode(part, { stream: true }), (error) => (error ? reject(error) : resolve()));
    });
}

async function rowOf({ reads }: OperationCommand, use: Use): Promise<Row> {
  if (typeof reads === 'function') return reads(use);
  return reads === undefined ? use.row : (await use.ask<{ data: Row }>(reads, { params: paramsOf(use) })).data;
}

function queryOf(values: ReadonlyMap<readonly string[], unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [[name = ''], value] of values)
    if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, String(one));
    else query.set(name, String(value));
  return query;
}

function nested(values: ReadonlyMap<readonly string[], unknown>): Values {
  const body: Record<string, unknown> = {};
  for (const [path, value] of values) {
    let inner = body;
    for (const name of path.slice(0, -1)) {
      inner[name] ??= {};
      inner = inner[name] as Record<string, unknown>;
    }
    inner[path.at(-1) ?? ''] = value;
  }
  return body;
}

/** What a path such as `priority.name` leads to. */
const at = (row: unknown, path: string) =>
  path.split('.').reduce<unknown>((inner, name) => (inner as Values | null | undefined)?.[name], row);

/** A table of rows, or the fields of one. */
function printed(answer: unknown, columns: readonly string[] | undefined): string {
  const { data, meta } = answer as { data: Values | Values[]; meta?: { total?: number } };
  if (columns === undefined) return fields(data as Values);
  const rows = Array.isArray(data) ? data : [data];
  const shown = table(
    columns.map((column) => column.split('=')[0] ?? ''),
    rows.map((row) => columns.map((column) => at(row, column.split('=').at(-1) ?? ''))),
  );
  return rows.length < (meta?.total ?? 0)
    ? `${shown}\n${dim(`${rows.length} of ${meta?.total}; see more with --page or --per-page`)}`
    : shown;
}
