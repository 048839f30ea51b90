// Recognises the line that introduces a quotation, "On <date>, <name> wrote:", and asks for evidence.

import type { ReplyLibrary } from './library.ts';
import { isBlank, isQuoted, unquoted } from './lines.ts';
import { attributionWords, ownVoice, verbsAfterNames, wordsBeforeNames } from './quotes/attributions.ts';

/** Longer than any mail program writes; keeps every test below cheap. */
const longestAttribution = 400;

export type Attribution = {
  lines: number;
  isStrong: boolean;
  /** Bars can mark the quotation instead of ">". */
  mayHaveBars: boolean;
};

export function attributionAt(lines: readonly string[], at: number, library: ReplyLibrary): Attribution | null {
  const first = unquoted(lines[at]!);
  if (first === '' || first.length > longestAttribution || !/[\d@<]/.test(first)) return null;
  return (
    withColonAt(lines, at, library) ??
    withMailtoAt(lines, at, library) ??
    dateAndNameAt(lines, at) ??
    dateAndAddress(first)
  );
}

function withColonAt(lines: readonly string[], at: number, library: ReplyLibrary): Attribution | null {
  let joined = '';
  for (let count = 1; count <= 3 && at + count <= lines.length; count++) {
    const line = unquoted(lines[at + count - 1]!);
    if (line === '') return null;
    joined = joined === '' ? line : `${joined} ${line}`;
    if (joined.length > longestAttribution) return null;
    if (!/[:：]$|\s-{2,6}$/.test(joined)) continue;
    // The next line can begin with a name of its own, but not with the rest of an address.
    const isFramed = (count === 1 || unquoted(lines[at]!).includes('<')) && hasMarksBelow(lines, at + count);
    const evidence = evidenceOf(joined, library, isFramed);
    if (evidence === null || (count > 1 && !beginsHere(lines, at, count, library))) return null;
    const isStrong = isProof(evidence) || (count === 1 && evidence.isNameAndAddress && standsAlone(lines, at));
    return { lines: count, isStrong, mayHaveBars: false };
  }
  return null;
}

type Evidence = { hasDate: boolean; hasTime: boolean; hasAddress: boolean; isNameAndAddress: boolean };

const isProof = ({ hasDate, hasAddress }: Evidence) => hasDate && hasAddress;

const datePattern = /(^|\D)(19|20)\d\d(\D|$)|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}/;
const timePattern = /\d{1,2}[:.：h]\d{2}/;
/** A day and a time of day, as programs write when a mail was sent. */
export const isMoment = (text: string) => datePattern.test(text) && timePattern.test(text);

const addressPattern = /< ?[^<>\s@]{1,64}@[^<>\s@]{1,255}>/;

/** @param isFramed between its date and the quotation itself, the name can be of any words */
function evidenceOf(line: string, library: ReplyLibrary, isFramed = false): Evidence | null {
  const text = line.toLowerCase();
  const hasDate = datePattern.test(text);
  const hasTime = timePattern.test(text);
  const address = addressPattern.exec(line);
  const hasAddress = address !== null || (hasDate && hasTime && /[^<>\s@]@[^<>\s@]/.test(text));
  if (!(hasDate || hasTime || hasAddress)) return null;
  // This is a line of a header block, which needs more evidence.
  if (/^[^\d\s:：]{1,20}\s?[:：]/.test(text) || ownVoice.some((words) => text.includes(words))) return null;
  if (beginsWithSentence(line)) return null;
  const hasAnyName = isFramed && hasDate && hasTime;
  if (address !== null && !isWrittenByProgram(line, address, { hasMoment: hasDate || hasTime, hasAnyName }, library))
    return null;
  // Russian, Czech and Japanese programs use no verb: the address comes directly before the colon.
  const isBare = hasDate && hasTime && /@[^<>\s@]{1,255}>\)?\s?[:：]$/.test(text);
  const isKnown = isBare || attributionWords.some((words) => text.includes(words)) || library.isIntroduction(line);
  return isKnown ? { hasDate, hasTime, hasAddress, isNameAndAddress: address !== null && !hasDate && !hasTime } : null;
}

const sentenceEnd = /(?:\p{Ll}{4}\.|[!?…;])\s/u;

/** "It broke again. At 15:14 it wrote:". Two words can be a short weekday: "Den tors. 8. sep." */
function beginsWithSentence(line: string): boolean {
  const head = line.slice(0, line.search(/[\d<@]|$/));
  return sentenceEnd.test(head) && head.trim().split(/\s+/).length > 2;
}

/** "I told Kim <kim@example.com> and she wrote:" is the customer's own sentence. */
function isWrittenByProgram(
  line: string,
  address: RegExpExecArray,
  { hasMoment, hasAnyName }: { hasMoment: boolean; hasAnyName: boolean },
  library: ReplyLibrary,
): boolean {
  const before = line.slice(0, address.index);
  const after = line.slice(address.index + address[0].length);
  if (hasAnyName && isMomentThenName(before) && isVerbAlone(after)) return true;
  if (!/\d/.test(after) && after.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > 3) return false;
  const other = library.beforeOwnName(before);
  return isName(hasMoment ? nameIn(other) : other, hasMoment);
}

/** "On <date> at <time>, Name of any words", not "I told them on <date> at <time> that Name". */
function isMomentThenName(text: string): boolean {
  const opening = text
    .slice(0, text.search(/\d|$/))
    .split(/\s+/)
    .filter((word) => word !== '');
  return opening.length <= 3 && isMoment(text) && !sentenceEnd.test(nameIn(text));
}

