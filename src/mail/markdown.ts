// Turns agents' Markdown into safe HTML, within a bounded amount of work.

import { Marked } from 'marked';
import { sanitiseHtml } from './inbound/sanitise.ts';

class TooMuchWork extends Error {}

// Each step of the parser looks at what is left of the text. In nanoseconds on an ordinary machine, for each character,
// for each mark that emphasis tries, and for each cell of a table.
const costs = { inlineStep: 1, blockStep: 4, mark: 30, cell: 2500 };

// A reply of 10,000 characters in ordinary paragraphs needs a twentieth of it.
const mostWork = 12_000_000;

// The parser looks ahead at each line of a paragraph or table, which no hook counts.
const mostLines = 1_500;

const manyMarksInAddress = /^(?:https?:\/\/|ftp:\/\/|www\.)\S{0,2000}?[?!.,:;*_'"~)]{32}/i;

let work = 0;

/** @returns false, after which the parser goes on as usual */
function spend(amount: number): false {
  work += amount;
  if (work > mostWork) throw new TooMuchWork();
  return false;
}

function countMarks(text: string): number {
  let total = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2a || code === 0x5f) total += 1;
  }
  return total;
}

const beginOfTable = /^[^\n]*\|[^\n]*\n([ \t:|-]*\|[ \t:|-]*)(?:\n|$)/;

/** Short lines get as many cells as the head has. */
function countCells(text: string): number {
  const [, dashes] = beginOfTable.exec(text) ?? [];
  if (dashes === undefined) return 0;
  const end = text.search(/\n[ \t]*\n/);
  const table = end === -1 ? text : text.slice(0, end);
  return dashes.split('|').length * table.split('\n').length;
}

const parser = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: {
    space: (text) => spend(text.length * costs.blockStep),
    escape: (text) => spend(text.length * costs.inlineStep),
    emStrong: (text) => (/^[*_]/.test(text) ? spend(countMarks(text) * costs.mark) : false),
    table: (text) => spend(countCells(text) * costs.cell),
    // The parser takes such marks off the end of an address one by one.
    url: (text) => (manyMarksInAddress.test(text) ? undefined : false),
    // A line above dashes is not a heading: people underline, and sign below "--". Matching them takes quadratic time.
    lheading: () => undefined,
    // HTML is shown as it was written.
    html: () => undefined,
    tag: () => undefined,
  },
  renderer: {
    // Mail programs and the console would load a remote image from someone else's server.
    image({ href, text }) {
      return `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

// The parser looks at the rest of a run of blanks from each of them. No one reads more than these.
const mostBlanks = 200;
const longBlanks = new RegExp(`[ \\t]{${mostBlanks},}`, 'g');

/** Never throws: Markdown that takes too long to read is shown as it was written. */
export function renderMarkdown(source: string): string {
  work = 0;
  if (source.split(/\r\n?|\n/).length > mostLines) return asWritten(source);
  try {
    const bounded = source.replace(longBlanks, (blanks) => blanks.slice(0, mostBlanks));
    return sanitiseHtml(parser.parse(bounded, { async: false }), { cidUrl: () => null }).html.trim();
  } catch {
    // Either TooMuchWork, or nested so deeply that the stack is full.
    return asWritten(source);
  }
}

export function asWritten(source: string): string {
  return source
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('\n');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
