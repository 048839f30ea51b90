// What the HTML of a mail needs: a frame at all, images of other hosts, or a bright page.

import type { Message } from '../../wire.ts';

/** HTML that only wraps lines says no more than its text. */
const wrapping = /<(?!\/?(?:div|p|br|span|body|html)\b)[a-z]|\s(?:style|bgcolor|dir)=/i;
const colours = /\b(?:color|background|bgcolor)\b\s*[=:]/i;

export function isFormatted({ html, whole_body: whole }: Pick<Message, 'html' | 'whole_body'>): boolean {
  if (html === null) return false;
  return wrapping.test(whole === null ? html : beforeHistory(html));
}

/** The text of a mail was cut here (docs/spec/behaviour.md#limits): the rest of it is not history. */
const longestBody = 10_000;

/** The frame can fold only quotations; other history stays open in it, and the text is the shorter reading. */
export function isReadAsText(message: Pick<Message, 'body' | 'html' | 'whole_body'>): boolean {
  const { body, html, whole_body: whole } = message;
  const hasHistory = whole !== null && body.length < longestBody;
  return !isFormatted(message) || (html !== null && hasHistory && !/<blockquote\b/i.test(html));
}

function beforeHistory(html: string): string {
  const at = html.search(/<blockquote\b/i);
  return at < 0 ? html : html.slice(0, at);
}

export function hasRemoteImages(html: string): boolean {
  return /<img\b[^<>]*\sdata-remote-src="/.test(html);
}

export function hasOwnColours(html: string): boolean {
  return colours.test(html.replace(/>[^<]*</g, '><'));
}
