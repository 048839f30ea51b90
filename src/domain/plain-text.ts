// Customers' text made fit for one line, a box or a length: no control characters, cut between characters.

// Embeddings, overrides and isolates reverse the text around them; marks (LRM, RLM, ALM) do not.
const turning = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Of printable ASCII with single spaces between words, as most texts are. */
function isOneLine(text: string): boolean {
  let before = 0x20;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit > 0x7e || (unit === 0x20 && before === 0x20)) return false;
    before = unit;
  }
  return before !== 0x20 || text === '';
}

export function oneLine(text: string): string {
  if (isOneLine(text)) return text;
  return text
    .toWellFormed()
    .replace(turning, '')
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim();
}

/** Markdown as one line of a list shows it, without the marks of headings, quotes, lists, links, code and emphasis. */
export function withoutMarks(markdown: string): string {
  return markdown
    .replace(/^(?:```|~~~).*$/gm, '')
    .replace(/^[ \t]{0,8}(?:(?:#{1,6} |> ?|[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] ))+/gm, '')
    .replace(/!?\[([^[\]]{0,200})\]\([^()\s]{0,300}\)/g, '$1')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/(^|[\s(])[*_](?=\S)/gm, '$1')
    .replace(/(\S)[*_](?=[\s).,;:!?]|$)/gm, '$1');
}

export function lines(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(turning, '')
      .replace(/\r\n?|[\u2028\u2029\u0085]/gu, '\n')
      .replace(/(?![\n\t])\p{Cc}/gu, '')
      // A regular expression for trailing spaces takes quadratic time on a long run of spaces.
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+|\n+$/g, '')
  );
}

export function firstLines(text: string, count: number): string {
  const all = text.split('\n');
  return all.length <= count ? text : `${all.slice(0, count).join('\n')}\n…`;
}

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });
const longestCharacter = 32;

/** At most `maxLength` UTF-16 units after `encode`, ellipsis included. Cuts between graphemes; an absurdly long one is cut between code points. */
export function fit(text: string, maxLength: number, encode: (part: string) => string = (part) => part): string {
  const whole = encode(text);
  if (whole.length <= maxLength) return whole;
  let kept = '';
  // Encoding never shortens, so nothing beyond the limit can be in the result.
  for (const { segment } of characters.segment(text.slice(0, maxLength + longestCharacter).toWellFormed())) {
    for (const part of segment.length > longestCharacter ? segment : [segment]) {
      const encoded = encode(part);
      if (kept.length + encoded.length + 1 > maxLength) return `${kept}…`;
      kept += encoded;
    }
  }
  return `${kept}…`;
}