const nameIn = (before: string) => before.slice(before.search(/[^\d,:：]*$/));

/** "<address> wrote:" or "(<address>) wrote:", and not "<address> and she wrote:". */
function isVerbAlone(after: string): boolean {
  const words = after
    .toLowerCase()
    .replace(/^\s?\)/, '')
    .replace(/[\s:：]+$/, '')
    .trim();
  return words === '' || verbsAfterNames.includes(words);
}

function hasMarksBelow(lines: readonly string[], from: number): boolean {
  const next = lines.slice(from, from + 3).find((line) => !isBlank(line));
  return next !== undefined && isQuoted(next);
}

function isName(text: string, hasMoment: boolean): boolean {
  const words = text
    // Lists and forums write "name via List".
    .replace(/\S+ via /, '')
    .split(/[\s("'“”«»„]+/)
    .filter((word) => word !== '' && !wordsBeforeNames.includes(word.toLowerCase()));
  const small = words.filter((word) => /^\p{Ll}{4}/u.test(word));
  // "Web shop" is what a desk calls itself.
  const isShopName = hasMoment && words.length <= 3 && /^\p{Lu}/u.test(words[0] ?? '');
  return small.length === 0 || isShopName || (small.length === words.length && words.length <= (hasMoment ? 3 : 1));
}

/** The first line can also end the customer's own sentence. */
function beginsHere(lines: readonly string[], at: number, count: number, library: ReplyLibrary): boolean {
  const first = unquoted(lines[at]!);
  const head = first.slice(0, first.search(/[\d<]/));
  const hasMoment = datePattern.test(first) || timePattern.test(first);
  if (!(hasMoment || first.includes('<')) || head.split(/\s+/).length > 7) return false;
  if (/[!?…;]$|\.\.$|\p{Ll}{6}\.$/u.test(first)) return false;
  for (let from = 1; from < count; from++) {
    const rest = lines
      .slice(at + from, at + count)
      .map(unquoted)
      .join(' ');
    const evidence = evidenceOf(rest, library);
    if (evidence === null) continue;
    const isWhole = evidence.hasDate && (evidence.hasTime || evidence.hasAddress);
    if (isWhole || (evidence.isNameAndAddress && !rest.startsWith('<') && !endsInMoment(first))) return false;
  }
  return true;
}

/** "On <date> at <time>, Desk", with "Support <address> wrote:" on the next line. */
function endsInMoment(line: string): boolean {
  const after = line.slice(line.search(/\D*$/)).replace(/^\s?(?:[ap]\.?\s?m\b\.?|uhr\b)/i, '');
  return isMoment(line) && !/(?:^|\s)\p{Ll}/u.test(after);
}

/** Some programs turn a mailto link into text, with blank lines in between. */
function withMailtoAt(lines: readonly string[], at: number, library: ReplyLibrary): Attribution | null {
  if (!datePattern.test(lines[at]!)) return null;
  const pieces: string[] = [];
  for (let end = at; end < Math.min(at + 8, lines.length); end++) {
    const line = lines[end]!.trim();
    if (line.length > longestAttribution) return null;
    if (line !== '') pieces.push(line);
    if (pieces.length < 3 || !/[:：]$/.test(line)) continue;
    const link = /^(.{1,300}?)\s?<\s?mailto:\s?[^<>]{0,100}?<?\s?([^<>\s@]{1,64}@[^<>\s@]{1,255}?)>?\s?>([^<>]{1,40})$/;
    const parts = link.exec(pieces.join(' ').slice(0, 2 * longestAttribution));
    if (parts === null) return null;
    const evidence = evidenceOf(`${parts[1]} <${parts[2]}>${parts[3]}`, library);
    return evidence === null ? null : { lines: end - at + 1, isStrong: isProof(evidence), mayHaveBars: false };
  }
  return null;
}

const gmailMoment = /^\d{4}-\d\d-\d\d \d{1,2}:\d\d GMT[+-]\d\d:\d\d\s/;

/** "2016-03-03 17:21 GMT+01:00 Name". A log has more such lines, or a line that announces it. */
function dateAndNameAt(lines: readonly string[], at: number): Attribution | null {
  const line = unquoted(lines[at]!);
  const moment = gmailMoment.exec(line.slice(0, 40))?.[0];
  if (moment === undefined || line.length > 120) return null;
  const name = line.slice(moment.length).replace(addressPattern, '').trim();
  const words = name.split(/\s+/);
  if (words.length > 5 || !words.every((word) => /^["'(]?[\p{Lu}\p{Lo}][\p{L}.'’-]*["')]?$/u.test(word))) return null;
  return { lines: 1, isStrong: words.length > 1 && standsAlone(lines, at), mayHaveBars: false };
}

/** "2013/7/20 name via X <address>" needs marked lines below: people list people too. */
function dateAndAddress(line: string): Attribution | null {
  const isIntroduction = /^\d{4}[./-]\d{1,2}[./-]\d{1,2}\s/.test(line) && />$/.test(line) && addressPattern.test(line);
  return isIntroduction ? { lines: 1, isStrong: false, mayHaveBars: true } : null;
}

function standsAlone(lines: readonly string[], at: number): boolean {
  if (!isBlank(lines[at - 1]) || !isBlank(lines[at + 1])) return false;
  const above = lines.slice(Math.max(0, at - 4), at).findLast((line) => !isBlank(line));
  const below = lines.slice(at + 1, at + 4).find((line) => !isBlank(line));
  return ![above, below].some(
    (line) => line !== undefined && (/[:：]\s*$/.test(line.slice(-10)) || /^\d{4}-/.test(line)),
  );
}
