// The new text of a message, without quoted history, signature and disclaimer. In doubt, text stays.

import { htmlToPlainText } from '../inbound/html-text.ts';
import type { EmbeddedMessage, InboundMessage } from '../inbound/message.ts';
import { type Attribution, attributionAt } from './attribution.ts';
import {
  headerBlockAt,
  isDisclaimer,
  isForwardSeparator,
  isForwardSubject,
  isMobileSignature,
  isOriginalSeparator,
  isReplyAbove,
  isTitle,
} from './folding.ts';
import { type ReplyLibrary, replyLibrary } from './library.ts';
import { isBarred, isBlank, isQuoted } from './lines.ts';
import { answersWithin } from './quotes/separators.ts';

export const longestBody = 10_000;

export type FoldedBody = {
  body: string;
  whole: string;
  /** `body` lacks history, a signature or a disclaimer that `whole` has. */
  foldedAway: boolean;
  /** `body` exceeded its limit: keep `whole` as an attachment. */
  isCut: boolean;
};

/** What the text does not say about its message. */
type About = {
  /** Of the desk, in which a mail program names whom it quotes. */
  ownNames?: readonly string[];
  /** It names the mail that it answers, as no form does. */
  isAnswer?: boolean;
};

export function bodyOf(
  message: Pick<InboundMessage, 'text' | 'html' | 'order' | 'embedded' | 'subject'>,
  about: About = {},
): FoldedBody {
  const folded = foldReply(wordsOf(message), message.subject, about);
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

/** The subject distinguishes a forward from a reply when the text does not. */
export function foldReply(text: string, subject = '', { ownNames = [], isAnswer = false }: About = {}): FoldedBody {
  const whole = withoutBlankEdges(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
  const sent = whole.split('\n');
  const lines = whole.includes('\u00a0') ? whole.replaceAll('\u00a0', ' ').split('\n') : sent;
  const library = replyLibrary(ownNames);
  const kept = withoutHistory(lines, { subject, isAnswer }, library);
  const end = endOfText(
    kept.map((at) => lines[at]!),
    library,
    kept.length < lines.length,
  );
  if (kept.length === lines.length && end === lines.length) return limited(whole, whole, false);
  const left = kept.slice(0, end).map((at) => sent[at]!);
  const body = withoutBlankEdges(left.join('\n'));
  // Nothing new: the message is its own text.
  return body === '' ? limited(whole, whole, false) : limited(body, whole, true);
}

function withoutBlankEdges(text: string): string {
  const ended = text.trimEnd();
  const first = ended.length - ended.trimStart().length;
  return ended.slice(ended.lastIndexOf('\n', first) < 0 ? 0 : ended.lastIndexOf('\n', first) + 1);
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

/** All lines when a forward, or answers inside the quotation, make folding unsafe. */
function withoutHistory(
  lines: readonly string[],
  { subject, isAnswer }: { subject: string; isAnswer: boolean },
  library: ReplyLibrary,
): readonly number[] {
  const kept: number[] = [];
  let keptCharacters = 0;
  let at = 0;
  const keepTo = (end: number) => {
    for (; at < end; at++) kept.push(at);
    return kept;
  };
  while (at < lines.length) {
    const line = lines[at]!;
    // The body ends here anyway, and a hostile message could make the rest expensive.
    if (keptCharacters > 2 * longestBody || isForwardSeparator(line)) return keepTo(lines.length);
    if (isReplyAbove(line) || isOriginalSeparator(line, library)) return cutHere(kept, lines);
    const block = headerBlockAt(lines, at, library, isAnswer);
    if (block !== null) {
      if (isForwardSubject(subject, block.language)) return lines.map((_, index) => index);
      return cutHere(isTitle(lines[kept.at(-1) ?? -1] ?? '') ? kept.slice(0, -1) : kept, lines);
    }
    const attribution = attributionAt(lines, at, library);
    if (attribution !== null || isQuoted(line)) {
      const quote = quoteAt(lines, at, attribution);
      if (attribution?.isStrong && !quote.hasMarks) return cutHere(kept, lines);
      if (quote.hasMarks) {
        const isHistory = attribution !== null || (quote.markedLines >= 3 && !announces(lines, kept));
        if (quote.isInterleaved) return keepTo(lines.length);
        if (isHistory && isOnlyClosing(lines.slice(quote.end), library)) return cutHere(kept, lines);
        // History first, the answer below it.
        if (attribution !== null && kept.every((index) => isBlank(lines[index]))) at = quote.end;
        else keepTo(quote.end);
        continue;
      }
    }
    kept.push(at);
    keptCharacters += line.length + 1;
    at++;
  }
  return kept;
}

function cutHere(kept: readonly number[], lines: readonly string[]): readonly number[] {
  let characters = 0;
  for (const at of kept) {
    const line = lines[at]!.slice(0, 500);
    characters += lines[at]!.length + 1;
    if (characters > 20_000) break;
    if (answersWithin.some((pattern) => pattern.test(line))) return lines.map((_, index) => index);
  }
  return kept;
}

type Quote = { end: number; hasMarks: boolean; markedLines: number; isInterleaved: boolean };

/** Interleaved: more marked lines follow unmarked ones. */
function quoteAt(lines: readonly string[], at: number, attribution: Attribution | null): Quote {
  const marked = markedFrom(lines, at, attribution?.lines ?? 0, isQuoted);
  if (marked.hasMarks || attribution === null || !attribution.mayHaveBars) return marked;
  return markedFrom(lines, at, attribution.lines, isBarred);
}

function markedFrom(
  lines: readonly string[],
  at: number,
  attributionLines: number,
  isMarked: (line: string) => boolean,
): Quote {
  const start = at + attributionLines;
  let end = start;
  let markedLines = 0;
  for (; end < lines.length; end++) {
    if (isMarked(lines[end]!)) markedLines++;
    else if (!isBlank(lines[end])) break;
  }
  const hasMarks = markedLines > 0 || (attributionLines > 0 && isMarked(lines[at]!));
  return {
    end: hasMarks ? end : start,
    hasMarks,
    markedLines,
    isInterleaved: markedLines > 0 && hasMarkedFrom(lines, end, isMarked),
  };
}

function hasMarkedFrom(lines: readonly string[], from: number, isMarked: (line: string) => boolean): boolean {
  for (let at = from; at < lines.length; at++) if (isMarked(lines[at]!)) return true;
  return false;
}

/** "The log says:" introduces something that the customer shows. */
function announces(lines: readonly string[], above: readonly number[]): boolean {
  const last = above.findLast((at) => !isBlank(lines[at]));
  return last === undefined || /[:：]$/.test(lines[last]!.trimEnd().slice(-10));
}

function isOnlyClosing(lines: readonly string[], library: ReplyLibrary): boolean {
  return lines.slice(0, endOfText(lines, library, false)).every(isBlank);
}

/** Cuts what programs append, repeatedly: phone signatures, "-- " signatures, disclaimers, rules. */
function endOfText(lines: readonly string[], library: ReplyLibrary, hasLostHistory: boolean): number {
  let end = lines.length;
  let folded = lines.length;
  for (let round = 0; round < 6; round++) {
    while (end > 0 && lines[end - 1]!.length < 200 && /^[\s_*–—-]*$/.test(lines[end - 1]!)) end--;
    const before = end;
    if (end > 0 && isMobileSignature(lines[end - 1]!, library)) end--;
    end = withoutDisclaimer(lines, end);
    end = withoutSignature(lines, end);
    // A rule at the end is the customer's own unless the text below it was cut.
    if (end === before) break;
    folded = end;
  }
  return folded === lines.length && !hasLostHistory ? lines.length : end;
}

const longestSignatureLines = 12;

function withoutSignature(lines: readonly string[], end: number): number {
  for (let at = end - 1; at >= Math.max(0, end - longestSignatureLines); at--) {
    const line = lines[at]!;
    // Many programs strip the space of "-- ", but people underline with dashes, and no signature asks a question.
    if (/^--\s$/.test(line) || (line === '--' && !isUnderline(lines, at, end) && isBrief(lines, at + 1, end)))
      return at;
  }
  return end;
}

/** Names, roles and numbers. A line that ends in a small word and a full stop is a sentence; "Inc." is none. */
function isBrief(lines: readonly string[], from: number, end: number): boolean {
  return lines
    .slice(from, end)
    .every((line) => line.length <= 72 && !/(?:\s\p{Ll}\S{0,40}[.!…]|[。！])$/u.test(line.trimEnd()));
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
