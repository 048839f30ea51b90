// Small parts of the customers' pages: icons, moments, text with its web addresses.

import { html } from 'hono/html';
import { type IconName, iconPaths } from '../../../web/shared/icon-paths.ts';
import { textParts } from '../../../web/shared/text-parts.ts';
import type { Reader } from './texts.ts';

export type Html = ReturnType<typeof html>;

export const nothing = html``;

export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${iconPaths[name]}" /></svg>`;
}

const formats = new Map<string, Intl.DateTimeFormat>();
// Browsers name a thousand languages and regions.
const mostFormats = 100;

function formatted(at: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${options.timeStyle ?? ''}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  if (formats.size >= mostFormats) formats.clear();
  formats.set(key, format);
  return format.format(Date.parse(at));
}

export function day(at: string, { locale }: Reader): string {
  return formatted(at, locale, { dateStyle: 'medium' });
}

/** In UTC. The script of the page writes it in the reader's zone. */
export function moment(at: string, { locale }: Reader): Html {
  return html`<time datetime="${at}">${formatted(at, locale, { dateStyle: 'medium', timeStyle: 'short' })} UTC</time>`;
}

export function linkedText(text: string): Html[] {
  return textParts(text).map(({ text: words, href }) =>
    href === null
      ? html`${words}`
      : html`<a href="${href}" dir="ltr" target="_blank" rel="noopener noreferrer nofollow">${words}</a>`,
  );
}

/** Up to two letters of a name. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return `${Array.from(first)[0] ?? ''}${Array.from(last)[0] ?? ''}`.toUpperCase();
}
