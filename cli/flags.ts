// Reads the values of flags and arguments, and refuses what does not fit with a usage error.

import type * as z from 'zod';
import { standardInputText } from '#platform/files.ts';
import { systemClock } from '../src/base/clock.ts';
import { type Config, type ConfigName, entries, readConfig } from '../src/base/config.ts';
import { DeskError } from '../src/domain/errors.ts';
import { fieldErrors } from '../src/domain/input/issues.ts';
import { asMeant } from '../src/domain/input/lenient.ts';
import { dayMs, hourMs, isDate, minuteMs } from '../src/domain/instant.ts';
import type { CommonOptions } from './command.ts';
import { UsageError } from './errors.ts';

/** @param more values of further flags, under the variable that each flag overrides */
export function configOf(options: CommonOptions, more: Partial<Record<ConfigName, string>> = {}): Config {
  const overrides = { ...(options.data === undefined ? {} : { HELPDESK_DATA: options.data }), ...more };
  for (const [name, value] of Object.entries(overrides) as [ConfigName, string][]) {
    const flag = `--${name.replace('HELPDESK_', '').toLowerCase().replaceAll('_', '-')}`;
    // An empty variable counts as unset. An empty flag is usually a shell variable that should have had a value.
    if (value === '') throw new UsageError(`${flag} is empty.`);
    const parsed = entries[name].schema.safeParse(value);
    if (!parsed.success) throw new UsageError(`${flag} must be ${parsed.error.issues[0]?.message ?? 'another value'}.`);
  }
  return readConfig(overrides);
}

/** Checks values with the schema that the API uses. */
export function check<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const meant = asMeant(schema, value);
  const parsed = schema.safeParse(meant);
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error.issues, meant, 'value');
  throw new DeskError('invalid', 'Some values are invalid.', { errors });
}

/** For options that can be repeated. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Drops the keys whose value is undefined. */
export function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

export const list = (text: string | undefined) =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} must be a whole number, not "${text}".`);
  return Number(text);
}

/** For `#41`, `41` or a ULID. */
export const ticketName = (text: string) => text.replace(/^#/, '');

export const rowId = (text: string) => wholeNumber(text, 'The id');

export function atLeastOne(text: string, name: string): number {
  const number = wholeNumber(text, name);
  if (number === 0) throw new UsageError(`${name} must be at least 1.`);
  return number;
}

export function yesOrNo(text: string, name: string): boolean {
  if (['yes', 'true', '1', 'on'].includes(text)) return true;
  if (['no', 'false', '0', 'off'].includes(text)) return false;
  throw new UsageError(`${name} must be yes or no, not "${text}".`);
}

export function oneOf<Word extends string>(words: readonly Word[], text: string, name: string): Word {
  const word = words.find((one) => one === text);
  if (word === undefined) throw new UsageError(`${name} must be ${orList(words)}.`);
  return word;
}

/** `open, pending or closed` */
export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const spanUnits: Record<string, number> = { m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs };

/** A time such as `2026-09-11T09:30:00Z`, or a span from now such as `90d`: ahead with 1, back with -1. */
export function momentOf(text: string, name: string, direction: 1 | -1): number {
  const span = /^(\d{1,6})([mhdw])$/.exec(text);
  if (span) return systemClock.now() + direction * Number(span[1]) * (spanUnits[span[2] ?? ''] ?? 0);
  const at = isDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`${name} must be a time such as 2026-09-11T09:30:00Z or a span such as 90d, not "${text}".`);
  return at;
}

/** A text that can be read from standard input. */
export async function bodyOf(flag: string | undefined): Promise<string> {
  if (flag !== undefined) return flag;
  if (process.stdin.isTTY === true) throw new UsageError('Give the text with --body or on standard input.');
  return standardInputText();
}

/** Of standard input, for a secret that no list of processes shows; undefined on a terminal. */
export async function firstLine(): Promise<string | undefined> {
  return process.stdin.isTTY === true ? undefined : (await standardInputText()).split(/\r?\n/)[0];
}

/** Asks on the terminal. Without a terminal, only --yes confirms. */
export function confirmed(question: string, isYes: boolean | undefined): void {
  if (isYes) return;
  if (process.stdin.isTTY !== true) throw new UsageError('This cannot be undone. Add --yes to confirm.');
  if (!confirm(question)) throw new UsageError('Cancelled. Nothing was changed.');
}
