// Converts HTML to plain text. Quotations keep their marks, so that they can be folded.
import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import { isSafeLink } from '../link-schemes.ts';
import { mailLimits } from './limits.ts';

/** Separates cells with a space; layout tables are too common to draw. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

/** GMX and its sisters put no line between the header of a quote and its text. */
const afterBlank: FormatCallback = (element, walk, builder) => {
  builder.openBlock();
  builder.closeBlock();
  builder.openBlock();
  walk(element.children, builder);
  builder.closeBlock();
};

const options: HtmlToTextOptions = {
  formatters: { cell, afterBlank },
  wordwrap: false,
  preserveNewlines: false,
  limits: { maxInputLength: mailLimits.htmlBytes, maxDepth: 150, ellipsis: '…' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'script', format: 'skip' },
    { selector: 'title', format: 'skip' },
    {
      selector: 'a',
      options: {
        hideLinkHrefIfSameAsText: true,
        ignoreHref: false,
        linkBrackets: ['<', '>'],
        noAnchorUrl: true,
        pathRewrite: (href: string) => (isSafeLink(href) ? href : ''),
      },
    },
    {
      selector: 'blockquote',
      format: 'blockquote',
      options: { leadingLineBreaks: 2, trailingLineBreaks: 2, trimEmptyLines: true },
    },
    { selector: 'div[name=quoted-content]', format: 'afterBlank' },
    { selector: 'hr', format: 'horizontalLine', options: { length: 32 } },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'p', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
  ],
};

// Made when it is first used: it takes a twentieth of the start of the desk.
let convert: ReturnType<typeof compile> | null = null;

/** Deeper than real mail; the converter takes quadratic time in the depth. */
const deepest = 400;
const tag = /<(\/?)(\w{1,20})/g;
const neverNested = /^(p|li|td|th|tr|dt|dd|option|br|hr|img|input|meta|link|col|area|base|wbr|source|embed)$/i;

export function isNestedTooDeep(html: string): boolean {
  let depth = 0;
  for (const match of html.matchAll(tag)) {
    if (neverNested.test(match[2]!)) continue;
    depth = Math.max(0, depth + (match[1] === '/' ? -1 : 1));
    if (depth > deepest) return true;
  }
  return false;
}

export function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]{0,1000}>/g, ' ')
    .replace(/[ \t]{2,}/g, ' ')
    .trim();
}

/** The converter begins at a body. A mail that has none of its own may quote a page, and its words stand before that. */
function asWhole(html: string): string {
  const page = html.search(/<(?:head|body)\b/i);
  const isQuoted = page > 0 && withoutTags(html.slice(0, page)) !== '';
  return isQuoted ? html.replace(/<(\/?)body\b/gi, '<$1div') : html;
}

/** Never throws: unreadable HTML only loses its tags. */
export function htmlToPlainText(html: string): string {
  if (html === '') return '';
  const bounded = html.slice(0, mailLimits.htmlBytes);
  if (isNestedTooDeep(bounded)) return withoutTags(bounded);
  try {
    // Cells and indentation leave trailing spaces, and editors write no-break spaces. An empty line is a block with a
    // break in it, which makes two.
    convert ??= compile(options);
    return convert(asWhole(bounded))
      .replaceAll('\u00a0', ' ')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  } catch {
    return withoutTags(bounded);
  }
}
