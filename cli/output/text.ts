// Text for people: tables and fields, with colour only on a terminal and without control characters.

import { styleText } from 'node:util';
import { textWidth } from '#platform/terminal.ts';
import { isColourWanted } from '../../src/base/environment.ts';

const isColoured = () => isColourWanted(process.stdout.isTTY);

/** Untrusted text without control characters, so that a subject cannot move the cursor. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

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
const narrowestColumn = 16;

function terminalWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function shorten(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (textWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** If rows are wider than the terminal, columns with sentences are cut; ids, times, addresses and the last column are not. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  room = terminalWidth(),
): string {
  if (rows.length === 0) return 'None.';
  let cells = rows.map((row) => row.map(cell));
  const widthOf = (at: number) =>
    Math.max(textWidth(headings[at] ?? ''), ...cells.map((row) => textWidth(row[at] ?? '')));
  const widths = headings.map((_heading, at) => widthOf(at));
  const sentences = widths.flatMap((_width, at) =>
    at < widths.length - 1 && cells.some((row) => row[at]?.includes(' ')) ? [at] : [],
  );
  const excess = () => widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - room;
  while (excess() > 0) {
    const widest = sentences.reduce((most, at) => ((widths[at] ?? 0) > (widths[most] ?? 0) ? at : most), -1);
    const width = widths[widest] ?? 0;
    if (width <= narrowestColumn) break;
    widths[widest] = Math.max(narrowestColumn, width - excess());
  }
  cells = cells.map((row) => row.map((text, at) => (sentences.includes(at) ? shorten(text, widths[at] ?? 0) : text)));
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => (at === row.length - 1 ? text : text + ' '.repeat((widths[at] ?? 0) - textWidth(text))))
      .join(gap);
  return [bold(line(headings)), ...cells.map(line)].join('\n');
}

export function fields(entries: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${bold(name.padEnd(width))}  ${cell(value)}`)
    .join('\n');
}
