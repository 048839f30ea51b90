// What a person sees: tables and sentences, colour only on a terminal, nothing that could drive the terminal.

import { styleText } from 'node:util';
import { isColourWanted } from '../../src/base/config.ts';

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

const gap = '  ';
// Fewer characters of a sentence say nothing.
const narrowest = 16;

/** The width of the terminal that is written to; none where the answer goes into a file or another program. */
function terminalWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Cuts a text to what fits into so many places of a terminal. */
export function shorten(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Bun.stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * A table with a heading for each column; the widths are those that a terminal shows, also for wide characters. Where a
 * row is wider than the terminal, sentences within it are cut; what somebody may want to copy (ids, times, addresses) and
 * the last column, which can run on, stay whole.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  room = terminalWidth(),
): string {
  if (rows.length === 0) return 'Nothing yet.';
  let cells = rows.map((row) => row.map(cell));
  const widthOf = (at: number) =>
    Math.max(Bun.stringWidth(headings[at] ?? ''), ...cells.map((row) => Bun.stringWidth(row[at] ?? '')));
  const widths = headings.map((_heading, at) => widthOf(at));
  const sentences = widths.flatMap((_width, at) =>
    at < widths.length - 1 && cells.some((row) => row[at]?.includes(' ')) ? [at] : [],
  );
  const excess = () => widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - room;
  while (excess() > 0) {
    const widest = sentences.reduce((most, at) => ((widths[at] ?? 0) > (widths[most] ?? 0) ? at : most), -1);
    const width = widths[widest] ?? 0;
    if (width <= narrowest) break;
    widths[widest] = Math.max(narrowest, width - excess());
  }
  cells = cells.map((row) => row.map((text, at) => (sentences.includes(at) ? shorten(text, widths[at] ?? 0) : text)));
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => (at === row.length - 1 ? text : text + ' '.repeat((widths[at] ?? 0) - Bun.stringWidth(text))))
      .join(gap);
  return [bold(line(headings)), ...cells.map(line)].join('\n');
}

/** One thing, a line for each of its fields. */
export function fields(entries: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${bold(name.padEnd(width))}  ${cell(value)}`)
    .join('\n');
}
