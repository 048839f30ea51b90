// The new text of a message, with quoted history, signature and disclaimer folded away. When in doubt it stays.
import {
  attributionAt,
  headerBlockAt,
  isDisclaimer,
  isForwardSeparator,
  isForwardSubject,
  isMobileSignature,
  isOriginalSeparator,
  isQuoted,
  isReplyAbove,
  isTitle,
} from './folding.ts';
import { htmlToPlainText } from './html-text.ts';
import type { EmbeddedMessage, InboundMessage } from './message.ts';
import { answersWithin } from './quotes/separators.ts';
import { type ReplyLibrary, replyLibrary } from './reply-library.ts';

/** docs/spec/api.md#ingest: the longest message body. */
export const longestBody = 10_000;

export type FoldedBody = {
  /** The new text, at most 10000 characters. */
  body: string;
  /** All of it. */
  whole: string;
  /** Something of `whole` is not in `body` because it is history, signature or disclaimer. */
  foldedAway: boolean;
  /** `body` was longer than 10000 characters: keep `whole` as an attachment. */
  isCut: boolean;
};

/** The text of a message: its text part, else its HTML as text, with messages forwarded as files below it. */
export function bodyOf(message: Pick<InboundMessage, 'text' | 'html' | 'order' | 'embedded' | 'subject'>): FoldedBody {
  const folded = foldReply(wordsOf(message), message.subject);
  if (message.embedded.length === 0) return folded;
  const forwarded = message.embedded.map(forwardedText).join('\n\n');
  const body = [folded.body, forwarded].filter((each) => each !== '').join('\n\n');
  return limited(body, `${folded.whole}\n\n${forwarded}`.trim(), folded.foldedAway);
}

function wordsOf({ text, html, order }: Pick<InboundMessage, 'text' | 'html' | 'order'>): string {
  const plain = (text ?? '').trim() === '' ? '' : (text ?? '');
  if (html === null || (plain !== '' && order === 'alternatives')) return plain;
  const fromHtml = htmlToPlainText(html);
  const both = order === 'text_then_html' ? [plain, fromHtml] : [fromHtml, plain];
  return both.filter((each) => each !== '').join('\n\n');
}

/** Folds one text. The subject tells a forward from a reply where the text does not. */
export function foldReply(text: string, subject = ''): FoldedBody {
  const whole = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\u00a0', ' ').trim();
  const lines = whole.split('\n');
  const library = replyLibrary();
  const above = withoutHistory(lines, subject, library);
  const kept = withoutClosing(above, library, above.length < lines.length);
  const body = tidy(kept);
  // Nothing new above, below or between: then what there is is what was sent.
  if (body === '') return limited(whole, whole, false);
  return limited(body, whole, body !== tidy(lines));
}

function limited(body: string, whole: string, foldedAway: boolean): FoldedBody {
  const isCut = body.length > longestBody && [...body.slice(0, 2 * longestBody + 2)].length > longestBody;
  return {
    body: isCut ? [...body.slice(0, 2 * longestBody)].slice(0, longestBody).join('') : body,
    whole,
    foldedAway,
    isCut,
  };
}

function tidy(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The lines that are not history; all of them where a forward or answers within the quotation make that unsafe. */
function withoutHistory(lines: readonly string[], subject: string, library: ReplyLibrary): readonly string[] {
  const kept: string[] = [];
  let keptCharacters = 0;
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    // The body ends here anyway, and looking further would cost time that a hostile message could ask for.
    if (keptCharacters > 2 * longestBody) return [...kept, ...lines.slice(at)];
    if (isForwardSeparator(line)) return [...kept, ...lines.slice(at)];
    if (isReplyAbove(line) || isOriginalSeparator(line, library)) return cutHere(kept, lines);
    const block = headerBlockAt(lines, at, library);
    if (block !== null) {
      if (isForwardSubject(subject, block.language)) return lines;
      return cutHere(isTitle(kept.at(-1) ?? '') ? kept.slice(0, -1) : kept, lines);
    }
    const attribution = attributionAt(lines, at, library);
    if (attribution !== null || isQuoted(line)) {
      const quote = quoteAt(lines, at, attribution?.lines ?? 0);
      if (attribution?.isStrong && !quote.hasMarks) return cutHere(kept, lines);
      if (quote.hasMarks) {
        const isHistory = attribution !== null || (quote.markedLines >= 3 && !announces(kept));
        if (quote.isInterleaved) return [...kept, ...lines.slice(at)];
        if (isHistory && isOnlyBlank(withoutClosing(lines.slice(quote.end), library))) return cutHere(kept, lines);
        // One block of history with the answer below it.
        if (attribution !== null && isOnlyBlank(kept)) {
          at = quote.end;
          continue;
        }
        for (const quoted of lines.slice(at, quote.end)) kept.push(quoted);
        at = quote.end;
        continue;
      }
    }
    kept.push(line);
    keptCharacters += line.length + 1;
    at++;
  }
  return kept;
}

