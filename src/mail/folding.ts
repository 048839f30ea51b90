// Recognising one line or block of quoted history: attributions, header blocks, separators, signatures. All in linear time.
import { copyLabels, type QuoteLanguage, quoteLanguages } from './quotes/languages.ts';
import {
  forwardedMessage,
  forwardPrefixes,
  norwegianForward,
  originalMessage,
  replyAbove,
} from './quotes/separators.ts';
import { disclaimerWords, mobileSignatures } from './quotes/signatures.ts';

/** No mail program writes a longer introduction; the bound keeps every test below short. */
const longestAttribution = 400;

export type Attribution = {
  /** Lines it spans: programs wrap it. */
  lines: number;
  /** Date, and time or address: enough even where the quotation after it is not marked. */
  isStrong: boolean;
};

/** "On <date>, <name> wrote:" at this line, in any of the languages, over at most three lines. */
export function attributionAt(lines: readonly string[], at: number): Attribution | null {
  const first = unquoted(lines[at]!);
  if (first === '' || first.length > longestAttribution || !/[\d@<]/.test(first)) return null;
  let joined = '';
  for (let count = 1; count <= 3 && at + count <= lines.length; count++) {
    const line = unquoted(lines[at + count - 1]!);
    if (line === '') return null;
    joined = joined === '' ? line : `${joined} ${line}`;
    if (joined.length > longestAttribution) return null;
    if (/[:：]$|\s-{2,6}$/.test(joined)) {
      const isStrong = strengthOf(joined);
      return isStrong === null ? null : { lines: count, isStrong };
    }
  }
  return null;
}

function strengthOf(line: string): boolean | null {
  const text = line.toLowerCase();
  const hasDate = /(^|\D)(19|20)\d\d(\D|$)|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}/.test(text);
  const hasTime = /\d{1,2}[:.：h]\d{2}/.test(text);
  const hasAddress = /< ?[^<>\s@]{1,64}@[^<>\s@]{1,255}>/.test(text);
  const language = quoteLanguages.find((each) => each.verbs.some((verb) => text.includes(verb)));
  // Russian, Czech and Japanese programs use no verb: the address stands right before the colon.
  if (language === undefined) return hasDate && hasTime && /@[^<>\s@]{1,255}>\)?\s?[:：]$/.test(text) ? true : null;
  if (!(hasDate || hasTime || hasAddress)) return null;
  if (quoteLanguages.some((each) => each.ownVoice.some((words) => text.includes(words)))) return null;
  if (!text.includes(' ') && language.code === 'en') return null;
  return (hasDate && (hasTime || hasAddress)) || (/@\S{1,255} wrote -{2,6}$/.test(text) && hasTime);
}

export type HeaderBlock = { lines: number; language: QuoteLanguage };

/**
 * The "From, Sent, To, Subject" block at this line: a sender, a date with a digit in it, and a subject or an address.
 * A blank line follows it, and no other label stands beside it: that would be a form ("Name:", "Message:") or a ticket
 * from London to Paris, and the customer's own.
 */
export function headerBlockAt(lines: readonly string[], at: number): HeaderBlock | null {
  const first = labelOf(lines[at]!);
  if (first === null || copyLabels.includes(first.label)) return null;
  if (at > 0 && isOtherLabel(lines[at - 1]!)) return null;
  for (const language of quoteLanguages) {
    if (kindOf(first.label, language) === null) continue;
    const values = new Map<string, string>();
    let end = at;
    for (; end < Math.min(at + 14, lines.length); end++) {
      const line = lines[end]!;
      const label = labelOf(line);
      const kind = label === null ? null : kindOf(label.label, language);
      // A second sender begins another block.
      if (kind !== null && values.has(kind)) break;
      if (kind !== null) values.set(kind, label!.value);
      // Long lists of recipients are wrapped.
      else if (label === null ? line.trim() === '' || !/@|^\s/.test(line) : !copyLabels.includes(label.label)) break;
    }
    const isSeparate = end >= lines.length || unquoted(lines[end]!) === '' || isBelowRule(lines, at);
    const hasSender = values.has('from') && (values.has('subject') || values.get('from')!.includes('@'));
    const hasMore = values.has('to') || values.has('subject');
    if (isSeparate && hasSender && hasMore && /\d/.test(values.get('date') ?? '')) return { lines: end - at, language };
  }
  return null;
}

