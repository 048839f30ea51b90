// The desk behind --data, for one command: the same verbs as over HTTP, by the one who may do everything.

import type * as z from 'zod';
import { systemClock } from '../src/base/clock.ts';
import { type Config, type ConfigName, entries, readConfig } from '../src/base/config.ts';
import {
  baseUrlOf,
  type DataDirectory,
  databasePathOf,
  inboundDomainOf,
  isThere,
  openDataDirectory,
} from '../src/data/directory.ts';
import type { Context } from '../src/desk/record.ts';
import { DeskError } from '../src/domain/errors.ts';
import { fieldErrors } from '../src/domain/input/issues.ts';
import { asMeant } from '../src/domain/input/lenient.ts';
import { isDate } from '../src/domain/instant.ts';
import { createLinks, type Links } from '../src/files/links.ts';
import type { S3Fault } from '../src/files/s3-requests.ts';
import type { Tx } from '../src/store/database.ts';
import type { Sync } from '../src/store/writer.ts';
import { plain } from './output/text.ts';

export interface Opened {
  config: Config;
  data: DataDirectory;
  baseUrl: string;
  inboundDomain: string;
  links: Links;
  ctx(): Context;
  read<T>(act: (tx: Tx) => Sync<T>): T;
  write<T>(act: (tx: Tx, ctx: Context) => Sync<T>): Promise<T>;
}

/** Says on standard error what the store for files said. */
export function tellFileFault({ method, bucket, key, status, code, message }: S3Fault): void {
  const said = [status, code, message].filter((part) => part !== null && part !== '').join(' ');
  process.stderr.write(`${plain(`${method} ${key} in the bucket ${bucket}: ${said}`)}\n`);
}

/** What every command takes. */
export interface CommonOptions {
  data?: string;
  json?: boolean;
}

/** @param more what further flags say, by the variable that each stands for */
export function configOf(options: CommonOptions, more: Partial<Record<ConfigName, string>> = {}): Config {
  const overrides = { ...(options.data === undefined ? {} : { HELPDESK_DATA: options.data }), ...more };
  for (const [name, value] of Object.entries(overrides) as [ConfigName, string][]) {
    const flag = `--${name.replace('HELPDESK_', '').toLowerCase().replaceAll('_', '-')}`;
    // An empty variable is none; an empty flag is a shell variable that somebody took to be set.
    if (value === '') throw new UsageError(`${flag} is empty.`);
    const parsed = entries[name].schema.safeParse(value);
    if (!parsed.success)
      throw new UsageError(`${flag} must be ${parsed.error.issues[0]?.message ?? 'something else'}.`);
  }
  return readConfig(overrides);
}

/**
 * Opens the desk, lets `act` work, and closes it whatever happens.
 * @param mayCreate whether the command makes sense where there is no desk yet
 */
export async function withDesk<T>(
  options: CommonOptions,
  act: (opened: Opened) => Promise<T> | T,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<T> {
  const config = configOf(options);
  if (!mayCreate && !isThere(databasePathOf(config))) {
    throw new UsageError(
      `There is no desk in ${config.HELPDESK_LITEFS_DIR ?? config.HELPDESK_DATA}; start one with \`helpdesk serve\`, or name its directory with --data.`,
    );
  }
  const cluster = config.HELPDESK_LITEFS_DIR === null ? null : await joinOthers(config);
  const data = openDataDirectory(config, cluster);
  if (data.recovered !== null) process.stderr.write(`${data.recovered}\n`);
  // What was stored stays stored; a later command or the running desk takes the log in.
  data.onFileFault = tellFileFault;
  data.onFault = (error) => process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await data.erasedAgain;
  const { desk } = data;
  const baseUrl = baseUrlOf(config);
  const ctx = () => desk.context({ kind: 'command_line' }, 'cli');
  try {
    return await act({
      config,
      data,
      baseUrl,
      inboundDomain: inboundDomainOf(config, baseUrl),
      links: createLinks(desk.seal, baseUrl, config.HELPDESK_ATTACHMENT_URL_TTL),
      ctx,
      read: (reading) => desk.read(reading),
      write: (step) => {
        const context = ctx();
        return desk.write((tx) => step(tx, context));
      },
    });
  } finally {
    cluster?.stop();
    await data.close();
  }
}

/** Loaded where there is more than one machine. */
async function joinOthers(config: Config) {
  const { silentLog } = await import('../src/base/log.ts');
  const { joinCluster } = await import('../src/cluster/membership.ts');
  return await joinCluster(config, databasePathOf(config), silentLog);
}

/** Nothing was stored and another try may do better: exit code 75, which a mail server understands. */
export class TryAgainError extends Error {
  override name = 'TryAgainError';
  constructor(cause: unknown) {
    super('Nothing was stored.', { cause });
  }
}

/** The command line was used wrongly: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Something is wrong, and the answer has said what: exit code 1 without another sentence. */
export class UnsoundError extends Error {
  override name = 'UnsoundError';
}

/** Judges what flags say by the schema that judges it over HTTP. */
export function check<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(asMeant(schema, value));
  if (parsed.success) return parsed.data;
  throw new DeskError('invalid', 'What was given does not fit.', { errors: fieldErrors(parsed.error.issues, 'value') });
}

export function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} takes a whole number, not "${text}".`);
  return Number(text);
}

/** As `wholeNumber`, from 1. */
export function howMany(text: string, name: string): number {
  const number = wholeNumber(text, name);
  if (number === 0) throw new UsageError(`${name} takes a number from 1.`);
  return number;
}

export function yesOrNo(text: string, name: string): boolean {
  if (['yes', 'true', '1', 'on'].includes(text)) return true;
  if (['no', 'false', '0', 'off'].includes(text)) return false;
  throw new UsageError(`${name} takes yes or no, not "${text}".`);
}

/** A moment as `2026-09-11T09:30:00Z`, or a stretch from now as `90d`. */
export function momentOf(text: string, name: string, direction: 1 | -1): number {
  const span = /^(\d{1,6})(m|h|d|w)$/.exec(text);
  const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
  if (span) return systemClock.now() + direction * Number(span[1]) * (units[span[2] ?? 'd'] ?? 0);
  const at = isDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`${name} takes a time as 2026-09-11T09:30:00Z or a span as 90d, not "${text}".`);
  return at;
}

/** Asks on the terminal; without one, only --yes will do. */
export function confirmed(question: string, isYes: boolean | undefined): void {
  if (isYes) return;
  if (process.stdin.isTTY !== true) throw new UsageError('This removes something; repeat it with --yes.');
  if (!confirm(question)) throw new UsageError('Nothing was removed.');
}
