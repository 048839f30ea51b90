// What the buttons, shortcuts and Enter do to Markdown: a text with a selection in, the changed one out.

export interface Written {
  text: string;
  start: number;
  end: number;
}

export const markdownActions = ['bold', 'italic', 'code', 'link', 'bullets', 'numbers', 'quote'] as const;
export type MarkdownAction = (typeof markdownActions)[number];

export function edited(written: Written, action: MarkdownAction): Written {
  switch (action) {
    case 'bold':
      return wrapped(written, '**');
    case 'italic':
      return wrapped(written, '_');
    case 'code':
      return chosen(written).includes('\n') ? fenced(written) : wrapped(written, '`');
    case 'link':
      return linked(written);
    case 'bullets':
      return prefixed(written, /^(\s*)[-*+] /, () => '- ');
    case 'numbers':
      return prefixed(written, /^(\s*)\d+[.)] /, (line) => `${line + 1}. `);
    case 'quote':
      return prefixed(written, /^()> ?/, () => '> ');
  }
}

/** What Enter does inside a list or a quote: it goes on, or ends when its line is empty. Null anywhere else. */
export function continued({ text, start, end }: Written): Written | null {
  if (start !== end) return null;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(lineStart, start);
  const found = /^(\s*)([-*+]|(\d+)([.)])|>) /.exec(line);
  if (found === null) return null;
  const [marker, indent = '', sign = '', number, after = ''] = found;
  if (line === marker) return replaced(text, lineStart, start, '', 0, 0);
  const next = number === undefined ? sign : `${Number(number) + 1}${after}`;
  const added = `\n${indent}${next} `;
  return replaced(text, start, start, added, added.length, added.length);
}

/**
 * Someone who types the mark of the next item, which Enter has put there already, means it once, with blanks before it as one of a list within. Null if they did not: what
 * begins the first line, or stands twice in the line before, is meant so.
 */
export function markedOnce({ text, start, end }: Written): Written | null {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const found = /^(\s*)(?:[-*+]|\d{1,9}[.)]|>) ( *)([-*+]|\d{1,9}[.)]|>) $/.exec(text.slice(lineStart, start));
  if (found === null || start !== end || lineStart === 0) return null;
  const [typed, indent = '', deeper = '', mark = ''] = found;
  const before = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart);
  const isItem = /^\s*(?:[-*+]|\d{1,9}[.)]|>) (?!(?:[-*+]|\d{1,9}[.)]|>) )/.test(before);
  const once = `${indent}${deeper}${mark} `;
  return isItem ? replaced(text, lineStart, lineStart + typed.length, once, once.length, once.length) : null;
}

/** Without the items of a list or quote at its end that were begun and stayed empty. */
export function withoutEmptyEnd(text: string): string {
  const shorter = text.replace(/(?:^|\n)[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>)[ \t]+)+\s*$/, '');
  return shorter === text ? text : withoutEmptyEnd(shorter);
}

/** Turns the selection into a link to the pasted address. Null if no address was pasted, or nothing is selected. */
export function pastedLink(written: Written, pasted: string): Written | null {
  const address = pasted.trim();
  const words = chosen(written);
  if (words === '' || words.includes('\n') || !/^https?:\/\/\S+$/.test(address)) return null;
  const link = `[${words}](${address})`;
  return replaced(written.text, written.start, written.end, link, link.length, link.length);
}

function chosen({ text, start, end }: Written): string {
  return text.slice(start, end);
}

function replaced(text: string, from: number, to: number, by: string, start: number, end: number): Written {
  return { text: text.slice(0, from) + by + text.slice(to), start: from + start, end: from + end };
}

/** Puts the mark around the selection, or takes it away again. Spaces at its ends stay outside. */
function wrapped(written: Written, mark: string): Written {
  const { text, start, end } = written;
  const { length } = mark;
  if (text.slice(start - length, start) === mark && text.slice(end, end + length) === mark)
    return replaced(text, start - length, end + length, chosen(written), 0, end - start);
  const whole = chosen(written);
  const inner = whole.trim();
  if (inner.length >= 2 * length && inner.startsWith(mark) && inner.endsWith(mark)) {
    const bare = whole.replace(inner, inner.slice(length, -length));
    return replaced(text, start, end, bare, 0, bare.length);
  }
  const lead = whole.length - whole.trimStart().length;
  const from = start + (inner === '' ? 0 : lead);
  const to = inner === '' ? end : from + inner.length;
  return replaced(text, from, to, mark + text.slice(from, to) + mark, length, length + to - from);
}

function fenced(written: Written): Written {
  const { text, start, end } = written;
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n';
  const after = end === text.length || text[end] === '\n' ? '' : '\n';
  const head = `${before}\`\`\`\n`;
  const inner = chosen(written).replace(/\n$/, '');
  return replaced(text, start, end, `${head}${inner}\n\`\`\`${after}`, head.length, head.length + inner.length);
}

/** The address is selected afterwards, or the text where an address was selected. */
function linked(written: Written): Written {
  const { text, start, end } = written;
  const words = chosen(written);
  if (/^https?:\/\/\S+$/.test(words)) return replaced(text, start, end, `[](${words})`, 1, 1);
  const address = 'https://';
  const from = words.length + 3;
  return replaced(text, start, end, `[${words}](${address})`, from, from + address.length);
}

/** Begins every selected line with a mark; if all have it already, takes it away. */
function prefixed({ text, start, end }: Written, mark: RegExp, prefix: (line: number) => string): Written {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', Math.max(start, end - 1));
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isMarked = lines.every((line) => mark.test(line));
  const anyList = /^(\s*)(?:[-*+]|\d+[.)]) /;
  const changed = lines.map((line, at) => {
    if (isMarked) return line.replace(mark, '$1');
    return prefix(at) + (prefix(0) === '> ' ? line : line.replace(anyList, '$1'));
  });
  const by = changed.join('\n');
  const isOneLine = lines.length === 1 && start === end;
  const caret = Math.max(0, start - from + by.length - (to - from));
  return isOneLine ? replaced(text, from, to, by, caret, caret) : replaced(text, from, to, by, 0, by.length);
}
