// What a customer wrote, made fit for a line, a box or a limit: controls removed, cut between characters.

// Embeddings, overrides and isolates turn the text around them; the marks (LRM, RLM, ALM) do not.
const turning = /[\u202a-\u202e\u2066-\u2069]/gu;

/** One line: line breaks and other controls become a space; nothing in it turns the text after it around. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(turning, '')
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim();
}

/** Lines as they were, without other controls, and with at most one empty line between two. */
export function lines(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(turning, '')
      .replace(/\r\n?|[\u2028\u2029\u0085]/gu, '\n')
      .replace(/(?![\n\t])\p{Cc}/gu, '')
      // An expression for spaces before the end of a line takes the square of the length of a run of them.
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+|\n+$/g, '')
  );
}

/** The first `count` lines, with an ellipsis if there were more. */
export function firstLines(text: string, count: number): string {
  const all = text.split('\n');
  return all.length <= count ? text : `${all.slice(0, count).join('\n')}\n…`;
}

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });
const longestCharacter = 32;

/**
 * `text` through `encode`, cut so that the result has at most `maxLength` UTF-16 units, ellipsis included. Cut between
 * characters as a reader sees them; one that is absurdly long (stacked accents) is cut between code points.
 */
export function fit(text: string, maxLength: number, encode: (part: string) => string = (part) => part): string {
  const whole = encode(text);
  if (whole.length <= maxLength) return whole;
  let kept = '';
  // Encoding never shortens, so nothing beyond the limit can be part of the result.
  for (const { segment } of characters.segment(text.slice(0, maxLength + longestCharacter).toWellFormed())) {
    for (const part of segment.length > longestCharacter ? segment : [segment]) {
      const encoded = encode(part);
      if (kept.length + encoded.length + 1 > maxLength) return `${kept}…`;
      kept += encoded;
    }
  }
  return `${kept}…`;
}
