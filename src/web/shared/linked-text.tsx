// Plain text with its web addresses as links.

import type { ComponentChildren } from 'preact';

/** @param drawText draws what is not an address */
export function linkedText(
  text: string,
  drawText: (words: string) => ComponentChildren = (words) => words,
): ComponentChildren[] {
  return textParts(text).map(({ text: words, href }) =>
    href === null ? (
      drawText(words)
    ) : (
      // Text around it that runs from right to left must not show another address.
      <a href={href} dir="ltr" target="_blank" rel="noopener noreferrer nofollow">
        {words}
      </a>
    ),
  );
}

// Plain text in parts: words and web addresses.
interface TextPart {
  text: string;
  /** Null for words. */
  href: string | null;
}

const address = /\bhttps?:\/\/[^\s<>"'“”«»\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,2000}/gi;
const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
const brackets = new Set(Object.entries(closing).flat());

export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const link = withoutPunctuation(match[0]);
    if (!URL.canParse(link)) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), href: null });
    parts.push({ text: link, href: link });
    end = match.index + link.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/** A full stop after an address ends the sentence, and a bracket without its partner belongs to the text around it. */
function withoutPunctuation(link: string): string {
  const counts = new Map<string, number>();
  for (const mark of link) if (brackets.has(mark)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  let end = link.length;
  for (; end > 0; end -= 1) {
    const last = link.charAt(end - 1);
    const partner = closing[last];
    const isLoose = partner !== undefined && (counts.get(last) ?? 0) > (counts.get(partner) ?? 0);
    if (!isLoose && !/[.,;:!?…]/.test(last)) break;
    if (partner !== undefined) counts.set(last, (counts.get(last) ?? 0) - 1);
  }
  return link.slice(0, end);
}
