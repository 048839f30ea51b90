// Renders a mail body as plain text and as HTML.

import { brandColorPattern, brandTones, contrast, leastContrast } from '../../domain/brand-colors.ts';
import { lines, oneLine } from '../../domain/plain-text.ts';
import type { Locale } from '../../domain/preferences.ts';

export type Part =
  /** Written by the desk; names in it have been through `oneLine`. */
  | { kind: 'sentence'; text: string }
  /** `html` is safe already. */
  | { kind: 'words'; text: string; html: string | null }
  | { kind: 'quote'; introduction: string; text: string }
  | { kind: 'link'; label: string; url: string }
  | { kind: 'list'; items: { text: string; url: string }[] }
  | { kind: 'code'; code: string };

export interface Letter {
  language: Locale;
  parts: Part[];
  footer: string;
  color?: string | null;
}

export function letterAsText({ parts, footer }: Letter): string {
  return `${[...parts.map(partAsText), `-- \n${footer}`].join('\n\n')}\n`;
}

function partAsText(part: Part): string {
  switch (part.kind) {
    case 'sentence':
      return part.text;
    case 'words':
      return lines(part.text);
    case 'quote':
      return [part.introduction, ...lines(part.text).split('\n').map(quotedLine)].join('\n');
    case 'link':
      return `${part.label}: ${part.url}`;
    case 'list':
      return part.items.map(({ text, url }) => `${text}\n${url}`).join('\n\n');
    case 'code':
      return `    ${part.code}`;
  }
}

function quotedLine(line: string): string {
  return line === '' ? '>' : `> ${line}`;
}

// Inline, because some clients drop style elements. Without background and text colour, dark mode can choose both.
const styles = {
  body: 'margin:0;padding:0;-webkit-text-size-adjust:100%',
  page: 'max-width:600px;margin:0 auto;padding:16px;font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere;word-break:break-word',
  paragraph: 'margin:0 0 16px',
  quote: 'margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #94a3b8',
  button: 'display:inline-block;padding:10px 16px;border-radius:6px;text-decoration:none;font-weight:600',
  code: 'margin:0 0 16px;font-size:28px;font-weight:600;letter-spacing:4px',
  footer: 'margin:24px 0 0;padding:12px 0 0;border-top:1px solid #94a3b8;font-size:13px;opacity:0.75',
};

const usualColor = '#2563eb';

function buttonStyle(color: string | null): string {
  const known = color !== null && brandColorPattern.test(color) ? color : usualColor;
  const { accent, onAccent } = brandTones(known, 'light');
  // One style for both themes: a dark button gets an edge that shows on black.
  const edge = contrast(accent, '#000000') < leastContrast.shape ? ';border:1px solid #94a3b8' : '';
  return `${styles.button};background:${accent};color:${onAccent}${edge}`;
}

export function letterAsHtml({ language, parts, footer, color = null }: Letter): string {
  const button = buttonStyle(color);
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">`,
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head>',
    `<body style="${styles.body}"><div style="${styles.page}">`,
    ...parts.map((part) => partAsHtml(part, button)),
    `<p dir="auto" style="${styles.footer}">${escapeHtml(footer)}</p>`,
    '</div></body></html>',
    '',
  ].join('\n');
}

function partAsHtml(part: Part, button: string): string {
  switch (part.kind) {
    case 'sentence':
      return `<p dir="auto" style="${styles.paragraph}">${escapeHtml(part.text)}</p>`;
    case 'words':
      return part.html === null
        ? paragraphs(part.text)
        : `<div dir="auto" style="${styles.paragraph}">\n${part.html}\n</div>`;
    case 'quote':
      return [
        `<p dir="auto" style="${styles.paragraph}">${escapeHtml(part.introduction)}</p>`,
        `<blockquote type="cite" style="${styles.quote}">${paragraphs(part.text)}</blockquote>`,
      ].join('\n');
    case 'link':
      return `<p style="${styles.paragraph}"><a href="${escapeHtml(part.url)}" style="${button}">${escapeHtml(part.label)}</a></p>`;
    case 'list':
      return part.items
        .map(
          ({ text, url }) =>
            `<p dir="auto" style="${styles.paragraph}"><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`,
        )
        .join('\n');
    case 'code':
      return `<p style="${styles.code}">${escapeHtml(part.code)}</p>`;
  }
}

/** One mail can mix text directions. */
function paragraphs(text: string): string {
  return lines(text)
    .split('\n\n')
    .map(
      (paragraph) =>
        `<p dir="auto" style="${styles.paragraph}">${escapeHtml(paragraph).replaceAll('\n', '<br>\n')}</p>`,
    )
    .join('\n');
}

function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/\t/g, '    ')
    .replace(/^ | {2}/gm, (spaces) => '&nbsp;'.repeat(spaces.length));
}

export function named(name: string | null, otherwise: string): string {
  return oneLine(name ?? '') || otherwise;
}
