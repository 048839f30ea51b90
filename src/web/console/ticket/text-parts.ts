// Plain text in parts: words and web addresses. And what the desk adds to the text of a mail.

interface TextPart {
  text: string;
  /** Null for words. */
  href: string | null;
}

const address = /\bhttps?:\/\/[^\s<>"'“”«»\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,2000}/gi;
const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

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
  let kept = link;
  for (;;) {
    const last = kept.at(-1) ?? '';
    const partner = closing[last];
    const isLoose = partner !== undefined && kept.split(last).length > kept.split(partner).length;
    if (!isLoose && !/[.,;:!?…]/.test(last)) return kept;
    kept = kept.slice(0, -1);
  }
}

const refusedNote = /\n\n\[Not accepted: ([^\n]{1,4000})\]$/;

/** The desk names files that it did not accept at the end of the text (src/desk/inbound/carry-out.ts). */
export function withoutRefused(body: string): { body: string; refused: string | null } {
  const found = refusedNote.exec(body);
  return found === null ? { body, refused: null } : { body: body.slice(0, found.index), refused: found[1] ?? null };
}

/** What was folded away: the rest of the whole text, or all of it where the text is not its beginning. */
export function foldedText(body: string, whole: string): { text: string; isRest: boolean } {
  const rest = whole.startsWith(body) ? whole.slice(body.length).replace(/^\s*\n/, '') : '';
  return rest.trim() === '' ? { text: whole, isRest: false } : { text: rest, isRest: true };
}
