// The text part of a reply that was written in Markdown: made from its HTML, without the marks of Markdown.

import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import { lines } from '../../domain/plain-text.ts';
import { asWritten } from '../markdown.ts';

/** Struck words would otherwise read as if they were meant. */
const struck: FormatCallback = (element, walk, builder) => {
  builder.addLiteral('~~');
  walk(element.children, builder);
  builder.addLiteral('~~');
};

const apart = { leadingLineBreaks: 2, trailingLineBreaks: 2 };

const options: HtmlToTextOptions = {
  formatters: { struck },
  wordwrap: false,
  limits: { maxInputLength: 1_000_000 },
  selectors: [
    { selector: 'a', options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true } },
    { selector: 'del', format: 'struck' },
    { selector: 'hr', options: { ...apart, length: 3 } },
    { selector: 'p', options: apart },
    { selector: 'pre', options: apart },
    { selector: 'blockquote', options: { ...apart, trimEmptyLines: true } },
    { selector: 'ul', options: { ...apart, itemPrefix: '- ' } },
    { selector: 'ol', options: apart },
    { selector: 'table', format: 'dataTable', options: { ...apart, uppercaseHeaderCells: false, colSpacing: 2 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { ...apart, uppercase: false } })),
  ],
};

const convert = compile(options);

/** @param html what the desk made of the source */
export function writtenAsText(source: string, html: string): string {
  return lines(html === asWritten(source) ? source : convert(html));
}
