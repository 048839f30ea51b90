// Renders a mail body as plain text and as HTML.

import type { Locale } from '../../domain/people/preferences.ts';
import { lines, oneLine } from '../../domain/plain-text.ts';
import { brandColorPattern, brandTones, contrast, leastContrast } from '../../domain/sites/brand-colors.ts';

export type Part =
  /** Written by the desk; names in it have been through `oneLine`. */
  | { kind: 'sentence'; text: string }
  /** `html` is safe already. */
  /** For mail programs rather than for readers. */
  | { kind: 'faint'; text: string }
  | { kind: 'facts'; facts: { label: string; value: string }[] }
  | { kind: 'words'; text: string; html: string | null }
  | { kind: 'quote'; introduction: string; text: string }
  | { kind: 'link'; label: string; url: string }
  /** Side by side, of equal weight. */
  | { kind: 'choice'; links: { label: string; url: string }[] }
  | { kind: 'list'; items: { text: string; url: string }[] }
  | { kind: 'code'; code: string }
  /** The first column names each row; the others are numbers. */
  | { kind: 'table'; columns: string[]; rows: string[][] };

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
    case 'faint':
      return part.text;
    case 'facts':
      return part.facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
    case 'words':
      return lines(part.text);
    case 'quote':
      return [part.introduction, ...lines(part.text).split('\n').map(quotedLine)].join('\n');
    case 'link':
      return `${part.label}: ${part.url}`;
    case 'choice':
      return part.links.map(({ label, url }) => `${label}: ${url}`).join('\n');
    case 'list':
      return part.items.map(({ text, url }) => `${text}\n${url}`).join('\n\n');
    case 'code':
      return `    ${part.code}`;
    case 'table':
      return tableAsText(part);
  }
}

const textWidth = 78;

/** Side by side where that fits into a line of mail; otherwise each row as a paragraph. */
function tableAsText({ columns, rows }: Extract<Part, { kind: 'table' }>): string {
  const widths = columns.map((name, at) =>
    Math.max(...[name, ...rows.map((row) => row[at] ?? '')].map((cell) => [...cell].length)),
  );
  const width = widths.reduce((sum, one) => sum + one + 2, -2);
  if (width > textWidth)
    return rows
      .map(([name, ...cells]) => [name, ...cells.map((cell, at) => `  ${columns[at + 1]}: ${cell}`)].join('\n'))
      .join('\n\n');
  return [columns, ...rows]
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function quotedLine(line: string): string {
  return line === '' ? '>' : `> ${line}`;
}

// Inline, because some clients drop style elements. Without background and text colour, dark mode can choose both.
const styles = {
  body: 'margin:0;padding:0;-webkit-text-size-adjust:100%',
  page: 'max-width:600px;margin:0 auto;padding:16px;font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere;word-break:break-word',
  paragraph: 'margin:0 0 16px',
  faint: 'margin:0 0 16px;font-size:13px;opacity:0.75',
  label: 'opacity:0.75',
  quote: 'margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #94a3b8',
  button: 'display:inline-block;padding:10px 16px;border-radius:6px;text-decoration:none;font-weight:600',
  choice:
    'display:inline-block;margin:0 8px 8px 0;padding:9px 16px;border:1px solid #94a3b8;border-radius:6px;text-decoration:none;font-weight:600;color:inherit',
  code: 'margin:0 0 16px;font-size:28px;font-weight:600;letter-spacing:4px',
  scroller: 'margin:0 0 16px;overflow-x:auto',
  table: 'border-collapse:collapse;width:100%;font-size:14px;word-break:normal;overflow-wrap:normal',
  heading: 'padding:6px 8px;border-bottom:1px solid #94a3b8;font-weight:600;vertical-align:bottom',
  cell: 'padding:6px 8px;border-bottom:1px solid #94a3b855;vertical-align:top;white-space:nowrap',
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
    case 'faint':
      return `<p dir="auto" style="${styles.faint}">${escapeHtml(part.text)}</p>`;
    case 'facts': {
      const shown = part.facts.map(
        ({ label, value }) => `<span style="${styles.label}">${escapeHtml(label)}:</span> ${escapeHtml(value)}`,
      );
      return `<p dir="auto" style="${styles.paragraph}">${shown.join('<br>\n')}</p>`;
    }
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
    case 'choice': {
      const links = part.links.map(
        ({ label, url }) => `<a href="${escapeHtml(url)}" style="${styles.choice}">${escapeHtml(label)}</a>`,
      );
      return `<p style="${styles.paragraph}">${links.join('\n')}</p>`;
    }
    case 'list':
      return part.items
        .map(
          ({ text, url }) =>
            `<p dir="auto" style="${styles.paragraph}"><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`,
        )
        .join('\n');
    case 'code':
      return `<p style="${styles.code}">${escapeHtml(part.code)}</p>`;
    case 'table':
      return tableAsHtml(part);
  }
}

function tableAsHtml({ columns, rows }: Extract<Part, { kind: 'table' }>): string {
  const side = (at: number) => `text-align:${at === 0 ? 'start' : 'end'}`;
  const head = columns.map(
    (name, at) => `<th scope="col" style="${styles.heading};${side(at)}">${escapeHtml(name)}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map((cell, at) => {
      const [tag, scope, weight] = at === 0 ? ['th', ' scope="row"', ';font-weight:400'] : ['td', '', ''];
      return `<${tag}${scope} dir="auto" style="${styles.cell};${side(at)}${weight}">${escapeHtml(cell)}</${tag}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return [
    `<div style="${styles.scroller}"><table style="${styles.table}">`,
    `<thead><tr>${head.join('')}</tr></thead>`,
    `<tbody>${body.join('\n')}</tbody></table></div>`,
  ].join('\n');
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