/** Outlook on the web draws a rule above the block. */
function isBelowRule(lines: readonly string[], at: number): boolean {
  const above = [lines[at - 1], lines[at - 2]].find((line) => line !== undefined && line.trim() !== '');
  return above !== undefined && /^[_-]{10,200}$/.test(above.trim());
}

/** "Name: Jo", with a label that no mail program writes. */
function isOtherLabel(line: string): boolean {
  const label = labelOf(line);
  if (label === null || label.value.trim() === '') return false;
  return (
    !copyLabels.includes(label.label) && quoteLanguages.every((language) => kindOf(label.label, language) === null)
  );
}

function labelOf(line: string): { label: string; value: string } | null {
  const colon = line.slice(0, 48).search(/[:：]/);
  if (colon < 1) return null;
  const match = /^\s{0,8}[*_]{0,2}([^:：*_<>@/]{1,20}?)\s{0,3}[*_]{0,2}\s?[:：][*_]{0,2}(.{0,200})/.exec(
    unquoted(line).slice(0, 260),
  );
  return match === null ? null : { label: match[1]!.trim().toLowerCase(), value: match[2]! };
}

function kindOf(label: string, language: QuoteLanguage): 'from' | 'date' | 'to' | 'subject' | null {
  if (language.from.includes(label)) return 'from';
  if (language.date.includes(label)) return 'date';
  if (language.to.includes(label)) return 'to';
  return language.subject.includes(label) ? 'subject' : null;
}

/** "-----Original Message-----". */
export function isOriginalSeparator(line: string): boolean {
  const words = betweenDashes(line);
  return words !== null && originalMessage.includes(words);
}

/** "---------- Forwarded message ---------", "Begin forwarded message:". */
export function isForwardSeparator(line: string): boolean {
  const text = unquoted(line);
  if (text.length > 120) return false;
  const words = betweenDashes(line) ?? (/[:：]$/.test(text) ? text.slice(0, -1).trim().toLowerCase() : null);
  return words !== null && forwardedMessage.some((phrase) => words === phrase || words.startsWith(`${phrase} `));
}

function betweenDashes(line: string): string | null {
  const text = unquoted(line);
  if (text.length > 120 || !/^[-–—_=*]{2}/.test(text)) return null;
  return text
    .replace(/^[-–—_=*\s]+/, '')
    .replace(/[-–—_=*:\s]+$/, '')
    .toLowerCase();
}

/** True where the subject says that the customer forwards something, in the language of the block if that decides it. */
export function isForwardSubject(subject: string, language?: QuoteLanguage): boolean {
  const prefix = /^\s{0,5}(?:\[[^\]]{0,60}\]\s{0,3})?([^:：\s]{1,10}(?: enc)?)\s{0,2}[:：]/
    .exec(subject.slice(0, 120))?.[1]
    ?.toLowerCase();
  if (prefix === undefined) return false;
  return (
    forwardPrefixes.includes(prefix) ||
    (prefix === norwegianForward && (language?.code === 'nb' || language?.code === 'da'))
  );
}

export function isReplyAbove(line: string): boolean {
  const text = line.trim();
  return text.length <= 200 && replyAbove.some((pattern) => pattern.test(text));
}

/** A line that a telephone or mail program added. A link after it belongs to it. */
export function isMobileSignature(line: string): boolean {
  const text = line.trim().replace(/^[-–—*_\s]{0,4}/, '');
  if (text.length === 0 || text.length > 300) return false;
  const bare = text
    .replace(/\s{0,3}[<[(]?https?:\/\/\S{1,200}$/, '')
    .replace(/[.!。*_]{1,3}$/, '')
    .trim();
  return bare.length <= 100 && mobileSignatures.some((pattern) => pattern.test(bare));
}

export function isDisclaimer(paragraph: string): boolean {
  if (paragraph.length < 60) return false;
  const text = paragraph.slice(0, 5000).toLowerCase();
  return disclaimerWords.some((words) => words.filter((word) => text.includes(word)).length >= 2);
}

export function isQuoted(line: string): boolean {
  return line.startsWith('>') || line.startsWith(' >');
}

/** The line without its quotation marks and the spaces around it. */
export function unquoted(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}