function cutHere(kept: readonly string[], lines: readonly string[]): readonly string[] {
  const above = kept.join('\n').slice(0, 20_000);
  return answersWithin.some((pattern) => above.split('\n').some((line) => pattern.test(line.slice(0, 500))))
    ? lines
    : kept;
}

type Quote = { end: number; hasMarks: boolean; markedLines: number; isInterleaved: boolean };

/** The block of marked lines that begins here or after the attribution, and whether more marked lines follow unmarked ones. */
function quoteAt(lines: readonly string[], at: number, attributionLines: number): Quote {
  let end = at + attributionLines;
  let markedLines = 0;
  let lastMarked = end;
  for (; end < lines.length; end++) {
    if (isQuoted(lines[end]!)) {
      markedLines++;
      lastMarked = end + 1;
    } else if (lines[end]!.trim() !== '') break;
  }
  const isMarkedItself = attributionLines > 0 && isQuoted(lines[at]!);
  const rest = markedLines === 0 ? [] : lines.slice(end);
  return {
    end: markedLines === 0 && !isMarkedItself ? at + attributionLines : Math.max(end, lastMarked),
    hasMarks: markedLines > 0 || isMarkedItself,
    markedLines,
    isInterleaved: rest.some(isQuoted),
  };
}

/** "The log says:" before marked lines: the customer shows something, and no program did. */
function announces(above: readonly string[]): boolean {
  const last = above.findLast((line) => line.trim() !== '');
  return last === undefined || /[:：]$/.test(last.trimEnd());
}

function isOnlyBlank(lines: readonly string[]): boolean {
  return lines.every((line) => line.trim() === '');
}

/** Off the end, as often as they come: telephone signatures, "-- " signatures, disclaimers, rules without anything below. */
function withoutClosing(lines: readonly string[], library: ReplyLibrary, hasLostHistory = false): readonly string[] {
  let end = lines.length;
  let folded = lines.length;
  for (let round = 0; round < 6; round++) {
    while (end > 0 && lines[end - 1]!.length < 200 && /^[\s_*–—-]*$/.test(lines[end - 1]!)) end--;
    const before = end;
    if (end > 0 && isMobileSignature(lines[end - 1]!, library)) end--;
    end = withoutDisclaimer(lines, end);
    end = withoutSignature(lines, end);
    // A rule at the end is the customer's own unless what stood below it has gone.
    if (end === before) break;
    folded = end;
  }
  return folded === lines.length && !hasLostHistory ? lines : lines.slice(0, end);
}

const longestSignatureLines = 12;

function withoutSignature(lines: readonly string[], end: number): number {
  for (let at = end - 1; at >= Math.max(0, end - longestSignatureLines); at--) {
    const line = lines[at]!;
    // Many programs take the space off "-- "; bare dashes are also how people underline, and no signature asks a question.
    if (/^--\s$/.test(line) || (line === '--' && !isUnderline(lines, at, end))) return at;
  }
  return end;
}

function isUnderline(lines: readonly string[], at: number, end: number): boolean {
  const above = lines[at - 1]?.trimEnd() ?? '';
  return /[:：]$/.test(above) || lines.slice(at + 1, end).some((line) => /[?？]\s*$/.test(line.slice(-20)));
}

function withoutDisclaimer(lines: readonly string[], end: number): number {
  let start = end;
  while (start > 0 && lines[start - 1]!.trim() !== '' && end - start < 40) start--;
  return start > 0 && isDisclaimer(lines.slice(start, end).join(' ')) ? start : end;
}

function forwardedText(message: EmbeddedMessage): string {
  const written = (person: { name: string; address: string }) =>
    person.name === '' ? person.address : `${person.name} <${person.address}>`;
  const head = ['---------- Forwarded message ----------'];
  if (message.from !== null) head.push(`From: ${written(message.from)}`);
  if (message.date !== null) head.push(`Date: ${message.date}`);
  head.push(`Subject: ${message.subject}`);
  if (message.to.length > 0) head.push(`To: ${message.to.slice(0, 20).map(written).join(', ')}`);
  const text = message.text ?? htmlToPlainText(message.html ?? '');
  return `${head.join('\n')}\n\n${text.trim()}`.trim();
}
