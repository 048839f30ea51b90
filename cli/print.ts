// What a person sees: tables and sentences, colour only on a terminal, nothing that could drive the terminal.

import { styleText } from 'node:util';
import { isColourWanted } from '../src/base/config.ts';

const isColoured = () => isColourWanted(process.stdout.isTTY);

/** Text from outside without control characters: a subject must not move the cursor or ring the bell. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

/** Text of several lines, line by line without control characters. */
export function plainLines(text: string): string {
  return text.split(/\r?\n/).map(plain).join('\n');
}

export function bold(text: string): string {
  return isColoured() ? styleText('bold', text) : text;
}

export function dim(text: string): string {
  return isColoured() ? styleText('dim', text) : text;
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((one) => plain(String(one))).join(', ');
  return plain(String(value));
}

/** A table with a heading for each column; the widths are those that a terminal shows, also for wide characters. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return 'Nothing yet.';
  const cells = rows.map((row) => row.map(cell));
  const widths = headings.map((heading, at) =>
    Math.max(Bun.stringWidth(heading), ...cells.map((row) => Bun.stringWidth(row[at] ?? ''))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => (at === row.length - 1 ? text : text + ' '.repeat((widths[at] ?? 0) - Bun.stringWidth(text))))
      .join('  ');
  return [bold(line(headings)), ...cells.map(line)].join('\n');
}

/** One thing, a line for each of its fields. */
export function fields(entries: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${bold(name.padEnd(width))}  ${cell(value)}`)
    .join('\n');
}
